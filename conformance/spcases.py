"""Cases of cusolverSp: sparse systems, least squares, eigenpairs, orderings and factorisations in steps.

Matrices are scipy's; results are judged by LAPACK's scale-free residuals, |A x - b| / (n |A| |x| eps) below 30,
orderings and indices by what their definition says. What is expected of arguments is documented.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from scale_x.conformance.fftcases import Device

if TYPE_CHECKING:
    from scale_x.conformance.scripts import Script, Session

Array = np.ndarray[Any, Any]
DTYPES: dict[str, Any] = {"S": np.float32, "D": np.float64, "C": np.complex64, "Z": np.complex128}
BOUND = 30.0


class Matrix:
    """A CSR matrix in the host's memory, and a descriptor for it."""

    def __init__(self, a: Any, dtype: Any, base: int = 0) -> None:
        import scipy.sparse

        self.a: Any = scipy.sparse.csr_array(a).astype(dtype)
        self.m, self.n = self.a.shape
        self.val = self.a.data
        self.row, self.col = (v.astype(np.int32) + np.int32(base) for v in (self.a.indptr, self.a.indices))
        self.descr = np.array([0, 0, 0, base], np.int32)
        self.nnz = len(self.val)

    def arguments(self) -> tuple[int, ...]:
        """nnz, descriptor, values, rows, columns."""
        return (self.nnz, *(v.ctypes.data for v in (self.descr, self.val, self.row, self.col)))

    def on(self, d: Device) -> tuple[int, ...]:
        return (self.nnz, self.descr.ctypes.data, *(d.put(v) for v in (self.val, self.row, self.col)))

    def pattern(self) -> tuple[int, ...]:
        return (self.nnz, *(v.ctypes.data for v in (self.descr, self.row, self.col)))

    def norm(self) -> float:
        return float(abs(self.a).sum(axis=0).max())


def laplacian(k: int) -> Any:
    """The five-point Laplacian of a k x k grid."""
    import scipy.sparse as s

    make: Any = s.diags_array  # its annotations know no list of offsets
    line = make([-np.ones(k - 1), 2 * np.ones(k), -np.ones(k - 1)], offsets=[-1, 0, 1])
    return s.kron(line, s.eye_array(k)) + s.kron(s.eye_array(k), line)


def scattered(m: int, n: int, letter: str, seed: int, density: float = 0.1) -> Any:
    """Random, unsymmetric, with a heavy diagonal in a shuffled place: pivots are not on the diagonal."""
    import scipy.sparse as s

    rng = np.random.default_rng(seed)
    a = s.random_array((m, n), density=density, rng=rng, format="lil")
    if letter in "CZ":
        a = a + 1j * s.random_array((m, n), density=density, rng=rng)
    k = min(m, n)
    heavy = s.coo_array((3 + rng.random(k), (rng.permutation(m)[:k], np.arange(k))), shape=(m, n))
    return (a + heavy).tocsr()


def hermitian(n: int, letter: str, seed: int) -> Any:
    a = scattered(n, n, letter, seed)
    import scipy.sparse as s

    h = a + a.conj().T
    return h + s.diags_array(np.asarray(abs(h).sum(axis=1)).ravel() + 1)


def right_hand_side(matrix: Matrix) -> Array:
    rng = np.random.default_rng(7)
    b = rng.standard_normal(matrix.m) + (1j * rng.standard_normal(matrix.m) if matrix.val.dtype.kind == "c" else 0)
    return np.asarray(b, matrix.val.dtype)


def residual(x: Session, matrix: Matrix, solution: Array, b: Array) -> None:
    wide = matrix.a.astype(np.complex128 if matrix.val.dtype.kind == "c" else np.float64)
    error = np.abs(wide @ solution - b).max() if solution.size else 0.0
    scale = matrix.n * matrix.norm() * np.abs(solution).max(initial=0.0) * np.finfo(solution.dtype).eps
    assert np.isfinite(error)
    x.within(float(error / (scale or 1)), BOUND, "scaled residual")


