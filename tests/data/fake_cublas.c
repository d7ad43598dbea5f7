/* A small, right CUDA runtime and cuBLAS (saxpy, sgemm without padding checks beyond NVIDIA's) for the tests of the
 * conformance runner. SCALE_X_FAKE names one fault to commit, so that the tests can see it reported. */
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct handle { int live, device_mode; };

static int fault(const char* name) {
  const char* f = getenv("SCALE_X_FAKE");
  return f != NULL && strcmp(f, name) == 0;
}

int cudaGetLastError(void) { return 0; }
int cudaMalloc(void** p, size_t n) { return (*p = malloc(n)) == NULL ? 2 : 0; }
int cudaFree(void* p) { free(p); return 0; }
int cudaMemcpy(void* to, const void* from, size_t n, int kind) { (void)kind; memcpy(to, from, n); return 0; }
int cudaDeviceSynchronize(void) { return 0; }
int cudaStreamCreate(void** s) { *s = (void*)16; return 0; }

static struct handle handles[64];
static int made;

static struct handle* valid(void* h) {
  struct handle* x = h;
  return x >= handles && x < handles + 64 && x->live ? x : NULL;
}

int cublasCreate_v2(void** h) {
  if (h == NULL || made == 64) return 7;
  handles[made].live = 1;
  *h = &handles[made++];
  return 0;
}
int cublasDestroy_v2(void* h) {
  struct handle* x = valid(h);
  if (x == NULL) return 1;
  x->live = 0;
  return 0;
}
int cublasSetPointerMode_v2(void* h, int mode) {
  struct handle* x = valid(h);
  if (x == NULL) return 1;
  x->device_mode = mode;
  return 0;
}
int cublasSetStream_v2(void* h, void* s) { (void)s; return valid(h) == NULL; }

int cublasSaxpy_v2(void* h, int n, const float* alpha, const float* x, int incx, float* y, int incy) {
  if (valid(h) == NULL) return fault("status") ? 0 : 1;
  if (n <= 0) return 0;
  if (alpha == NULL || ((x == NULL || y == NULL) && *alpha != 0)) return 7;
  if (fault("hang") && n == 1) for (;;) pause();
  if (fault("crash") && n == 1) raise(SIGSEGV);
  const float* px = incx < 0 ? x - (int64_t)(n - 1) * incx : x;
  float* py = incy < 0 ? y - (int64_t)(n - 1) * incy : y;
  if (*alpha != 0)
    for (int i = 0; i < n; ++i) py[(int64_t)i * incy] += *alpha * px[(int64_t)i * incx];
  if (fault("value") && n == 1000) py[(int64_t)999 * incy] *= 1.001f;
  if (fault("nan") && n == 1000) py[0] = 0.0f / 0.0f;
  if (fault("padding") && incy == 2) y[1] = 0;
  if (fault("guard") && incy == 1) y[n] = 0;
  if (fault("input")) ((float*)(intptr_t)x)[0] = 3;
  return 0;
}

int cublasSgemm_v2(void* h, int ta, int tb, int m, int n, int k, const float* alpha, const float* a, int lda,
                   const float* b, int ldb, const float* beta, float* c, int ldc) {
  if (valid(h) == NULL) return 1;
  int ra = ta == 0 ? m : k, rb = tb == 0 ? k : n, bad = 0;
  if (ta < 0 || ta > 2) bad = 1;
  else if (tb < 0 || tb > 2) bad = 2;
  else if (m < 0) bad = 3;
  else if (n < 0) bad = 4;
  else if (k < 0) bad = 5;
  else if (lda < (ra > 1 ? ra : 1)) bad = 8;
  else if (ldb < (rb > 1 ? rb : 1)) bad = 10;
  else if (ldc < (m > 1 ? m : 1)) bad = 13;
  if (bad) {
    printf(" ** On entry to SGEMM  parameter number %d had an illegal value\n", fault("message") ? bad + 1 : bad);
    return 7;
  }
  if (m == 0 || n == 0) return 0;
  if (alpha == NULL || beta == NULL) return 7;
  if ((k == 0 || *alpha == 0) && *beta == 1) return 0;
  if (c == NULL || ((a == NULL || b == NULL) && k != 0 && *alpha != 0)) return 7;
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < m; ++i) {
      double s = 0;
      if (*alpha != 0)
        for (int l = 0; l < k; ++l)
          s += (double)(ta == 0 ? a[i + (int64_t)l * lda] : a[l + (int64_t)i * lda]) *
               (tb == 0 ? b[l + (int64_t)j * ldb] : b[j + (int64_t)l * ldb]);
      float* p = c + i + (int64_t)j * ldc;
      double old = *beta == 0 && !fault("beta") ? 0.0 : *beta * (double)*p;
      *p = (float)(*alpha * s + old);
    }
  if (fault("k0") && k == 0) c[0] = 7;
  return 0;
}
