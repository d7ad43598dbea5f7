// hipBLASLt's extra operations on rows of matrices (hipblaslt-ext-op.h) and its tuning values, which mean nothing on a
// CPU. Matrices here are row-major, m x n, without gaps.
#include <algorithm>
#include <cmath>
#include <functional>

#include "kernels.h"
#include "lt.h"
#include "rocblas/kernels.h"

namespace sx::lt {

namespace {

constexpr uint32_t widest_softmax = 256;

void softmax_row(i64 n, const float* x, float* y) {
  float top = x[0];
  for (i64 j = 1; j < n; ++j) top = std::fmax(top, x[j]);
  double sum = 0;
  for (i64 j = 0; j < n; ++j) sum += y[j] = std::exp(x[j] - top);
  for (i64 j = 0; j < n; ++j) y[j] = static_cast<float>(y[j] / sum);
}

void normalise_row(i64 n, const float* x, float eps, const float* gamma, const float* beta, float* y, float* mean,
                   float* inverse) {
  double sum = 0, squares = 0;
  for (i64 j = 0; j < n; ++j) sum += x[j];
  const double middle = sum / static_cast<double>(n);
  for (i64 j = 0; j < n; ++j) squares += (x[j] - middle) * (x[j] - middle);
  const double scale = 1 / std::sqrt(squares / static_cast<double>(n) + static_cast<double>(eps));
  *mean = static_cast<float>(middle), *inverse = static_cast<float>(scale);
  for (i64 j = 0; j < n; ++j) {
    const double v = (x[j] - middle) * scale;
    y[j] = static_cast<float>((gamma ? v * gamma[j] : v) + (beta ? beta[j] : 0));
  }
}

hipblasStatus_t by_rows(hipStream_t stream, i64 m, i64 n, std::function<void(i64)> row) {
  return status_of(enqueue(stream, [=] {
    rb::split(m, 8192 / (n + 1) + 1, [&](i64 i, i64 end) {
      for (; i < end; ++i) row(i);
    });
  }));
}

}  // namespace
}  // namespace sx::lt

using namespace sx::lt;

extern "C" {

hipblasStatus_t hipblasltExtSoftmax(hipDataType type, uint32_t m, uint32_t n, uint32_t dim, void* output, void* input,
                                    hipStream_t stream) try {
  if (type != HIP_R_32F || dim != 1) return HIPBLAS_STATUS_NOT_SUPPORTED;
  if (n > widest_softmax) return HIPBLAS_STATUS_INVALID_VALUE;
  if (m == 0 || n == 0) return HIPBLAS_STATUS_SUCCESS;
  return by_rows(stream, m, n, [=](i64 i) {
    softmax_row(n, static_cast<const float*>(input) + i * n, static_cast<float*>(output) + i * n);
  });
} catch (...) {
  return failure();
}

hipblasStatus_t hipblasltExtLayerNorm(hipDataType type, void* output, void* mean, void* inverse, void* input,
                                      uint32_t m, uint32_t n, float eps, void* gamma, void* beta,
                                      hipStream_t stream) try {
  if (type != HIP_R_32F) return HIPBLAS_STATUS_NOT_SUPPORTED;
  if (!output || !mean || !inverse || !input || m == 0 || n == 0) return HIPBLAS_STATUS_INVALID_VALUE;
  return by_rows(stream, m, n, [=](i64 i) {
    normalise_row(n, static_cast<const float*>(input) + i * n, eps, static_cast<const float*>(gamma),
                  static_cast<const float*>(beta), static_cast<float*>(output) + i * n, static_cast<float*>(mean) + i,
                  static_cast<float*>(inverse) + i);
  });
} catch (...) {
  return failure();
}

hipblasStatus_t hipblasltExtAMax(const hipDataType type, const hipDataType out_type, void* output, void* input,
                                 uint32_t m, uint32_t n, hipStream_t stream) try {
  const auto known = [](hipDataType t) { return t == HIP_R_32F || t == HIP_R_16F; };
  if (!known(type) || !known(out_type)) return HIPBLAS_STATUS_NOT_SUPPORTED;
  if (!output || !input || m == 0 || n == 0) return HIPBLAS_STATUS_INVALID_VALUE;
  return status_of(sx::enqueue(stream, [=] {
    float line[sx::rb::block], best = 0;
    const i64 total = static_cast<i64>(m) * n;
    for (i64 i = 0; i < total; i += sx::rb::block) {
      const i64 length = std::min(sx::rb::block, total - i);
      widen(type, length, static_cast<const char*>(input) + i * static_cast<i64>(size_of(type)), line);
      best = std::max(best, magnitude(length, line));
    }
    narrow(out_type, 1, &best, output);
  }));
} catch (...) {
  return failure();
}

// Measures of how well a problem fills the device, and settings of the benchmark: nothing is measured here.
int hipblasltGetCUs() { return 0; }
double hipblasltGetCuGranularity() { return 0; }
double hipblasltGetTile0Granularity() { return 0; }
double hipblasltGetTile1Granularity() { return 0; }
double hipblasltGetTilesPerCuValue() { return 0; }
double hipblasltGetTotalGranularityValue() { return 0; }
double hipblasltGetWaveGranularity() { return 0; }
size_t hipblasltGetMemReadBytes() { return 0; }
size_t hipblasltGetMemWriteBytesD() { return 0; }
void hipblasltSetColdIterationsValue(int) {}
void hipblasltSetHotIterationsValue(int) {}
void hipblasltSetRotatingBufferSizeValue(int) {}
void hipblasltSetFlushValue(bool) {}

}  // extern "C"