def matrices(how: str, letter: str) -> Iterator[tuple[str, Any]]:
    for n in (1, 2, 3, 33, 100, 400):
        yield f"{n}", hermitian(n, letter, n) if how == "chol" else scattered(n, n, letter, n)
    yield "laplacian-30", laplacian(30)
    yield "big", 1e8 * hermitian(50, letter, 1)
    yield "small", 1e-8 * hermitian(50, letter, 1)


class Sparse:
    """A handle for the length of a script."""

    def __init__(self, x: Session) -> None:
        self.x = x

    def __enter__(self) -> int:
        self.handle = self.x.got("cusolverSpCreate", bits=64)
        return self.handle

    def __exit__(self, *_: object) -> None:
        self.x.call("cusolverSpDestroy", self.handle)


def systems(how: str, letter: str, host: bool) -> Script:
    """A x = b for both bases and every reordering."""
    symbol = f"cusolverSp{letter}csrlsv{how}{'Host' if host else ''}"

    def script(x: Session) -> None:
        with Sparse(x) as h, Device(x) as d:
            for number, (_, a) in enumerate(matrices(how, letter)):
                for base in (0, 1):
                    matrix = Matrix(a, DTYPES[letter], base)
                    b, place = right_hand_side(matrix), np.full(1, 99, np.int32)
                    got = np.full(matrix.n, np.nan, matrix.val.dtype)
                    data = matrix.arguments() if host else matrix.on(d)
                    given, out = (v.ctypes.data if host else d.put(v) for v in (b, got))
                    reorder = (number + base) % 4
                    x.ok(symbol, h, matrix.n, *data, given, 0.0, reorder, out, place.ctypes.data)
                    assert place[0] == -1, f"singularity {place[0]}"
                    residual(x, matrix, got if host else d.get(out, got), b)

    return script


def singular(how: str, letter: str, host: bool) -> Script:
    """The first pivot that vanishes is named, and x is left alone."""
    symbol = f"cusolverSp{letter}csrlsv{how}{'Host' if host else ''}"

    def script(x: Session) -> None:
        a = np.array([[4, 1, 5, 0], [1, 3, 4, 0], [5, 4, 9, 1], [0, 0, 0, 2]])  # column 2 = column 0 + column 1
        if how == "chol":
            a = np.diag([4, 3, -1, 2])
        matrix = Matrix(a, DTYPES[letter], 1)
        with Sparse(x) as h, Device(x) as d:
            b, place, got = right_hand_side(matrix), np.full(1, 99, np.int32), np.full(4, np.nan, matrix.val.dtype)
            data = matrix.arguments() if host else matrix.on(d)
            given, out = (v.ctypes.data if host else d.put(v) for v in (b, got))
            x.ok(symbol, h, 4, *data, given, 1e-5, 0, out, place.ctypes.data)
            assert 0 <= place[0] < 4 and (how == "chol" or place[0] == 2), f"singularity {place[0]}"

    return script


def arguments(symbol: str, letter: str) -> Script:
    host = symbol.endswith("Host")

    def script(x: Session) -> None:
        matrix = Matrix(np.eye(3) * 2, DTYPES[letter])
        b, place, got = right_hand_side(matrix), np.full(1, 99, np.int32), np.full(3, np.nan, matrix.val.dtype)
        triangular, third = np.array([3, 0, 0, 0], np.int32), np.array([0, 0, 0, 2], np.int32)
        with Sparse(x) as h, Device(x) as d:
            data = matrix.arguments() if host else matrix.on(d)
            given, out = (v.ctypes.data if host else d.put(v) for v in (b, got))
            good = [matrix.n, *data, given, 0.0, 0, out, place.ctypes.data]
            assert x.call(symbol, 0, *good) == "NOT_INITIALIZED"
            for at, value, status in (
                (0, 0, "INVALID_VALUE"), (0, -1, "INVALID_VALUE"), (1, 0, "INVALID_VALUE"), (1, -1, "INVALID_VALUE"),
                (2, 0, "MATRIX_TYPE_NOT_SUPPORTED"), (2, third.ctypes.data, "INVALID_VALUE"),
                (2, triangular.ctypes.data, "MATRIX_TYPE_NOT_SUPPORTED"), (3, 0, "INVALID_VALUE"),
                (4, 0, "INVALID_VALUE"), (5, 0, "INVALID_VALUE"), (6, 0, "INVALID_VALUE"), (8, 4, "INVALID_VALUE"),
                (8, -1, "INVALID_VALUE"), (9, 0, "INVALID_VALUE"), (10, 0, "INVALID_VALUE"),
            ):  # fmt: skip
                bad = [*good]
                bad[at] = value
                assert x.call(symbol, h, *bad) == status, (at, value)
            assert np.isnan(got if host else d.get(out, got)).all() and place[0] in (0, 99)
            x.ok(symbol, h, *good)

    return script


