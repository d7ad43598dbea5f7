"""Cases of cusolverRf: factors of new values on a known pattern, judged by residuals.

A program brings L, U, P and Q with A(P,Q) = L U, here of scipy's dense LU and of random column orders. Statuses were
measured on NVIDIA's library; where it lets a wrong order of steps pass, so does this one, with a right answer.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from scale_x.conformance.fftcases import Device
from scale_x.conformance.spcases import BOUND, laplacian, scattered

if TYPE_CHECKING:
    from scale_x.conformance.scripts import Script, Session

    Entry = tuple[str, Script, bool]

Array = np.ndarray[Any, Any]
CSR, CSC = 0, 1
STORED_L, STORED_U, ASSUMED_L, ASSUMED_U = range(4)


def csr(a: Array, pattern: Array) -> list[Array]:
    """Row starts, columns and values of the entries of a pattern."""
    i, j = np.nonzero(pattern)
    start = np.concatenate([[0], np.cumsum(pattern.sum(axis=1))])
    return [start.astype(np.int32), j.astype(np.int32), a[i, j]]


class System:
    """A matrix with its factors, in the way the program stores them."""

    def __init__(self, a: Array, seed: int = 0, layout: int = CSR, ones: int = STORED_L) -> None:
        import scipy.linalg

        self.a, self.n, self.layout, self.ones = a, len(a), layout, ones
        self.q = np.random.default_rng(seed).permutation(self.n).astype(np.int32)
        factored: Any = scipy.linalg.lu(a[:, self.q], p_indices=True)
        rows, lower, upper = factored
        self.p = np.argsort(rows).astype(np.int32)
        if ones in (STORED_U, ASSUMED_U):
            lower, upper = lower * np.diag(upper), upper / np.diag(upper)[:, None]
        self.lower, self.upper = lower, upper
        self.pattern = a != 0

    def stored(self, a: Array, pattern: Array) -> list[Array]:
        return csr(a, pattern) if self.layout == CSR else csr(a.T, pattern.T)

    def values(self, a: Array) -> Array:
        return self.stored(a, self.pattern)[2]

    def parts(self) -> list[list[Array]]:
        """A, L and U."""
        keep = ~np.eye(self.n, dtype=bool)
        return [
            self.stored(self.a, self.pattern),
            self.stored(self.lower, (self.lower != 0) & (keep if self.ones == ASSUMED_L else True)),
            self.stored(self.upper, (self.upper != 0) & (keep if self.ones == ASSUMED_U else True)),
        ]


class Refactorisation:
    """A handle that was set up with a system."""

    def __init__(self, x: Session, d: Device, s: System) -> None:
        self.x, self.d, self.s = x, d, s
        self.h = x.got("cusolverRfCreate", bits=64)
        x.ok("cusolverRfSetMatrixFormat", self.h, s.layout, s.ones)

    def __enter__(self) -> Refactorisation:
        return self

    def __exit__(self, *_: object) -> None:
        self.x.call("cusolverRfDestroy", self.h)

    def arguments(self, where: str) -> list[Any]:
        flat: list[Any] = [self.s.n]
        self.parts = [*self.s.parts(), [self.s.p, self.s.q]]
        for part in self.parts:
            place = [v.ctypes.data if where == "Host" else self.d.put(v) for v in part]
            flat += [len(part[1]), *place] if len(part) == 3 else place
        return [*flat, self.h]

    def setup(self, where: str) -> None:
        self.x.ok(f"cusolverRfSetup{where}", *self.arguments(where))
        self.x.ok("cusolverRfAnalyze", self.h)

    def reset(self, a: Array) -> str:
        row, col, _ = self.parts[0]
        put = [self.d.put(v) for v in (row, col, self.s.values(a), self.s.p, self.s.q)]
        return self.x.call("cusolverRfResetValues", self.s.n, len(col), *put, self.h)

    def solve(self, b: Array) -> Array:
        """Columns of b are right-hand sides, one a call."""
        got = np.empty_like(b)
        p, q, t = (self.d.put(v) for v in (self.s.p, self.s.q, np.zeros(self.s.n)))
        for j in range(b.shape[1]):
            out = self.d.put(b[:, j])
            self.x.ok("cusolverRfSolve", self.h, p, q, 1, t, self.s.n, out, self.s.n)
            got[:, j] = self.d.get(out, b[:, j].copy())
        return got

    def report(self) -> int:
        return self.x.got("cusolverRfGetNumericBoostReport", self.h)


def judge(x: Session, a: Array, got: Array, b: Array) -> None:
    """Pivots are those of other values: the bound grows with the factors, as LAPACK's for LU without pivoting does."""
    error = np.abs(a @ got - b).max()
    scale = len(a) * np.abs(a).sum(axis=0).max() * np.abs(got).max() * np.finfo(float).eps
    assert np.isfinite(error)
    x.within(float(error / scale), BOUND, "scaled residual")


