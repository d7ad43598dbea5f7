#include "dot_product.h"

#include <atomic>
#include <new>

#include "engine/intrinsics.h"

#if defined(__x86_64__)
// Integers need only AVX512-VNNI; no compiler makes AVX512-BF16's instructions of its own accord.
#define SX_DOT __attribute__((target("avx512f,avx512bw,avx512vl,avx512vnni,avx512bf16")))
#else
#define SX_DOT
#endif

namespace sx::rb::dot {

namespace {

constexpr i64 deep = 256;  // words of k at a time: a panel of op(B) stays in the first-level cache
constexpr i64 narrow_panel = 12;
std::atomic<long> way{tiles};

// ---- packing: T is uint16_t or uint8_t --------------------------------------------------------------------
// Element l of vector v is X[l + v ld] when vectors lie along k, else X[v + l ld].
template <class T>
inline uint32_t word_of(const T* p, i64 step, i64 count) {
  uint32_t word = 0;
  for (i64 i = 0; i < count; ++i) word |= uint32_t{p[i * step]} << (8 * sizeof(T) * static_cast<size_t>(i));
  return word;
}

template <i64 width, class T>
SX_DOT void pack_panel(bool along_k, i64 vectors, i64 k, i64 depth, const T* X, i64 ld, uint32_t* out) {
  constexpr i64 group = 4 / sizeof(T);
  const i64 full = k / group, kept = vectors < width ? 0 : full;
  std::fill_n(out + kept * width, (depth - kept) * width, 0u);
  if (along_k) {
    for (i64 first = 0; first < full; first += 16)  // a line of the cache of each vector
      for (i64 v = 0; v < vectors; ++v)
        for (i64 w = first, end = std::min(full, first + 16); w < end; ++w)
          memcpy(out + w * width + v, X + v * ld + w * group, 4);
  } else {
    for (i64 w = 0; w < full; ++w) {
      const T* x = X + w * group * ld;
      if (vectors == width)
        for (i64 v = 0; v < width; ++v) out[w * width + v] = word_of(x + v, ld, group);
      else
        for (i64 v = 0; v < vectors; ++v) out[w * width + v] = word_of(x + v, ld, group);
    }
  }
  const i64 done = full * group;
  for (i64 v = 0; done < k && v < vectors; ++v)
    out[full * width + v] = word_of(X + (along_k ? done + v * ld : v + done * ld), along_k ? 1 : ld, k - done);
}

// A column of AMX's tiles.
template <class T>
void pack_tiles(bool along_k, i64 vectors, i64 k, i64 depth, const T* X, i64 ld, uint32_t* out) {
  constexpr i64 across = 4 / sizeof(T) * tile_side;  // elements in a row of a tile
  T* to = reinterpret_cast<T*>(out);
  const i64 whole = vectors < tile_side ? 0 : k / across * across;
  std::fill(to + whole * tile_side, to + depth * tile_side * (across / tile_side), T{0});
  for (i64 l = 0; l < k; l += across, to += across * tile_side) {
    const i64 length = std::min(across, k - l);
    if (along_k)
      for (i64 v = 0; v < vectors; ++v)
        memcpy(to + v * across, X + l + v * ld, static_cast<size_t>(length) * sizeof(T));
    else
      for (i64 i = 0; i < length; ++i)
        for (i64 v = 0; v < vectors; ++v) to[v * across + i] = X[v + (l + i) * ld];
  }
}

SX_DOT uint16_t lowest_of(i64 n, const uint32_t* words) {
  uint32_t lowest = 0xffff;
  for (i64 i = 0; i < n; ++i) {
    const uint32_t low = ((words[i] & 0x7fffu) - 1) & 0xffffu, high = ((words[i] >> 16 & 0x7fffu) - 1) & 0xffffu;
    lowest = std::min(lowest, std::min(low, high));
  }
  return static_cast<uint16_t>(lowest);
}

// The instruction wants unsigned numbers times signed ones: a becomes a + 128, and the sums of a column of B begin with
// -128 times the sum of the column.
SX_DOT void make_unsigned(i64 n, uint32_t* words) {
  for (i64 i = 0; i < n; ++i) words[i] ^= 0x80808080u;
}
SX_DOT void starts_of(i64 depth, const uint32_t* words, int32_t* start) {
  int32_t sum[narrow_panel] = {};
  for (i64 w = 0; w < depth; ++w)
    for (i64 v = 0; v < narrow_panel; ++v) {
      const auto word = static_cast<int32_t>(words[w * narrow_panel + v]);
      const auto byte = [](int32_t x) { return static_cast<int32_t>(static_cast<int8_t>(x)); };
      sum[v] += byte(word) + byte(word >> 8) + byte(word >> 16) + (word >> 24);
    }
  for (i64 v = 0; v < narrow_panel; ++v)
    start[v] = static_cast<int32_t>(uint32_t{0} - 128u * static_cast<uint32_t>(sum[v]));
}

std::unique_ptr<uint32_t, Packed::Free> unset(i64 words) {
  return std::unique_ptr<uint32_t, Packed::Free>(
      static_cast<uint32_t*>(::operator new (static_cast<size_t>(words) * sizeof(uint32_t), std::align_val_t{64})));
}

template <i64 width, class T>
void pack_all(bool along_k, i64 vectors, i64 k, const T* X, i64 ld, Packed* p) {
  constexpr i64 group = 4 / sizeof(T);
  const i64 panels = (vectors + width - 1) / width, words_in_k = (k + group - 1) / group;
  const i64 depth = p->depth = p->tiles ? (words_in_k + tile_side - 1) / tile_side * tile_side : words_in_k;
  const i64 size = depth * width;
  p->words = unset(panels * size);
  if constexpr (sizeof(T) == 2) p->lowest.resize(static_cast<size_t>(panels));
  if constexpr (sizeof(T) == 1 && width == narrow_panel) p->start.resize(static_cast<size_t>(panels * width));
  split(panels, 32768 / (size + 1) + 1, [=](i64 panel, i64 end) {
    for (; panel < end; ++panel) {
      uint32_t* const words = p->words.get() + panel * size;
      const i64 first = panel * width, count = std::min(width, vectors - first);
      const T* const from = X + first * (along_k ? ld : 1);
      if constexpr (width == tile_side)
        pack_tiles(along_k, count, k, depth, from, ld, words);
      else
        pack_panel<width>(along_k, count, k, depth, from, ld, words);
      if constexpr (sizeof(T) == 2)
        p->lowest[static_cast<size_t>(panel)] = lowest_of(size, words);
      else if constexpr (width == narrow_panel)
        starts_of(depth, words, p->start.data() + first);
      else if (!p->tiles)
        make_unsigned(size, words);
    }
  });
}

template <class T>
void pack_both(rocblas_operation ta, rocblas_operation tb, i64 m, i64 n, i64 k, const T* A, i64 lda, const T* B,
               i64 ldb, Packed* a, Packed* b) {
  a->tiles = b->tiles = way.load(std::memory_order_relaxed) == tiles && tiles_allowed();
  const auto pack_b = b->tiles ? pack_all<tile_side, T> : pack_all<narrow_panel, T>;
  pack_all<tall>(ta != rocblas_operation_none, m, k, A, lda, a);
  pack_b(tb == rocblas_operation_none, n, k, B, ldb, b);
}

int exponent(const Packed& p) {  // biased, of the smallest number but 0
  return (int{*std::min_element(p.lowest.begin(), p.lowest.end())} + 1) >> 7;
}

// ---- multiplying ------------------------------------------------------------------------------------------
#if defined(__x86_64__)
const bool has_vectors = __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl");
const bool has_bf16 = has_vectors && __builtin_cpu_supports("avx512bf16");
const bool has_vnni = has_vectors && __builtin_cpu_supports("avx512vnni");

// Halves become the leading eight bits of each, as bfloat16, and in ``low`` what is left: three bits. False when one of
// them is infinite or NaN. ``count`` is a multiple of 16.
SX_DOT bool cut(i64 count, uint16_t* high, uint16_t* low) {
  const __m256i special = _mm256_set1_epi16(0x7c00);
  const __m512i leading = _mm512_set1_epi32(static_cast<int>(0xffff0000u));
  unsigned found = 0;
  for (i64 i = 0; i < count; i += 16) {
    const __m256i halves = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(high + i));
    found |= _mm256_cmpeq_epi16_mask(_mm256_and_si256(halves, special), special);
    const __m512 all = _mm512_cvtph_ps(halves);
    const __m512i top = _mm512_and_si512(_mm512_castps_si512(all), leading);
    const __m512i left = _mm512_castps_si512(_mm512_sub_ps(all, _mm512_castsi512_ps(top)));
    const auto store = [](uint16_t* p, __m512i v) SX_DOT {
      _mm256_storeu_si256(reinterpret_cast<__m256i*>(p), _mm512_cvtepi32_epi16(_mm512_srli_epi32(v, 16)));
    };
    store(high + i, top), store(low + i, left);
  }
  return found == 0;
}

SX_DOT inline __m512 dot(__m512 s, __m512i a, __m512i b) { return _mm512_dpbf16_ps(s, (__m512bh)a, (__m512bh)b); }
SX_DOT inline __m512i dot(__m512i s, __m512i a, __m512i b) { return _mm512_dpbusd_epi32(s, a, b); }
SX_DOT inline __m512 load(__mmask16 mask, const float* p) { return _mm512_maskz_loadu_ps(mask, p); }
SX_DOT inline __m512i load(__mmask16 mask, const int32_t* p) { return _mm512_maskz_loadu_epi32(mask, p); }
SX_DOT inline void store(float* p, __mmask16 mask, __m512 v) { _mm512_mask_storeu_ps(p, mask, v); }
SX_DOT inline void store(int32_t* p, __mmask16 mask, __m512i v) { _mm512_mask_storeu_epi32(p, mask, v); }
SX_DOT inline __m512 begin(const float*, i64) { return _mm512_setzero_ps(); }
SX_DOT inline __m512i begin(const int32_t* start, i64 c) { return _mm512_set1_epi32(start[c]); }

// One panel of op(A) times one of op(B), ``depth`` words: all sums stay in registers.
template <class V, class S>
SX_DOT void panels(i64 depth, const uint32_t* a, const uint32_t* b, const S* start, bool add, i64 rows, i64 cols,
                   S* out, i64 ld) {
  const auto low = static_cast<__mmask16>(rows >= 16 ? 0xffff : (1u << rows) - 1);
  const auto high = static_cast<__mmask16>(rows >= 32 ? 0xffff : rows <= 16 ? 0 : (1u << (rows - 16)) - 1);
  constexpr i64 wide = narrow_panel;
  V sum[wide][2];
#pragma GCC unroll 12
  for (i64 c = 0; c < wide; ++c) {
    const bool read = add && c < cols;
    sum[c][0] = read ? load(low, out + c * ld) : begin(start, c);
    sum[c][1] = read ? load(high, out + c * ld + 16) : begin(start, c);
  }
  for (i64 w = 0; w < depth; ++w, a += tall, b += wide) {
    const __m512i a0 = _mm512_load_si512(a), a1 = _mm512_load_si512(a + 16);
#pragma GCC unroll 12
    for (i64 c = 0; c < wide; ++c) {
      const __m512i words = _mm512_set1_epi32(static_cast<int>(b[c]));
      sum[c][0] = dot(sum[c][0], a0, words), sum[c][1] = dot(sum[c][1], a1, words);
    }
  }
#pragma GCC unroll 12
  for (i64 c = 0; c < wide; ++c) {
    if (c >= cols) break;
    store(out + c * ld, low, sum[c][0]);
    if (high) store(out + c * ld + 16, high, sum[c][1]);
  }
}

template <class V, class S>
void block_of(const Packed& a, const Packed& b, i64 row, i64 rows, i64 col, i64 cols, const S* start, S* sums) {
  const uint32_t *left = a.words.get() + row * a.depth, *right = b.words.get() + col * b.depth;
  constexpr i64 wide = narrow_panel;
  for (i64 w = 0; w < a.depth; w += deep)
    for (i64 c = 0; c < cols; c += wide)
      for (i64 r = 0; r < rows; r += tall)
        panels<V>(std::min(deep, a.depth - w), left + r * a.depth + w * tall, right + c * b.depth + w * wide, start + c,
                  w > 0, std::min(tall, rows - r), std::min(wide, cols - c), sums + r + c * rows, rows);
}
#else
constexpr bool has_bf16 = false, has_vnni = false;
bool cut(i64, uint16_t*, uint16_t*) { return false; }
#endif

bool cut_all(Packed* p, i64 vectors) {
  const i64 words = vectors * p->depth, step = i64{1} << 14;
  p->rest = std::make_unique<Packed>();
  p->rest->tiles = true, p->rest->depth = p->depth;
  p->rest->words = unset(words);
  std::atomic<bool> finite{true};
  split((words + step - 1) / step, 1, [&](i64 i, i64 end) {
    const i64 from = i * step, count = std::min(words, end * step) - from;
    const auto halves = [=](const Packed& x) { return reinterpret_cast<uint16_t*>(x.words.get() + from); };
    if (!cut(2 * count, halves(*p), halves(*p->rest))) finite.store(false, std::memory_order_relaxed);
  });
  return finite.load(std::memory_order_relaxed);
}

}  // namespace

