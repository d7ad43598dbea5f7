// Sparse LU, QR and Cholesky of one element type: Eigen's SparseLU and SimplicialLLT, and LAPACK's dense QR where the
// matrix is small or rectangular. Eigen's own sparse QR is too slow to be of use.
#pragma once

#include <Eigen/OrderingMethods>
#include <Eigen/SparseCholesky>
#include <Eigen/SparseLU>

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "sparse.h"

namespace sx::hm {

template <class T>
using Columns = Eigen::SparseMatrix<T, Eigen::ColMajor, int32_t>;
template <class T>
using Vector = Eigen::Matrix<T, Eigen::Dynamic, 1>;

// A rectangular matrix is, up to this many.
constexpr i64 kDenseMost = i64{1} << 27;

template <class T>
Columns<T> columns_of(const sx_hm_csr& a, const T* mu) {
  using Entry = Eigen::Triplet<T, int32_t>;
  const auto* val = static_cast<const T*>(a.val);
  bool sorted = mu == nullptr;
  for (int32_t i = 0; sorted && i < a.m; ++i) {
    const int32_t *first = a.col + (a.row[i] - a.base), *last = a.col + (a.row[i + 1] - a.base);
    sorted = std::is_sorted(first, last, [](int32_t x, int32_t y) { return x <= y; });  // no duplicate
  }
  Columns<T> c(a.m, a.n);
  if (sorted) {
    using Rows = Eigen::SparseMatrix<T, Eigen::RowMajor, int32_t>;
    if (a.base == 0) return c = Eigen::Map<const Rows>(a.m, a.n, a.nnz, a.row, a.col, val);
    std::vector<int32_t> row(a.row, a.row + a.m + 1), col(a.col, a.col + a.nnz);
    for (int32_t& r : row) --r;
    for (int32_t& j : col) --j;
    return c = Eigen::Map<const Rows>(a.m, a.n, a.nnz, row.data(), col.data(), val);
  }
  std::vector<Entry> entries;
  entries.reserve(static_cast<size_t>(a.nnz));
  for (int32_t i = 0; i < a.m; ++i) {
    for (int32_t k = a.row[i] - a.base; k < a.row[i + 1] - a.base; ++k)
      entries.emplace_back(i, a.col[k] - a.base, val[k]);
  }
  for (int32_t i = 0; mu != nullptr && i < std::min(a.m, a.n); ++i) entries.emplace_back(i, i, -*mu);
  c.setFromTriplets(entries.begin(), entries.end());
  return c;
}

template <class T>
std::unique_ptr<T[]> dense_of(const Columns<T>& a) {
  auto d = array<T>(a.rows() * a.cols());
  std::fill(d.get(), d.get() + a.rows() * a.cols(), T(0));
  for (Eigen::Index j = 0; j < a.outerSize(); ++j) {
    for (typename Columns<T>::InnerIterator it(a, j); it; ++it) d[it.row() + j * a.rows()] = it.value();
  }
  return d;
}

// -1, or the first that is not larger than tol (NaN is not).
template <class R>
int32_t first_small(const std::vector<R>& sizes, double tol) {
  for (size_t j = 0; j < sizes.size(); ++j) {
    if (!(static_cast<double>(sizes[j]) > tol)) return static_cast<int32_t>(j);
  }
  return -1;
}

// What the three kinds share: the sizes of the pivots.
template <class T>
class Typed : public Factor {
 public:
  int32_t zero_pivot(double tol, int32_t* position) const override {
    *position = first_small(pivots_, tol);
    return SX_HM_OK;
  }
  int32_t diagonal(void*) const override { return SX_HM_UNSUPPORTED; }
  int32_t extract(int32_t*, int32_t*, const sx_hm_csr&, const sx_hm_csr&) const override { return SX_HM_UNSUPPORTED; }