def matrices() -> list[Array]:
    made = [scattered(n, n, "D", n).toarray() for n in (1, 2, 3, 33, 100)]
    return [*made, laplacian(12).toarray(), 1e8 * made[3], 1e-8 * made[3]]


def flow(where: str) -> Script:
    """Factor once, then other values of the same pattern, in every way of storing."""

    def script(x: Session) -> None:
        rng = np.random.default_rng(1)
        with Device(x) as d:
            for number, a in enumerate(matrices()):
                for layout, ones in ((CSR, number % 4), (CSC, (number + 1) % 4)):
                    s = System(a, number, layout, ones)
                    b = rng.standard_normal((s.n, 2))
                    with Refactorisation(x, d, s) as r:
                        r.setup(where)
                        for other in (a, a * (1 + 0.05 * rng.random(a.shape)), -3 * a):
                            assert r.reset(other) == "SUCCESS"
                            x.ok("cusolverRfRefactor", r.h)
                            assert r.report() == 0
                            judge(x, other, r.solve(b), b)

    return script


def apart(m: Array, whole: Array, b: Array) -> str:
    """How far the parts of two M are from each other, and b from the products of each, with the ones in L and in U."""
    one = np.eye(len(b))
    parts = {"below": np.tril(m - whole, -1), "diagonal": np.diag(m - whole), "above": np.triu(m - whole, 1)}
    for name, f in (("bundled", m), ("split", whole)):
        parts[f"{name}, ones in L"] = b - (np.tril(f, -1) + one) @ np.triu(f)
        parts[f"{name}, ones in U"] = b - np.tril(f) @ (np.triu(f, 1) + one)
    return ", ".join(f"{name} {np.abs(v).max():.1e}" for name, v in parts.items())


def factors(x: Session) -> None:
    """M = L + U - I on the device and on the host, L and U apart: A(P,Q) = L U."""
    import ctypes

    def read(kind: Any, address: int, count: int) -> Array:
        return np.frombuffer(ctypes.string_at(address, count * np.dtype(kind).itemsize), kind)

    def dense(parts: list[int], host: bool, n: int, layout: int) -> Array:
        count, *where = parts
        kinds = ((np.int32, n + 1), (np.int32, count), (np.float64, count))
        got = [read(k, p, c) if host else d.get(p, np.zeros(c, k)) for (k, c), p in zip(kinds, where, strict=True)]
        m = np.zeros((n, n))
        m[np.repeat(np.arange(n), np.diff(got[0])), got[1]] = got[2]
        return m if layout == CSR else m.T

    def outputs(symbol: str, h: int, sets: int = 1) -> list[list[int]]:
        out = np.zeros((sets, 4), np.int64)
        x.ok(symbol, h, *(out.ctypes.data + 8 * k for k in range(4 * sets)))
        return [[int(v) for v in line] for line in out]

    with Device(x) as d:
        for layout in (CSR, CSC):
            for ones in range(4):
                s = System(scattered(20, 20, "D", 3).toarray(), 1, layout, ones)
                a = s.a * 2
                b = a[s.p][:, s.q]
                with Refactorisation(x, d, s) as r:
                    r.setup("Host")
                    assert r.reset(a) == "SUCCESS"
                    x.ok("cusolverRfRefactor", r.h)
                    m = dense(outputs("cusolverRfAccessBundledFactorsDevice", r.h)[0], False, s.n, layout)
                    same = dense(outputs("cusolverRfExtractBundledFactorsHost", r.h)[0], True, s.n, layout)
                    halves = outputs("cusolverRfExtractSplitFactorsHost", r.h, 2)
                lower, upper = (dense(part, True, s.n, layout) for part in halves)
                unit, other = (lower, upper) if ones in (STORED_L, ASSUMED_L) else (upper, lower)
                if ones in (ASSUMED_L, ASSUMED_U):
                    assert (np.diag(unit) == 0).all(), f"{layout}, {ones}: ones are stored"
                    unit += np.eye(s.n)
                assert (np.diag(unit) == 1).all(), f"{layout}, {ones}: no ones on the diagonal"
                assert (m == same).all(), f"{layout}, {ones}: device and host differ"
                whole = np.tril(lower, -1) + np.triu(upper, 1) + np.diag(np.diag(other))
                assert (m == whole).all(), f"{layout}, {ones}: bundled and split factors differ: {apart(m, whole, b)}"
                triangular = (np.triu(lower, 1) == 0).all() and (np.tril(upper, -1) == 0).all()
                assert triangular, f"{layout}, {ones}: L and U are not triangular"
                error = np.abs(b - lower @ upper).sum(axis=0).max()
                scale = s.n * np.abs(lower).sum(axis=0).max() * np.abs(upper).sum(axis=0).max() * np.finfo(float).eps
                x.within(float(error / scale), BOUND, "scaled residual of the factors")


