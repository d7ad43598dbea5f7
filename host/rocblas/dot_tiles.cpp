// Products in AMX's tiles: 16 columns of op(B) times 16 rows of op(A), which is a part of the result column by column.
#include "dot_product.h"

#if defined(__x86_64__) && __has_include(<amxtileintrin.h>)
#include <immintrin.h>
#include <sys/syscall.h>
#include <unistd.h>
#define SX_TILES __attribute__((target("amx-tile,amx-bf16,amx-int8")))

namespace sx::rb::dot {

namespace {

constexpr i64 deep = 256;  // words of k at a time: the panels stay in the second-level cache
constexpr long request_permission = 0x1023, tile_data = 18;  // of arch_prctl

struct alignas(64) Configuration {
  uint8_t palette = 1, start_row = 0, reserved[14] = {};
  uint16_t bytes[16] = {64, 64, 64, 64, 64, 64, 64, 64};
  uint8_t rows[16] = {16, 16, 16, 16, 16, 16, 16, 16};
};

SX_TILES inline void multiply(const float*, i64 both) {
  _tile_dpbf16ps(0, 4, 6);
  _tile_dpbf16ps(1, 4, 7);
  if (!both) return;
  _tile_dpbf16ps(2, 5, 6);
  _tile_dpbf16ps(3, 5, 7);
}
SX_TILES inline void multiply(const int32_t*, i64 both) {
  _tile_dpbssd(0, 4, 6);
  _tile_dpbssd(1, 4, 7);
  if (!both) return;
  _tile_dpbssd(2, 5, 6);
  _tile_dpbssd(3, 5, 7);
}

// 32 x 32 sums at ``out``, or 32 x 16 without ``both``, over ``words`` of k.
template <class S>
SX_TILES void square(i64 words, const uint32_t* a, const uint32_t* b, i64 to_next, bool both, bool add, S* out,
                     i64 ld) {
  const i64 stride = ld * static_cast<i64>(sizeof(S));
  S* const right = out + tile_side * ld;
  __asm__ volatile("" ::: "memory");  // GCC's tile loads do not say that they read memory
  if (add) {
    _tile_loadd(0, out, stride);
    _tile_loadd(1, out + tile_side, stride);
    if (both) {
      _tile_loadd(2, right, stride);
      _tile_loadd(3, right + tile_side, stride);
    }
  } else {
    _tile_zero(0);
    _tile_zero(1);
    _tile_zero(2);
    _tile_zero(3);
  }
  for (i64 w = 0; w < words; w += tile_side, a += tall * tile_side, b += tile_side * tile_side) {
    _tile_loadd(4, b, 64);
    if (both) _tile_loadd(5, b + to_next, 64);
    _tile_loadd(6, a, 4 * tall);
    _tile_loadd(7, a + tile_side, 4 * tall);
    multiply(out, both);
  }
  _tile_stored(0, out, stride);
  _tile_stored(1, out + tile_side, stride);
  if (!both) return;
  _tile_stored(2, right, stride);
  _tile_stored(3, right + tile_side, stride);
}

template <class S>
void copy(i64 rows, i64 cols, const S* from, i64 ld_from, S* to, i64 ld_to) {
  for (i64 c = 0; c < cols; ++c) std::copy_n(from + c * ld_from, rows, to + c * ld_to);
}

template <class S>
SX_TILES void block_of(const Packed& a, const Packed& b, i64 row, i64 rows, i64 col, i64 cols, bool add, S* sums) {
  const Configuration configuration;
  __asm__ volatile("" ::"r"(&configuration) : "memory");
  _tile_loadconfig(&configuration);
  const i64 side = 2 * tile_side, to_next = b.depth * tile_side;
  const uint32_t *left = a.words.get() + row * a.depth, *right = b.words.get() + col * b.depth;
  alignas(64) S edge[2 * tile_side * 2 * tile_side];
  for (i64 w = 0; w < a.depth; w += deep)
    for (i64 c = 0; c < cols; c += side)
      for (i64 r = 0; r < rows; r += side) {
        const i64 height = std::min(side, rows - r), width = std::min(side, cols - c);
        const bool whole = height == side && width == side;
        S *const place = sums + r + c * rows, *const out = whole ? place : edge;
        const bool adds = add || w > 0;
        if (!whole && adds) copy(height, width, place, rows, edge, side);
        square(std::min(deep, a.depth - w), left + r * a.depth + w * tall, right + c * b.depth + w * tile_side, to_next,
               width > tile_side, adds, out, whole ? rows : side);
        if (!whole) copy(height, width, edge, side, place, rows);
      }
  _tile_release();
}

}  // namespace

bool tiles_allowed() {
  static const bool allowed = __builtin_cpu_supports("amx-tile") && __builtin_cpu_supports("amx-bf16") &&
                              __builtin_cpu_supports("amx-int8") &&
                              syscall(SYS_arch_prctl, request_permission, tile_data) == 0;
  return allowed;
}

void tiles_block(const Packed& a, const Packed& b, i64 row, i64 rows, i64 col, i64 cols, bool add, float* sums) {
  block_of(a, b, row, rows, col, cols, add, sums);
}
void tiles_block(const Packed& a, const Packed& b, i64 row, i64 rows, i64 col, i64 cols, bool add, int32_t* sums) {
  block_of(a, b, row, rows, col, cols, add, sums);
}

}  // namespace sx::rb::dot

#else
namespace sx::rb::dot {
bool tiles_allowed() { return false; }
void tiles_block(const Packed&, const Packed&, i64, i64, i64, i64, bool, float*) {}
void tiles_block(const Packed&, const Packed&, i64, i64, i64, i64, bool, int32_t*) {}
}  // namespace sx::rb::dot
#endif