def wild(x: Session) -> None:
    """Indices that lead out of the matrix."""
    for row, col in (([0, 1, 2, 3], [0, 1, 3]), ([0, 1, 2, 3], [0, -1, 2]), ([0, 2, 1, 3], [0, 1, 2]),
                     ([0, 1, 2, 9], [0, 1, 2]), ([1, 1, 2, 3], [0, 1, 2]), ([-5, 1, 2, 3], [0, 1, 2])):  # fmt: skip
        matrix = Matrix(np.eye(3), np.float64)
        matrix.row, matrix.col = np.array(row, np.int32), np.array(col, np.int32)
        b, got, place = np.ones(3), np.ones(3), np.zeros(1, np.int32)
        with Sparse(x) as h:
            status = x.call("cusolverSpDcsrlsvluHost", h, 3, *matrix.arguments(), b.ctypes.data, 0.0, 0,
                            got.ctypes.data, place.ctypes.data)  # fmt: skip
            assert status == "INVALID_VALUE", (row, col, status)


def least_squares(letter: str) -> Script:
    def script(x: Session) -> None:
        dtype = DTYPES[letter]
        for m, n, dependent in ((7, 3, 0), (40, 40, 0), (60, 25, 0), (50, 20, 4), (9, 9, 0)):
            a = scattered(m, n, letter, m + n, 0.3).toarray()
            for j in range(dependent):
                a[:, n - 1 - j] = a[:, j] + a[:, j + 1]
            matrix = Matrix(a, dtype, m % 2)
            b, got, p = right_hand_side(matrix), np.full(n, np.nan, dtype), np.full(n, -1, np.int32)
            rank, norm = np.zeros(1, np.int32), np.zeros(1, np.zeros(1, dtype).real.dtype)
            with Sparse(x) as h:
                tol = 100 * np.finfo(dtype).eps * matrix.norm()
                x.ok(f"cusolverSp{letter}csrlsqvqrHost", h, m, n, *matrix.arguments(), b.ctypes.data, float(tol),
                     *(v.ctypes.data for v in (rank, got, p, norm)))  # fmt: skip
            assert rank[0] == min(m, n) - dependent, f"rank {rank[0]}"
            assert sorted(p) == list(range(n))
            r = a.astype(np.complex128) @ got - b
            eps = np.finfo(dtype).eps
            scale = max(m, n) * matrix.norm() * (matrix.norm() * np.abs(got).max() + np.abs(b).max()) * eps
            x.within(float(np.abs(a.conj().T @ r).max() / scale), BOUND, "residual of the normal equations")
            assert abs(np.linalg.norm(r) - norm[0]) <= BOUND * m * eps * (np.linalg.norm(b) + 1)

    return script


def eigenpair(letter: str, host: bool) -> Script:
    symbol = f"cusolverSp{letter}csreigvsi{'Host' if host else ''}"

    def script(x: Session) -> None:
        n = 30
        matrix = Matrix(hermitian(n, letter, 3), DTYPES[letter], 1)
        values = np.linalg.eigvalsh(matrix.a.toarray().astype(np.complex128))
        x0, mu, got = np.ones(n, matrix.val.dtype), np.zeros(1, matrix.val.dtype), np.zeros(n, matrix.val.dtype)
        with Sparse(x) as h, Device(x) as d:
            data = matrix.arguments() if host else matrix.on(d)
            for near in (values[0] - 0.1, values[-1] + 0.1):
                start, value, vector = (v.ctypes.data if host else d.put(v) for v in (x0, mu, got))
                shift: Any = complex(near) if letter in "CZ" else float(near)
                eps = np.finfo(matrix.val.dtype).eps
                x.ok(symbol, h, n, *data, shift, start, 500, 0.0, value, vector)
                w, v = (mu, got) if host else (d.get(value, mu), d.get(vector, got))
                error = np.abs(matrix.a.astype(np.complex128) @ v - complex(w[0]) * v).max()
                x.within(float(error / (n * matrix.norm() * eps)), BOUND * 10, "scaled residual")
                assert abs(np.linalg.norm(v) - 1) < 100 * eps
                assert np.abs(values - w[0]).min() <= BOUND * n * eps * matrix.norm()

    return script


