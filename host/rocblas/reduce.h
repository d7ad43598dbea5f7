// Level 1 reductions: dot, nrm2, asum, iamax, iamin. Sums are made of pieces of fixed size, added in order, so that a
// result does not depend on how many threads took part.
#pragma once

#include "level1.h"

namespace sx::rb {

constexpr i64 piece = 16 * block;

// sum over the pieces of f(begin, end)
template <class S, class F>
S sum_pieces(i64 n, F&& f) {
  const i64 count = (n + piece - 1) / piece;
  if (count <= 1) return f(i64{0}, n);
  std::vector<S> parts(static_cast<size_t>(count));
  split(count, 1, [&](i64 p, i64 end) {
    for (; p < end; ++p) parts[static_cast<size_t>(p)] = f(p * piece, std::min(n, (p + 1) * piece));
  });
  S sum = parts[0];
  for (size_t p = 1; p < parts.size(); ++p) sum += parts[p];
  return sum;
}

// Results in both pointer modes: what a function answers for nothing to do is zero.
template <class R>
rocblas_status zero_results(rocblas_handle h, R* results, i64 batch) {
  if (batch <= 0) return rocblas_status_success;
  const size_t bytes = static_cast<size_t>(batch) * sizeof(R);
  if (h->host_mode()) {
    memset(static_cast<void*>(results), 0, bytes);
    return rocblas_status_success;
  }
  return launched(h, enqueue(
                         h->stream, [=] { memset(static_cast<void*>(results), 0, bytes); }, Op::memset));
}

inline size_t reduction_bytes(i64 n, i64 batch, size_t size) {
  return static_cast<size_t>(((n - 1) / 512 + 2) * batch) * size;
}

// ---- dot --------------------------------------------------------------------------------------------------
template <bool conjugate, class T, class E>
E dot_run(i64 n, const T* x, i64 incx, const T* y, i64 incy) {
  using C = compute_t<T>;
  return sum_pieces<E>(n, [&](i64 begin, i64 end) {
    if constexpr (std::is_same_v<T, C> && sizeof(E) == sizeof(C)) {
      if (incx != 0 && incy != 0) {
        const T *p = slice(x, n, incx, begin, end - begin), *q = slice(y, n, incy, begin, end - begin);
        return conjugate ? blas::dotc(end - begin, p, incx, q, incy) : blas::dotu(end - begin, p, incx, q, incy);
      }
    }
    E sum{};
    pieces(begin, end, n, x, incx, [&](i64 start, i64 length, const C* p) {
      pieces(start, start + length, n, y, incy, [&](i64, i64 len, const C* q) {
        for (i64 i = 0; i < len; ++i) sum += mul(E(conj_if(conjugate, p[i])), E(q[i]));
      });
    });
    return sum;
  });
}

template <bool conjugate, class E, class T, class R>
rocblas_status dot(rocblas_handle h, i64 n, In<T> x, In<T> y, i64 batch, R* result) {
  if (!h) return rocblas_status_invalid_handle;
  if (h->size_query && (n <= 0 || batch <= 0)) return rocblas_status_size_unchanged;
  if (!h->size_query) {
    if (batch <= 0) return rocblas_status_success;
    if (n <= 0) return result ? zero_results(h, result, batch) : rocblas_status_invalid_pointer;
    if (x.null() || y.null() || !result) return rocblas_status_invalid_pointer;
  }
  const rocblas_status memory = need(h, reduction_bytes(n, batch, sizeof(E)));
  if (h->size_query || memory != rocblas_status_success) return memory;
  return launch_result(h, [=] {
    over_batch(batch, vector_cost(n),
               [&](i64 b) { round_to(dot_run<conjugate, T, E>(n, x.at(b), x.ld, y.at(b), y.ld), &result[b]); });
  });
}

// ---- nrm2, asum -------------------------------------------------------------------------------------------
// Scaled by the largest element: for results that over- or underflow when squared.
template <class R>
R nrm2_scaled(i64 n, const R* x, i64 inc, i64 components) {
  R top = 0;
  for (i64 i = 0; i < n; ++i)
    for (i64 c = 0; c < components; ++c) {
      const R v = std::fabs(x[i * inc * components + c]);
      if (!(v <= top)) top = v;  // a NaN stays
    }
  if (top == 0 || !(top <= std::numeric_limits<R>::max())) return top;
  R sum = 0;
  for (i64 i = 0; i < n; ++i)
    for (i64 c = 0; c < components; ++c) {
      const R v = x[i * inc * components + c] / top;
      sum += v * v;
    }
  return top * std::sqrt(sum);
}

template <class T>
real_t<compute_t<T>> nrm2_run(i64 n, const T* x, i64 inc) {
  using C = compute_t<T>;
  using R = real_t<C>;
  constexpr i64 components = is_complex<C> ? 2 : 1;
  const bool unscaled = quirk(Quirk::nrm2_unscaled);
  const double sum = sum_pieces<double>(n, [&](i64 begin, i64 end) {
    double part = 0;
    pieces(begin, end, n, x, inc, [&](i64, i64 length, const C* p) {
      part += sum_of_squares(components * length, reinterpret_cast<const R*>(p));
    });
    return part;
  });
  if (unscaled) return std::sqrt(static_cast<R>(sum));
  if constexpr (std::is_same_v<R, double>) {
    if (sum == sum && !(sum > 1e-280 && sum < 1e300))
      return nrm2_scaled(n, reinterpret_cast<const R*>(x), inc, components);
  }
  return static_cast<R>(std::sqrt(sum));
}

template <class T>
real_t<T> asum_run(i64 n, const T* x, i64 inc) {
  using R = real_t<T>;
  return static_cast<R>(sum_pieces<double>(n, [&](i64 begin, i64 end) {
    return static_cast<double>(blas::asum(end - begin, slice(x, n, inc, begin, end - begin), inc));
  }));
}

// The common shape of nrm2, asum, iamax, iamin: f(n, x, incx) per problem.
template <class T, class R, class F>
rocblas_status reduction(rocblas_handle h, i64 n, In<T> x, i64 batch, R* result, size_t item, F f) {
  if (!h) return rocblas_status_invalid_handle;
  const bool nothing = n <= 0 || x.ld <= 0 || batch <= 0;
  if (h->size_query) return nothing ? rocblas_status_size_unchanged : need(h, reduction_bytes(n, batch, item));
  if (!result) return rocblas_status_invalid_pointer;
  if (nothing) return zero_results(h, result, batch);
  if (x.null()) return rocblas_status_invalid_pointer;
  SX_TRY(need(h, reduction_bytes(n, batch, item)));
  return launch_result(
      h, [=] { over_batch(batch, vector_cost(n), [&](i64 b) { round_to(f(n, x.at(b), x.ld), &result[b]); }); });
}

template <class T, class R>
rocblas_status nrm2(rocblas_handle h, i64 n, In<T> x, i64 batch, R* result) {
  return reduction<T>(h, n, x, batch, result, sizeof(R),
                      [](i64 k, const T* p, i64 inc) { return nrm2_run(k, p, inc); });
}
template <class T, class R>
rocblas_status asum(rocblas_handle h, i64 n, In<T> x, i64 batch, R* result) {
  return reduction<T>(h, n, x, batch, result, sizeof(R),
                      [](i64 k, const T* p, i64 inc) { return asum_run(k, p, inc); });
}

// ---- iamax, iamin -----------------------------------------------------------------------------------------
// 1-based position of the first extreme |re| + |im|. NaN is ignored; 1 when there is nothing else.
template <bool largest_wins, class T>
i64 extreme_run(i64 n, const T* x, i64 inc) {
  using R = real_t<T>;
  struct Best {
    R value;
    i64 index;
  };
  const R worst = largest_wins ? -std::numeric_limits<R>::infinity() : std::numeric_limits<R>::infinity();
  const auto better = [](R a, R b) { return largest_wins ? a > b : a < b; };
  const i64 count = (n + piece - 1) / piece;
  std::vector<Best> parts(static_cast<size_t>(count), Best{worst, -1});
  split(count, 1, [&](i64 p, i64 end) {
    for (; p < end; ++p) {
      Best& best = parts[static_cast<size_t>(p)];
      pieces(p * piece, std::min(n, (p + 1) * piece), n, x, inc, [&](i64 start, i64 length, const T* v) {
        R size[block];
        magnitudes(length, v, size);
        const R top = largest_wins ? largest(length, size) : smallest(length, size);
        if (best.index >= 0 && !better(top, best.value)) return;
        for (i64 i = 0; i < length; ++i)
          if (size[i] == top) {
            best = {top, start + i};
            return;
          }
      });
    }
  });
  Best best{worst, -1};
  for (const Best& part : parts)
    if (part.index >= 0 && (best.index < 0 || better(part.value, best.value))) best = part;
  return best.index < 0 ? 1 : best.index + 1;
}

// What rocBLAS may answer when there are NaNs: slots of a block, each keeping what it met first unless something
// compares better, then a tree over the slots.
template <bool largest_wins, class T>
i64 extreme_with_slots(i64 n, const T* x, i64 inc) {
  using R = real_t<T>;
  constexpr i64 slots = 1024;
  const auto better = [](R a, R b) { return largest_wins ? a > b : a < b; };
  std::vector<R> value(slots);
  std::vector<i64> index(slots, -1);
  for (i64 i = 0; i < n; ++i) {
    const size_t s = static_cast<size_t>(i % slots);
    R v;
    magnitudes(1, x + i * inc, &v);
    if (index[s] < 0 || better(v, value[s])) value[s] = v, index[s] = i;
  }
  for (size_t half_size = slots / 2; half_size; half_size /= 2)
    for (size_t s = 0; s < half_size; ++s) {
      const size_t r = s + half_size;
      if (index[r] < 0) continue;
      if (index[s] < 0 || better(value[r], value[s]) || (value[r] == value[s] && index[r] < index[s]))
        value[s] = value[r], index[s] = index[r];
    }
  return index[0] + 1;
}

template <bool largest_wins, class T, class I>
rocblas_status extreme_index(rocblas_handle h, i64 n, In<T> x, i64 batch, I* result) {
  return reduction<T>(h, n, x, batch, result, 16, [](i64 k, const T* p, i64 inc) {
    return static_cast<I>(quirk(Quirk::iamax_nan_position) ? extreme_with_slots<largest_wins>(k, p, inc)
                                                           : extreme_run<largest_wins>(k, p, inc));
  });
}

}  // namespace sx::rb
