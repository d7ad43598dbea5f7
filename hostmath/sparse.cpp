// The sparse half of the table: solves, eigenvalues, and factorisations in steps.
#include "sparse.h"

#include <string.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <new>
#include <vector>

#include "dense.h"
#include "dispatch.h"
#include "structure.h"

struct sx_hm_factor {
  int32_t kind = 0;
  int32_t m = -1, n = -1, nnz = -1;  // of the pattern
  int32_t type = -1;                 // of the values, once factored
  std::unique_ptr<sx::hm::Factor> how;
};

namespace sx::hm {
namespace {

std::unique_ptr<Factor> factor_of(int32_t type, int32_t kind) {
  return by_type(type, std::unique_ptr<Factor>(), [&](auto zero) { return make_factor<decltype(zero)>(kind); });
}

size_t bytes_of(int32_t type) { return type == SX_HM_S ? 4 : type == SX_HM_Z ? 16 : 8; }

// A call that may run out of memory.
template <class Call>
int32_t guarded(Call call) {
  try {
    return call();
  } catch (const std::bad_alloc&) {
    return SX_HM_MEMORY;
  }
}

int32_t check(const sx_hm_csr* a) { return valid(*a) ? SX_HM_OK : SX_HM_INVALID; }

// A NaN among the values is no small pivot: the solution is NaN then.
bool has_nan(const sx_hm_csr& a) {
  return by_type(a.type, false, [&](auto zero) {
    const auto* v = static_cast<const decltype(zero)*>(a.val);
    return std::any_of(v, v + a.nnz, [](auto e) { return e != e; });
  });
}

int32_t lsv(int32_t kind, const sx_hm_csr* a, const void* b, double tol, int32_t reorder, void* x,
            int32_t* singularity) {
  if (!valid(*a) || a->m != a->n) return SX_HM_INVALID;
  if (has_nan(*a)) {
    memset(x, 0xff, bytes_of(a->type) * static_cast<size_t>(a->n));
    *singularity = -1;
    return SX_HM_OK;
  }
  return guarded([&]() -> int32_t {
    // An ordering decides where a zero pivot is seen. Large matrices are ordered for little fill whatever is asked.
    const size_t n = static_cast<size_t>(a->n), bytes = bytes_of(a->type);
    std::vector<int32_t> p(n);
    Permuted s;
    std::vector<char> val, right, left;
    sx_hm_csr m = *a;
    const bool small = i64{a->n} * a->n <= kDense;
    const bool reordered = reorder != 0 && small && kind != SX_HM_CHOLESKY;
    if (reordered) {
      order(reorder, *a, p.data());
      s = permuted(*a, p.data(), p.data());
      val.resize(bytes * static_cast<size_t>(a->nnz));
      right.resize(bytes * n);
      left.resize(bytes * n);
      for (size_t k = 0; k < s.from.size(); ++k) {
        memcpy(&val[k * bytes], static_cast<const char*>(a->val) + bytes * static_cast<size_t>(s.from[k]), bytes);
      }
      for (size_t i = 0; i < n; ++i) {
        memcpy(&right[i * bytes], static_cast<const char*>(b) + bytes * static_cast<size_t>(p[i]), bytes);
      }
      m = {a->type, a->m, a->n, a->nnz, 0, val.data(), s.row.data(), s.col.data()};
    }
    const auto f = factor_of(a->type, kind == SX_HM_LU && small ? kDenseLu : kind);
    if (!f) return SX_HM_MEMORY;
    if (const int32_t e = f->factor(m, nullptr, -1)) return e;
    f->zero_pivot(tol, singularity);
    if (*singularity >= 0) return SX_HM_OK;
    if (!reordered) return f->solve(b, x);
    const int32_t e = f->solve(right.data(), left.data());
    for (size_t i = 0; e == SX_HM_OK && i < n; ++i) {
      memcpy(static_cast<char*>(x) + bytes * static_cast<size_t>(p[i]), &left[i * bytes], bytes);
    }
    return e;
  });
}

int32_t least_squares_c(const sx_hm_csr* a, const void* b, double tol, int32_t* rank, void* x, int32_t* p,
                        void* min_norm) {
  if (!valid(*a)) return SX_HM_INVALID;
  return by_type(a->type, int32_t{SX_HM_MEMORY},
                 [&](auto zero) { return least_squares<decltype(zero)>(*a, b, tol, rank, x, p, min_norm); });
}

template <class T>
real_t<T> norm_of(const T* x, size_t n) {
  double sum = 0;
  for (size_t i = 0; i < n; ++i) sum += static_cast<double>(std::norm(x[i]));
  return static_cast<real_t<T>>(std::sqrt(sum));
}

template <class T>
T conjugate(T v) {
  if constexpr (is_complex<T>)
    return std::conj(v);
  else
    return v;
}

template <class T>
int32_t iterate(const sx_hm_csr& a, T mu0, const T* x0, int32_t most, double eps, T* mu, T* x) {
  const auto n = static_cast<size_t>(a.n);
  const auto f = make_factor<T>(SX_HM_LU);
  real_t<T> largest = 0;
  for (int32_t k = 0; k < a.nnz; ++k) largest = std::max(largest, std::abs(static_cast<const T*>(a.val)[k]));
  T shift = mu0;
  for (int tries = 0;; ++tries) {
    if (const int32_t e = f->factor(a, &shift, -1)) return e;
    int32_t zero = -1;
    f->zero_pivot(0, &zero);
    if (zero < 0) break;
    if (tries == 8) return SX_HM_INVALID;
    // mu0 is an eigenvalue: a shift beside it serves
    shift = mu0 + static_cast<T>(std::ldexp(std::numeric_limits<real_t<T>>::epsilon(), 2 + 2 * tries) *
                                 std::max(largest, std::numeric_limits<real_t<T>>::min()));
  }
  std::vector<T> v(x0, x0 + n), w(n);
  const real_t<T> size = norm_of(v.data(), n);
  if (!(size > 0)) return SX_HM_INVALID;
  for (T& e : v) e /= size;
  T before = shift, now = shift;
  for (int32_t step = 0; step < std::max(most, 1); ++step) {
    if (const int32_t e = f->solve(v.data(), w.data())) return e;
    T theta(0);
    for (size_t i = 0; i < n; ++i) theta += conjugate(v[i]) * w[i];
    const real_t<T> length = norm_of(w.data(), n);
    for (size_t i = 0; i < n; ++i) v[i] = w[i] / length;
    now = shift + T(1) / theta;
    if (step > 0 && std::abs(now - before) < static_cast<real_t<T>>(eps)) break;
    before = now;
  }
  *mu = now;
  std::copy(v.begin(), v.end(), x);
  return SX_HM_OK;
}

int32_t inverse_iteration(const sx_hm_csr* a, const void* mu0, const void* x0, int32_t most, double eps, void* mu,
                          void* x) {
  if (!valid(*a) || a->m != a->n) return SX_HM_INVALID;
  return by_type(a->type, int32_t{SX_HM_MEMORY}, [&](auto zero) {
    using T = decltype(zero);
    return iterate<T>(*a, *static_cast<const T*>(mu0), static_cast<const T*>(x0), most, eps, static_cast<T*>(mu),
                      static_cast<T*>(x));
  });
}

int32_t count_eigenvalues(const sx_hm_csr* a, double left, double bottom, double right, double top, int32_t* count) {
  constexpr int32_t largest = 3000;  // dense from here on would take minutes
  if (!valid(*a) || a->m != a->n) return SX_HM_INVALID;
  if (a->n > largest) return SX_HM_UNSUPPORTED;
  return by_type(a->type, int32_t{SX_HM_MEMORY}, [&](auto zero) -> int32_t {
    using T = decltype(zero);
    const i64 n = a->n;
    const auto d = array<T>(n * n), wr = array<T>(n), wi = array<T>(n);
    std::fill(d.get(), d.get() + n * n, T(0));
    for (int32_t i = 0; i < a->m; ++i) {
      for (int32_t k = a->row[i] - a->base; k < a->row[i + 1] - a->base; ++k) {
        d[i + n * (a->col[k] - a->base)] += static_cast<const T*>(a->val)[k];
      }
    }
    if (geev_of<T>('N', 'N', n, d.get(), std::max<i64>(n, 1), wr.get(), wi.get(), nullptr, 1, nullptr, 1) != 0) {
      return SX_HM_INVALID;
    }
    *count = 0;
    for (i64 i = 0; i < n; ++i) {
      const double re = static_cast<double>(std::real(wr[i]));
      const double im = static_cast<double>(is_complex<T> ? std::imag(wr[i]) : std::real(wi[i]));
      *count += re >= left && re <= right && im >= bottom && im <= top;
    }
    return SX_HM_OK;
  });
}

int32_t order_c(int32_t ordering, const sx_hm_csr* a, int32_t* p) {
  if (!valid(*a) || a->m != a->n) return SX_HM_INVALID;
  return guarded([&] {
    order(ordering, *a, p);
    return int32_t{SX_HM_OK};
  });
}

// ---- in steps ----
sx_hm_factor* factor_new(int32_t kind) {
  auto* f = new (std::nothrow) sx_hm_factor;
  if (f) f->kind = kind;
  return f;
}
void factor_free(sx_hm_factor* f) { delete f; }

int32_t factor_analyse(sx_hm_factor* f, const sx_hm_csr* a) {
  if (!valid(*a) || (f->kind != SX_HM_QR && a->m != a->n)) return SX_HM_INVALID;
  f->m = a->m;
  f->n = a->n;
  f->nnz = a->nnz;
  f->how.reset();
  return SX_HM_OK;
}

int32_t factor_factor(sx_hm_factor* f, const sx_hm_csr* a, const void* mu, double threshold) {
  if (f->n < 0) return SX_HM_ORDER;
  if (!valid(*a) || a->m != f->m || a->n != f->n || a->nnz != f->nnz) return SX_HM_INVALID;
  return guarded([&] {
    if (!f->how || f->type != a->type) f->how = factor_of(a->type, f->kind);
    f->type = a->type;
    const int32_t status = f->how ? f->how->factor(*a, mu, threshold) : int32_t{SX_HM_MEMORY};
    if (status != SX_HM_OK) f->how.reset();
    return status;
  });
}

// What asks a finished factorisation.
template <class Call>
int32_t with(const sx_hm_factor* f, Call call) {
  return f->how ? guarded([&] { return call(*f->how); }) : int32_t{SX_HM_ORDER};
}

int32_t factor_zero_pivot(sx_hm_factor* f, double tol, int32_t* position) {
  return with(f, [&](Factor& h) { return h.zero_pivot(tol, position); });
}
int32_t factor_solve(sx_hm_factor* f, const void* b, void* x) {
  return with(f, [&](Factor& h) { return h.solve(b, x); });
}
int32_t factor_diagonal(sx_hm_factor* f, void* diagonal) {
  return with(f, [&](Factor& h) { return h.diagonal(diagonal); });
}
int32_t factor_counts(sx_hm_factor* f, int64_t* lower, int64_t* upper) {
  return with(f, [&](Factor& h) { return h.counts(lower, upper); });
}
int32_t factor_extract(sx_hm_factor* f, int32_t* p, int32_t* q, int32_t base_l, void* val_l, int32_t* row_l,
                       int32_t* col_l, int32_t base_u, void* val_u, int32_t* row_u, int32_t* col_u) {
  return with(f, [&](Factor& h) {
    const sx_hm_csr l{f->type, f->n, f->n, 0, base_l, val_l, row_l, col_l};
    const sx_hm_csr u{f->type, f->n, f->n, 0, base_u, val_u, row_u, col_u};
    return h.extract(p, q, l, u);
  });
}

template <auto call>
struct Guarded;
template <class... A, int32_t (*call)(A...)>
struct Guarded<call> {
  static int32_t run(A... a) {
    return guarded([&] { return call(a...); });
  }
};

}  // namespace

const sx_hostmath_sparse* sparse_table() {
  static const sx_hostmath_sparse table = {
      check,
      Guarded<symmetric>::run,
      lsv,
      least_squares_c,
      inverse_iteration,
      count_eigenvalues,
      order_c,
      Guarded<zero_free>::run,
      Guarded<permute>::run,
      factor_new,
      factor_free,
      factor_analyse,
      factor_factor,
      factor_zero_pivot,
      factor_solve,
      factor_diagonal,
      factor_counts,
      factor_extract,
      refactor_new,
      refactor_free,
      refactor_load,
      Guarded<refactor_compute>::run,
      Guarded<refactor_solve>::run,
      refactor_pattern,
      refactor_values,
  };
  return &table;
}

}  // namespace sx::hm
