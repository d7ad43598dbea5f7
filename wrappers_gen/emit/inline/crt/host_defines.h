#if defined(__CUDACC__) || defined(__HIPCC__)
#define SCALEX_ON(where) __attribute__((where))
#else
#define SCALEX_ON(where)
#endif
#ifndef __host__
#define __host__ SCALEX_ON(host)
#endif
#ifndef __device__
#define __device__ SCALEX_ON(device)
#endif
#ifndef __global__
#define __global__ SCALEX_ON(global)
#endif
#ifndef __shared__
#define __shared__ SCALEX_ON(shared)
#endif
#ifndef __constant__
#define __constant__ SCALEX_ON(constant)
#endif
#ifndef __forceinline__
#define __forceinline__ __inline__ __attribute__((always_inline))
#endif
#ifndef __align__
#define __align__(n) __attribute__((aligned(n)))
#endif
#ifndef CUDARTAPI
#define CUDARTAPI
#endif
#ifndef CUDARTAPI_CDECL
#define CUDARTAPI_CDECL
#endif
#ifndef CUDART_CB
#define CUDART_CB
#endif

/* NVIDIA's headers give these C++ default arguments. */
#ifdef __cplusplus
#define SCALEX_DEFAULT(value) = value
#else
#define SCALEX_DEFAULT(value)
#endif

#if defined(DISABLE_CUSOLVER_DEPRECATED) || defined(SCALEX_NO_DEPRECATED)
#define SCALEX_DEPRECATED
#else
#define SCALEX_DEPRECATED __attribute__((deprecated))
#endif
