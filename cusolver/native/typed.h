// scale-x's own typed entry points of cuSOLVER by element type, for the functions that take types as arguments.
#pragma once

#include "native.h"

template <class T>
struct sx_dn;

#define SX_DN(cuda_type, real_type, L, sy, data_type, data_real)             \
  template <>                                                                \
  struct sx_dn<cuda_type> {                                                  \
    using real = real_type;                                                  \
    static constexpr cudaDataType type = data_type, of_real = data_real;     \
    static constexpr bool complex = data_type != data_real;                  \
    static constexpr auto potrf = &cusolverDn##L##potrf;                     \
    static constexpr auto potrf_size = &cusolverDn##L##potrf_bufferSize;     \
    static constexpr auto potrs = &cusolverDn##L##potrs;                     \
    static constexpr auto potri = &cusolverDn##L##potri;                     \
    static constexpr auto potri_size = &cusolverDn##L##potri_bufferSize;     \
    static constexpr auto getrf = &cusolverDn##L##getrf;                     \
    static constexpr auto getrf_size = &cusolverDn##L##getrf_bufferSize;     \
    static constexpr auto getrs = &cusolverDn##L##getrs;                     \
    static constexpr auto geqrf = &cusolverDn##L##geqrf;                     \
    static constexpr auto geqrf_size = &cusolverDn##L##geqrf_bufferSize;     \
    static constexpr auto sytrf = &cusolverDn##L##sytrf;                     \
    static constexpr auto sytrf_size = &cusolverDn##L##sytrf_bufferSize;     \
    static constexpr auto gesvd = &cusolverDn##L##gesvd;                     \
    static constexpr auto gesvd_size = &cusolverDn##L##gesvd_bufferSize;     \
    static constexpr auto syevd = &cusolverDn##L##sy##evd;                   \
    static constexpr auto syevd_size = &cusolverDn##L##sy##evd_bufferSize;   \
    static constexpr auto syevdx = &cusolverDn##L##sy##evdx;                 \
    static constexpr auto syevdx_size = &cusolverDn##L##sy##evdx_bufferSize; \
    static constexpr auto sygvd = &cusolverDn##L##sy##gvd;                   \
    static constexpr auto sygvd_size = &cusolverDn##L##sy##gvd_bufferSize;   \
    static constexpr auto sygvdx = &cusolverDn##L##sy##gvdx;                 \
    static constexpr auto sygvdx_size = &cusolverDn##L##sy##gvdx_bufferSize; \
  }
SX_DN(float, float, S, sy, CUDA_R_32F, CUDA_R_32F);
SX_DN(double, double, D, sy, CUDA_R_64F, CUDA_R_64F);
SX_DN(cuComplex, float, C, he, CUDA_C_32F, CUDA_R_32F);
SX_DN(cuDoubleComplex, double, Z, he, CUDA_C_64F, CUDA_R_64F);
#undef SX_DN

// Calls ``body`` with a value of the element type that a cudaDataType names.
template <class Body>
cusolverStatus_t sx_of_type(cudaDataType type, const Body& body) {
  switch (type) {
    case CUDA_R_32F:
      return body(float{});
    case CUDA_R_64F:
      return body(double{});
    case CUDA_C_32F:
      return body(cuComplex{});
    case CUDA_C_64F:
      return body(cuDoubleComplex{});
    default:
      return CUSOLVER_STATUS_INVALID_VALUE;
  }
}
