// A core with one handle and a rocBLAS that only records what it is called with: what emitted wrappers are tested on.
#include <stdarg.h>
#include <stdio.h>
#include <string>

#include "scalex/core.h"

namespace {
sx_rocm_table table;
alignas(512) sx_blas_slot slots[2];
std::string record;
rocblas_status answer;

void note(const char* format, ...) __attribute__((format(printf, 1, 2)));
void note(const char* format, ...) {
  char text[256];
  va_list list;
  va_start(list, format);
  vsnprintf(text, sizeof text, format, list);
  va_end(list);
  record += text;
  record += '\n';
}

rocblas_status sgemm(rocblas_handle, rocblas_operation ta, rocblas_operation tb, int m, int n, int k, const float* alpha,
                     const float*, int lda, const float*, int ldb, const float*, float*, int ldc) {
  note("sgemm %d %d %d %d %d %d %d %d aligned=%d", ta, tb, m, n, k, lda, ldb, ldc,
       reinterpret_cast<uintptr_t>(alpha) % sizeof(float) == 0);
  return answer;
}
rocblas_status sgemm_64(rocblas_handle, rocblas_operation, rocblas_operation, int64_t m, int64_t, int64_t, const float*,
                        const float*, int64_t, const float*, int64_t, const float*, float*, int64_t) {
  note("sgemm_64 %ld", m);
  return answer;
}
rocblas_status isamax(rocblas_handle, int n, const float*, int, int* result) {
  note("isamax %d", n);
  *result = 7;
  return answer;
}
rocblas_status isamax_64(rocblas_handle, int64_t n, const float*, int64_t, int64_t* result) {
  note("isamax_64 %ld", n);
  *result = int64_t{1} << 40;
  return answer;
}
rocblas_status zscal(rocblas_handle, int n, const rocblas_double_complex* alpha, rocblas_double_complex*, int) {
  note("zscal %d %g %g aligned=%d", n, alpha->x, alpha->y, reinterpret_cast<uintptr_t>(alpha) % 16 == 0);
  return answer;
}
hipError_t memset_async(void*, int value, size_t bytes, hipStream_t) {
  note("memset %d %zu", value, bytes);
  return hipSuccess;
}
}  // namespace

#define FAKE extern "C" __attribute__((visibility("default")))

FAKE const sx_rocm_table* sx_rocm;
const sx_rocm_table* sx_rocm = &table;
FAKE sx_core_state sx_core;
sx_core_state sx_core;
FAKE int32_t sx_provider_loaded;
int32_t sx_provider_loaded;

FAKE int sx_provider_load(void) {
  note("provider");
  sx_provider_loaded = 1;
  return 0;
}
FAKE int sx_blas_borrow_slow(sx_blas_slot* slot, sx_loan* loan) {
  note("borrow");
  loan->handle = reinterpret_cast<rocblas_handle>(slot);
  loan->entry = slot;
  return 0;
}
FAKE void sx_blas_return_slow(sx_loan*) { note("return"); }
FAKE void sx_xerbla(const char* routine, int number) { note("xerbla %s %d", routine, number); }
FAKE void sx_stub(const char* symbol, const char* why) { note("stub %s: %s", symbol, why); }
FAKE int sx_runtime_error_set(int error) { return error; }

// ---- for the test ------------------------------------------------------------------------------------------------------
FAKE void* fake_handle(void) {
  sx_core.slab = reinterpret_cast<uintptr_t>(slots);
  sx_core.slab_bytes = sizeof slots;
  sx_core.device_count = 1;
  slots[0].state = SX_KIND_BLAS;
  return slots;
}
FAKE void fake_set(int version, const char* arch, int members, int status, int device_mode) {
  table = sx_rocm_table{};
  table.version = version;
  table.arch = arch;
  if (members >= 1) table.rocblas_sgemm = sgemm, table.rocblas_isamax = isamax, table.rocblas_zscal = zscal;
  if (members >= 2) table.rocblas_sgemm_64 = sgemm_64, table.rocblas_isamax_64 = isamax_64;
  table.hipMemsetAsync = memset_async;
  answer = static_cast<rocblas_status>(status);
  slots[0].modes = device_mode ? uint64_t{SX_POINTER_MODE_MASK} : 0;
}
// What has happened since the last call, one line each.
FAKE const char* fake_record(void) {
  static std::string last;
  last.swap(record);
  record.clear();
  return last.c_str();
}