def counted(letter: str) -> Script:
    def script(x: Session) -> None:
        n = 25
        matrix = Matrix(scattered(n, n, letter, 5), DTYPES[letter])
        values = np.linalg.eigvals(matrix.a.toarray().astype(np.complex128))
        with Sparse(x) as h:
            for box in ((-1e3, -1e3, 1e3, 1e3), (0.01, -1e3, 1e3, 1e3), (-9, 0.01, 9, 9), (99, 99, 100, 100)):
                left, bottom, right, top = box
                inside = (values.real >= left) & (values.real <= right) & (values.imag >= bottom)
                want = int((inside & (values.imag <= top)).sum())
                found = np.full(1, -1, np.int32)
                x.ok(f"cusolverSp{letter}csreigsHost", h, n, *matrix.arguments(), complex(left, bottom),
                     complex(right, top), found.ctypes.data)  # fmt: skip
                assert found[0] == want, (found[0], want)

    return script


def fill(a: Any, p: Array) -> int:
    """Entries of the Cholesky factor of A(p,p), by elimination of its graph."""
    pattern = (abs(a) + abs(a.T)).tocsr()[p][:, p].tocsr()
    n = pattern.shape[0]
    columns: list[set[int]] = [set() for _ in range(n)]
    for i in range(n):
        for j in pattern.indices[pattern.indptr[i] : pattern.indptr[i + 1]]:
            if j < i:
                columns[j].add(i)
    total = n
    for j in range(n):
        total += len(columns[j])
        if columns[j]:
            parent = min(columns[j])
            columns[parent] |= columns[j] - {parent}
    return total


def ordering(name: str, gain: float) -> Script:
    """A permutation that lessens the fill of a grid's Laplacian; RCM, its bandwidth."""

    def script(x: Session) -> None:
        rng = np.random.default_rng(2)
        a = laplacian(20)
        shuffled = rng.permutation(400)
        matrix = Matrix(a.tocsr()[shuffled][:, shuffled], np.float64, 1)
        extra = (0,) if name == "metisnd" else ()
        with Sparse(x) as h:
            for other in (matrix, Matrix(np.eye(7), np.float64), Matrix(scattered(90, 90, "D", 1, 0.02), np.float64)):
                p = np.full(other.n, -1, np.int32)
                x.ok(f"cusolverSpXcsr{name}Host", h, other.n, *other.pattern(), *extra, p.ctypes.data)
                assert sorted(p) == list(range(other.n)), "no permutation"
                if other is not matrix:
                    continue
                if name == "symrcm":
                    b = matrix.a[p][:, p].tocoo()
                    assert np.abs(b.row - b.col).max() <= 3 * 20
                entries = fill(matrix.a, p), fill(matrix.a, np.arange(400))
                assert entries[0] < gain * entries[1], f"{entries[0]} entries in the factor, {entries[1]} unordered"

    return script


def zero_free(letter: str) -> Script:
    def script(x: Session) -> None:
        for n, seed in ((1, 0), (5, 1), (60, 2), (200, 3)):
            matrix = Matrix(scattered(n, n, letter, seed), DTYPES[letter], seed % 2)
            p, count = np.full(n, -1, np.int32), np.zeros(1, np.int32)
            with Sparse(x) as h:
                x.ok(f"cusolverSp{letter}csrzfdHost", h, n, *matrix.arguments(), p.ctypes.data, count.ctypes.data)
            assert sorted(p) == list(range(n)) and count[0] == n
            assert (matrix.a[p].diagonal() != 0).all()

    return script


