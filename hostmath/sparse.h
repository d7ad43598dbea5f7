// Sparse factorisations of one element type behind one interface; a file per type instantiates them.
#pragma once

#include <memory>
#include <vector>

#include "lapack.h"
#include "scalex/hostmath_sparse.h"

namespace sx::hm {

// Up to this many elements a square matrix is factored densely: it costs little, and its zero pivots have exact places.
constexpr i64 kDense = 200 * 200;
constexpr int32_t kDenseLu = 16;  // beside the sx_hm_kinds

class Factor {
 public:
  virtual ~Factor() = default;
  virtual int32_t factor(const sx_hm_csr& a, const void* mu, double pivot_threshold) = 0;
  virtual int32_t zero_pivot(double tol, int32_t* position) const = 0;
  virtual int32_t solve(const void* b, void* x) const = 0;
  virtual int32_t diagonal(void* out) const = 0;
  virtual int32_t counts(int64_t* lower, int64_t* upper) const = 0;
  virtual int32_t extract(int32_t* p, int32_t* q, const sx_hm_csr& l, const sx_hm_csr& u) const = 0;
};

template <class T>
std::unique_ptr<Factor> make_factor(int32_t kind);

template <class T>
int32_t least_squares(const sx_hm_csr& a, const void* b, double tol, int32_t* rank, void* x, int32_t* p, void* norm);

// ---- structure ----
bool valid(const sx_hm_csr& a);
// The pattern of A + A' without the diagonal, 0-based: what orderings work on.
struct Graph {
  int32_t n = 0;
  std::vector<int32_t> start, next;
};
Graph graph_of(const sx_hm_csr& a);
void order_rcm(const Graph& g, int32_t* p);
void order_amd(const Graph& g, int32_t* p);
void order_dissection(const Graph& g, int32_t* p);
void order(int32_t ordering, const sx_hm_csr& a, int32_t* p);
// A(p,p), 0-based.
struct Permuted {
  std::vector<int32_t> row, col, from;  // from: the old place of each entry
};
Permuted permuted(const sx_hm_csr& a, const int32_t* p, const int32_t* q);

}  // namespace sx::hm