 protected:
  std::vector<real_t<T>> pivots_;
};

// ---- dense ----
template <class T>
class DenseQr : public Typed<T> {
 public:
  int32_t factor(const sx_hm_csr& a, const void* mu, double) override {
    m_ = a.m;
    n_ = a.n;
    const i64 k = std::min(m_, n_);
    r_ = dense_of(columns_of(a, static_cast<const T*>(mu)));
    tau_ = array<T>(k);
    const auto work = array<T>(kBlock * std::max<i64>(n_, 1));
    geqrf(m_, n_, r_.get(), tau_.get(), work.get(), kBlock * std::max<i64>(n_, 1));
    this->pivots_.resize(static_cast<size_t>(k));
    for (i64 j = 0; j < k; ++j) this->pivots_[static_cast<size_t>(j)] = std::abs(r_[j + j * m_]);
    return SX_HM_OK;
  }
  int32_t solve(const void* b, void* x) const override {
    const i64 k = std::min(m_, n_);
    const auto c = array<T>(m_), work = array<T>(kBlock);
    std::copy_n(static_cast<const T*>(b), m_, c.get());
    apply_q(is_complex<T> ? 'C' : 'T', m_, 1, k, r_.get(), tau_.get(), c.get(), work.get(), kBlock);
    auto* out = static_cast<T*>(x);
    std::fill(out, out + n_, T(0));
    if (solve_r(k, r_.get(), std::max<i64>(m_, 1), c.get()) != 0) return SX_HM_ZERO_PIVOT;
    std::copy_n(c.get(), k, out);
    return SX_HM_OK;
  }
  int32_t counts(int64_t* lower, int64_t* upper) const override {
    *upper = n_ * (n_ + 1) / 2;
    *lower = m_ * n_ - *upper;
    return SX_HM_OK;
  }

 private:
  static constexpr i64 kBlock = 4096;
  i64 m_ = 0, n_ = 0;
  std::unique_ptr<T[]> r_, tau_;
};

// ---- LU ----
// Where a zero pivot's place in the program's own order is asked.
template <class T>
class DenseLu : public Typed<T> {
 public:
  int32_t factor(const sx_hm_csr& a, const void* mu, double) override {
    n_ = a.n;
    f_ = dense_of(columns_of(a, static_cast<const T*>(mu)));
    ipiv_ = array<i64>(n_);
    getrf(n_, f_.get(), ipiv_.get());
    this->pivots_.resize(static_cast<size_t>(n_));
    for (i64 j = 0; j < n_; ++j) this->pivots_[static_cast<size_t>(j)] = std::abs(f_[j + j * n_]);
    return SX_HM_OK;
  }
  int32_t solve(const void* b, void* x) const override {
    std::copy_n(static_cast<const T*>(b), n_, static_cast<T*>(x));
    getrs(n_, f_.get(), ipiv_.get(), static_cast<T*>(x));
    return SX_HM_OK;
  }
  int32_t counts(int64_t* lower, int64_t* upper) const override {
    *lower = *upper = n_ * (n_ + 1) / 2;
    return SX_HM_OK;
  }

 private:
  i64 n_ = 0;
  std::unique_ptr<T[]> f_;
  std::unique_ptr<i64[]> ipiv_;
};

template <class T>
class Lu : public Typed<T> {
 public:
  int32_t factor(const sx_hm_csr& a, const void* mu, double threshold) override {
    const Columns<T> c = columns_of(a, static_cast<const T*>(mu));
    n_ = a.n;
    this->pivots_.clear();
    sound_ = lines_filled(c);
    if (!sound_) return exact_pivots(c);
    if (threshold >= 0) lu_.setPivotThreshold(static_cast<real_t<T>>(std::min(threshold, 1.0)));
    if (!same_pattern(c)) lu_.analyzePattern(c);
    lu_.factorize(c);
    sound_ = lu_.info() == Eigen::Success;
    if (!sound_) return exact_pivots(c);
    this->pivots_.resize(static_cast<size_t>(n_));
    each_upper([&](int32_t i, int32_t j, T v) {
      if (i == j) this->pivots_[static_cast<size_t>(j)] = std::abs(v);
    });
    return SX_HM_OK;
  }
  int32_t solve(const void* b, void* x) const override {
    if (!sound_) return SX_HM_ZERO_PIVOT;
    Eigen::Map<Vector<T>>(static_cast<T*>(x), n_) =
        lu_.solve(Eigen::Map<const Vector<T>>(static_cast<const T*>(b), n_));
    return SX_HM_OK;
  }
  int32_t counts(int64_t* lower, int64_t* upper) const override {
    *lower = *upper = 0;
    if (!sound_) return SX_HM_ZERO_PIVOT;
    each_lower([&](int32_t, int32_t, T) { ++*lower; });
    each_upper([&](int32_t, int32_t, T) { ++*upper; });
    return SX_HM_OK;
  }
  int32_t extract(int32_t* p, int32_t* q, const sx_hm_csr& l, const sx_hm_csr& u) const override {
    if (!sound_) return SX_HM_ZERO_PIVOT;
    for (int32_t i = 0; i < n_; ++i) {
      p[lu_.rowsPermutation().indices()[i]] = i;
      q[lu_.colsPermutation().indices()[i]] = i;
    }
    store(l, [&](auto f) { each_lower(f); });
    store(u, [&](auto f) { each_upper(f); });
    return SX_HM_OK;
  }

