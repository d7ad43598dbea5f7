// Structure of CSR matrices: is it one, is it symmetric, permutations, and a diagonal without zeros.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "dispatch.h"
#include "sparse.h"
#include "structure.h"

namespace sx::hm {

bool valid(const sx_hm_csr& a) {
  if (a.m < 0 || a.n < 0 || a.nnz < 0 || (a.base != 0 && a.base != 1) || a.row == nullptr) return false;
  if (a.row[0] != a.base || (a.nnz > 0 && a.col == nullptr)) return false;
  for (int32_t i = 0; i < a.m; ++i) {
    if (a.row[i + 1] < a.row[i] || a.row[i + 1] - a.base > a.nnz) return false;
  }
  if (a.row[a.m] - a.base != a.nnz) return false;
  return std::all_of(a.col, a.col + a.nnz, [&](int32_t c) { return c >= a.base && c - a.base < a.n; });
}

int32_t symmetric(const sx_hm_csr* a, const int32_t* row_end, int32_t* yes) {
  if (a->m != a->n || a->m < 0 || (a->base != 0 && a->base != 1)) return SX_HM_INVALID;
  std::vector<std::pair<int32_t, int32_t>> entries;
  for (int32_t i = 0; i < a->m; ++i) {
    const int32_t first = a->row[i] - a->base, last = row_end[i] - a->base;
    if (first < 0 || last < first || last > a->nnz) return SX_HM_INVALID;
    for (int32_t k = first; k < last; ++k) {
      const int32_t j = a->col[k] - a->base;
      if (j < 0 || j >= a->n) return SX_HM_INVALID;
      if (i != j) entries.emplace_back(i, j);
    }
  }
  std::sort(entries.begin(), entries.end());
  entries.erase(std::unique(entries.begin(), entries.end()), entries.end());
  *yes = std::all_of(entries.begin(), entries.end(), [&](const auto& e) {
    return std::binary_search(entries.begin(), entries.end(), std::make_pair(e.second, e.first));
  });
  return SX_HM_OK;
}

Permuted permuted(const sx_hm_csr& a, const int32_t* p, const int32_t* q) {
  Permuted b;
  std::vector<int32_t> where(static_cast<size_t>(a.n));
  for (int32_t j = 0; j < a.n; ++j) where[static_cast<size_t>(q[j])] = j;
  b.row.push_back(0);
  b.col.reserve(static_cast<size_t>(a.nnz));
  b.from.reserve(static_cast<size_t>(a.nnz));
  std::vector<std::pair<int32_t, int32_t>> line;
  for (int32_t i = 0; i < a.m; ++i) {
    line.clear();
    for (int32_t k = a.row[p[i]] - a.base; k < a.row[p[i] + 1] - a.base; ++k) {
      line.emplace_back(where[static_cast<size_t>(a.col[k] - a.base)], k);
    }
    std::sort(line.begin(), line.end());
    for (const auto& [j, k] : line) {
      b.col.push_back(j);
      b.from.push_back(k);
    }
    b.row.push_back(static_cast<int32_t>(b.col.size()));
  }
  return b;
}

bool permutation(const int32_t* p, int32_t n) {
  std::vector<char> seen(static_cast<size_t>(n), 0);
  for (int32_t i = 0; i < n; ++i) {
    if (p[i] < 0 || p[i] >= n || seen[static_cast<size_t>(p[i])]++) return false;
  }
  return true;
}

int32_t permute(int32_t m, int32_t n, int32_t nnz, int32_t base, int32_t* row, int32_t* col, const int32_t* p,
                const int32_t* q, int32_t* map) {
  const sx_hm_csr a{SX_HM_D, m, n, nnz, base, nullptr, row, col};
  if (!valid(a) || !permutation(p, m) || !permutation(q, n)) return SX_HM_INVALID;
  const Permuted b = permuted(a, p, q);
  const std::vector<int32_t> old(map, map + nnz);
  for (int32_t i = 0; i <= m; ++i) row[i] = b.row[static_cast<size_t>(i)] + base;
  for (size_t k = 0; k < b.col.size(); ++k) {
    col[k] = b.col[k] + base;
    map[k] = old[static_cast<size_t>(b.from[k])];
  }
  return SX_HM_OK;
}

namespace {

// Maximum transversal (Duff): each column looks for a row, by a depth-first search for an augmenting path.
class Transversal {
 public:
  Transversal(const std::vector<int32_t>& start, const std::vector<int32_t>& rows, int32_t n)
      : start_(start),
        rows_(rows),
        row_of_(static_cast<size_t>(n), -1),
        column_of_(static_cast<size_t>(n), -1),
        seen_(static_cast<size_t>(n), -1),
        next_(static_cast<size_t>(n), 0) {}

