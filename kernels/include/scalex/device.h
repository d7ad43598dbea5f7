// What a kernel stands on, for every compiler: no header of hipRTC's, none of HIP's, no mathematics library.
//
// A kernel is SX_KERNEL(name, arguments, items, item): ``items(a)`` independent pieces of work, ``item(a, i)`` does
// one. A GPU gives each thread a piece and strides over the grid; the host engine runs a block's pieces in a loop.
// Pieces share nothing but atomic maxima, so that neither the order of blocks nor the size of a wave can matter.
#pragma once

#include "scalex/kernels.h"

#if defined(__AMDGCN__)  // device code only: hipRTC has no host pass
#define SX_FN __attribute__((device, always_inline)) static inline
#define SX_GLOBAL __attribute__((global, amdgpu_flat_work_group_size(256, 256)))
#elif defined(__CUDACC__)
#define SX_FN __device__ __forceinline__ static
#define SX_GLOBAL __global__ __launch_bounds__(256)
#else
#define SX_FN inline
#endif

namespace sx_kernel {

enum : int { kBlock = 256, kRows = 8 };  // threads of a block; rows of a column that one piece owns: a byte of a mask

#if defined(__AMDGCN__)
SX_FN sx_u32 block_index() { return __builtin_amdgcn_workgroup_id_x(); }
SX_FN sx_u32 thread_index() { return __builtin_amdgcn_workitem_id_x(); }
SX_FN void atomic_max(sx_u32* p, sx_u32 v) { __hip_atomic_fetch_max(p, v, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT); }
#elif defined(__CUDACC__)
SX_FN sx_u32 block_index() { return blockIdx.x; }
SX_FN sx_u32 thread_index() { return threadIdx.x; }
SX_FN void atomic_max(sx_u32* p, sx_u32 v) { atomicMax(p, v); }
#else
SX_FN void atomic_max(sx_u32* p, sx_u32 v) {
  sx_u32 seen = __atomic_load_n(p, __ATOMIC_RELAXED);
  while (seen < v && !__atomic_compare_exchange_n(p, &seen, v, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
  }
}
#endif

#if defined(__AMDGCN__) || defined(__CUDACC__)
// ``blocks`` is an argument because the size of the grid lies elsewhere for each of the two.
#define SX_KERNEL(name, arguments, items, item)                                                               \
  extern "C" SX_GLOBAL void name(arguments a, sx_u32 blocks) {                                                \
    const sx_i64 count = items(a), step = static_cast<sx_i64>(blocks) * sx_kernel::kBlock;                    \
    sx_i64 i = static_cast<sx_i64>(sx_kernel::block_index()) * sx_kernel::kBlock + sx_kernel::thread_index(); \
    for (; i < count; i += step) item(a, i);                                                                  \
  }
#else
#define SX_KERNEL(name, arguments, items, item)                                                      \
  void name##_block(const void* p, sx_u32 block, sx_u32 blocks) {                                    \
    const arguments& a = *static_cast<const arguments*>(p);                                          \
    const sx_i64 count = items(a), step = static_cast<sx_i64>(blocks) * sx_kernel::kBlock;           \
    for (sx_i64 base = static_cast<sx_i64>(block) * sx_kernel::kBlock; base < count; base += step) { \
      const sx_i64 end = base + sx_kernel::kBlock < count ? base + sx_kernel::kBlock : count;        \
      for (sx_i64 i = base; i < end; ++i) item(a, i);                                                \
    }                                                                                                \
  }
#endif

template <class To, class From>
SX_FN To bits(From v) {
  static_assert(sizeof(To) == sizeof(From), "same size");
  To out;
  __builtin_memcpy(&out, &v, sizeof out);
  return out;
}
template <class T>
SX_FN T minimum(T x, T y) {
  return x < y ? x : y;
}
template <class T>
SX_FN T maximum(T x, T y) {
  return x > y ? x : y;
}
SX_FN float absolute(float x) { return bits<float>(bits<sx_u32>(x) & 0x7fffffffu); }
SX_FN double absolute(double x) { return bits<double>(bits<sx_u64>(x) & 0x7fffffffffffffffull); }
template <class T>
SX_FN bool is_nan(T x) {
  return x != x;
}

// Quotient and remainder of non-negative numbers; 64-bit division is slow on GPUs and seldom needed.
SX_FN sx_i64 divide(sx_i64 x, sx_i64 by, sx_i64* rest) {
  if ((static_cast<sx_u64>(x) | static_cast<sx_u64>(by)) >> 32 == 0) {
    const sx_u32 q = static_cast<sx_u32>(x) / static_cast<sx_u32>(by);
    *rest = x - static_cast<sx_i64>(q) * by;
    return q;
  }
  const sx_i64 q = x / by;
  *rest = x - q * by;
  return q;
}

// ---- exponentials: the same on every target -------------------------------------------------------------------------
// exp(x) = 2^k * exp(r), |r| <= log(2) / 2; the polynomial is the Taylor series, whose rest is below half an ulp.
SX_FN float exponential(float x) {
  const float y = minimum(maximum(x, -104.0f), 89.0f);  // a NaN becomes a number here and is put back below
  const float k = (y * 1.44269504088896341f + 12582912.0f) - 12582912.0f;  // rounded to an integer
  const float r = (y - k * 0.693359375f) + k * 2.12194440054690583e-4f;
  float p = 1.3981999e-3f;
  p = p * r + 8.3333333e-3f;
  p = p * r + 4.1666666e-2f;
  p = p * r + 1.6666667e-1f;
  p = p * r + 0.5f;
  p = (p * r) * r + r + 1.0f;
  const int e = static_cast<int>(k), half = e >> 1;  // in two steps: 2^-150 and 2^128 are no floats
  const float lo = bits<float>(static_cast<sx_u32>(half + 127) << 23);
  const float hi = bits<float>(static_cast<sx_u32>(e - half + 127) << 23);
  const float v = p * lo * hi;
  return x != x ? x : v;
}
SX_FN double exponential(double x) {
  const double y = minimum(maximum(x, -746.0), 710.0);
  const double k = (y * 1.4426950408889634074 + 6755399441055744.0) - 6755399441055744.0;
  const double r = (y - k * 6.93147180369123816490e-01) - k * 1.90821492927058770002e-10;
  double p = 1.6059043836821613e-10;  // 1 / 13!
  p = p * r + 2.08767569878681e-09;
  p = p * r + 2.505210838544172e-08;
  p = p * r + 2.755731922398589e-07;
  p = p * r + 2.7557319223985893e-06;
  p = p * r + 2.48015873015873e-05;
  p = p * r + 1.984126984126984e-04;
  p = p * r + 1.388888888888889e-03;
  p = p * r + 8.333333333333333e-03;
  p = p * r + 4.1666666666666664e-02;
  p = p * r + 1.6666666666666666e-01;
  p = p * r + 0.5;
  p = (p * r) * r + r + 1.0;
  const int e = static_cast<int>(k), half = e >> 1;
  const double lo = bits<double>(static_cast<sx_u64>(half + 1023) << 52);
  const double hi = bits<double>(static_cast<sx_u64>(e - half + 1023) << 52);
  const double v = p * lo * hi;
  return x != x ? x : v;
}

}  // namespace sx_kernel
