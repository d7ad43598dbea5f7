// New values for known factors: the LU of A(p,q) on the pattern of L + U, without a search for pivots (cusolverRf).
//
// Inside, the lower factor has the ones and everything is CSR. A U with ones is that of the transpose: A(p,q)^T = U^T
// L^T; CSC is the CSR of the transpose. What the program gave is flipped into this shape, and M flipped back.
#include <algorithm>
#include <cmath>
#include <memory>
#include <new>
#include <numeric>
#include <vector>

#include "sparse.h"
#include "structure.h"

struct sx_hm_refactor {
  int32_t n = 0;
  bool transposed = false;                  // the factors are those of the transpose
  std::vector<int32_t> row, col, diagonal;  // M = L + U - I, sorted; diagonal: the place of M(i,i)
  std::vector<int32_t> a_from, a_place;     // entries of A's values, and where they go in M
  std::vector<int32_t> out_row, out_col;    // M as the program sees it,
  std::vector<int32_t> out_from;            // and where its entries come from
};

namespace sx::hm {
namespace {

size_t at(int32_t i) { return static_cast<size_t>(i); }

// A matrix as given or its transpose; ``from``: the old place of each entry.
struct Turned {
  std::vector<int32_t> row, col, from;
  sx_hm_csr csr(int32_t n) const {
    return {SX_HM_D, n, n, static_cast<int32_t>(col.size()), 0, nullptr, row.data(), col.data()};
  }
};

Turned turned(const sx_hm_csr& a, bool flip) {
  Turned t;
  if (!flip) {
    t.row.assign(a.row, a.row + a.m + 1);
    t.col.assign(a.col, a.col + a.nnz);
    t.from.resize(at(a.nnz));
    std::iota(t.from.begin(), t.from.end(), 0);
    return t;
  }
  t.row.assign(at(a.n) + 1, 0);
  t.col.resize(at(a.nnz));
  t.from.resize(at(a.nnz));
  for (int32_t k = 0; k < a.nnz; ++k) ++t.row[at(a.col[k]) + 1];
  std::partial_sum(t.row.begin(), t.row.end(), t.row.begin());
  std::vector<int32_t> next(t.row.begin(), t.row.end() - 1);
  for (int32_t i = 0; i < a.m; ++i) {
    for (int32_t k = a.row[i]; k < a.row[i + 1]; ++k) {
      const int32_t to = next[at(a.col[k])]++;
      t.col[at(to)] = i;
      t.from[at(to)] = k;
    }
  }
  return t;
}

// Sorted rows of a lower factor (without its ones) and an upper one together.
bool merge(const Turned& l, const Turned& u, sx_hm_refactor* r) {
  std::vector<int32_t> line;
  r->row.push_back(0);
  for (int32_t i = 0; i < r->n; ++i) {
    line.assign(1, i);
    for (int32_t k = l.row[at(i)]; k < l.row[at(i) + 1]; ++k) {
      if (l.col[at(k)] > i) return false;
      if (l.col[at(k)] < i) line.push_back(l.col[at(k)]);
    }
    for (int32_t k = u.row[at(i)]; k < u.row[at(i) + 1]; ++k) {
      if (u.col[at(k)] < i) return false;
      if (u.col[at(k)] > i) line.push_back(u.col[at(k)]);
    }
    std::sort(line.begin(), line.end());
    if (std::adjacent_find(line.begin(), line.end()) != line.end()) return false;
    const auto diagonal = std::lower_bound(line.begin(), line.end(), i) - line.begin();
    r->diagonal.push_back(static_cast<int32_t>(r->col.size() + static_cast<size_t>(diagonal)));
    r->col.insert(r->col.end(), line.begin(), line.end());
    r->row.push_back(static_cast<int32_t>(r->col.size()));
  }
  return true;
}

// Where each entry of A goes; false if the factors have no place for one.
bool place(const Turned& a, const int32_t* p, const int32_t* q, sx_hm_refactor* r) {
  const Permuted b = permuted(a.csr(r->n), p, q);
  for (int32_t i = 0; i < r->n; ++i) {
    const auto first = r->col.begin() + r->row[at(i)], last = r->col.begin() + r->row[at(i) + 1];
    for (int32_t k = b.row[at(i)]; k < b.row[at(i) + 1]; ++k) {
      const auto found = std::lower_bound(first, last, b.col[at(k)]);
      if (found == last || *found != b.col[at(k)]) return false;
      r->a_place.push_back(static_cast<int32_t>(found - r->col.begin()));
      r->a_from.push_back(a.from[at(b.from[at(k)])]);
    }
  }
  return true;
}

bool square(const sx_hm_csr& a, int32_t n) { return valid(a) && a.base == 0 && a.m == n && a.n == n; }

// y := the inverse of the lower (unit) or the upper factor, or of their transposes, times y.
void forward(const sx_hm_refactor& r, const double* m, double* y) {
  for (int32_t i = 0; i < r.n; ++i) {
    for (int32_t k = r.row[at(i)]; k < r.diagonal[at(i)]; ++k) y[i] -= m[k] * y[r.col[at(k)]];
  }
}
void backward(const sx_hm_refactor& r, const double* m, double* y) {
  for (int32_t i = r.n - 1; i >= 0; --i) {
    for (int32_t k = r.diagonal[at(i)] + 1; k < r.row[at(i) + 1]; ++k) y[i] -= m[k] * y[r.col[at(k)]];
    y[i] /= m[r.diagonal[at(i)]];
  }
}
void forward_transposed(const sx_hm_refactor& r, const double* m, double* y) {
  for (int32_t i = 0; i < r.n; ++i) {
    y[i] /= m[r.diagonal[at(i)]];
    for (int32_t k = r.diagonal[at(i)] + 1; k < r.row[at(i) + 1]; ++k) y[r.col[at(k)]] -= m[k] * y[i];
  }
}
void backward_transposed(const sx_hm_refactor& r, const double* m, double* y) {
  for (int32_t i = r.n - 1; i >= 0; --i) {
    for (int32_t k = r.row[at(i)]; k < r.diagonal[at(i)]; ++k) y[r.col[at(k)]] -= m[k] * y[i];
  }
}

}  // namespace

sx_hm_refactor* refactor_new(const sx_hm_csr* a, const sx_hm_csr* l, const sx_hm_csr* u, const int32_t* p,
                             const int32_t* q, int32_t by_columns, int32_t ones_in_upper, int32_t* status) {
  *status = SX_HM_INVALID;
  try {
    const int32_t n = a->n;
    if (!square(*a, n) || !square(*l, n) || !square(*u, n) || !permutation(p, n) || !permutation(q, n)) return nullptr;
    auto r = std::make_unique<sx_hm_refactor>();
    r->n = n;
    r->transposed = ones_in_upper != 0;
    const bool flip = r->transposed != (by_columns != 0);
    const sx_hm_csr *lower = r->transposed ? u : l, *upper = r->transposed ? l : u;
    const Turned left = turned(*lower, flip), right = turned(*upper, flip);
    if (!merge(left, right, r.get())) return nullptr;
    if (!place(turned(*a, flip), r->transposed ? q : p, r->transposed ? p : q, r.get())) return nullptr;
    const sx_hm_csr m{SX_HM_D, n, n, static_cast<int32_t>(r->col.size()), 0, nullptr, r->row.data(), r->col.data()};
    Turned seen = turned(m, flip);
    r->out_row = std::move(seen.row);
    r->out_col = std::move(seen.col);
    r->out_from = std::move(seen.from);
    *status = SX_HM_OK;
    return r.release();
  } catch (const std::bad_alloc&) {
    *status = SX_HM_MEMORY;
    return nullptr;
  }
}

void refactor_free(sx_hm_refactor* r) { delete r; }

int32_t refactor_load(const sx_hm_refactor* r, const double* a, double* m) {
  std::fill(m, m + r->col.size(), 0.0);
  for (size_t k = 0; k < r->a_place.size(); ++k) m[r->a_place[k]] += a[r->a_from[k]];
  return SX_HM_OK;
}

int32_t refactor_compute(const sx_hm_refactor* r, double zero, double boost, double* m, int32_t* pivot) {
  *pivot = -1;
  std::vector<int32_t> where(at(r->n), -1);
  for (int32_t i = 0; i < r->n; ++i) {
    const int32_t first = r->row[at(i)], last = r->row[at(i) + 1], middle = r->diagonal[at(i)];
    for (int32_t k = first; k < last; ++k) where[at(r->col[at(k)])] = k;
    for (int32_t k = first; k < middle; ++k) {
      const size_t above = at(r->col[at(k)]);
      const double factor = m[k] /= m[r->diagonal[above]];
      for (int32_t t = r->diagonal[above] + 1; t < r->row[above + 1]; ++t) {
        const int32_t spot = where[at(r->col[at(t)])];
        if (spot >= 0) m[spot] -= factor * m[t];
      }
    }
    for (int32_t k = first; k < last; ++k) where[at(r->col[at(k)])] = -1;
    if (std::abs(m[middle]) > zero || std::isnan(m[middle])) continue;
    if (*pivot < 0) *pivot = i;
    if (boost > 0) m[middle] = boost;
  }
  return *pivot < 0 ? SX_HM_OK : SX_HM_ZERO_PIVOT;
}

int32_t refactor_solve(const sx_hm_refactor* r, const double* m, const int32_t* p, const int32_t* q, double* x) {
  if (!permutation(p, r->n) || !permutation(q, r->n)) return SX_HM_INVALID;
  std::vector<double> y(at(r->n) + 1);
  for (int32_t i = 0; i < r->n; ++i) y[at(i)] = x[p[i]];
  if (r->transposed) {
    forward_transposed(*r, m, y.data());
    backward_transposed(*r, m, y.data());
  } else {
    forward(*r, m, y.data());
    backward(*r, m, y.data());
  }
  for (int32_t i = 0; i < r->n; ++i) x[q[i]] = y[at(i)];
  return SX_HM_OK;
}

int32_t refactor_pattern(const sx_hm_refactor* r, const int32_t** row, const int32_t** col) {
  *row = r->out_row.data();
  *col = r->out_col.data();
  return SX_HM_OK;
}

int32_t refactor_values(const sx_hm_refactor* r, const double* m, double* out) {
  for (size_t k = 0; k < r->out_from.size(); ++k) out[k] = m[r->out_from[k]];
  return SX_HM_OK;
}

}  // namespace sx::hm