 private:
  using Solver = Eigen::SparseLU<Columns<T>, Eigen::COLAMDOrdering<int32_t>>;

  // Every row and every column has an entry: Eigen's orderings want that.
  static bool lines_filled(const Columns<T>& c) {
    std::vector<char> row(static_cast<size_t>(c.rows()), 0);
    bool filled = true;
    for (Eigen::Index j = 0; j < c.outerSize(); ++j) {
      typename Columns<T>::InnerIterator it(c, j);
      filled = filled && it;
      for (; it; ++it) row[static_cast<size_t>(it.row())] = 1;
    }
    return filled && std::all_of(row.begin(), row.end(), [](char r) { return r != 0; });
  }
  bool same_pattern(const Columns<T>& c) {
    const size_t n = static_cast<size_t>(n_), nnz = static_cast<size_t>(c.nonZeros());
    if (start_.size() == n + 1 && rows_.size() == nnz && std::equal(start_.begin(), start_.end(), c.outerIndexPtr()) &&
        std::equal(rows_.begin(), rows_.end(), c.innerIndexPtr()))
      return true;
    start_.assign(c.outerIndexPtr(), c.outerIndexPtr() + n + 1);
    rows_.assign(c.innerIndexPtr(), c.innerIndexPtr() + nnz);
    return false;
  }
  // A singular matrix: SparseLU stops at its zero. Where the first one is, a dense LU tells; of a large matrix, the
  // column at which SparseLU stopped, or else the first empty line.
  int32_t exact_pivots(const Columns<T>& c) {
    this->pivots_.assign(static_cast<size_t>(n_), 1);
    if (i64{n_} * n_ <= 4 * kDense) {
      const auto d = dense_of(c);
      const auto ipiv = array<i64>(n_);
      getrf(n_, d.get(), ipiv.get());
      for (i64 j = 0; j < n_; ++j) this->pivots_[static_cast<size_t>(j)] = std::abs(d[j + j * n_]);
      if (first_small(this->pivots_, 0) >= 0) return SX_HM_OK;
    }
    this->pivots_[static_cast<size_t>(stopped_at(c))] = 0;
    return SX_HM_OK;
  }
  int32_t stopped_at(const Columns<T>& c) const {
    for (int32_t j = 0; j < n_; ++j) {
      if (c.outerIndexPtr()[j] == c.outerIndexPtr()[j + 1]) return j;
    }
    const std::string said = lu_.lastErrorMessage();
    const size_t digits = said.find_last_not_of("0123456789");
    const long at = digits + 1 < said.size() ? std::strtol(said.c_str() + digits + 1, nullptr, 10) : n_;
    return static_cast<int32_t>(std::clamp(at - 1, 0L, long{n_} - 1));
  }