def batch(x: Session) -> None:
    """Several systems of one pattern; one of them singular, which has no say in the others."""
    rng = np.random.default_rng(2)
    with Device(x) as d:
        for n, count in ((1, 2), (10, 5), (60, 3)):
            s = System(scattered(n, n, "D", n).toarray(), 1, CSR, ASSUMED_L)
            systems = [s.a * (1 + 0.05 * rng.random(s.a.shape)) for _ in range(count)]
            b = rng.standard_normal((n, count))
            with Refactorisation(x, d, s) as r:
                head = r.arguments("Host")
                keep = s.values(s.a)
                first = np.full(count, keep.ctypes.data, np.uint64)
                x.ok("cusolverRfSetResetValuesFastMode", r.h, 1)
                x.ok("cusolverRfBatchSetupHost", count, *head[:4], first.ctypes.data, *head[5:])
                x.ok("cusolverRfBatchAnalyze", r.h)
                put = [d.put(v) for v in (*r.parts[0][:2], s.p, s.q)]
                for singular in (False, True):
                    if singular:
                        systems[1] = 0 * systems[1]
                    values = d.put(np.array([d.put(s.values(a)) for a in systems], np.uint64))
                    x.ok("cusolverRfBatchResetValues", count, n, len(r.parts[0][1]), *put[:2], values, *put[2:], r.h)
                    x.ok("cusolverRfBatchRefactor", r.h)
                    place = np.full(count, 99, np.int32)
                    status = x.call("cusolverRfBatchZeroPivot", r.h, place.ctypes.data)
                    assert status == ("ZERO_PIVOT" if singular else "SUCCESS"), status
                    assert list(place) == [0 if singular and i == 1 else -1 for i in range(count)]
                    xs = [d.put(b[:, i]) for i in range(count)]
                    t = d.put(np.zeros(2 * n * count))
                    x.ok("cusolverRfBatchSolve", r.h, *put[2:], 1, t, n, d.put(np.array(xs, np.uint64)), n)
                    for i, a in enumerate(systems):
                        if not (singular and i == 1):
                            judge(x, a, d.get(xs[i], b[:, i].copy())[:, None], b[:, i, None])


