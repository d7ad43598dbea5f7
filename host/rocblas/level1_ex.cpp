// Level 1 functions with types as arguments: axpy_ex, scal_ex, dot_ex, dotc_ex, nrm2_ex, rot_ex. The tables of accepted
// types are rocBLAS's; the work is the typed routines' own.
#include "level1.h"
#include "reduce.h"

namespace sx::rb {

namespace {

constexpr auto f16 = rocblas_datatype_f16_r, bf16 = rocblas_datatype_bf16_r, f32 = rocblas_datatype_f32_r;
constexpr auto f64 = rocblas_datatype_f64_r, c32 = rocblas_datatype_f32_c, c64 = rocblas_datatype_f64_c;

using Any = Arr<const void>;

template <class T>
Arr<T> typed(const Any& x) {
  return {static_cast<T*>(const_cast<void*>(x.base)), reinterpret_cast<T* const*>(const_cast<void* const*>(x.table)),
          x.ld, x.stride};
}
template <class T>
const T* typed(const void* p) {
  return static_cast<const T*>(p);
}

struct Types {
  rocblas_datatype a, b, c, d;
  bool are(rocblas_datatype a_, rocblas_datatype b_, rocblas_datatype c_, rocblas_datatype d_) const {
    return a == a_ && b == b_ && c == c_ && d == d_;
  }
  bool all(rocblas_datatype t) const { return are(t, t, t, t); }
};

// types: alpha, x, y, execution
rocblas_status axpy_ex(rocblas_handle h, i64 n, const void* alpha, Any x, Any y, i64 batch, Types t) {
  SX_TRY(enter(h));
  if (n <= 0 || batch <= 0) return rocblas_status_success;
  if (!alpha) return rocblas_status_invalid_pointer;
  const auto call = [&](auto a, auto v) {
    using A = decltype(a);
    using T = decltype(v);
    return axpy<A, T>(h, n, typed<A>(alpha), typed<const T>(x), typed<T>(y), batch);
  };
  if (t.are(f16, f16, f16, f32) || t.all(f16)) return call(half{}, half{});
  if (t.are(f32, f16, f16, f32)) return call(float{}, half{});
  if (t.are(bf16, bf16, bf16, f32)) return call(bfloat16{}, bfloat16{});
  if (t.are(f32, bf16, bf16, f32)) return call(float{}, bfloat16{});
  if (t.all(f32)) return call(float{}, float{});
  if (t.all(f64)) return call(double{}, double{});
  if (t.all(c32)) return call(cfloat{}, cfloat{});
  if (t.all(c64)) return call(cdouble{}, cdouble{});
  return rocblas_status_not_implemented;
}

// types: alpha, x, x, execution
rocblas_status scal_ex(rocblas_handle h, i64 n, const void* alpha, Any x, i64 batch, Types t) {
  SX_TRY(enter(h));
  if (n <= 0 || x.ld <= 0 || batch <= 0) return rocblas_status_success;
  const auto call = [&](auto a, auto v) {
    using A = decltype(a);
    using T = decltype(v);
    return scal<A, T>(h, n, typed<A>(alpha), typed<T>(x), batch);
  };
  if (t.are(f16, f16, f16, f32) || t.all(f16)) return call(half{}, half{});
  if (t.are(f32, f16, f16, f32)) return call(float{}, half{});
  if (t.are(bf16, bf16, bf16, f32)) return call(bfloat16{}, bfloat16{});
  if (t.are(f32, bf16, bf16, f32)) return call(float{}, bfloat16{});
  if (t.all(f32)) return call(float{}, float{});
  if (t.all(f64)) return call(double{}, double{});
  if (t.all(c32)) return call(cfloat{}, cfloat{});
  if (t.all(c64)) return call(cdouble{}, cdouble{});
  if (t.are(f32, c32, c32, c32)) return call(float{}, cfloat{});
  if (t.are(f64, c64, c64, c64)) return call(double{}, cdouble{});
  return rocblas_status_not_implemented;
}

// types: x, y, result, execution
template <bool conjugate>
rocblas_status dot_ex(rocblas_handle h, i64 n, Any x, Any y, i64 batch, void* result, Types t) {
  if (!h) return rocblas_status_invalid_handle;
  const auto call = [&](auto e, auto v, auto r) {
    using E = decltype(e);
    using T = decltype(v);
    using R = decltype(r);
    return dot<conjugate, E, T, R>(h, n, typed<const T>(x), typed<const T>(y), batch, static_cast<R*>(result));
  };
  if (t.all(f16) || t.are(f16, f16, f16, f32)) return call(float{}, half{}, half{});
  if (t.are(bf16, bf16, bf16, f32)) return call(float{}, bfloat16{}, bfloat16{});
  if (t.all(f32)) return call(float{}, float{}, float{});
  if (t.all(f64)) return call(double{}, double{}, double{});
  if (t.all(c32)) return call(cfloat{}, cfloat{}, cfloat{});
  if (t.all(c64)) return call(cdouble{}, cdouble{}, cdouble{});
  if (t.are(f32, f32, f64, f64)) return call(double{}, float{}, double{});
  return rocblas_status_not_implemented;
}
constexpr auto dotu_ex = dot_ex<false>;
constexpr auto dotc_ex = dot_ex<true>;

// types: x, x, result, execution
rocblas_status nrm2_ex(rocblas_handle h, i64 n, Any x, i64 batch, void* result, Types t) {
  if (!h) return rocblas_status_invalid_handle;
  const auto call = [&](auto v, auto r) {
    using T = decltype(v);
    using R = decltype(r);
    return nrm2<T, R>(h, n, typed<const T>(x), batch, static_cast<R*>(result));
  };
  if (t.are(f16, f16, f16, f32)) return call(half{}, half{});
  if (t.are(bf16, bf16, bf16, f32)) return call(bfloat16{}, bfloat16{});
  if (t.all(f32)) return call(float{}, float{});
  if (t.all(f64)) return call(double{}, double{});
  if (t.are(c32, c32, f32, f32)) return call(cfloat{}, float{});
  if (t.are(c64, c64, f64, f64)) return call(cdouble{}, double{});
  return rocblas_status_not_implemented;
}

// types: x, y, c and s, execution
rocblas_status rot_ex(rocblas_handle h, i64 n, Any x, Any y, const void* c, const void* s, i64 batch, Types t) {
  SX_TRY(enter(h));
  if (n <= 0 || batch <= 0) return rocblas_status_success;
  if (x.null() || y.null() || !c || !s) return rocblas_status_invalid_pointer;
  const auto call = [&](auto v, auto r) {
    using T = decltype(v);
    using R = decltype(r);
    return rot<T, R, R>(h, n, typed<T>(x), typed<T>(y), typed<R>(c), typed<R>(s), batch);
  };
  if (t.are(bf16, bf16, bf16, f32)) return call(bfloat16{}, bfloat16{});
  if (t.are(f16, f16, f16, f32)) return call(half{}, half{});
  if (t.all(f32)) return call(float{}, float{});
  if (t.all(f64)) return call(double{}, double{});
  if (t.all(c32)) return call(cfloat{}, cfloat{});
  if (t.are(c32, c32, f32, c32)) return call(cfloat{}, float{});
  if (t.all(c64)) return call(cdouble{}, cdouble{});
  if (t.are(c64, c64, f64, c64)) return call(cdouble{}, double{});
  return rocblas_status_not_implemented;
}

Any one(const void* p, i64 inc, i64 stride = 0) { return {p, nullptr, inc, stride}; }
Any many(const void* p, i64 inc) {
  check_table(p);
  return {nullptr, static_cast<const void* const*>(p), inc, 0};
}

}  // namespace
}  // namespace sx::rb

