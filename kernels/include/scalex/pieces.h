// How a kernel's work is cut: a piece is up to eight rows of one column, so that one piece owns whole bytes of a mask.
#pragma once

#include "scalex/device.h"

namespace sx_kernel {

SX_FN sx_i64 chunks(sx_i64 rows) { return (rows + kRows - 1) / kRows; }
SX_FN sx_i64 pieces(sx_i64 m, sx_i64 n, sx_i64 batch) { return chunks(m) * n * batch; }

SX_FN sx_i64 convert_items(const sx_convert_args& a) { return pieces(a.m, a.n, a.batch); }
SX_FN sx_i64 epilogue_items(const sx_epilogue_args& a) { return pieces(a.m, a.n, a.batch); }
SX_FN sx_i64 transform_items(const sx_transform_args& a) { return pieces(a.m, a.n, a.batch); }

SX_FN sx_i64 codes_items(const sx_codes_args& a) { return a.count; }

// Sums: eight rows and a part of the columns, or one column and a part of the rows.
SX_FN sx_i64 sums_parts(const sx_sums_args& a) { return a.parts > 1 ? a.parts : 1; }
SX_FN sx_i64 sums_places(const sx_sums_args& a) { return a.by_column ? a.n : chunks(a.m); }
SX_FN sx_i64 sums_items(const sx_sums_args& a) { return sums_places(a) * sums_parts(a) * a.batch; }

struct Place {
  sx_i64 batch, column, row;
  int count;
};
SX_FN Place place(sx_i64 m, sx_i64 n, sx_i64 item) {
  Place p;
  sx_i64 chunk;
  const sx_i64 columns = divide(item, chunks(m), &chunk);
  p.batch = divide(columns, n, &p.column);
  p.row = chunk * kRows;
  p.count = static_cast<int>(minimum<sx_i64>(kRows, m - p.row));
  return p;
}

}  // namespace sx_kernel