long choose(long wanted) { return way.exchange(wanted); }

// Every sum of products is a multiple of 2^-14 times the product of the two smallest powers of two: when that is
// normal, so is everything.
bool pack(rocblas_operation ta, rocblas_operation tb, i64 m, i64 n, i64 k, const bfloat16* A, i64 lda,
          const bfloat16* B, i64 ldb, Packed* a, Packed* b) {
  if (!has_bf16 || way.load(std::memory_order_relaxed) == floats) return false;
  pack_both(ta, tb, m, n, k, reinterpret_cast<const uint16_t*>(A), lda, reinterpret_cast<const uint16_t*>(B), ldb, a,
            b);
  const int left = exponent(*a), right = exponent(*b);
  return left > 0 && right > 0 && left - 127 + right - 127 - 14 >= -126;
}

bool pack(rocblas_operation ta, rocblas_operation tb, i64 m, i64 n, i64 k, const int8_t* A, i64 lda, const int8_t* B,
          i64 ldb, Packed* a, Packed* b) {
  if (!has_vnni || way.load(std::memory_order_relaxed) == floats) return false;
  pack_both(ta, tb, m, n, k, reinterpret_cast<const uint8_t*>(A), lda, reinterpret_cast<const uint8_t*>(B), ldb, a, b);
  return true;
}

