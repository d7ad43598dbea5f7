// Every other function of the three libraries: one that returns 0, under all names, weak so that nullrocm.cpp wins.
#include "scalex/rocm_table.h"

extern "C" int nullrocm_success() { return 0; }

#define SX_SUCCEEDS(f) asm(".weak " #f "\n.type " #f ",@function\n.set " #f ", nullrocm_success");
#define SX_NULL_hip(f)
#define SX_NULL_rocblas(f)
#define SX_NULL_hipblaslt(f)
#if defined(NULL_HIP)
#undef SX_NULL_hip
#define SX_NULL_hip(f) SX_SUCCEEDS(f)
#elif defined(NULL_HIPBLASLT)
#undef SX_NULL_hipblaslt
#define SX_NULL_hipblaslt(f) SX_SUCCEEDS(f)
#else
#undef SX_NULL_rocblas
#define SX_NULL_rocblas(f) SX_SUCCEEDS(f)
#endif
#define SX_NULL_rocsolver(f)
#define SX_NULL_hipfft(f)
#define SX_NULL_hiprtc(f)
#define SX_NULL_rocsparse(f)
#define SX_ONE(f, library, since, removed) SX_NULL_##library(f)
SX_ROCM_FUNCTIONS(SX_ONE)