  template <class Each>
  void each_lower(Each f) const {
    const auto& store = lu_.matrixL().m_mapL;
    for (int32_t j = 0; j < n_; ++j) {
      for (typename std::decay_t<decltype(store)>::InnerIterator it(store, j); it; ++it) {
        if (it.row() > j && it.value() != T(0)) f(static_cast<int32_t>(it.row()), j, it.value());
      }
    }
  }
  template <class Each>
  void each_upper(Each f) const {
    const auto both = lu_.matrixU();
    for (int32_t j = 0; j < n_; ++j) {
      for (typename std::decay_t<decltype(both.m_mapU)>::InnerIterator it(both.m_mapU, j); it; ++it) {
        if (it.value() != T(0)) f(static_cast<int32_t>(it.row()), j, it.value());
      }
      for (typename std::decay_t<decltype(both.m_mapL)>::InnerIterator it(both.m_mapL, j); it; ++it) {
        if (it.row() <= j && (it.row() == j || it.value() != T(0))) f(static_cast<int32_t>(it.row()), j, it.value());
      }
    }
  }
  // Entries that come by columns, into CSR.
  template <class Walk>
  void store(const sx_hm_csr& out, Walk walk) const {
    auto* val = static_cast<T*>(const_cast<void*>(out.val));
    auto *row = const_cast<int32_t*>(out.row), *col = const_cast<int32_t*>(out.col);
    std::vector<int32_t> next(static_cast<size_t>(n_) + 1, 0);
    walk([&](int32_t i, int32_t, T) { ++next[static_cast<size_t>(i) + 1]; });
    for (size_t i = 0; i < static_cast<size_t>(n_); ++i) next[i + 1] += next[i];
    for (size_t i = 0; i <= static_cast<size_t>(n_); ++i) row[i] = next[i] + out.base;
    walk([&](int32_t i, int32_t j, T v) {
      const int32_t k = next[static_cast<size_t>(i)]++;
      col[k] = j + out.base;
      val[k] = v;
    });
  }

  int32_t n_ = 0;
  bool sound_ = false;
  Solver lu_;
  std::vector<int32_t> start_, rows_;
};

// ---- Cholesky ----
template <class T>
class Cholesky : public Typed<T> {
 public:
  int32_t factor(const sx_hm_csr& a, const void* mu, double) override {
    const Columns<T> c = columns_of(a, static_cast<const T*>(mu));
    n_ = a.n;
    llt_.compute(c);
    sound_ = llt_.info() == Eigen::Success;
    this->pivots_.assign(static_cast<size_t>(n_), 0);
    if (sound_) {
      const auto& l = llt_.matrixL().nestedExpression();
      for (int32_t j = 0; j < n_; ++j)
        this->pivots_[static_cast<size_t>(j)] = std::real(l.valuePtr()[l.outerIndexPtr()[j]]);
      return SX_HM_OK;
    }
    // L D L' of the same order says at which leading minor it ended: its D are the squares of the pivots.
    Eigen::SimplicialLDLT<Columns<T>, Eigen::Lower, Eigen::AMDOrdering<int32_t>> ldlt(c);
    for (int32_t j = 0; j < n_; ++j) {
      const real_t<T> d = std::real(ldlt.vectorD()[j]);
      if (!(d > 0)) break;
      this->pivots_[static_cast<size_t>(j)] = std::sqrt(d);
    }
    return SX_HM_OK;
  }
  int32_t solve(const void* b, void* x) const override {
    if (!sound_) return SX_HM_ZERO_PIVOT;
    Eigen::Map<Vector<T>>(static_cast<T*>(x), n_) =
        llt_.solve(Eigen::Map<const Vector<T>>(static_cast<const T*>(b), n_));
    return SX_HM_OK;
  }
  int32_t diagonal(void* out) const override {
    std::copy(this->pivots_.begin(), this->pivots_.end(), static_cast<real_t<T>*>(out));
    return SX_HM_OK;
  }
  int32_t counts(int64_t* lower, int64_t* upper) const override {
    *lower = sound_ ? llt_.matrixL().nestedExpression().nonZeros() : 0;
    *upper = *lower;
    return SX_HM_OK;
  }

