"""Cases of cusolverSp's factorisations in steps, and of batches of systems of one pattern."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from scale_x.conformance.fftcases import Device
from scale_x.conformance.spcases import (
    BOUND,
    DTYPES,
    Matrix,
    Sparse,
    hermitian,
    laplacian,
    residual,
    right_hand_side,
    scattered,
)

if TYPE_CHECKING:
    from scale_x.conformance.scripts import Script, Session

    Entry = tuple[str, Script, bool]


class Steps:
    """The functions of one factorisation; ``where`` is "" (device) or "Host"."""

    def __init__(self, x: Session, how: str, letter: str, where: str, h: int) -> None:
        self.x, self.how, self.where, self.h = x, how, where, h
        self.typed = f"cusolverSp{letter}csr{how}"
        self.info = x.got(f"cusolverSpCreateCsr{how}Info{where}", bits=64)

    def __enter__(self) -> Steps:
        return self

    def __exit__(self, *_: object) -> None:
        self.x.call(f"cusolverSpDestroyCsr{self.how}Info{self.where}", self.info)

    def call(self, step: str, *arguments: Any) -> str:
        return self.x.call(f"{self.typed}{step}{self.where}", self.h, *arguments)

    def ok(self, step: str, *arguments: Any) -> None:
        status = self.call(step, *arguments)
        assert status == "SUCCESS", f"{step} answers {status}"

    def sizes(self, matrix: Matrix) -> tuple[int, ...]:
        return (matrix.m, matrix.n) if self.how == "qr" else (matrix.n,)

    def analyse(self, matrix: Matrix, data: tuple[int, ...]) -> None:
        nnz, descr, _, row, col = data
        symbol = f"cusolverSpXcsr{self.how}Analysis{self.where}"
        self.x.ok(symbol, self.h, *self.sizes(matrix), nnz, descr, row, col, self.info)

    def buffer(self, matrix: Matrix, data: tuple[int, ...], d: Device) -> int:
        sizes = np.zeros(2, np.uint64)
        self.ok("BufferInfo", *self.sizes(matrix), *data, self.info, sizes.ctypes.data, sizes.ctypes.data + 8)
        assert sizes[0] > 0 and sizes[1] > 0
        return d.put(np.zeros(int(sizes[1]), np.uint8)) if not self.where else self.x.room(int(sizes[1]))

    def pivot(self, tol: float = 0.0) -> int:
        place = np.full(1, 99, np.int32)
        self.ok("ZeroPivot", self.info, tol, place.ctypes.data)
        return int(place[0])


def classes(how: str, letter: str) -> list[Any]:
    if how == "chol":
        return [hermitian(n, letter, n) for n in (1, 2, 33, 300)] + [laplacian(25)]
    return [scattered(n, n, letter, n) for n in (1, 2, 33, 300)] + [laplacian(25)]


def stepped(how: str, letter: str, where: str) -> Script:
    """Analysis once, factors of several values, solves with several right-hand sides."""

    def script(x: Session) -> None:
        with Sparse(x) as h, Device(x) as d:
            for number, a in enumerate(classes(how, letter)):
                matrix = Matrix(a, DTYPES[letter], number % 2)
                with Steps(x, how, letter, where, h) as s:
                    data = matrix.arguments() if where else matrix.on(d)
                    s.analyse(matrix, data)
                    buffer = s.buffer(matrix, data, d)
                    for scale in (1.0, 3.0):
                        scaled = Matrix(a * scale, DTYPES[letter], number % 2)
                        data = scaled.arguments() if where else scaled.on(d)
                        factor(s, scaled, data, buffer)
                        assert s.pivot() == -1
                        solve(x, s, d, scaled, buffer)

    return script


def factor(s: Steps, matrix: Matrix, data: tuple[int, ...], buffer: int, mu: float = 0.0) -> None:
    if s.how == "qr":
        shift: Any = complex(mu) if matrix.val.dtype.kind == "c" else mu
        s.ok("Setup", matrix.m, matrix.n, *data, shift, s.info)
        s.ok("Factor", matrix.m, matrix.n, matrix.nnz, 0, 0, s.info, buffer)
    elif s.how == "chol":
        s.ok("Factor", matrix.n, *data, s.info, buffer)
    else:
        s.ok("Factor", matrix.n, *data, s.info, 1.0, buffer)


def solve(x: Session, s: Steps, d: Device, matrix: Matrix, buffer: int) -> None:
    b, got = right_hand_side(matrix), np.full(matrix.n, np.nan, matrix.val.dtype)
    mine = b.copy()  # QR may leave Q^H b there
    given, out = (v.ctypes.data if s.where else d.put(v) for v in (mine, got))
    s.ok("Solve", *s.sizes(matrix), given, out, s.info, buffer)
    residual(x, matrix, got if s.where else d.get(out, got), b)


def order_of_steps(how: str, letter: str, where: str) -> Script:
    """A step whose forerunner is missing is refused, and a singular matrix names its pivot."""

    def script(x: Session) -> None:
        matrix = Matrix(np.eye(3) * 2, DTYPES[letter])
        with Sparse(x) as h, Device(x) as d, Steps(x, how, letter, where, h) as s:
            data = matrix.arguments() if where else matrix.on(d)
            b, place = right_hand_side(matrix), np.zeros(1, np.int32)
            p = b.ctypes.data if where else d.put(b)
            assert s.call("ZeroPivot", s.info, 0.0, place.ctypes.data) == "INVALID_VALUE"
            assert s.call("Solve", *s.sizes(matrix), p, p, s.info, p) == "INVALID_VALUE"
            s.analyse(matrix, data)
            assert s.call("Solve", *s.sizes(matrix), p, p, s.info, p) == "INVALID_VALUE"
            matrix.val[1] = -1 if how == "chol" else 0
            data = matrix.arguments() if where else matrix.on(d)
            factor(s, matrix, data, s.buffer(matrix, data, d))
            assert s.pivot(1e-6) in (range(3) if how == "chol" else (1,))

    return script


def rectangular(letter: str, where: str) -> Script:
    """QR of a tall matrix: least squares; and of A - mu I."""

    def script(x: Session) -> None:
        dtype, eps = DTYPES[letter], np.finfo(DTYPES[letter]).eps
        with Sparse(x) as h, Device(x) as d:
            for m, n, mu in ((30, 12, 0.0), (5, 1, 0.0), (20, 20, 0.5)):
                matrix = Matrix(scattered(m, n, letter, m), dtype, 1)
                with Steps(x, "qr", letter, where, h) as s:
                    data = matrix.arguments() if where else matrix.on(d)
                    s.analyse(matrix, data)
                    buffer = s.buffer(matrix, data, d)
                    factor(s, matrix, data, buffer, mu)
                    b, got = right_hand_side(matrix), np.full(n, np.nan, dtype)
                    mine = b.copy()
                    given, out = (v.ctypes.data if where else d.put(v) for v in (mine, got))
                    s.ok("Solve", m, n, given, out, s.info, buffer)
                    got = got if where else d.get(out, got)
                a = matrix.a.toarray().astype(np.complex128) - mu * np.eye(m, n)
                r = a @ got - b
                scale = m * matrix.norm() * (matrix.norm() * np.abs(got).max() + np.abs(b).max()) * eps
                x.within(float(np.abs(a.conj().T @ r).max() / scale), BOUND, "residual of the normal equations")

    return script


def extracted(letter: str) -> Script:
    """A(P,Q) = L U, with a unit L whose ones are not stored."""

    def script(x: Session) -> None:
        import scipy.sparse as sparse

        dtype = DTYPES[letter]
        with Sparse(x) as h:
            for n in (1, 5, 60, 300):
                matrix = Matrix(scattered(n, n, letter, n), dtype, n % 2)
                with Steps(x, "lu", letter, "Host", h) as s, Device(x) as d:
                    data = matrix.arguments()
                    s.analyse(matrix, data)
                    buffer = s.buffer(matrix, data, d)
                    factor(s, matrix, data, buffer)
                    counts = np.zeros(2, np.int32)
                    x.ok("cusolverSpXcsrluNnzHost", h, counts.ctypes.data, counts.ctypes.data + 4, s.info)
                    p, q = np.zeros(n, np.int32), np.zeros(n, np.int32)
                    parts = [(np.zeros(c, dtype), np.zeros(n + 1, np.int32), np.zeros(c, np.int32)) for c in counts]
                    flat = [[matrix.descr.ctypes.data, *(v.ctypes.data for v in part)] for part in parts]
                    s.ok("Extract", p.ctypes.data, q.ctypes.data, *flat[0], *flat[1], s.info, buffer)
                base = n % 2
                lower, upper = (sparse.csr_array((v, c - base, r - base), shape=(n, n)).toarray() for v, r, c in parts)
                assert (np.triu(lower) == 0).all() and (np.tril(upper, -1) == 0).all()
                lower += np.eye(n, dtype=dtype)
                error = np.abs(matrix.a.toarray()[p][:, q] - lower @ upper).sum(axis=0).max()
                scale = n * np.abs(lower).sum(axis=0).max() * np.abs(upper).sum(axis=0).max() * np.finfo(dtype).eps
                x.within(float(error / scale), BOUND, "scaled residual of the factors")

    return script


def diagonal(letter: str) -> Script:
    """The determinant from the diagonal."""

    def script(x: Session) -> None:
        n, dtype = 40, DTYPES[letter]
        matrix = Matrix(hermitian(n, letter, 2), dtype)
        with Sparse(x) as h, Device(x) as d, Steps(x, "chol", letter, "", h) as s:
            data = matrix.on(d)
            s.analyse(matrix, data)
            factor(s, matrix, data, s.buffer(matrix, data, d))
            got = np.zeros(n, np.zeros(1, dtype).real.dtype)
            out = d.put(got)
            x.ok(f"cusolverSp{letter}csrcholDiag", h, s.info, out)
            got = d.get(out, got)
        want = np.linalg.slogdet(matrix.a.toarray().astype(np.complex128))[1]
        assert (got > 0).all() and abs(2 * np.log(got.astype(float)).sum() - want) < 100 * n * np.finfo(dtype).eps

    return script


def batched(letter: str) -> Script:
    def script(x: Session) -> None:
        dtype = DTYPES[letter]
        for n, batch in ((1, 3), (10, 7), (250, 2)):
            first = Matrix(scattered(n, n, letter, n), dtype, 1)
            rng = np.random.default_rng(n)
            values = np.concatenate([first.val * dtype(1 + 0.1 * rng.random()) for _ in range(batch)])
            b = np.concatenate([right_hand_side(first)] * batch)
            got = np.full(n * batch, np.nan, dtype)
            with Sparse(x) as h, Device(x) as d:
                info = x.got("cusolverSpCreateCsrqrInfo", bits=64)
                nnz, descr, _, row, col = first.on(d)
                val, given, out = (d.put(v) for v in (values, b, got))
                x.ok("cusolverSpXcsrqrAnalysisBatched", h, n, n, nnz, descr, row, col, info)
                sizes = np.zeros(2, np.uint64)
                symbol = f"cusolverSp{letter}csrqr"
                x.ok(f"{symbol}BufferInfoBatched", h, n, n, nnz, descr, val, row, col, batch, info,
                     sizes.ctypes.data, sizes.ctypes.data + 8)  # fmt: skip
                buffer = d.put(np.zeros(int(sizes[1]), np.uint8))
                x.ok(f"{symbol}svBatched", h, n, n, nnz, descr, val, row, col, given, out, batch, info, buffer)
                got = d.get(out, got)
                x.ok("cusolverSpDestroyCsrqrInfo", info)
            for i in range(batch):
                one = Matrix(first.a, dtype)
                one.a.data = values[i * nnz : (i + 1) * nnz]
                residual(x, one, got[i * n : (i + 1) * n], b[:n])

    return script


SCRIPTS: dict[str, tuple[Entry, ...]] = {}
for _t in "SDCZ":
    for _how, _where in (("qr", ""), ("qr", "Host"), ("chol", ""), ("chol", "Host"), ("lu", "Host")):
        SCRIPTS[f"cusolverSp{_t}csr{_how}Solve{_where}"] = (
            ("steps", stepped(_how, _t, _where), False),
            ("order", order_of_steps(_how, _t, _where), True),
            *((("rectangular", rectangular(_t, _where), False),) if _how == "qr" else ()),
        )
    SCRIPTS[f"cusolverSp{_t}csrluExtractHost"] = (("factors", extracted(_t), False),)
    SCRIPTS[f"cusolverSp{_t}csrcholDiag"] = (("determinant", diagonal(_t), False),)
    SCRIPTS[f"cusolverSp{_t}csrqrsvBatched"] = (("systems", batched(_t), False),)