  bool augment(int32_t column) {
    std::vector<int32_t> path{column};
    next_[static_cast<size_t>(column)] = start_[static_cast<size_t>(column)];
    while (!path.empty()) {
      const auto j = static_cast<size_t>(path.back());
      if (next_[j] == start_[j + 1]) {
        path.pop_back();
        continue;
      }
      const auto i = static_cast<size_t>(rows_[static_cast<size_t>(next_[j]++)]);
      if (seen_[i] == column) continue;
      seen_[i] = column;
      if (column_of_[i] < 0) {
        take(path);
        return true;
      }
      path.push_back(column_of_[i]);
      next_[static_cast<size_t>(path.back())] = start_[static_cast<size_t>(path.back())];
    }
    return false;
  }
  const std::vector<int32_t>& rows() const { return row_of_; }
  bool row_taken(int32_t i) const { return column_of_[static_cast<size_t>(i)] >= 0; }

 private:
  // Every column of the path gets the row that it looked at last.
  void take(const std::vector<int32_t>& path) {
    for (const int32_t c : path) {
      const auto j = static_cast<size_t>(c);
      const int32_t i = rows_[static_cast<size_t>(next_[j] - 1)];
      row_of_[j] = i;
      column_of_[static_cast<size_t>(i)] = c;
    }
  }
  const std::vector<int32_t>&start_, &rows_;
  std::vector<int32_t> row_of_, column_of_, seen_, next_;
};

template <class T>
void columns_by_size(const sx_hm_csr& a, std::vector<int32_t>* start, std::vector<int32_t>* rows) {
  const auto* val = static_cast<const T*>(a.val);
  std::vector<std::vector<std::pair<real_t<T>, int32_t>>> columns(static_cast<size_t>(a.n));
  for (int32_t i = 0; i < a.m; ++i) {
    for (int32_t k = a.row[i] - a.base; k < a.row[i + 1] - a.base; ++k) {
      const auto size = static_cast<real_t<T>>(std::abs(val[k]));
      if (!(size == 0)) columns[static_cast<size_t>(a.col[k] - a.base)].emplace_back(-size, i);
    }
  }
  start->assign(1, 0);
  for (auto& c : columns) {
    std::stable_sort(c.begin(), c.end(), [](const auto& x, const auto& y) { return x.first < y.first; });
    for (const auto& e : c) rows->push_back(e.second);
    start->push_back(static_cast<int32_t>(rows->size()));
  }
}

}  // namespace

int32_t zero_free(const sx_hm_csr* a, int32_t* p, int32_t* entries) {
  if (!valid(*a) || a->m != a->n) return SX_HM_INVALID;
  std::vector<int32_t> start, rows;
  by_type(a->type, 0, [&](auto zero) {
    columns_by_size<decltype(zero)>(*a, &start, &rows);
    return 0;
  });
  Transversal t(start, rows, a->n);
  *entries = 0;
  for (int32_t j = 0; j < a->n; ++j) *entries += t.augment(j);
  int32_t spare = 0;
  for (int32_t j = 0; j < a->n; ++j) {
    p[j] = t.rows()[static_cast<size_t>(j)];
    if (p[j] >= 0) continue;
    while (t.row_taken(spare)) ++spare;
    p[j] = spare++;
  }
  return SX_HM_OK;
}

}  // namespace sx::hm
