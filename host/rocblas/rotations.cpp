// Level 1: making plane rotations (rotg, rotmg) and applying modified ones (rotm). Formulas of the reference BLAS.
#include <array>
#include <cmath>
#include <memory>
#include <vector>

#include "define.h"
#include "kernels.h"

namespace sx::rb {

// In host pointer mode these run at the call, on host data, after the stream's earlier work.
template <class F>
static rocblas_status run_where_the_scalars_are(rocblas_handle h, F body) {
  if (!h->host_mode()) return launch(h, body);
  SX_TRY(status_of(internal_sync(h->stream)));
  body();
  return rocblas_status_success;
}

// ---- rotg -------------------------------------------------------------------------------------------------
template <class T>
static void make_rotation(T* a, T* b, T* c, T* s) {
  const T scale = std::fabs(*a) + std::fabs(*b);
  if (scale == 0) {
    *c = 1, *s = 0, *a = 0, *b = 0;
    return;
  }
  const bool a_larger = std::fabs(*a) > std::fabs(*b);
  const T u = *a / scale, v = *b / scale;
  const T r = std::copysign(scale * std::sqrt(u * u + v * v), a_larger ? *a : *b);
  *c = *a / r, *s = *b / r;
  T z = 1;
  if (a_larger)
    z = *s;
  else if (*c != 0)
    z = 1 / *c;
  *a = r, *b = z;
}

template <class R>
static void make_rotation(std::complex<R>* a, std::complex<R>* b, R* c, std::complex<R>* s) {
  const R size = std::abs(*a);
  if (size == 0) {
    *c = 0, *s = {1, 0}, *a = *b;
    return;
  }
  const R scale = size + std::abs(*b), u = size / scale, v = std::abs(*b) / scale;
  const R norm = scale * std::sqrt(u * u + v * v);
  const std::complex<R> phase = *a / size;
  *c = size / norm;
  *s = mul(phase, std::conj(*b)) / norm;
  *a = phase * norm;
}

template <class T, class R>
static rocblas_status rotg(rocblas_handle h, Arr<T> a, Arr<T> b, Arr<R> c, Arr<T> s, i64 batch) {
  SX_TRY(enter(h));
  if (batch <= 0) return rocblas_status_success;
  if (a.null() || b.null() || c.null() || s.null()) return rocblas_status_invalid_pointer;
  return run_where_the_scalars_are(h, [=] {
    for (i64 i = 0; i < batch; ++i) make_rotation(a.at(i), b.at(i), c.at(i), s.at(i));
  });
}

// ---- rotmg ------------------------------------------------------------------------------------------------
// param: flag, h11, h21, h12, h22. Flag -2: identity; -1: all four; 0: h11 = h22 = 1; 1: h12 = 1, h21 = -1.
template <class T>
static void make_modified_rotation(T* d1, T* d2, T* x1, T y1, T* param) {
  constexpr T gamma = 4096, gamma2 = gamma * gamma, small = 1 / gamma2;
  T flag, h11 = 0, h12 = 0, h21 = 0, h22 = 0;
  const auto full = [&] {  // leaves the forms with implied elements
    if (flag == 0)
      h11 = 1, h22 = 1;
    else if (flag == 1)
      h21 = -1, h12 = 1;
    flag = -1;
  };
  if (*d1 < 0) {
    flag = -1, *d1 = 0, *d2 = 0, *x1 = 0;
  } else {
    const T p2 = *d2 * y1;
    if (p2 == 0) {
      param[0] = -2;
      return;
    }
    const T p1 = *d1 * *x1, q2 = p2 * y1, q1 = p1 * *x1;
    if (std::fabs(q1) > std::fabs(q2)) {
      h21 = -y1 / *x1, h12 = p2 / p1;
      const T u = 1 - h12 * h21;
      if (u > 0) {
        flag = 0, *d1 /= u, *d2 /= u, *x1 *= u;
      } else {  // only by rounding
        flag = -1, h11 = h12 = h21 = h22 = 0, *d1 = 0, *d2 = 0, *x1 = 0;
      }
    } else if (q2 < 0) {
      flag = -1, h11 = h12 = h21 = h22 = 0, *d1 = 0, *d2 = 0, *x1 = 0;
    } else {
      flag = 1, h11 = p1 / p2, h22 = *x1 / y1;
      const T u = 1 + h11 * h22, d = *d2 / u;
      *d2 = *d1 / u, *d1 = d, *x1 = y1 * u;
    }
    while (*d1 != 0 && std::isfinite(*d1) && (*d1 <= small || *d1 >= gamma2)) {
      full();
      if (*d1 <= small)
        *d1 *= gamma2, *x1 /= gamma, h11 /= gamma, h12 /= gamma;
      else
        *d1 /= gamma2, *x1 *= gamma, h11 *= gamma, h12 *= gamma;
    }
    while (*d2 != 0 && std::isfinite(*d2) && (std::fabs(*d2) <= small || std::fabs(*d2) >= gamma2)) {
      full();
      if (std::fabs(*d2) <= small)
        *d2 *= gamma2, h21 /= gamma, h22 /= gamma;
      else
        *d2 /= gamma2, h21 *= gamma, h22 *= gamma;
    }
  }
  param[0] = flag;
  if (flag <= 0) param[2] = h21, param[3] = h12;
  if (flag < 0 || flag > 0) param[1] = h11, param[4] = h22;
}

template <class T>
static rocblas_status rotmg(rocblas_handle h, Arr<T> d1, Arr<T> d2, Arr<T> x1, In<T> y1, Arr<T> param, i64 batch) {
  SX_TRY(enter(h));
  if (batch <= 0) return rocblas_status_success;
  if (d1.null() || d2.null() || x1.null() || y1.null() || param.null()) return rocblas_status_invalid_pointer;
  return run_where_the_scalars_are(h, [=] {
    for (i64 i = 0; i < batch; ++i) make_modified_rotation(d1.at(i), d2.at(i), x1.at(i), *y1.at(i), param.at(i));
  });
}

// ---- rotm -------------------------------------------------------------------------------------------------
template <class T>
static void rotm_run(i64 n, T* x, i64 incx, T* y, i64 incy, const T* param) {
  const T flag = param[0];
  if (flag == -2) return;
  const T h11 = flag == 0 ? 1 : param[1], h21 = flag == 1 ? -1 : param[2];
  const T h12 = flag == 1 ? 1 : param[3], h22 = flag == 0 ? 1 : param[4];
  x = first(x, n, incx), y = first(y, n, incy);
  split(n, incx == 0 || incy == 0 ? n : 32768, [&](i64 i, i64 end) {
    for (; i < end; ++i) {
      const T u = x[i * incx], v = y[i * incy];
      x[i * incx] = h11 * u + h12 * v;
      y[i * incy] = h21 * u + h22 * v;
    }
  });
}

template <class T>
static rocblas_status rotm(rocblas_handle h, i64 n, Arr<T> x, Arr<T> y, In<T> param, i64 batch) {
  SX_TRY(enter(h));
  if (n <= 0 || batch <= 0) return rocblas_status_success;
  if (param.null()) return rocblas_status_invalid_pointer;
  const bool at_call = h->host_mode() && !param.table;  // tables are the device's in both modes
  if (at_call && param.stride == 0 && *param.base == -2) return rocblas_status_success;
  if (x.null() || y.null()) return rocblas_status_invalid_pointer;
  auto copies = std::make_shared<std::vector<std::array<T, 5>>>();
  for (i64 b = 0; at_call && b < batch; ++b) {
    std::array<T, 5> p;
    memcpy(p.data(), param.at(b), sizeof p);
    copies->push_back(p);
  }
  return launch(h, [=] {
    over_batch(batch, 0.3 * static_cast<double>(n), [&](i64 b) {
      const T* p = copies->empty() ? param.at(b) : (*copies)[static_cast<size_t>(b)].data();
      rotm_run(n, x.at(b), x.ld, y.at(b), y.ld, p);
    });
  });
}

}  // namespace sx::rb

#define ROTG(V, CA, MA, CN, MN, I, T, R, S) MN(T, a) MN(T, b) MN(R, c) MN(T, s)
SX_FAMILY(rotg, rotg, ROTG)

#define ROTMG(V, CA, MA, CN, MN, I, T, R, S) MN(T, d1) MN(T, d2) MN(T, x1) CN(T, y1) MN(T, param)
SX_FAMILY_SD(rotmg, rotmg, ROTMG)

#define ROTM(V, CA, MA, CN, MN, I, T, R, S) V(I, n) MA(I, T, x, incx) MA(I, T, y, incy) CN(T, param)
SX_FAMILY_SD(rotm, rotm, ROTM)