 private:
  int32_t n_ = 0;
  bool sound_ = false;
  Eigen::SimplicialLLT<Columns<T>, Eigen::Lower, Eigen::AMDOrdering<int32_t>> llt_;
};

// Large and square: LU stands for QR; a triangle's diagonal tells as well whether the matrix is singular.
template <class T>
class Qr : public Factor {
 public:
  int32_t factor(const sx_hm_csr& a, const void* mu, double threshold) override {
    const i64 elements = i64{a.m} * a.n;
    if (a.m != a.n && elements > kDenseMost) return SX_HM_UNSUPPORTED;
    const bool dense = a.m != a.n || elements <= kDense;
    if (dense) {
      how_ = std::make_unique<DenseQr<T>>();
    } else if (!how_) {
      how_ = std::make_unique<Lu<T>>();
    }
    return how_->factor(a, mu, dense ? threshold : -1);
  }
  int32_t zero_pivot(double tol, int32_t* position) const override { return how_->zero_pivot(tol, position); }
  int32_t solve(const void* b, void* x) const override { return how_->solve(b, x); }
  int32_t diagonal(void*) const override { return SX_HM_UNSUPPORTED; }
  int32_t counts(int64_t* lower, int64_t* upper) const override { return how_->counts(lower, upper); }
  int32_t extract(int32_t*, int32_t*, const sx_hm_csr&, const sx_hm_csr&) const override { return SX_HM_UNSUPPORTED; }

 private:
  std::unique_ptr<Factor> how_;
};

template <class T>
std::unique_ptr<Factor> make_factor(int32_t kind) {
  if (kind == SX_HM_LU) return std::make_unique<Lu<T>>();
  if (kind == kDenseLu) return std::make_unique<DenseLu<T>>();
  if (kind == SX_HM_QR) return std::make_unique<Qr<T>>();
  return std::make_unique<Cholesky<T>>();
}

template <class T>
int32_t least_squares(const sx_hm_csr& a, const void* b, double tol, int32_t* rank, void* x, int32_t* p, void* norm) {
  const i64 m = a.m, n = a.n, k = std::min(m, n), lwork = 64 * (n + 1) + m;
  if (m * n > kDenseMost) return SX_HM_UNSUPPORTED;
  const auto r = dense_of(columns_of<T>(a, nullptr));
  const auto tau = array<T>(k), work = array<T>(lwork), c = array<T>(m);
  const auto rwork = array<real_t<T>>(2 * n);
  const auto jpvt = array<i64>(n);
  std::fill(jpvt.get(), jpvt.get() + n, i64{0});
  geqp3(m, n, r.get(), jpvt.get(), tau.get(), work.get(), lwork, rwork.get());
  std::vector<real_t<T>> sizes(static_cast<size_t>(k));
  for (i64 j = 0; j < k; ++j) sizes[static_cast<size_t>(j)] = std::abs(r[j + j * m]);
  const int32_t small = first_small(sizes, tol);
  *rank = small < 0 ? static_cast<int32_t>(k) : small;
  std::copy_n(static_cast<const T*>(b), m, c.get());
  apply_q(is_complex<T> ? 'C' : 'T', m, 1, k, r.get(), tau.get(), c.get(), work.get(), lwork);
  double square = 0;
  for (i64 i = *rank; i < m; ++i) square += static_cast<double>(std::norm(c[i]));
  *static_cast<real_t<T>*>(norm) = static_cast<real_t<T>>(std::sqrt(square));
  if (solve_r(*rank, r.get(), m, c.get()) != 0) return SX_HM_ZERO_PIVOT;
  auto* out = static_cast<T*>(x);
  std::fill(out, out + n, T(0));
  for (i64 j = 0; j < n; ++j) p[j] = static_cast<int32_t>(jpvt[j] - 1);
  for (i64 j = 0; j < *rank; ++j) out[p[j]] = c[j];
  return SX_HM_OK;
}

}  // namespace sx::hm

#define SX_HM_INSTANTIATE(T)                                                \
  template std::unique_ptr<sx::hm::Factor> sx::hm::make_factor<T>(int32_t); \
  template int32_t sx::hm::least_squares<T>(const sx_hm_csr&, const void*, double, int32_t*, void*, int32_t*, void*);
