// C = alpha * op(A) + beta * op(B), each in its own storage order.
#include "scalex/rows.h"

namespace sx_kernel {

// Where element (row, column) of a matrix of ``rows`` rows lies. COL32 and its kin keep 32 columns together; ``ld`` is
// from one such group to the next. Inside a group:
//   COL4_4R2_8C     8 rows x 32 columns: first the even, then the odd rows; of each half 8 pieces of 4 rows x 4 columns
//   COL32_2R_4R4    32 rows x 32 columns, in an order of rows
SX_FN sx_i64 element(int order, sx_i64 ld, sx_i64 row, sx_i64 column) {
  const sx_i64 c = column & 31, group = (column >> 5) * ld;
  switch (order) {
    case SX_ORDER_ROW:
      return row * ld + column;
    case SX_ORDER_COL32:
      return group + row * 32 + c;
    case SX_ORDER_COL4_4R2_8C: {
      const sx_i64 r = row & 7;
      return group + (row >> 3) * 256 + (r & 1) * 128 + (c >> 2) * 16 + (r >> 1) * 4 + (c & 3);
    }
    case SX_ORDER_COL32_2R_4R4: {
      const sx_i64 r = row & 31;
      return group + ((row >> 5) * 32 + ((r & 7) >> 1) * 8 + (r >> 3) * 2 + (r & 1)) * 32 + c;
    }
    default:
      return row + column * ld;
  }
}

// Element (i, j) of op(X) is (j, i) of X unless op is N.
SX_FN sx_i64 element_of(int order, int op, const sx_operand& o, sx_i64 batch, sx_i64 row, sx_i64 column) {
  return (o.indirect ? 0 : batch * o.stride) +
         (op == 0 ? element(order, o.ld, row, column) : element(order, o.ld, column, row));
}

template <class T>
SX_FN void add_operand(const sx_operand& o, int order, int op, T factor, const Place& p, T* x) {
  if (factor == T(0)) return;
  T y[kRows];
  const void* from = matrix(o, p.batch);
  if (order == SX_ORDER_COL && op == 0) {
    load_rows<T>(o.type, from, offset(o, p.batch, p.row, p.column), p.count, y);
  } else {
    for (int k = 0; k < p.count; ++k)
      load_rows<T>(o.type, from, element_of(order, op, o, p.batch, p.row + k, p.column), 1, y + k);
  }
  for (int k = 0; k < p.count; ++k) x[k] += factor * y[k];
}
template <class T>
SX_FN void transform_reals(const sx_transform_args& a, const Place& p) {
  T x[kRows] = {};
  if (a.a.data) add_operand<T>(a.a, a.order_a, a.op_a, factor<T>(a.alpha, p.batch, 0), p, x);
  if (a.b.data) add_operand<T>(a.b, a.order_b, a.op_b, factor<T>(a.beta, p.batch, 0), p, x);
  void* to = matrix(a.c, p.batch);
  if (a.order_c == SX_ORDER_COL) return store_rows<T>(a.c.type, to, offset(a.c, p.batch, p.row, p.column), p.count, x);
  for (int k = 0; k < p.count; ++k)
    store_rows<T>(a.c.type, to, element_of(a.order_c, 0, a.c, p.batch, p.row + k, p.column), 1, x + k);
}

// Wraps around in 64 bits, saturates to the type of C.
SX_FN void add_integers(const sx_operand& o, int order, int op, int factor, const Place& p, sx_i64* x) {
  if (factor == 0) return;
  for (int k = 0; k < p.count; ++k) {
    sx_i64 y;
    load_integers(o.type, matrix(o, p.batch), element_of(order, op, o, p.batch, p.row + k, p.column), 1, &y);
    x[k] = static_cast<sx_i64>(static_cast<sx_u64>(x[k]) +
                               static_cast<sx_u64>(y) * static_cast<sx_u64>(static_cast<sx_i64>(factor)));
  }
}
SX_FN void transform_integers(const sx_transform_args& a, const Place& p) {
  sx_i64 x[kRows] = {};
  if (a.a.data) add_integers(a.a, a.order_a, a.op_a, integer_factor(a.alpha, p.batch, 0), p, x);
  if (a.b.data) add_integers(a.b, a.order_b, a.op_b, integer_factor(a.beta, p.batch, 0), p, x);
  for (int k = 0; k < p.count; ++k)
    store_integers(a.c.type, matrix(a.c, p.batch), element_of(a.order_c, 0, a.c, p.batch, p.row + k, p.column), 1,
                   x + k);
}

template <class T>
SX_FN void add_complex(const sx_operand& o, int order, int op, Complex<T> f, const Place& p, Complex<T>* x) {
  if (f.re == T(0) && f.im == T(0)) return;
  const T* from = static_cast<const T*>(matrix(o, p.batch));
  for (int k = 0; k < p.count; ++k) {
    const sx_i64 at = 2 * element_of(order, op, o, p.batch, p.row + k, p.column);
    const T re = from[at], im = op == 2 ? -from[at + 1] : from[at + 1];
    x[k].re += f.re * re - f.im * im;
    x[k].im += f.re * im + f.im * re;
  }
}
template <class T>
SX_FN void transform_complex(const sx_transform_args& a, const Place& p) {
  Complex<T> x[kRows] = {};
  if (a.a.data) add_complex<T>(a.a, a.order_a, a.op_a, complex_factor<T>(a.alpha, p.batch, 0), p, x);
  if (a.b.data) add_complex<T>(a.b, a.order_b, a.op_b, complex_factor<T>(a.beta, p.batch, 0), p, x);
  T* to = static_cast<T*>(matrix(a.c, p.batch));
  for (int k = 0; k < p.count; ++k) {
    const sx_i64 at = 2 * element_of(a.order_c, 0, a.c, p.batch, p.row + k, p.column);
    to[at] = x[k].re;
    to[at + 1] = x[k].im;
  }
}

SX_FN void transform_item(const sx_transform_args& a, sx_i64 item) {
  const Place p = place(a.m, a.n, item);
  switch (a.compute) {
    case SX_R_32F:
      return transform_reals<float>(a, p);
    case SX_R_64F:
      return transform_reals<double>(a, p);
    case SX_R_32I:
      return transform_integers(a, p);
    case SX_C_32F:
      return transform_complex<float>(a, p);
    case SX_C_64F:
      return transform_complex<double>(a, p);
    default:
      return;
  }
}

SX_KERNEL(sx_transform, sx_transform_args, transform_items, transform_item)

}  // namespace sx_kernel
