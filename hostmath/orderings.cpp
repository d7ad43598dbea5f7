// Orderings that keep fill small, of the pattern of A + A': reverse Cuthill-McKee, approximate minimum degree
// (Eigen's), and nested dissection by level structures (George, Liu: An automatic nested dissection algorithm, 1978).
#include <Eigen/OrderingMethods>
#include <Eigen/SparseCore>
#include <algorithm>

#include "sparse.h"

namespace sx::hm {
namespace {

using List = std::vector<int32_t>;

int32_t degree(const Graph& g, int32_t v) {
  return g.start[static_cast<size_t>(v) + 1] - g.start[static_cast<size_t>(v)];
}

// The vertices that can be reached from ``root`` where ``mine`` says so, level by level.
struct Levels {
  List vertices, first;  // first[k]: where level k starts
  int32_t count() const { return static_cast<int32_t>(first.size()) - 1; }
};

template <class Mine>
Levels levels_from(const Graph& g, int32_t root, List* mark, int32_t stamp, Mine mine) {
  Levels l;
  l.vertices.push_back(root);
  (*mark)[static_cast<size_t>(root)] = stamp;
  l.first.push_back(0);
  for (size_t done = 0; done < l.vertices.size();) {
    const size_t end = l.vertices.size();
    l.first.push_back(static_cast<int32_t>(end));
    for (; done < end; ++done) {
      const auto v = static_cast<size_t>(l.vertices[done]);
      const auto from = static_cast<std::ptrdiff_t>(l.vertices.size());
      for (int32_t k = g.start[v]; k < g.start[v + 1]; ++k) {
        const int32_t w = g.next[static_cast<size_t>(k)];
        if ((*mark)[static_cast<size_t>(w)] == stamp || !mine(w)) continue;
        (*mark)[static_cast<size_t>(w)] = stamp;
        l.vertices.push_back(w);
      }
      std::stable_sort(l.vertices.begin() + from, l.vertices.end(),
                       [&](int32_t a, int32_t b) { return degree(g, a) < degree(g, b); });
    }
  }
  return l;
}

// Level structure from a vertex at the graph's edge (George and Liu's pseudo-peripheral search).
template <class Mine>
Levels long_levels(const Graph& g, int32_t root, List* mark, int32_t* stamp, Mine mine) {
  Levels l = levels_from(g, root, mark, ++*stamp, mine);
  for (;;) {
    const int32_t last = l.first[l.first.size() - 2];
    const int32_t far = *std::min_element(l.vertices.begin() + last, l.vertices.end(),
                                          [&](int32_t a, int32_t b) { return degree(g, a) < degree(g, b); });
    Levels next = levels_from(g, far, mark, ++*stamp, mine);
    if (next.count() <= l.count()) return l;
    l = std::move(next);
  }
}

Graph part_of(const Graph& g, const List& vertices, List* number) {
  Graph part;
  part.n = static_cast<int32_t>(vertices.size());
  for (int32_t i = 0; i < part.n; ++i) {
    (*number)[static_cast<size_t>(vertices[static_cast<size_t>(i)])] = i;
  }
  part.start.push_back(0);
  for (const int32_t v : vertices) {
    for (int32_t k = g.start[static_cast<size_t>(v)]; k < g.start[static_cast<size_t>(v) + 1]; ++k) {
      const int32_t w = (*number)[static_cast<size_t>(g.next[static_cast<size_t>(k)])];
      if (w >= 0) part.next.push_back(w);
    }
    std::sort(part.next.begin() + part.start.back(), part.next.end());
    part.start.push_back(static_cast<int32_t>(part.next.size()));
  }
  for (const int32_t v : vertices) (*number)[static_cast<size_t>(v)] = -1;
  return part;
}

}  // namespace

Graph graph_of(const sx_hm_csr& a) {
  std::vector<List> rows(static_cast<size_t>(a.n));
  for (int32_t i = 0; i < a.m; ++i) {
    for (int32_t k = a.row[i] - a.base; k < a.row[i + 1] - a.base; ++k) {
      const int32_t j = a.col[k] - a.base;
      if (i == j) continue;
      rows[static_cast<size_t>(i)].push_back(j);
      rows[static_cast<size_t>(j)].push_back(i);
    }
  }
  Graph g;
  g.n = a.n;
  g.start.push_back(0);
  for (List& r : rows) {
    std::sort(r.begin(), r.end());
    r.erase(std::unique(r.begin(), r.end()), r.end());
    g.next.insert(g.next.end(), r.begin(), r.end());
    g.start.push_back(static_cast<int32_t>(g.next.size()));
  }
  return g;
}

void order_rcm(const Graph& g, int32_t* p) {
  List mark(static_cast<size_t>(g.n), 0), ordered;
  std::vector<char> done(static_cast<size_t>(g.n), 0);
  int32_t stamp = 0;
  for (int32_t v = 0; v < g.n; ++v) {
    if (done[static_cast<size_t>(v)]) continue;
    const Levels l = long_levels(g, v, &mark, &stamp, [](int32_t) { return true; });
    for (const int32_t w : l.vertices) done[static_cast<size_t>(w)] = 1;
    ordered.insert(ordered.end(), l.vertices.begin(), l.vertices.end());
  }
  std::reverse_copy(ordered.begin(), ordered.end(), p);
}

void order_amd(const Graph& g, int32_t* p) {
  using Matrix = Eigen::SparseMatrix<float, Eigen::ColMajor, int32_t>;
  // with a diagonal: Eigen takes a vertex that has none for a dense one
  std::vector<int32_t> start(1, 0), next;
  next.reserve(g.next.size() + static_cast<size_t>(g.n));
  for (int32_t v = 0; v < g.n; ++v) {
    const auto from = g.next.begin() + g.start[static_cast<size_t>(v)];
    const auto to = g.next.begin() + g.start[static_cast<size_t>(v) + 1];
    const auto middle = std::lower_bound(from, to, v);
    next.insert(next.end(), from, middle);
    next.push_back(v);
    next.insert(next.end(), middle, to);
    start.push_back(static_cast<int32_t>(next.size()));
  }
  const std::vector<float> ones(next.size(), 1.0f);
  const Matrix pattern = Eigen::Map<const Matrix>(g.n, g.n, static_cast<Eigen::Index>(next.size()), start.data(),
                                                  next.data(), ones.data());
  Eigen::PermutationMatrix<Eigen::Dynamic, Eigen::Dynamic, int32_t> perm;
  Eigen::AMDOrdering<int32_t>()(pattern, perm);
  for (int32_t i = 0; i < g.n; ++i) p[i] = perm.indices()[i];
}

// Separators last: the middle level of a long level structure parts its component in two.
void order_dissection(const Graph& g, int32_t* p) {
  constexpr size_t leaf = 64;
  List owner(static_cast<size_t>(g.n), 0), mark(static_cast<size_t>(g.n), 0), number(static_cast<size_t>(g.n), -1);
  List all(static_cast<size_t>(g.n));
  for (int32_t v = 0; v < g.n; ++v) all[static_cast<size_t>(v)] = v;
  std::vector<List> pending{std::move(all)};
  int32_t stamp = 0, owners = 0, end = g.n;
  while (!pending.empty()) {  // the last part first, from the back of p
    const List part = std::move(pending.back());
    pending.pop_back();
    if (part.empty()) continue;
    const int32_t me = ++owners;
    for (const int32_t v : part) owner[static_cast<size_t>(v)] = me;
    const Levels l =
        long_levels(g, part.front(), &mark, &stamp, [&](int32_t v) { return owner[static_cast<size_t>(v)] == me; });
    if (l.vertices.size() < part.size()) {  // not connected
      List rest;
      for (const int32_t v : part) {
        if (mark[static_cast<size_t>(v)] != stamp) rest.push_back(v);
      }
      // ``mark`` holds the last search's stamp, which saw the whole component
      pending.push_back(std::move(rest));
      pending.push_back(l.vertices);
      continue;
    }
    if (part.size() <= leaf || l.count() < 3) {
      const Graph piece = part_of(g, part, &number);
      List local(part.size());
      order_amd(piece, local.data());
      end -= piece.n;
      for (size_t i = 0; i < part.size(); ++i) p[static_cast<size_t>(end) + i] = part[static_cast<size_t>(local[i])];
      continue;
    }
    size_t middle = 1;  // the level that halves the vertices, never the first or the last
    while (middle + 2 < l.first.size() - 1 && static_cast<size_t>(l.first[middle + 1]) * 2 < part.size()) ++middle;
    const auto from = l.vertices.begin() + l.first[middle], to = l.vertices.begin() + l.first[middle + 1];
    end -= static_cast<int32_t>(to - from);
    std::copy(from, to, p + end);
    for (auto it = from; it != to; ++it) owner[static_cast<size_t>(*it)] = 0;
    pending.emplace_back(l.vertices.begin(), from);
    pending.emplace_back(to, l.vertices.end());
  }
}

void order(int32_t ordering, const sx_hm_csr& a, int32_t* p) {
  if (ordering == SX_HM_NATURAL) {
    for (int32_t i = 0; i < a.n; ++i) p[i] = i;
    return;
  }
  const Graph g = graph_of(a);
  if (ordering == SX_HM_RCM)
    order_rcm(g, p);
  else if (ordering == SX_HM_AMD)
    order_amd(g, p);
  else
    order_dissection(g, p);
}

}  // namespace sx::hm