def pivots(x: Session) -> None:
    """What is flagged as zero, what a boost does, and what is reported."""
    a = np.array([[4.0, 1, 0], [1, 5, 2], [0, 2, 6]])
    s = System(a)
    s.p, s.q = np.arange(3, dtype=np.int32), np.arange(3, dtype=np.int32)
    s.lower, s.upper = np.tril(a) / np.diag(a), np.triu(a)
    b = np.ones((3, 1))
    for value, zero, boost, status, used in (
        (0.0, 0.0, 0.0, "ZERO_PIVOT", 1), (1e-12, 0.0, 0.0, "SUCCESS", 0), (1e-12, 1e-8, 0.0, "ZERO_PIVOT", 1),
        (1e-12, 1e-8, 0.5, "SUCCESS", 1), (-1e-12, 1e-8, 0.5, "SUCCESS", 1), (0.0, 0.0, 0.5, "SUCCESS", 1),
        (1e-7, 1e-8, 0.5, "SUCCESS", 0), (np.nan, 1e-8, 0.5, "SUCCESS", 0), (4.0, 1e-8, 0.5, "SUCCESS", 0),
    ):  # fmt: skip
        other = a.copy()
        other[0, 0] = value
        with Device(x) as d, Refactorisation(x, d, s) as r:
            r.setup("Host")
            x.ok("cusolverRfSetNumericProperties", r.h, zero, boost)
            assert r.reset(other) == "SUCCESS"
            got = x.call("cusolverRfRefactor", r.h)
            assert got == status, (value, zero, boost, got)
            assert r.report() == used, (value, zero, boost)
            if status == "SUCCESS" and not np.isnan(value):
                if used:
                    other[0, 0] = boost
                answer = r.solve(b)
                if abs(other[0, 0]) > 0.1:
                    judge(x, other, answer, b)


def order(x: Session) -> None:
    """Steps before Setup are of a system without unknowns; left out steps are made up for."""
    a = scattered(20, 20, "D", 4).toarray()
    s, b = System(a), np.ones((20, 1))
    with Device(x) as d:
        with Refactorisation(x, d, s) as r:
            r.arguments("Host")
            assert r.reset(a) == "INVALID_VALUE"
            for name in ("Analyze", "Refactor"):
                x.ok(f"cusolverRf{name}", r.h)
            assert x.call("cusolverRfBatchAnalyze", r.h) == "INTERNAL_ERROR"
            assert x.call("cusolverRfBatchRefactor", r.h) == "INVALID_VALUE"
            out = x.room(64)
            outs = [out + 8 * k for k in range(8)]
            assert x.call("cusolverRfExtractBundledFactorsHost", r.h, *outs[:4]) == "EXECUTION_FAILED"
            assert x.call("cusolverRfExtractSplitFactorsHost", r.h, *outs) == "EXECUTION_FAILED"
        for steps in ((), ("Refactor",), ("Refactor", "Refactor"), ("Analyze", "Refactor", "Analyze")):
            with Refactorisation(x, d, s) as r:
                x.ok("cusolverRfSetupHost", *r.arguments("Host"))
                for step in steps:
                    x.ok(f"cusolverRf{step}", r.h)
                judge(x, a, r.solve(b), b)


def bad_arguments(x: Session) -> None:
    s = System(scattered(9, 9, "D", 1).toarray())
    with Device(x) as d, Refactorisation(x, d, s) as r:
        good = r.arguments("Host")
        for at, value, status in (
            (0, -1, "ALLOC_FAILED"), (0, 0, "INVALID_VALUE"), (1, -1, "ALLOC_FAILED"), (1, 0, "EXECUTION_FAILED"),
            (2, 0, "EXECUTION_FAILED"), (3, 0, "EXECUTION_FAILED"), (4, 0, "EXECUTION_FAILED"),
            (5, 0, "INTERNAL_ERROR"), (6, 0, "EXECUTION_FAILED"), (7, 0, "EXECUTION_FAILED"),
            (9, 0, "INTERNAL_ERROR"), (10, 0, "EXECUTION_FAILED"), (13, 0, "EXECUTION_FAILED"),
            (14, 0, "EXECUTION_FAILED"), (15, 0, "NOT_INITIALIZED"), (15, x.room(64), "NOT_INITIALIZED"),
        ):  # fmt: skip
            bad = [*good]
            bad[at] = value
            got = x.call("cusolverRfSetupHost", *bad)
            assert got == status, (at, value, got)
        x.ok("cusolverRfSetupHost", *good[:8], 0, *good[9:12], 0, *good[13:])  # values of L and U are not read
        p, q, t, out = (d.put(v) for v in (s.p, s.q, np.zeros(9), np.ones(9)))
        for nrhs, ldt, ldx in ((0, 9, 9), (-1, 9, 9), (1, 8, 9), (1, 9, 8)):
            assert x.call("cusolverRfSolve", r.h, p, q, nrhs, t, ldt, out, ldx) == "INVALID_VALUE"
        row, col, _ = r.parts[0]
        put = [d.put(v) for v in (row, col, s.values(s.a))]
        assert x.call("cusolverRfResetValues", 8, len(col), *put, p, q, r.h) == "INVALID_VALUE"
        assert x.call("cusolverRfResetValues", 9, 0, *put, p, q, r.h) == "EXECUTION_FAILED"
        x.ok("cusolverRfResetValues", 9, len(col), 0, 0, put[2], 0, 0, r.h)  # Setup knows the rest