bool pack(rocblas_operation ta, rocblas_operation tb, i64 m, i64 n, i64 k, const half* A, i64 lda, const half* B,
          i64 ldb, Packed* a, Packed* b) {
  if (!has_bf16 || way.load(std::memory_order_relaxed) != tiles || !tiles_allowed()) return false;
  pack_both(ta, tb, m, n, k, reinterpret_cast<const uint16_t*>(A), lda, reinterpret_cast<const uint16_t*>(B), ldb, a,
            b);
  return b->tiles && cut_all(a, (m + tall - 1) / tall * tall) &&
         cut_all(b, (n + tile_side - 1) / tile_side * tile_side);
}

#if defined(__x86_64__)
void block(const Packed& a, const Packed& b, i64 row, i64 rows, i64 col, i64 cols, float* sums) {
  if (a.tiles) {
    tiles_block(a, b, row, rows, col, cols, false, sums);
    if (!a.rest) return;
    tiles_block(a, *b.rest, row, rows, col, cols, true, sums);
    tiles_block(*a.rest, b, row, rows, col, cols, true, sums);
    return tiles_block(*a.rest, *b.rest, row, rows, col, cols, true, sums);
  }
  block_of<__m512>(a, b, row, rows, col, cols, static_cast<const float*>(sums), sums);
}
void block(const Packed& a, const Packed& b, i64 row, i64 rows, i64 col, i64 cols, int32_t* sums) {
  if (a.tiles) return tiles_block(a, b, row, rows, col, cols, false, sums);
  block_of<__m512i>(a, b, row, rows, col, cols, b.start.data() + col, sums);
}
#else
void block(const Packed&, const Packed&, i64, i64, i64, i64, float*) {}
void block(const Packed&, const Packed&, i64, i64, i64, i64, int32_t*) {}
#endif

}  // namespace sx::rb::dot
