"""The layout transform, through core's launch on the host engine, against index maps from cuBLASLt's documentation."""

from __future__ import annotations

from pathlib import Path

import kernels_on_host as kernels

ORDERS = r"""
rng = np.random.default_rng(4)
COL, ROW, COL32, COL4, COL32_2R = range(5)

def places(order, ld, rows, cols):
    "the offset of every element, one array"
    i, j = np.meshgrid(np.arange(rows), np.arange(cols), indexing="ij")
    tile, c = j // 32 * ld, j % 32
    if order == COL4:  # tiles of 8 x 32; in a tile the four even rows first, in pieces of 4 x 4
        return tile + i // 8 * 256 + i % 2 * 128 + c // 4 * 16 + i % 8 // 2 * 4 + c % 4
    if order == COL32_2R:  # the formula of the documentation
        return tile + i // 32 * 1024 + (((i % 8) // 2 * 4 + i % 32 // 8) * 2 + i % 2) * 32 + c
    return [i + j * ld, i * ld + j, tile + i * 32 + c][order]

def shape(order, rows, cols):
    "leading dimension and elements of a matrix"
    if order in (COL, ROW):
        ld = (rows if order == COL else cols) + 3
        return ld, ld * (cols if order == COL else rows)
    tall = -(-rows // {COL32: 1, COL4: 8, COL32_2R: 32}[order]) * {COL32: 1, COL4: 8, COL32_2R: 32}[order]
    return tall * 32, tall * 32 * -(-cols // 32)

def make(values, order, fill):
    "``values`` in its order, in memory that holds ``fill`` elsewhere; its leading dimension; where its elements lie"
    ld, size = shape(order, *values.shape)
    memory, at = np.full(size, fill).astype(values.dtype), places(order, ld, *values.shape)
    memory[at] = values
    return memory, ld, at

def op(code, x):
    return [x, x.T, x.conj().T][code]

def transform(kind, out_kind, compute, m, n, orders, ops, alpha, beta, a, b, batch=1):
    made = [make(x, order, 77) for x, order in ((a, orders[0]), (b, orders[1]))]
    ld, size = shape(orders[2], m, n)
    c, at = np.full(size * batch, 55).astype(numpy_of[out_kind]), places(orders[2], ld, m, n)
    args = Transform(m=m, n=n, batch=batch, compute=compute, op_a=ops[0], op_b=ops[1], order_a=orders[0],
                     order_b=orders[1], order_c=orders[2], a=Operand(pointer(made[0][0]), made[0][1], 0, kind, 0),
                     b=Operand(pointer(made[1][0]), made[1][1], 0, kind, 0),
                     c=Operand(pointer(c), ld, size, out_kind, 0), alpha=host(alpha, compute), beta=host(beta, compute))
    ok(launch("transform", args))
    for each in c.reshape(batch, size):
        yield each[at]
        untouched = np.ones(size, bool)
        untouched[at.reshape(-1)] = False
        assert (each[untouched] == np.array(55).astype(numpy_of[out_kind])).all()

for count, (m, n) in enumerate(((1, 1), (9, 33), (40, 70), (64, 32))):
    for orders in np.ndindex(5, 5, 5):
        ops = (count + orders[0]) % 2, (orders[1] + orders[2]) % 2
        dims = [(m, n) if o == 0 else (n, m) for o in ops]
        a, b = (rng.integers(-100, 100, d).astype(np.int8) for d in dims)
        (got,) = transform(T.i8, T.i32, T.i32, m, n, orders, ops, 3, -2, a, b)
        assert (got == 3 * op(ops[0], a).astype(int) - 2 * op(ops[1], b).astype(int)).all(), (m, n, orders, ops)
        (got,) = transform(T.i8, T.i8, T.f32, m, n, orders, ops, 0.75, 0.5, a, b)
        want = np.rint(0.75 * op(ops[0], a).astype(float) + 0.5 * op(ops[1], b).astype(float))
        assert (got == np.clip(want, -128, 127)).all(), (m, n, orders, ops)
"""

TYPES = r"""
m, n, batch = 37, 50, 3
for kind, compute, eps in ((T.f32, T.f32, 2**-23), (T.f64, T.f64, 2**-52), (T.f16, T.f32, 2**-10),
                           (T.bf16, T.f32, 2**-7), (T.c32, T.c32, 2**-22), (T.c64, T.c64, 2**-51)):
    complex_type = kind in (T.c32, T.c64)
    for orders in np.ndindex(2, 2, 2):
        for ops in np.ndindex(3, 3):
            dims = [(m, n) if o == 0 else (n, m) for o in ops]
            a, b = (rng.standard_normal(d) + (1j * rng.standard_normal(d) if complex_type else 0) for d in dims)
            a, b = (x.astype(numpy_of[kind]) for x in (a, b))
            alpha, beta = (1.5 - 2j, 0.25j) if complex_type else (1.5, -0.25)
            wide = complex if complex_type else float
            want = alpha * op(ops[0], a.astype(wide)) + beta * op(ops[1], b.astype(wide))
            for got in transform(kind, kind, compute, m, n, orders, ops, alpha, beta, a, b, batch):
                assert (abs(got.astype(wide) - want) <= 4 * eps * (abs(want) + 3)).all(), (kind, orders, ops)
# a factor of 0 reads nothing; an operand that is not there neither
nan = np.full((m, n), np.nan, np.float32)
one = np.ones((m, n), np.float32)
(got,) = transform(T.f32, T.f32, T.f32, m, n, (0, 0, 1), (0, 0), 0, 2, nan, one)
assert (got == 2).all()
out = columns(np.zeros((m, n), np.float32))
ok(launch("transform", Transform(m=m, n=n, batch=1, compute=T.f32, a=operand(columns(one), T.f32),
                                 c=operand(out, T.f32), alpha=host(5), beta=host(1))))
assert (out == 5).all()
"""


def test_orders(lib_dir: Path) -> None:
    kernels.run(lib_dir, ORDERS)


def test_types_and_operations(lib_dir: Path) -> None:
    kernels.run(lib_dir, ORDERS.split("for count")[0] + TYPES)