def wild(x: Session) -> None:
    """Structures that lead out of the matrix; a pattern of L + U too small for A."""
    for spoil in range(7):
        s = System(np.array([[4.0, 1, 2], [1, 5, 1], [2, 1, 6]]), ones=ASSUMED_L)
        with Device(x) as d, Refactorisation(x, d, s) as r:
            arguments = r.arguments("Host")
            a, lower, upper, (p, _) = r.parts
            if spoil == 0:
                a[1][2] = 3
            elif spoil == 1:
                a[0][1] = -1
            elif spoil == 2:
                p[0] = p[1]
            elif spoil == 3:
                lower[1][0] = 2
            elif spoil == 4:
                upper[1][0] = upper[1][1]
            elif spoil == 5:
                upper[1][-1] = 0
            else:
                lower[0][3] -= 1
                arguments[5] -= 1
            status = x.call("cusolverRfSetupHost", *arguments)
            assert status == "INVALID_VALUE", (spoil, status)


def settings(x: Session) -> None:
    """Defaults, what is kept and what is refused, as measured."""
    h = x.got("cusolverRfCreate", bits=64)

    def pair(what: str, kind: Any) -> list[Any]:
        out = np.full(2, 77, kind)
        x.ok(f"cusolverRfGet{what}", h, out.ctypes.data, out.ctypes.data + out.itemsize)
        return list(out)

    assert pair("Algs", np.int32) == [0, 1] and pair("MatrixFormat", np.int32) == [0, 0]
    assert pair("NumericProperties", float) == [0, 0]
    assert x.got("cusolverRfGetResetValuesFastMode", h) == 0 and x.got("cusolverRfGetNumericBoostReport", h) == 0
    for what, kind, good, bad in (
        ("Algs", np.int32, [(1, 2), (2, 3), (0, 3), (0, 0)], [(1, 1), (2, 1), (3, 1), (-1, 1)]),
        ("MatrixFormat", np.int32, [(1, 3), (0, 2)], [(2, 0), (0, 4), (-1, 0), (0, -1)]),
        ("NumericProperties", float, [(1e-3, 1e-2), (0.0, np.inf)], [(-1.0, 0.0), (0.0, -1.0)]),
    ):
        for values in good:
            x.ok(f"cusolverRfSet{what}", h, *values)
            assert pair(what, kind) == list(values)
        for values in bad:
            assert x.call(f"cusolverRfSet{what}", h, *values) == "INVALID_VALUE", (what, values)
            assert pair(what, kind) == list(good[-1])
    for value, status in ((1, "SUCCESS"), (2, "INVALID_VALUE"), (-1, "INVALID_VALUE"), (0, "SUCCESS")):
        assert x.call("cusolverRfSetResetValuesFastMode", h, value) == status
    x.ok("cusolverRfDestroy", h)
    for name in ("Analyze", "Refactor", "BatchAnalyze", "BatchRefactor", "Destroy"):
        assert x.call(f"cusolverRf{name}", 0) == "NOT_INITIALIZED"


SCRIPTS: dict[str, tuple[Entry, ...]] = {
    "cusolverRfCreate": (("settings", settings, False),),
    "cusolverRfSetupHost": (("flow", flow("Host"), False), ("arguments", bad_arguments, True), ("wild", wild, True)),
    "cusolverRfSetupDevice": (("flow", flow("Device"), False),),
    "cusolverRfAccessBundledFactorsDevice": (("factors", factors, False),),
    "cusolverRfBatchSolve": (("systems", batch, False),),
    "cusolverRfRefactor": (("pivots", pivots, False), ("order", order, False)),
}