def structure(x: Session) -> None:
    with Sparse(x) as h:
        for a, want in ((laplacian(5), 1), (np.triu(np.ones((4, 4))), 0), (np.diag([1.0, 2]), 1)):
            matrix = Matrix(a, np.float64, 1)
            yes = np.full(1, 9, np.int32)
            nnz, descr, _, row, col = matrix.arguments()
            x.ok("cusolverSpXcsrissymHost", h, matrix.n, nnz, descr, row, row + 4, col, yes.ctypes.data)
            assert yes[0] == want


def permuted(x: Session) -> None:
    m, n = 9, 7
    rng = np.random.default_rng(1)
    matrix = Matrix(scattered(m, n, "D", 4, 0.3), np.float64, 1)
    p, q = rng.permutation(m).astype(np.int32), rng.permutation(n).astype(np.int32)
    place = np.arange(matrix.nnz, dtype=np.int32)
    nnz, descr, _, row, col = matrix.arguments()
    with Sparse(x) as h:
        common = (h, m, n, nnz, descr, row, col, p.ctypes.data, q.ctypes.data)
        nbytes = x.got("cusolverSpXcsrperm_bufferSizeHost", *common, bits=64)
        x.ok("cusolverSpXcsrpermHost", *common, place.ctypes.data, x.room(nbytes))
    import scipy.sparse as s

    got = s.csr_array((matrix.val[place], matrix.col - 1, matrix.row - 1), shape=(m, n))
    assert (got.toarray() == matrix.a.toarray()[p][:, q]).all()


def handle(x: Session) -> None:
    one, two = (x.got("cusolverSpCreate", bits=64) for _ in range(2))
    assert one != two and x.got("cusolverSpGetStream", one, bits=64) == 0
    x.ok("cusolverSpSetStream", one, x.handles["stream"])
    assert x.got("cusolverSpGetStream", one, bits=64) == x.handles["stream"]
    for h in (one, two):
        x.ok("cusolverSpDestroy", h)


def null_handle(x: Session) -> None:
    assert x.call("cusolverSpCreate", 0) == "INVALID_VALUE"


Entry = tuple[str, "Script", bool]

SCRIPTS: dict[str, tuple[Entry, ...]] = {
    "cusolverSpCreate": (("kept", handle, False), ("null", null_handle, True)),
    "cusolverSpXcsrissymHost": (("patterns", structure, False),),
    "cusolverSpXcsrpermHost": (("permuted", permuted, False),),
    "cusolverSpXcsrsymrcmHost": (("grid", ordering("symrcm", 0.8), False),),
    "cusolverSpXcsrsymmdqHost": (("grid", ordering("symmdq", 0.4), False),),
    "cusolverSpXcsrsymamdHost": (("grid", ordering("symamd", 0.4), False),),
    "cusolverSpXcsrmetisndHost": (("grid", ordering("metisnd", 0.5), False),),
}
for _t in "SDCZ":
    for _how, _host in (("lu", True), ("qr", False), ("qr", True), ("chol", False), ("chol", True)):
        _name = f"cusolverSp{_t}csrlsv{_how}{'Host' if _host else ''}"
        SCRIPTS[_name] = (
            ("systems", systems(_how, _t, _host), False),
            ("singular", singular(_how, _t, _host), False),
            ("arguments", arguments(_name, _t), True),
        )
    SCRIPTS[f"cusolverSp{_t}csrlsqvqrHost"] = (("ranks", least_squares(_t), False),)
    SCRIPTS[f"cusolverSp{_t}csreigvsi"] = (("both-ends", eigenpair(_t, False), False),)
    SCRIPTS[f"cusolverSp{_t}csreigvsiHost"] = (("both-ends", eigenpair(_t, True), False),)
    SCRIPTS[f"cusolverSp{_t}csreigsHost"] = (("boxes", counted(_t), False),)
    SCRIPTS[f"cusolverSp{_t}csrzfdHost"] = (("diagonals", zero_free(_t), False),)
SCRIPTS["cusolverSpDcsrlsvluHost"] += (("wild", wild, True),)
