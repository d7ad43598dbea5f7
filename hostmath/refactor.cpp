// New values for known factors: the LU of A(p,q) on the pattern of L + U, without a search for pivots (cusolverRf).
#include <algorithm>
#include <cmath>
#include <memory>
#include <new>
#include <vector>

#include "sparse.h"
#include "structure.h"

struct sx_hm_refactor {
  int32_t n = 0;
  std::vector<int32_t> row, col, diagonal;  // M = L + U - I, sorted; diagonal: the place of M(i,i)
  std::vector<int32_t> a_row, a_place;      // of A's rows as permuted: entries into A's values,
  std::vector<int32_t> a_from;              // and where they go in M
  std::vector<double> first;                // M of the factors as given
};

namespace sx::hm {
namespace {

// Sorted rows of L (without its ones) and U together.
bool merge(const sx_hm_csr& l, const sx_hm_csr& u, sx_hm_refactor* r) {
  const auto *lv = static_cast<const double*>(l.val), *uv = static_cast<const double*>(u.val);
  std::vector<std::pair<int32_t, double>> line;
  r->row.push_back(0);
  for (int32_t i = 0; i < r->n; ++i) {
    line.clear();
    for (int32_t k = l.row[i]; k < l.row[i + 1]; ++k) {
      if (l.col[k] > i) return false;
      if (l.col[k] < i) line.emplace_back(l.col[k], lv ? lv[k] : 0);
    }
    bool diagonal = false;
    for (int32_t k = u.row[i]; k < u.row[i + 1]; ++k) {
      if (u.col[k] < i) return false;
      diagonal = diagonal || u.col[k] == i;
      line.emplace_back(u.col[k], uv ? uv[k] : 0);
    }
    if (!diagonal) line.emplace_back(i, 0);
    std::sort(line.begin(), line.end());
    for (const auto& [j, v] : line) {
      if (j == i) r->diagonal.push_back(static_cast<int32_t>(r->col.size()));
      r->col.push_back(j);
      r->first.push_back(v);
    }
    r->row.push_back(static_cast<int32_t>(r->col.size()));
    if (static_cast<int32_t>(r->diagonal.size()) != i + 1) return false;  // a duplicate
  }
  return true;
}

// Where each entry of A goes; false if the factors have no place for one.
bool place(const sx_hm_csr& a, const int32_t* p, const int32_t* q, sx_hm_refactor* r) {
  const Permuted b = permuted(a, p, q);
  r->a_row = b.row;
  r->a_from = b.from;
  for (int32_t i = 0; i < r->n; ++i) {
    const auto first = r->col.begin() + r->row[static_cast<size_t>(i)];
    const auto last = r->col.begin() + r->row[static_cast<size_t>(i) + 1];
    for (int32_t k = b.row[static_cast<size_t>(i)]; k < b.row[static_cast<size_t>(i) + 1]; ++k) {
      const auto at = std::lower_bound(first, last, b.col[static_cast<size_t>(k)]);
      if (at == last || *at != b.col[static_cast<size_t>(k)]) return false;
      r->a_place.push_back(static_cast<int32_t>(at - r->col.begin()));
    }
  }
  return true;
}

}  // namespace

sx_hm_refactor* refactor_new(const sx_hm_csr* a, const sx_hm_csr* l, const sx_hm_csr* u, const int32_t* p,
                             const int32_t* q, int32_t* status) {
  *status = SX_HM_INVALID;
  if (!valid(*a) || !valid(*l) || !valid(*u) || a->m != a->n || a->base + l->base + u->base != 0) return nullptr;
  if (!permutation(p, a->n) || !permutation(q, a->n)) return nullptr;
  try {
    auto r = std::make_unique<sx_hm_refactor>();
    r->n = a->n;
    if (!merge(*l, *u, r.get()) || !place(*a, p, q, r.get())) return nullptr;
    *status = SX_HM_OK;
    return r.release();
  } catch (const std::bad_alloc&) {
    *status = SX_HM_MEMORY;
    return nullptr;
  }
}

void refactor_free(sx_hm_refactor* r) { delete r; }

int32_t refactor_compute(const sx_hm_refactor* r, const double* a, double zero, double boost, double* m, int32_t* pivot,
                         int32_t* boosted) {
  *pivot = -1;
  *boosted = 0;
  std::fill(m, m + r->col.size(), 0.0);
  for (size_t k = 0; k < r->a_place.size(); ++k) m[r->a_place[k]] += a[r->a_from[k]];
  std::unique_ptr<int32_t[]> where(new (std::nothrow) int32_t[static_cast<size_t>(r->n) + 1]);
  if (!where) return SX_HM_MEMORY;
  std::fill(where.get(), where.get() + r->n, -1);
  for (int32_t i = 0; i < r->n; ++i) {
    const int32_t first = r->row[static_cast<size_t>(i)], last = r->row[static_cast<size_t>(i) + 1];
    const int32_t middle = r->diagonal[static_cast<size_t>(i)];
    for (int32_t k = first; k < last; ++k) where[static_cast<size_t>(r->col[static_cast<size_t>(k)])] = k;
    for (int32_t k = first; k < middle; ++k) {
      const auto above = static_cast<size_t>(r->col[static_cast<size_t>(k)]);
      const double factor = m[k] /= m[r->diagonal[above]];
      for (int32_t t = r->diagonal[above] + 1; t < r->row[above + 1]; ++t) {
        const int32_t at = where[static_cast<size_t>(r->col[static_cast<size_t>(t)])];
        if (at >= 0) m[at] -= factor * m[t];
      }
    }
    for (int32_t k = first; k < last; ++k) where[static_cast<size_t>(r->col[static_cast<size_t>(k)])] = -1;
    if (boost != 0 && std::abs(m[middle]) < zero) {
      m[middle] = boost;
      *boosted = 1;
    }
    if (*pivot < 0 && m[middle] == 0) *pivot = i;
  }
  return *pivot < 0 ? SX_HM_OK : SX_HM_ZERO_PIVOT;
}

int32_t refactor_solve(const sx_hm_refactor* r, const double* m, const int32_t* p, const int32_t* q, double* x) {
  if (!permutation(p, r->n) || !permutation(q, r->n)) return SX_HM_INVALID;
  std::unique_ptr<double[]> y(new (std::nothrow) double[static_cast<size_t>(r->n) + 1]);
  if (!y) return SX_HM_MEMORY;
  for (int32_t i = 0; i < r->n; ++i) {
    double sum = x[p[i]];
    for (int32_t k = r->row[static_cast<size_t>(i)]; k < r->diagonal[static_cast<size_t>(i)]; ++k) {
      sum -= m[k] * y[static_cast<size_t>(r->col[static_cast<size_t>(k)])];
    }
    y[static_cast<size_t>(i)] = sum;
  }
  for (int32_t i = r->n - 1; i >= 0; --i) {
    const int32_t middle = r->diagonal[static_cast<size_t>(i)];
    double sum = y[static_cast<size_t>(i)];
    for (int32_t k = middle + 1; k < r->row[static_cast<size_t>(i) + 1]; ++k) {
      sum -= m[k] * y[static_cast<size_t>(r->col[static_cast<size_t>(k)])];
    }
    y[static_cast<size_t>(i)] = sum / m[middle];
  }
  for (int32_t i = 0; i < r->n; ++i) x[q[i]] = y[static_cast<size_t>(i)];
  return SX_HM_OK;
}

int32_t refactor_pattern(const sx_hm_refactor* r, const int32_t** row, const int32_t** col) {
  *row = r->row.data();
  *col = r->col.data();
  return SX_HM_OK;
}

int32_t refactor_first(const sx_hm_refactor* r, double* m) {
  std::copy(r->first.begin(), r->first.end(), m);
  return SX_HM_OK;
}

}  // namespace sx::hm
