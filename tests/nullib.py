"""Libraries that answer without computing: what the bindings are tested and measured over."""

from __future__ import annotations

import subprocess
from pathlib import Path

#: cuBLAS functions that say what they were given. `seen` holds sgemm's arguments in order.
CUBLAS = r"""
#include <stdint.h>
#include <string.h>
#include <unistd.h>
uint64_t seen[14];
int cublasSgemm_v2(void* h, int ta, int tb, int m, int n, int k, const float* alpha, const float* a, int lda,
                   const float* b, int ldb, const float* beta, float* c, int ldc) {
  const uint64_t now[14] = {(uint64_t)h, (uint32_t)ta, (uint32_t)tb, (uint32_t)m, (uint32_t)n, (uint32_t)k,
                            (uint64_t)alpha, (uint64_t)a, (uint32_t)lda, (uint64_t)b, (uint32_t)ldb, (uint64_t)beta,
                            (uint64_t)c, (uint32_t)ldc};
  memcpy(seen, now, sizeof seen);
  return 0;
}
int cublasSgemm_v2_64(void* h, int ta, int tb, int64_t m, int64_t n, int64_t k, const float* alpha, const float* a,
                      int64_t lda, const float* b, int64_t ldb, const float* beta, float* c, int64_t ldc) {
  const uint64_t now[14] = {(uint64_t)h, (uint32_t)ta, (uint32_t)tb, m, n, k, (uint64_t)alpha, (uint64_t)a, lda,
                            (uint64_t)b, ldb, (uint64_t)beta, (uint64_t)c, ldc};
  memcpy(seen, now, sizeof seen);
  return 0;
}
int cublasCreate_v2(void** handle) { *handle = (void*)0x7f1234567890; return 0; }
int cublasDestroy_v2(void* handle) { return handle ? 0 : 1; }
int cublasGetVersion_v2(void* handle, int* version) { *version = 130100; return handle ? 0 : 1; }
size_t cublasGetCudartVersion(void) { return (size_t)1 << 40; }
int cublasSscal_v2(void* h, int n, const float* alpha, float* x, int incx) { return n; }
int cublasDscal_v2(void* h, int n, const double* alpha, double* x, int incx) { usleep(n * 1000); return 0; }
int cublasSetPointerMode_v2(void* h, int mode) { usleep(mode * 1000); return 0; }
const char* cublasGetStatusString(int status) { return status == 7 ? "a bad value" : status == 99 ? 0 : "other"; }
float cublasSdot(int n, const float* x, int incx, const float* y, int incy) { return n * 0.5f; }
typedef struct { float x, y; } pair;
typedef struct { double x, y; } __attribute__((aligned(16))) wide;
pair cublasCdotu(int n, const pair* x, int incx, const pair* y, int incy) { return (pair){n, -1}; }
wide last;
void cublasZscal(int n, wide alpha, wide* x, int incx) { last = alpha; }
wide cublasZdotu(int n, const wide* x, int incx, const wide* y, int incy) { return last; }
float given;
void cublasSscal(int n, float alpha, float* x, int incx) { given = alpha; }
double cublasDasum(int n, const double* x, int incx) { return given; }
"""

CUDART = r"""
#include <stdint.h>
#include <string.h>
int cudaGetLastError(void) { return 2; }
void* malloc(size_t);
void free(void*);
int allocated;
int cudaMalloc(void** p, size_t n) { *p = malloc(n); allocated++; return n > 1000000 ? 2 : 0; }
int cudaFree(void* p) { if (p == (void*)-1) return 1; free(p); allocated--; return 0; }
int cudaMemcpy(void* to, const void* from, size_t n, int kind) { memcpy(to, from, n); return 0; }
const char* cudaGetErrorString(int e) { return e == 1 ? "invalid argument" : 0; }
typedef struct { size_t width, height, depth; } extent;
extent size;
int cudaMalloc3DArray(void** array, const void* desc, extent e, unsigned flags) { size = e; return flags; }
typedef struct { int x, y, z, w, f; } channel;
channel cudaCreateChannelDesc(int x, int y, int z, int w, int f) { return (channel){x, y, z, w, f}; }
int cudaStreamSynchronize(void* s) { return 0; }
"""

CUSOLVER = """
int cusolverDnCreate(void** handle) { return 7; }
void sgemm_(void) {}
"""


def build(directory: Path, soname: str, source: str) -> Path:
    """``directory/soname`` from C source."""
    directory.mkdir(parents=True, exist_ok=True)
    path = directory / f"{soname}.c"
    path.write_text(source)
    made = directory / soname
    command = ["cc", "-O2", "-w", "-shared", "-fPIC", f"-Wl,-soname,{soname}", "-o", str(made), str(path)]
    subprocess.run(command, check=True)
    return made
