// Sums along rows or columns, as bias gradients need them: always in the same order, in runs of 64 that are added up.
#include "scalex/rows.h"

namespace sx_kernel {

enum : int { kRun = 64 };

template <class T>
SX_FN void sum_rows(const sx_sums_args& a, sx_i64 batch, sx_i64 row, sx_i64 begin, sx_i64 end, T* total) {
  const int count = static_cast<int>(minimum<sx_i64>(kRows, a.m - row));
  const void* in = matrix(a.in, batch);
  for (sx_i64 start = begin; start < end; start += kRun) {
    T run[kRows] = {};
    for (sx_i64 j = start; j < minimum(end, start + kRun); ++j) {
      T x[kRows] = {};
      load_rows<T>(a.in.type, in, offset(a.in, batch, row, j), count, x);
      for (int k = 0; k < kRows; ++k) run[k] += x[k];
    }
    for (int k = 0; k < kRows; ++k) total[k] += run[k];
  }
}
template <class T>
SX_FN T sum_column(const sx_sums_args& a, sx_i64 batch, sx_i64 column, sx_i64 begin, sx_i64 end) {
  const void* in = matrix(a.in, batch);
  T total = T(0);
  for (sx_i64 start = begin; start < end; start += kRun) {
    T run[kRows] = {};
    for (sx_i64 i = start; i < minimum(end, start + kRun); i += kRows) {
      T x[kRows] = {};
      load_rows<T>(a.in.type, in, offset(a.in, batch, i, column), static_cast<int>(minimum<sx_i64>(kRows, end - i)), x);
      for (int k = 0; k < kRows; ++k) run[k] += x[k];
    }
    T sum = T(0);
    for (int k = 0; k < kRows; ++k) sum += run[k];
    total += sum;
  }
  return total;
}

template <class T>
SX_FN void sums_piece(const sx_sums_args& a, sx_i64 item) {
  sx_i64 place, part;
  const sx_i64 parts = sums_parts(a), places = sums_places(a);
  const sx_i64 batch = divide(divide(item, places, &place), parts, &part);
  const sx_i64 length = a.by_column ? a.m : a.n, each = (length + parts - 1) / parts;
  const sx_i64 begin = minimum(part * each, length), end = minimum(begin + each, length);
  const sx_i64 out = batch * a.out_stride + part * a.part_stride;
  T x[kRows] = {};
  if (a.by_column) {
    x[0] = sum_column<T>(a, batch, place, begin, end);
    store_rows<T>(a.out_type, a.out, out + place, 1, x);
  } else {
    const sx_i64 row = place * kRows;
    sum_rows<T>(a, batch, row, begin, end, x);
    store_rows<T>(a.out_type, a.out, out + row, static_cast<int>(minimum<sx_i64>(kRows, a.m - row)), x);
  }
}

SX_FN void sums_item(const sx_sums_args& a, sx_i64 item) {
  if (a.in.type == SX_R_64F || a.out_type == SX_R_64F) {
    sums_piece<double>(a, item);
  } else {
    sums_piece<float>(a, item);
  }
}

SX_KERNEL(sx_sums, sx_sums_args, sums_items, sums_item)

}  // namespace sx_kernel
