// Products of bfloat16, of half and of 8-bit integers by the processor's dot-product instructions (AMX, AVX512-BF16,
// AVX512-VNNI), which multiply 2 or 4 neighbours in k and add the products to one 32-bit sum.
#pragma once

#include <memory>
#include <vector>

#include "kernels.h"

namespace sx::rb::dot {

constexpr i64 tall = 32;       // rows of a panel of op(A)
constexpr i64 tile_side = 16;  // rows of AMX's tiles, and 32-bit words of a row

// op(A) or op(B) in panels of ``tall`` rows or ``wide`` columns: for each 32-bit word of neighbours in k, the panel's
// words. For AMX a panel of op(B) is a column of tiles instead: 16 words in k of each of its 16 columns.
struct Packed {
  struct Free {
    void operator()(uint32_t* p) const { ::operator delete (p, std::align_val_t{64}); }
  };
  std::unique_ptr<uint32_t, Free> words;
  bool tiles = false;            // for AMX
  i64 depth = 0;                 // words in k; for AMX whole tiles
  std::vector<int32_t> start;    // of 8-bit integers: what the sums of a column of op(B) begin with
  std::vector<uint16_t> lowest;  // of bfloat16: the smallest magnitude but 0 of each panel, less 1
  std::unique_ptr<Packed> rest;  // of half, in two numbers of bfloat16 that add up to it: the second ones
  i64 wide() const { return tiles ? tile_side : 12; }
};

// Packs op(A), m x k, and op(B), k x n. False when the processor lacks the instruction, or when it would give another
// result than arithmetic in float: it takes subnormal numbers for 0.
bool pack(rocblas_operation ta, rocblas_operation tb, i64 m, i64 n, i64 k, const bfloat16* A, i64 lda,
          const bfloat16* B, i64 ldb, Packed* a, Packed* b);
bool pack(rocblas_operation ta, rocblas_operation tb, i64 m, i64 n, i64 k, const int8_t* A, i64 lda, const int8_t* B,
          i64 ldb, Packed* a, Packed* b);
bool pack(rocblas_operation ta, rocblas_operation tb, i64 m, i64 n, i64 k, const half* A, i64 lda, const half* B,
          i64 ldb, Packed* a, Packed* b);  // by AMX only, and no infinities or NaN
inline bool pack(rocblas_operation, rocblas_operation, i64, i64, i64, const void*, i64, const void*, i64, Packed*,
                 Packed*) {
  return false;
}

// sums(rows x cols) := that part of op(A) op(B); row is a multiple of tall, col of b.wide(). Integers wrap.
void block(const Packed& a, const Packed& b, i64 row, i64 rows, i64 col, i64 cols, float* sums);
void block(const Packed& a, const Packed& b, i64 row, i64 rows, i64 col, i64 cols, int32_t* sums);

// With AMX, in dot_tiles.cpp. The kernel gives a process the tiles' state when it is asked.
bool tiles_allowed();
void tiles_block(const Packed& a, const Packed& b, i64 row, i64 rows, i64 col, i64 cols, bool add, float* sums);
void tiles_block(const Packed& a, const Packed& b, i64 row, i64 rows, i64 col, i64 cols, bool add, int32_t* sums);

enum Way { floats, tiles, vectors };  // without the instructions; the best there is; without AMX
long choose(long way);                // for tests; returns what was

// f(row, rows, col, cols, sums) for blocks of op(A) op(B) that tile it, on the pool: sums is rows x cols, column by
// column, float or int32_t. False, and nothing done, when ``pack`` says so.
template <class S, class T, class F>
bool product(rocblas_operation ta, rocblas_operation tb, i64 m, i64 n, i64 k, const T* A, i64 lda, const T* B, i64 ldb,
             double cost, F&& f) {
  Packed a, b;
  if (!pack(ta, tb, m, n, k, A, lda, B, ldb, &a, &b)) return false;
  const i64 wide = b.wide();
  i64 height = 8 * tall, width = (b.tiles ? 12 : 16) * wide;  // sums fit the second-level cache
  const auto count = [&] { return ((m + height - 1) / height) * ((n + width - 1) / width); };
  const i64 wanted = std::min<i64>(2 * sx::pool_threads(), static_cast<i64>(cost / 5e3));
  while (count() < wanted && (height > tall || width > wide)) {
    if (height > tall && (height >= width || width == wide))
      height /= 2;
    else
      width = std::max(wide, width / 2 / wide * wide);
  }
  const i64 down = (m + height - 1) / height;
  sx::parallel(static_cast<int>(count()), [&](int piece, int) {
    const i64 row = piece % down * height, col = piece / down * width;
    const i64 rows = std::min(height, m - row), cols = std::min(width, n - col);
    const std::unique_ptr<S[]> sums(new S[static_cast<size_t>(rows * cols)]);
    block(a, b, row, rows, col, cols, sums.get());
    f(row, rows, col, cols, sums.get());
  });
  return true;
}

}  // namespace sx::rb::dot
