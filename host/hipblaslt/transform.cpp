// hipblasLtMatrixTransform: C = alpha op(A) + beta op(B), for one element type and row- or column-major layouts.
//
// As in hipBLASLt's rocblaslt_transform.cpp: the types of B and C are not looked at, OP_C is OP_N, the stride of A's
// batch serves all three, a NULL operand is 0 and one that is there is read whatever its factor.
#include <cmath>
#include <utility>

#include "kernels.h"
#include "lt.h"

namespace sx::lt {

namespace {

struct Side {
  const void* data;
  i64 ld;
  bool by_row, transposed;

  i64 at(i64 row, i64 column) const {
    if (transposed) std::swap(row, column);
    return by_row ? row * ld + column : row + column * ld;
  }
};

struct Transform {
  Side a, b, c;
  i64 m, n, batch, stride;
  int32_t type, scale_type;
  const void *alpha, *beta;  // read when the work runs, when they are on the device
  bool scalars_on_device;
  float alpha_value, beta_value;
};

bool known(int32_t type, int32_t scale_type) {
  if (scale_type == HIP_R_16F) return type == HIP_R_16F;
  return scale_type == HIP_R_32F &&
         (type == HIP_R_32F || type == HIP_R_16F || type == HIP_R_16BF || type == HIP_R_8I || type == HIP_R_32I);
}

float scalar(const void* p, int32_t type) {
  if (!p) return 0;
  float v;
  widen(type, 1, p, &v);
  return v;
}

float element(int32_t type, const void* p, i64 i) {
  if (type == HIP_R_32I) return static_cast<float>(static_cast<const int32_t*>(p)[i]);
  float v;
  widen(type, 1, static_cast<const char*>(p) + i * static_cast<i64>(size_of(type)), &v);
  return v;
}

// Integers lose their fraction, as in a conversion of the language, and saturate.
void store(int32_t type, void* p, i64 i, float v) {
  const auto integer = [&](double low, double high) {
    return std::isnan(v) ? 0.0 : std::fmin(std::fmax(std::trunc(static_cast<double>(v)), low), high);
  };
  if (type == HIP_R_32I)
    static_cast<int32_t*>(p)[i] = static_cast<int32_t>(integer(-2147483648.0, 2147483647.0));
  else if (type == HIP_R_8I)
    static_cast<int8_t*>(p)[i] = static_cast<int8_t>(integer(-128, 127));
  else
    narrow(type, 1, &v, static_cast<char*>(p) + i * static_cast<i64>(size_of(type)));
}

void run(const Transform& t) {
  const float alpha = t.scalars_on_device ? scalar(t.alpha, t.scale_type) : t.alpha_value;
  const float beta = t.scalars_on_device ? scalar(t.beta, t.scale_type) : t.beta_value;
  rb::split(t.batch * t.n, 16384 / (t.m + 1) + 1, [&](i64 begin, i64 end) {
    for (i64 q = begin; q < end; ++q) {
      const i64 j = q % t.n, offset = q / t.n * t.stride;
      for (i64 i = 0; i < t.m; ++i) {
        const float a = t.a.data ? element(t.type, t.a.data, offset + t.a.at(i, j)) : 0.0f;
        const float b = t.b.data ? element(t.type, t.b.data, offset + t.b.at(i, j)) : 0.0f;
        store(t.type, const_cast<void*>(t.c.data), offset + t.c.at(i, j), a * alpha + b * beta);
      }
    }
  });
}

hipblasStatus_t transform(hipblasLtHandle_t handle, const TransformDesc* desc, const void* alpha, const void* A,
                          const Layout* a, const void* beta, const void* B, const Layout* b, void* C, const Layout* c,
                          hipStream_t stream) {
  if (!handle) return HIPBLAS_STATUS_NOT_INITIALIZED;
  if ((A && !a) || (B && !b) || (!a && !b) || !C || !c) return HIPBLAS_STATUS_INVALID_VALUE;
  if (!desc) return HIPBLAS_STATUS_INVALID_VALUE;  // a fault in the library
  static const Layout none{};
  if (!a) a = &none;
  if (!b) b = &none;
  const auto plain = [](const Layout* l) { return l->order == HIPBLASLT_ORDER_COL || l->order == HIPBLASLT_ORDER_ROW; };
  if (!known(a->type, desc->scale_type) || !plain(a) || !plain(b) || !plain(c)) return HIPBLAS_STATUS_INTERNAL_ERROR;
  const auto side = [](const void* p, const Layout* l, int32_t op) {
    return Side{p, l->ld, l->order == HIPBLASLT_ORDER_ROW, op == HIPBLAS_OP_T};
  };
  Transform t{side(A, a, desc->trans_a),
              side(B, b, desc->trans_b),
              side(C, c, HIPBLAS_OP_N),
              static_cast<i64>(c->rows),
              static_cast<i64>(c->cols),
              a->batch,
              a->stride,
              a->type,
              desc->scale_type,
              alpha,
              beta,
              desc->pointer_mode == HIPBLASLT_POINTER_MODE_DEVICE,
              0,
              0};
  if (!t.scalars_on_device) {
    t.alpha_value = scalar(alpha, desc->scale_type);
    t.beta_value = scalar(beta, desc->scale_type);
  }
  if (t.m == 0 || t.n == 0 || t.batch <= 0) return HIPBLAS_STATUS_SUCCESS;
  return status_of(enqueue(stream, [t] { run(t); }));
}

}  // namespace
}  // namespace sx::lt

using namespace sx::lt;

extern "C" hipblasStatus_t hipblasLtMatrixTransform(hipblasLtHandle_t handle, hipblasLtMatrixTransformDesc_t desc,
                                                    const void* alpha, const void* A, hipblasLtMatrixLayout_t a,
                                                    const void* beta, const void* B, hipblasLtMatrixLayout_t b, void* C,
                                                    hipblasLtMatrixLayout_t c, hipStream_t stream) try {
  return transform(handle, of(desc), alpha, A, of(a), beta, B, of(b), C, of(c), stream);
} catch (...) {
  return failure();
}
