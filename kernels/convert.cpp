// From one type to another, with the scales of narrow types; also fills, and narrows integers.
#include "scalex/rows.h"

namespace sx_kernel {

// CUDA's order of block scales: tiles of 128 outer by 4 inner blocks, 512 bytes each, the inner ones first.
SX_FN sx_i64 tiled(sx_i64 outer, sx_i64 block, sx_i64 blocks) {
  const sx_i64 tile = (outer >> 7) * ((blocks + 3) >> 2) + (block >> 2);
  return tile * 512 + (outer & 31) * 16 + (outer >> 5 & 3) * 4 + (block & 3);
}

SX_FN float scale_at(const sx_convert_args& a, sx_i64 base, sx_i64 row, sx_i64 column) {
  const bool columns = (a.flags & SX_CONVERT_INNER_IS_COLUMN) != 0;
  const sx_i64 inner = columns ? column : row, outer = columns ? row : column;
  const sx_i64 inners = columns ? a.n : a.m, outers = columns ? a.m : a.n;
  const float* s = static_cast<const float*>(a.scale) + base;
  const sx_u8* codes = static_cast<const sx_u8*>(a.scale) + base;
  switch (a.scale_mode) {
    case SX_SCALE_VEC16_UE4M3:
      return decode<E4m3>(codes[tiled(outer, inner >> 4, (inners + 15) >> 4)] & 0x7fu);
    case SX_SCALE_VEC32_UE8M0:
      return decode_ue8m0(codes[tiled(outer, inner >> 5, (inners + 31) >> 5)]);
    case SX_SCALE_OUTER_VEC:
      return s[outer];
    case SX_SCALE_VEC128:
      return s[outer + outers * (inner >> 7)];
    case SX_SCALE_BLK128:
      return s[(inner >> 7) + ((inners + 127) / 128 + 3) / 4 * 4 * (outer >> 7)];
    default:
      return s[0];
  }
}

// Rows 8r..8r+7 lie in one block of every mode whose inner dimension runs along rows.
template <class T>
SX_FN void apply_scales(const sx_convert_args& a, const Place& p, T* x) {
  const sx_i64 base = p.batch * a.scale_stride;
  const bool by_row = a.scale_mode == SX_SCALE_OUTER_VEC || a.scale_mode == SX_SCALE_VEC128 ||
                      a.scale_mode == SX_SCALE_VEC16_UE4M3 || a.scale_mode == SX_SCALE_VEC32_UE8M0;
  if (by_row && (a.flags & SX_CONVERT_INNER_IS_COLUMN)) {
    for (int k = 0; k < p.count; ++k) x[k] *= static_cast<T>(scale_at(a, base, p.row + k, p.column));
    return;
  }
  const T s = static_cast<T>(scale_at(a, base, p.row, p.column));
  for (int k = 0; k < kRows; ++k) x[k] *= s;
}

SX_FN void convert_integers(const sx_convert_args& a, const Place& p) {
  sx_i64 x[kRows];
  load_integers(a.src.type, matrix(a.src, p.batch), offset(a.src, p.batch, p.row, p.column), p.count, x);
  store_integers(a.dst.type, matrix(a.dst, p.batch), offset(a.dst, p.batch, p.row, p.column), p.count, x);
}

template <class T>
SX_FN void convert_reals(const sx_convert_args& a, const Place& p) {
  T x[kRows];
  for (int k = 0; k < kRows; ++k) x[k] = T(1);
  if (a.src.data) load_rows<T>(a.src.type, matrix(a.src, p.batch), offset(a.src, p.batch, p.row, p.column), p.count, x);
  if (a.scale) apply_scales(a, p, x);
  const T alpha = factor<T>(a.alpha, p.batch, 0);
  if (alpha != T(1)) {
    for (int k = 0; k < kRows; ++k) x[k] *= alpha;
  }
  store_rows<T>(a.dst.type, matrix(a.dst, p.batch), offset(a.dst, p.batch, p.row, p.column), p.count, x,
                (a.flags & SX_CONVERT_NO_SATURATE) == 0);
}

SX_FN bool in_double(int type) {
  return type == SX_R_64F || (is_integer(type) && type >= SX_R_32I && type != SX_R_16I && type != SX_R_16U);
}

SX_FN void convert_item(const sx_convert_args& a, sx_i64 item) {
  const Place p = place(a.m, a.n, item);
  if (a.src.data && is_integer(a.src.type) && is_integer(a.dst.type)) return convert_integers(a, p);
  const bool fill = a.src.data == nullptr;
  if (in_double(fill ? a.alpha.type : a.src.type) || in_double(a.dst.type)) return convert_reals<double>(a, p);
  convert_reals<float>(a, p);
}

SX_KERNEL(sx_convert, sx_convert_args, convert_items, convert_item)

}  // namespace sx_kernel
