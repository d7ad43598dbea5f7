// Level 1: one template per routine; the typed functions and the *_ex functions instantiate the same ones.
#pragma once

#include <cmath>
#include <limits>
#include <vector>

#include "blas.h"
#include "kernels.h"

namespace sx::rb {

constexpr i64 grain = 32768;  // elements of a vector for which waking another thread pays
inline double vector_cost(i64 n) { return 0.2 * static_cast<double>(n); }

// ---- y := alpha x + y -------------------------------------------------------------------------------------
template <class T, class C>
void axpy_run(i64 n, C a, const T* x, i64 incx, T* y, i64 incy) {
  if constexpr (std::is_same_v<T, C>) {
    if (incx != 0 && incy != 0) {
      split(n, grain, [&](i64 i, i64 end) {
        blas::axpy(end - i, a, slice(x, n, incx, i, end - i), incx, slice(y, n, incy, i, end - i), incy);
      });
      return;
    }
  }
  x = first(x, n, incx), y = first(y, n, incy);
  for (i64 i = 0; i < n; ++i) round_to(up(y[i * incy]) + mul(a, up(x[i * incx])), &y[i * incy]);
}

template <class A, class T>
rocblas_status axpy(rocblas_handle h, i64 n, const A* alpha, In<T> x, Arr<T> y, i64 batch) {
  SX_TRY(enter(h));
  if (n <= 0 || batch <= 0) return rocblas_status_success;
  if (!alpha) return rocblas_status_invalid_pointer;
  const Scalar<A> a = scalar(h, alpha);
  using C = compute_t<T>;
  if (h->host_mode()) {
    if (C(up(a())) == C(0)) return rocblas_status_success;
    if (x.null() || y.null()) return rocblas_status_invalid_pointer;
  }
  return launch(h, [=] {
    const C value = up(a());
    if (value == C(0)) return;
    over_batch(batch, vector_cost(n), [&](i64 b) { axpy_run(n, value, x.at(b), x.ld, y.at(b), y.ld); });
  });
}

// ---- x := alpha x -----------------------------------------------------------------------------------------
template <class T, class C>
void scal_run(i64 n, C a, T* x, i64 incx) {
  using U = compute_t<T>;
  split(n, grain, [&](i64 i, i64 end) {
    if constexpr (std::is_same_v<T, C>) {
      if (incx == 1 && !is_complex<T> && a != C(0)) return blas::scal(end - i, a, x + i, 1);
      if (incx == 1) return scale(end - i, a, x + i);
    }
    if constexpr (is_complex<U> && !is_complex<C>) {
      if (incx == 1) return scale(2 * (end - i), a, reinterpret_cast<real_t<U>*>(x + i));
    }
    for (; i < end; ++i) round_to(mul(a, up(x[i * incx])), &x[i * incx]);
  });
}

template <class A, class T>
rocblas_status scal(rocblas_handle h, i64 n, const A* alpha, Arr<T> x, i64 batch) {
  SX_TRY(enter(h));
  if (n <= 0 || x.ld <= 0 || batch <= 0) return rocblas_status_success;
  if (x.null() || !alpha) return rocblas_status_invalid_pointer;
  const Scalar<A> a = scalar(h, alpha);
  using C = compute_t<A>;
  if (a.readable() && up(a()) == C(1)) return rocblas_status_success;
  return launch(h, [=] {
    const C value = up(a());
    over_batch(batch, vector_cost(n), [&](i64 b) { scal_run(n, value, x.at(b), x.ld); });
  });
}

// ---- copy, swap -------------------------------------------------------------------------------------------
template <class T>
rocblas_status copy(rocblas_handle h, i64 n, In<T> x, Arr<T> y, i64 batch) {
  SX_TRY(enter(h));
  if (n <= 0 || batch <= 0) return rocblas_status_success;
  if (x.null() || y.null()) return rocblas_status_invalid_pointer;
  return launch(h, [=] {
    over_batch(batch, vector_cost(n), [&](i64 b) {
      const T* from = x.at(b);
      T* to = y.at(b);
      split(n, y.ld == 0 ? n : grain, [&](i64 i, i64 end) {
        const T* p = first(from, n, x.ld);
        T* q = first(to, n, y.ld);
        if (x.ld == 1 && y.ld == 1)
          memcpy(q + i, p + i, static_cast<size_t>(end - i) * sizeof(T));
        else
          for (; i < end; ++i) q[i * y.ld] = p[i * x.ld];
      });
    });
  });
}

template <class T>
rocblas_status swap(rocblas_handle h, i64 n, Arr<T> x, Arr<T> y, i64 batch) {
  SX_TRY(enter(h));
  if (n <= 0 || batch <= 0) return rocblas_status_success;
  if (x.null() || y.null()) return rocblas_status_invalid_pointer;
  return launch(h, [=] {
    over_batch(batch, vector_cost(n), [&](i64 b) {
      T *p = first(x.at(b), n, x.ld), *q = first(y.at(b), n, y.ld);
      split(n, x.ld == 0 || y.ld == 0 ? n : grain, [&](i64 i, i64 end) {
        for (; i < end; ++i) std::swap(p[i * x.ld], q[i * y.ld]);
      });
    });
  });
}

// ---- rot: x := c x + s y, y := c y - conj(s) x ------------------------------------------------------------
template <class T, class R, class S>
void rot_run(i64 n, T* x, i64 incx, T* y, i64 incy, R c, S s) {
  x = first(x, n, incx), y = first(y, n, incy);
  split(n, incx == 0 || incy == 0 ? n : grain, [&](i64 i, i64 end) {
    if constexpr (std::is_same_v<T, compute_t<T>> && std::is_same_v<R, S> && std::is_same_v<R, real_t<T>>) {
      constexpr i64 components = is_complex<T> ? 2 : 1;
      if (incx == 1 && incy == 1)
        return blas::rot(components * (end - i), reinterpret_cast<R*>(x + i), 1, reinterpret_cast<R*>(y + i), 1, c, s);
    }
    for (; i < end; ++i) {
      const auto u = up(x[i * incx]), v = up(y[i * incy]);
      round_to(mul(c, u) + mul(s, v), &x[i * incx]);
      round_to(mul(c, v) - mul(conj(s), u), &y[i * incy]);
    }
  });
}

template <class T, class R, class S>
rocblas_status rot(rocblas_handle h, i64 n, Arr<T> x, Arr<T> y, const R* c, const S* s, i64 batch) {
  SX_TRY(enter(h));
  if (n <= 0 || batch <= 0) return rocblas_status_success;
  if (x.null() || y.null() || !c || !s) return rocblas_status_invalid_pointer;
  const Scalar<R> cosine = scalar(h, c);
  const Scalar<S> sine = scalar(h, s);
  return launch(h, [=] {
    const auto cv = real(up(cosine()));
    const auto sv = up(sine());
    over_batch(batch, vector_cost(n), [&](i64 b) { rot_run(n, x.at(b), x.ld, y.at(b), y.ld, cv, sv); });
  });
}

}  // namespace sx::rb
