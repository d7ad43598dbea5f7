// Every other function of the two libraries: one that returns 0, under all names, weak so that nullrocm.cpp wins.
#include "scalex/rocm_table.h"

extern "C" int nullrocm_success() { return 0; }

#ifdef NULL_HIP
#define SX_NULL_hip(f) asm(".weak " #f "\n.type " #f ",@function\n.set " #f ", nullrocm_success");
#define SX_NULL_rocblas(f)
#else
#define SX_NULL_hip(f)
#define SX_NULL_rocblas(f) asm(".weak " #f "\n.type " #f ",@function\n.set " #f ", nullrocm_success");
#endif
#define SX_NULL_rocsolver(f)
#define SX_NULL_hipblaslt(f)
#define SX_NULL_hipfft(f)
#define SX_NULL_hiprtc(f)
#define SX_NULL_rocsparse(f)
#define SX_ONE(f, library, since, removed) SX_NULL_##library(f)
SX_ROCM_FUNCTIONS(SX_ONE)