using namespace sx::rb;

// Three forms of one function: declarations of x and y, the batch count, the arrays passed on.
#define SX_X_ONE(C, I) C void *x, rocblas_datatype x_type, I incx
#define SX_X_STRIDED(C, I) SX_X_ONE(C, I), rocblas_stride stridex
#define SX_Y_ONE(C, I) C void *y, rocblas_datatype y_type, I incy
#define SX_Y_STRIDED(C, I) SX_Y_ONE(C, I), rocblas_stride stridey
#define SX_COUNT(I) , I batch_count
#define SX_NO_COUNT(I)

#define SX_EX(name, suffix, I, X, Y, COUNT, x_array, y_array, batch)                                                   \
  extern "C" rocblas_status rocblas_axpy##name##_ex##suffix(rocblas_handle handle, I n, const void* alpha,             \
                                                            rocblas_datatype alpha_type, X(const, I), Y(, I) COUNT(I), \
                                                            rocblas_datatype execution_type) try {                     \
    const TableScope scope;                                                                                            \
    return axpy_ex(handle, n, alpha, x_array, y_array, batch, {alpha_type, x_type, y_type, execution_type});           \
  } catch (...) {                                                                                                      \
    return failure();                                                                                                  \
  }                                                                                                                    \
  extern "C" rocblas_status rocblas_scal##name##_ex##suffix(rocblas_handle handle, I n, const void* alpha,             \
                                                            rocblas_datatype alpha_type, X(, I) COUNT(I),              \
                                                            rocblas_datatype execution_type) try {                     \
    const TableScope scope;                                                                                            \
    return scal_ex(handle, n, alpha, x_array, batch, {alpha_type, x_type, x_type, execution_type});                    \
  } catch (...) {                                                                                                      \
    return failure();                                                                                                  \
  }                                                                                                                    \
  extern "C" rocblas_status rocblas_dot##name##_ex##suffix(                                                            \
      rocblas_handle handle, I n, X(const, I), Y(const, I) COUNT(I), void* result, rocblas_datatype result_type,       \
      rocblas_datatype execution_type) try {                                                                           \
    const TableScope scope;                                                                                            \
    return dotu_ex(handle, n, x_array, y_array, batch, result, {x_type, y_type, result_type, execution_type});         \
  } catch (...) {                                                                                                      \
    return failure();                                                                                                  \
  }                                                                                                                    \
  extern "C" rocblas_status rocblas_dotc##name##_ex##suffix(                                                           \
      rocblas_handle handle, I n, X(const, I), Y(const, I) COUNT(I), void* result, rocblas_datatype result_type,       \
      rocblas_datatype execution_type) try {                                                                           \
    const TableScope scope;                                                                                            \
    return dotc_ex(handle, n, x_array, y_array, batch, result, {x_type, y_type, result_type, execution_type});         \
  } catch (...) {                                                                                                      \
    return failure();                                                                                                  \
  }                                                                                                                    \
  extern "C" rocblas_status rocblas_nrm2##name##_ex##suffix(rocblas_handle handle, I n, X(const, I) COUNT(I),          \
                                                            void* results, rocblas_datatype result_type,               \
                                                            rocblas_datatype execution_type) try {                     \
    const TableScope scope;                                                                                            \
    return nrm2_ex(handle, n, x_array, batch, results, {x_type, x_type, result_type, execution_type});                 \
  } catch (...) {                                                                                                      \
    return failure();                                                                                                  \
  }                                                                                                                    \
  extern "C" rocblas_status rocblas_rot##name##_ex##suffix(rocblas_handle handle, I n, X(, I), Y(, I), const void* c,  \
                                                           const void* s, rocblas_datatype cs_type COUNT(I),           \
                                                           rocblas_datatype execution_type) try {                      \
    const TableScope scope;                                                                                            \
    return rot_ex(handle, n, x_array, y_array, c, s, batch, {x_type, y_type, cs_type, execution_type});                \
  } catch (...) {                                                                                                      \
    return failure();                                                                                                  \
  }

#define SX_EX_FORMS(suffix, I)                                                                        \
  SX_EX(, suffix, I, SX_X_ONE, SX_Y_ONE, SX_NO_COUNT, one(x, incx), one(y, incy), 1)                  \
  SX_EX(_batched, suffix, I, SX_X_ONE, SX_Y_ONE, SX_COUNT, many(x, incx), many(y, incy), batch_count) \
  SX_EX(_strided_batched, suffix, I, SX_X_STRIDED, SX_Y_STRIDED, SX_COUNT, one(x, incx, stridex),     \
        one(y, incy, stridey), batch_count)
SX_EX_FORMS(, rocblas_int)
SX_EX_FORMS(_64, int64_t)
