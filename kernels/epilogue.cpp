// What follows a matrix product: scaling, C, bias, activation, auxiliary output, and the maximum of D.
#include "scalex/rows.h"

namespace sx_kernel {

// tanh form: x / (1 + exp(-2u)), u = sqrt(2 / pi) (x + 0.044715 x^3). -inf gives NaN, as on NVIDIA.
template <class T>
SX_FN T gelu_argument(T x) {
  return T(1.5957691216057307118) * (x + T(0.044715) * x * x * x);
}
template <class T>
SX_FN T gelu(T x) {
  return x / (T(1) + exponential(-gelu_argument(x)));
}
template <class T>
SX_FN T gelu_derivative(T x) {
  const T s = T(1) / (T(1) + exponential(-gelu_argument(x))), slope = s * (T(1) - s);
  const T inner = T(1.5957691216057307118) * (T(1) + T(0.134145) * x * x);
  return s + (slope == T(0) ? x - x : x * slope * inner);  // x - x: 0, but NaN at infinity
}

// In double everything is double: less code, which counts where it is compiled at run time.
SX_FN void load_real(int type, const void* p, sx_i64 at, int count, float* x) {
  load_rows<float>(type, p, at, count, x);
}
SX_FN void load_real(int, const void* p, sx_i64 at, int count, double* x) { load_plain<double>(p, at, count, x); }
SX_FN void store_real(int type, void* p, sx_i64 at, int count, const float* x) {
  store_rows<float>(type, p, at, count, x);
}
SX_FN void store_real(int, void* p, sx_i64 at, int count, const double* x) { store_plain<double>(p, at, count, x); }
SX_FN void load_bias(int type, const void* p, sx_i64 at, int count, float* x) {
  if (type == SX_R_16F) return load_coded<F16, sx_u16>(p, at, count, x);
  if (type == SX_R_16BF) return load_coded<Bf16, sx_u16>(p, at, count, x);
  load_plain<float>(p, at, count, x);
}
SX_FN void load_bias(int, const void* p, sx_i64 at, int count, double* x) { load_plain<double>(p, at, count, x); }

SX_FN float one_unless(const float* p) { return p ? *p : 1.0f; }

// x += factor * o, the factor by row when it is a vector of rows. ``exact``: the factor is multiplied by it.
template <class T>
SX_FN void add_scaled(const sx_epilogue_args& a, const sx_operand& o, const sx_factor& s, T times, bool rows,
                      const Place& p, T* x) {
  const sx_i64 vector_at = a.flags & SX_EPI_BY_COLUMN ? p.column : p.row;
  const bool per_row = s.mode == SX_FACTOR_VECTOR && (a.flags & SX_EPI_BY_COLUMN) == 0;
  const T one = factor<T>(s, p.batch, vector_at) * times;
  if (one == T(0) && !per_row) return;
  T y[kRows];
  load_real(o.type, matrix(o, p.batch), offset(o, p.batch, p.row, p.column), p.count, y);
  if (!per_row && !(rows && a.row_scale)) {
    for (int k = 0; k < kRows; ++k) x[k] += one * y[k];
    return;
  }
  for (int k = 0; k < p.count; ++k) {
    T f = per_row ? factor<T>(s, p.batch, p.row + k) * times : one;
    if (rows && a.row_scale) f *= static_cast<T>(a.row_scale[p.row + k]);
    if (f != T(0)) x[k] += f * y[k];
  }
}

template <class T>
SX_FN void add_bias(const sx_epilogue_args& a, const Place& p, T* x) {
  T y[kRows] = {};
  const bool by_column = (a.flags & SX_EPI_BY_COLUMN) != 0;
  const sx_i64 at = p.batch * a.bias_stride + (by_column ? p.column : p.row);
  load_bias(a.bias_type, a.bias, at, by_column ? 1 : p.count, y);
  for (int k = 0; k < kRows; ++k) x[k] += by_column ? y[0] : y[k];
}

// The largest magnitude, joined to ``*to``. Most pieces find a larger one there already and need no atomic.
template <class T>
SX_FN void join_maximum(float* to, const T* x, int count) {
  float most = 0.0f;
  for (int k = 0; k < count; ++k) {
    const float v = static_cast<float>(absolute(x[k]));
    if (v > most) most = v;
  }
  if (most > *static_cast<volatile float*>(to)) atomic_max(reinterpret_cast<sx_u32*>(to), bits<sx_u32>(most));
}

template <class T>
SX_FN void write_mask(const sx_epilogue_args& a, const Place& p, const T* x) {
  const bool nan_is_one = (a.flags & SX_EPI_NAN_MASK_ONE) != 0;
  sx_u32 byte = 0;
  for (int k = 0; k < p.count; ++k) {
    const bool one = x[k] >= T(0) || (nan_is_one && is_nan(x[k]));
    byte |= static_cast<sx_u32>(one) << k;
  }
  static_cast<sx_u8*>(matrix(a.aux, p.batch))[offset(a.aux, p.batch, p.row, p.column) >> 3] = static_cast<sx_u8>(byte);
}
template <class T>
SX_FN void apply_mask(const sx_epilogue_args& a, const Place& p, T* x) {
  const sx_u32 byte = static_cast<const sx_u8*>(matrix(a.aux, p.batch))[offset(a.aux, p.batch, p.row, p.column) >> 3];
  for (int k = 0; k < kRows; ++k) x[k] = byte >> k & 1u ? x[k] : T(0);
}

template <class T>
SX_FN void write_pre_activation(const sx_epilogue_args& a, const Place& p, const T* x) {
  if (a.aux_amax) join_maximum(a.aux_amax, x, p.count);
  T y[kRows];
  const T scale = static_cast<T>(one_unless(a.aux_scale));
  for (int k = 0; k < kRows; ++k) y[k] = x[k] * scale;
  store_real(a.aux.type, matrix(a.aux, p.batch), offset(a.aux, p.batch, p.row, p.column), p.count, y);
}
template <class T>
SX_FN void apply_derivative(const sx_epilogue_args& a, const Place& p, T* x) {
  T y[kRows] = {};
  load_real(a.aux.type, matrix(a.aux, p.batch), offset(a.aux, p.batch, p.row, p.column), p.count, y);
  const T scale = static_cast<T>(one_unless(a.aux_scale));
  for (int k = 0; k < kRows; ++k) x[k] *= gelu_derivative(y[k] * scale);
}

template <class T>
SX_FN void activate(int activation, T* x) {
  if (activation == SX_ACT_RELU) {
    for (int k = 0; k < kRows; ++k) x[k] = x[k] > T(0) || is_nan(x[k]) ? x[k] : T(0);
  } else if (activation == SX_ACT_GELU) {
    for (int k = 0; k < kRows; ++k) x[k] = gelu(x[k]);
  }
}

template <class T>
SX_FN void real_epilogue(const sx_epilogue_args& a, const Place& p) {
  T x[kRows] = {};
  T times = static_cast<T>(one_unless(a.a_scale)) * static_cast<T>(one_unless(a.b_scale));
  if (a.column_scale) times *= static_cast<T>(a.column_scale[p.column]);
  add_scaled<T>(a, a.acc, a.alpha, times, true, p, x);
  if (a.c.data) add_scaled<T>(a, a.c, a.beta, static_cast<T>(one_unless(a.c_scale)), false, p, x);
  if (a.bias) add_bias<T>(a, p, x);
  if (a.aux_mode == SX_AUX_RELU_MASK) write_mask(a, p, x);
  if (a.aux_mode == SX_AUX_GELU) write_pre_activation(a, p, x);
  if (a.aux_mode == SX_AUX_DRELU) apply_mask(a, p, x);
  if (a.aux_mode == SX_AUX_DGELU) apply_derivative(a, p, x);
  activate(a.activation, x);
  if (a.d_amax) join_maximum(a.d_amax, x, p.count);
  if (a.d_scale) {
    for (int k = 0; k < kRows; ++k) x[k] *= static_cast<T>(*a.d_scale);
  }
  store_real(a.d.type, matrix(a.d, p.batch), offset(a.d, p.batch, p.row, p.column), p.count, x);
}

// 32-bit integers wrap around.
SX_FN void integer_epilogue(const sx_epilogue_args& a, const Place& p) {
  const sx_u32 alpha = static_cast<sx_u32>(integer_factor(a.alpha, p.batch, p.row));
  const sx_u32 beta = a.c.data ? static_cast<sx_u32>(integer_factor(a.beta, p.batch, p.row)) : 0;
  sx_i64 x[kRows] = {}, c[kRows] = {};
  if (alpha != 0)
    load_integers(a.acc.type, matrix(a.acc, p.batch), offset(a.acc, p.batch, p.row, p.column), p.count, x);
  if (beta != 0) load_integers(a.c.type, matrix(a.c, p.batch), offset(a.c, p.batch, p.row, p.column), p.count, c);
  for (int k = 0; k < kRows; ++k)
    x[k] = static_cast<int>(alpha * static_cast<sx_u32>(x[k]) + beta * static_cast<sx_u32>(c[k]));
  store_integers(a.d.type, matrix(a.d, p.batch), offset(a.d, p.batch, p.row, p.column), p.count, x);
}

template <class T>
SX_FN void complex_epilogue(const sx_epilogue_args& a, const Place& p) {
  const Complex<T> alpha = complex_factor<T>(a.alpha, p.batch, p.row);
  const Complex<T> beta = a.c.data ? complex_factor<T>(a.beta, p.batch, p.row) : Complex<T>{T(0), T(0)};
  const bool reads = alpha.re != 0 || alpha.im != 0, adds = beta.re != 0 || beta.im != 0;
  const T* acc = static_cast<const T*>(matrix(a.acc, p.batch)) + 2 * offset(a.acc, p.batch, p.row, p.column);
  T* d = static_cast<T*>(matrix(a.d, p.batch)) + 2 * offset(a.d, p.batch, p.row, p.column);
  const T* c = adds ? static_cast<const T*>(matrix(a.c, p.batch)) + 2 * offset(a.c, p.batch, p.row, p.column) : d;
  for (int k = 0; k < p.count; ++k) {
    T re = 0, im = 0;
    if (reads) {
      re = alpha.re * acc[2 * k] - alpha.im * acc[2 * k + 1];
      im = alpha.re * acc[2 * k + 1] + alpha.im * acc[2 * k];
    }
    if (adds) {
      re += beta.re * c[2 * k] - beta.im * c[2 * k + 1];
      im += beta.re * c[2 * k + 1] + beta.im * c[2 * k];
    }
    d[2 * k] = re;
    d[2 * k + 1] = im;
  }
}

SX_FN void epilogue_item(const sx_epilogue_args& a, sx_i64 item) {
  const Place p = place(a.m, a.n, item);
  switch (a.compute) {
    case SX_R_32F:
      return real_epilogue<float>(a, p);
    case SX_R_64F:
      return real_epilogue<double>(a, p);
    case SX_R_32I:
      return integer_epilogue(a, p);
    case SX_C_32F:
      return complex_epilogue<float>(a, p);
    case SX_C_64F:
      return complex_epilogue<double>(a, p);
    default:
      return;
  }
}

SX_KERNEL(sx_epilogue, sx_epilogue_args, epilogue_items, epilogue_item)

}  // namespace sx_kernel
