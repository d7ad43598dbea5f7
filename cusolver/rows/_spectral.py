"""Residuals of eigenvalue and singular value problems, free of the matrix's scale (not a page: no rows).

Each is LAPACK's: a norm of what should vanish over n, the matrix's norm and the precision. Eigenvectors are judged by
what they do, never by their values. Where the input holds a NaN or an infinity, the results must say so: a NaN among
the values or an info that is not 0.
"""

from __future__ import annotations

from typing import Any

from scale_x.cublas.rows._linalg import hermitian as whole
from scale_x.wrappers_gen.rows import lazy

np = lazy("numpy")


def norm(a: Any) -> float:
    """The 1-norm, and 0 for an empty matrix."""
    return float(np.abs(a).sum(axis=0).max(initial=0.0))


def adjoint(a: Any) -> Any:
    return a.conj().T


def over(residual: float, *sizes: float) -> float:
    """residual / product of sizes, where 0 / 0 is 0."""
    divisor = 1.0
    for s in sizes:
        divisor *= s
    return 0.0 if residual == 0 else residual / divisor if divisor > 0 else np.inf


def unitary_error(q: Any, eps: float) -> float:
    """|Q^H Q - I| / (rows eps)."""
    return over(norm(adjoint(q) @ q - np.eye(q.shape[1])), max(q.shape[0], 1), eps)


def refuses(info: Any, *values: Any) -> float:
    """For an input that is not finite: 0 when an info or a NaN among the results says so."""
    told = bool(np.any(np.asarray(info) != 0)) or any(bool(np.any(~np.isfinite(v))) for v in values)
    return 0.0 if told else np.inf


def finite(*matrices: Any) -> bool:
    return all(bool(np.isfinite(m).all()) for m in matrices)


# --- Hermitian --------------------------------------------------------------------------------------------------------


def eigenvalue_error(matrix: Any, w: Any, eps: float) -> float:
    """|w - eigenvalues| / (n |A| eps), by rank."""
    n = matrix.shape[0]
    exact = np.linalg.eigvalsh(matrix)
    if w.size != n or (np.diff(w) < 0).any():
        return np.inf
    return over(float(np.abs(w - exact).max(initial=0.0)), max(n, 1), float(np.abs(exact).max(initial=0.0)), eps)


def eigen_error(matrix: Any, w: Any, v: Any, eps: float) -> float:
    """|A V - V W| / (n |A| eps), and V's distance from orthonormal columns."""
    residual = norm(matrix @ v - v * w)
    return max(over(residual, max(matrix.shape[0], 1), norm(matrix), eps), unitary_error(v, eps))


def eigen_residual(uplo: str, jobz: str, before: Any, w: Any, after: Any, info: Any, eps: float) -> float:
    """Of all eigenvalues, ascending, and with VECTOR the vectors in A's place."""
    matrix = whole(uplo, before)
    if not finite(matrix):
        return refuses(info, w)
    if np.any(np.asarray(info) != 0):
        return np.inf
    worst = eigenvalue_error(matrix, w, eps)
    return max(worst, eigen_error(matrix, w, after, eps)) if jobz == "VECTOR" else worst


def eigen(a: Any) -> dict[str, Any]:
    """All eigenvalues, ascending, and the vectors."""
    w, v = np.linalg.eigh(whole(a.uplo, a.A))
    return {"W": w, "A": v, "info": 0}


def syevd_residual(a: Any, got: Any) -> float:
    return eigen_residual(a.uplo, a.jobz, a.A, got["W"], got["A"], got["info"], a.eps)


def part_of(a: Any, exact: Any) -> Any:
    """The indices of the eigenvalues that a range asks for: all, il..iu from 1, or those in (vl, vu]."""
    if a.range == "RANGE_I":
        return np.arange(a.il - 1, a.iu)
    if a.range == "RANGE_V":
        return np.flatnonzero((exact > a.vl) & (exact <= a.vu))
    return np.arange(exact.size)


def syevdx(a: Any) -> dict[str, Any]:
    """Some eigenvalues, ascending, their vectors, and how many."""
    w, v = np.linalg.eigh(whole(a.uplo, a.A))
    chosen = part_of(a, w)
    return {"W": w[chosen], "A": v[:, chosen], "meig": chosen.size, "info": 0}


def syevdx_residual(a: Any, got: Any) -> float:
    matrix = whole(a.uplo, a.A)
    if not finite(matrix):
        return refuses(got["info"], got["W"])
    exact = np.linalg.eigvalsh(matrix)
    chosen, count = part_of(a, exact), int(np.ravel(got["meig"])[0])
    if np.any(got["info"]) or count != chosen.size:
        return np.inf
    w = got["W"][:count]
    scale = float(np.abs(exact).max(initial=0.0))
    worst = over(float(np.abs(w - exact[chosen]).max(initial=0.0)), max(a.n, 1), scale, a.eps)
    return max(worst, eigen_error(matrix, w, got["A"][:, :count], a.eps)) if a.jobz == "VECTOR" else worst


def batch_residual(a: Any, got: Any) -> float:
    """The largest of a batch, whose eigenvalues come in any order when the object says so."""
    worst = 0.0
    for before, w, after, info in zip(a.A, got["W"], got["A"], np.atleast_1d(got["info"]), strict=True):
        worst = max(worst, eigen_residual(a.uplo, a.jobz, before, w, after, info, a.eps))
    return worst


# --- generalised ------------------------------------------------------------------------------------------------------


def pencil(itype: str, a: Any, b: Any) -> Any:
    """The Hermitian matrix whose eigenvalues the problem has: L^-1 A L^-H, or L^H A L."""
    factor = np.linalg.cholesky(b)
    if itype != "TYPE_1":
        return adjoint(factor) @ a @ factor
    half = np.linalg.solve(factor, a)
    return np.linalg.solve(factor, adjoint(half))


def pencil_error(itype: str, a: Any, b: Any, w: Any, x: Any, eps: float) -> float:
    """A X - B X W, A B X - X W or B A X - X W, over n |A| |B| |X| eps; with X's normalisation."""
    n = max(a.shape[0], 1)
    if itype == "TYPE_1":
        residual, size = norm(a @ x - (b @ x) * w), norm(a) * norm(x)
        size = max(size, norm(b) * norm(x) * float(np.abs(w).max(initial=0.0)))
    else:
        product = a @ (b @ x) if itype == "TYPE_2" else b @ (a @ x)
        residual, size = norm(product - x * w), norm(a) * norm(b) * norm(x)
    weight = np.linalg.inv(b) if itype == "TYPE_3" else b
    unit = norm(adjoint(x) @ weight @ x - np.eye(x.shape[1]))
    condition = norm(b) * norm(np.linalg.inv(b))
    return max(over(residual, n, size, eps), over(unit, n, condition, eps))


def cholesky_error(uplo: str, before: Any, after: Any, eps: float) -> float:
    """B is overwritten by its Cholesky factor, in the triangle that is told."""
    factor = np.tril(after) if uplo == "LOWER" else adjoint(np.triu(after))
    n = max(before.shape[0], 1)
    return over(norm(factor @ adjoint(factor) - before), n, norm(before), eps)


def sygv_residual(a: Any, got: Any) -> float:
    left, right = whole(a.uplo, a.A), whole(a.uplo, a.B)
    if not finite(left, right):
        return refuses(got["info"], got["W"])
    if np.any(got["info"]):
        return np.inf
    exact = np.linalg.eigvalsh(pencil(a.itype, left, right))
    scale = float(np.abs(exact).max(initial=0.0)) * norm(right) * norm(np.linalg.inv(right)) if a.n else 0.0
    w = got["W"]
    worst = over(float(np.abs(w - exact).max(initial=0.0)), max(a.n, 1), scale, a.eps)
    worst = max(worst, cholesky_error(a.uplo, right, got["B"], a.eps))
    return max(worst, pencil_error(a.itype, left, right, w, got["A"], a.eps)) if a.jobz == "VECTOR" else worst


def sygvdx_residual(a: Any, got: Any) -> float:
    left, right = whole(a.uplo, a.A), whole(a.uplo, a.B)
    exact = np.linalg.eigvalsh(pencil(a.itype, left, right))
    chosen, count = part_of(a, exact), int(np.ravel(got["meig"])[0])
    if np.any(got["info"]) or count != chosen.size:
        return np.inf
    w = got["W"][:count]
    scale = float(np.abs(exact).max(initial=0.0)) * norm(right) * norm(np.linalg.inv(right)) if a.n else 0.0
    worst = over(float(np.abs(w - exact[chosen]).max(initial=0.0)), max(a.n, 1), scale, a.eps)
    x = got["A"][:, :count]
    return max(worst, pencil_error(a.itype, left, right, w, x, a.eps)) if a.jobz == "VECTOR" else worst


def sygv(a: Any) -> dict[str, Any]:
    """All eigenvalues of the pencil."""
    left, right = whole(a.uplo, a.A), whole(a.uplo, a.B)
    return {"W": np.linalg.eigvalsh(pencil(a.itype, left, right)), "info": 0}


# --- singular values --------------------------------------------------------------------------------------------------


def singular_error(matrix: Any, s: Any, eps: float) -> float:
    """|s - singular values| / (max(m, n) |A| eps), descending and not negative."""
    exact = np.linalg.svd(matrix, compute_uv=False) if matrix.size else np.zeros(0)
    if s.size != exact.size or (s < 0).any() or (np.diff(s) > 0).any():
        return np.inf
    largest = float(exact.max(initial=0.0))
    return over(float(np.abs(s - exact).max(initial=0.0)), max(*matrix.shape, 1), largest, eps)


def svd_error(matrix: Any, s: Any, u: Any, v: Any, eps: float) -> float:
    """|A - U S V^H| / (max(m, n) |A| eps), and the distances of U and V from orthonormal columns."""
    k = s.size
    residual = norm(matrix - (u[:, :k] * s) @ adjoint(v[:, :k]))
    worst = over(residual, max(*matrix.shape, 1), norm(matrix), eps)
    return max(worst, unitary_error(u, eps), unitary_error(v, eps))


def gesvd(a: Any) -> dict[str, Any]:
    """Singular values, descending; vectors as U and V^H."""
    u, s, vh = np.linalg.svd(a.A)
    return {"S": s, "U": u, "VT": vh, "info": 0}


def letter_of(job: int) -> str:
    return chr(job)


def gesvd_residual(a: Any, got: Any) -> float:
    """Of the values; of U and V^H, wherever they are (O: in A), when both are asked for; else their orthogonality."""
    if not finite(a.A):
        return refuses(got["info"], got["S"])
    if np.any(got["info"]):
        return np.inf
    s, k = got["S"], min(a.m, a.n)
    worst = singular_error(a.A, s, a.eps)
    left, right = letter_of(a.jobu), letter_of(a.jobvt)
    u = {"A": got["U"], "S": got["U"][:, :k], "O": got["A"][:, :k]}.get(left)
    vh = {"A": got["VT"], "S": got["VT"][:k], "O": got["A"][:k]}.get(right)
    if u is not None and vh is not None:
        return max(worst, svd_error(a.A, s, u, adjoint(vh), a.eps))
    for q in (u, None if vh is None else adjoint(vh)):
        if q is not None:
            worst = max(worst, unitary_error(q, a.eps))
    return worst


def gesvdj(a: Any) -> dict[str, Any]:
    """Singular values, descending; vectors as U and V."""
    u, s, vh = np.linalg.svd(a.A)
    return {"S": s, "U": u, "V": adjoint(vh), "info": 0}


def jacobi_residual(matrix: Any, vectors: bool, s: Any, u: Any, v: Any, info: Any, eps: float) -> float:
    if not finite(matrix):
        return refuses(info, s)
    if np.any(info):
        return np.inf
    worst = singular_error(matrix, s, eps)
    return max(worst, svd_error(matrix, s, u, v, eps)) if vectors else worst


def gesvdj_residual(a: Any, got: Any) -> float:
    k = min(a.m, a.n)
    columns = (k, k) if a.econ else (a.m, a.n)
    u, v = got["U"][:, : columns[0]], got["V"][:, : columns[1]]
    return jacobi_residual(a.A, a.jobz == "VECTOR", got["S"], u, v, got["info"], a.eps)


def gesvdj_batch(a: Any) -> dict[str, Any]:
    """Singular values and vectors of every matrix."""
    u, s, vh = np.linalg.svd(a.A)
    return {"S": s, "U": u, "V": np.conj(np.swapaxes(vh, -1, -2)), "info": np.zeros(a.batchSize, dtype=int)}


def gesvdj_batch_residual(a: Any, got: Any) -> float:
    worst, vectors = 0.0, a.jobz == "VECTOR"
    for matrix, s, u, v, info in zip(a.A, got["S"], got["U"], got["V"], np.atleast_1d(got["info"]), strict=True):
        worst = max(worst, jacobi_residual(matrix, vectors, s, u, v, info, a.eps))
    return worst


def gesvda_residual(a: Any, got: Any) -> float:
    """Of the largest ``rank`` singular values: A V - U S, and what the call says of it."""
    worst = 0.0
    for i, (matrix, info) in enumerate(zip(a.d_A, np.atleast_1d(got["d_info"]), strict=True)):
        s = got["d_S"][i]
        if not finite(matrix):
            worst = max(worst, refuses(info, s))
            continue
        if info:
            return np.inf
        exact = np.linalg.svd(matrix, compute_uv=False)
        size, largest = max(*matrix.shape, 1), float(exact.max(initial=0.0))
        worst = max(worst, over(float(np.abs(s - exact[: a.rank]).max(initial=0.0)), size, largest, a.eps))
        if a.jobz != "VECTOR":
            continue
        u, v = got["d_U"][i], got["d_V"][i]
        worst = max(worst, over(norm(matrix @ v - u * s), size, norm(matrix), a.eps))
        worst = max(worst, unitary_error(u, a.eps), unitary_error(v, a.eps))
        worst = max(worst, over(float(got["h_R_nrmF"][i]), size, norm(matrix), a.eps))
    return worst


def gesvda(a: Any) -> dict[str, Any]:
    """The largest singular values of every matrix."""
    s = np.linalg.svd(a.d_A, compute_uv=False)
    return {"d_S": s[:, : a.rank], "d_info": np.zeros(a.batchSize, dtype=int)}


# --- condensed forms --------------------------------------------------------------------------------------------------


def householder(v: Any, tau: Any) -> Any:
    """I - tau v v^H."""
    return np.eye(v.size) - tau * np.outer(v, v.conj())


def product_of(columns: Any, tau: Any, first: int) -> Any:
    """H_1 H_2 ... of reflectors in the columns of a matrix; the j-th has its 1 in row ``first`` + j."""
    n = columns.shape[0]
    q = np.eye(n, dtype=np.result_type(columns, tau))
    for j in range(tau.size):
        v = np.zeros(n, q.dtype)
        if first + j < n:
            v[first + j], v[first + j + 1 :] = 1, columns[first + j + 1 :, j]
            q = q @ householder(v, tau[j])
    return q


def q_of_sytrd(uplo: str, a: Any, tau: Any) -> Any:
    """Q of sytrd: of reflectors below the diagonal, the first at the left, or above it, the last at the right."""
    n = a.shape[0]
    if uplo == "LOWER":
        return product_of(a, tau[: max(n - 1, 0)], 1)
    q = np.eye(n, dtype=np.result_type(a, tau))
    for i in range(n - 2, -1, -1):
        v = np.zeros(n, q.dtype)
        v[i], v[:i] = 1, a[:i, i + 1]
        q = q @ householder(v, tau[i])
    return q


def tridiagonal(a: Any) -> dict[str, Any]:
    """Its eigenvalues are what T must keep: LAPACK's own signs are not asked for."""
    return {"d": np.diag(a.A).real}


def tridiagonal_residual(a: Any, got: Any) -> float:
    """|A - Q T Q^H| / (n |A| eps), Q's distance from unitary; info must be 0."""
    matrix = whole(a.uplo, a.A)
    t = np.diag(got["d"]) + np.diag(got["e"], 1) + np.diag(got["e"], -1)
    q = q_of_sytrd(a.uplo, got["A"], got["tau"])
    if np.any(got["info"]):
        return np.inf
    residual = norm(matrix - q @ t @ adjoint(q))
    return max(over(residual, max(a.n, 1), norm(matrix), a.eps), unitary_error(q, a.eps))


def factors_of_gebrd(a: Any, tauq: Any, taup: Any) -> tuple[Any, Any]:
    """Q and P of gebrd."""
    m, n = a.shape
    k = min(m, n)
    if m >= n:
        return product_of(a[:, :k], tauq[:k], 0), np.conj(product_of(a[:k].T, np.conj(taup[:k]), 1))
    return product_of(a[:, :k], tauq[:k], 1), np.conj(product_of(a[:k].T, np.conj(taup[:k]), 0))


def bidiagonal(a: Any) -> dict[str, Any]:
    return {"D": np.diag(a.A).real}


def bidiagonal_residual(a: Any, got: Any) -> float:
    """|A - Q B P^H| / (max(m, n) |A| eps), the distances of Q and P from unitary; info must be 0."""
    k = min(a.m, a.n)
    b = np.zeros((a.m, a.n))
    b[:k, :k] = np.diag(got["D"]) + np.diag(got["E"], 1 if a.m >= a.n else -1)
    q, p = factors_of_gebrd(got["A"], got["TAUQ"], got["TAUP"])
    if np.any(got["devInfo"]):
        return np.inf
    residual = norm(a.A - q @ b @ adjoint(p))
    worst = over(residual, max(a.m, a.n, 1), norm(a.A), a.eps)
    return max(worst, unitary_error(q, a.eps), unitary_error(p, a.eps))


def q_of_orgbr(a: Any) -> Any:
    """The Q (LEFT) or P^H (RIGHT) whose leading part orgbr writes out."""
    if a.side == "LEFT":
        first = 0 if a.m >= a.k else 1
        return product_of(a.A, a.tau[: min(a.k, a.m - first)], first)[:, : a.n]
    first = 0 if a.k < a.n else 1
    p = np.conj(product_of(a.A.T, np.conj(a.tau[: min(a.k, a.n - first)]), first))
    return adjoint(p)[: a.m]


def orgbr(a: Any) -> dict[str, Any]:
    return {"A": q_of_orgbr(a), "info": 0}


def orgbr_residual(a: Any, got: Any) -> float:
    """|Q - product of the reflectors| / (n eps)."""
    if np.any(got["info"]):
        return np.inf
    return over(norm(got["A"] - q_of_orgbr(a)), max(a.m, a.n, 1), a.eps)


def orgtr(a: Any) -> dict[str, Any]:
    return {"A": q_of_sytrd(a.uplo, a.A, a.tau), "info": 0}


def orgtr_residual(a: Any, got: Any) -> float:
    """|Q - product of the reflectors| / (n eps)."""
    if np.any(got["info"]):
        return np.inf
    return over(norm(got["A"] - q_of_sytrd(a.uplo, a.A, a.tau)), max(a.n, 1), a.eps)


def ormtr(a: Any) -> dict[str, Any]:
    """op(Q) C, or C op(Q)."""
    q = q_of_sytrd(a.uplo, a.A, a.tau)
    q = q if a.trans == "N" else adjoint(q)
    return {"C": q @ a.C if a.side == "LEFT" else a.C @ q, "info": 0}


def ormtr_residual(a: Any, got: Any) -> float:
    """|C - op(Q) C| / (n |C| eps)."""
    if np.any(got["info"]):
        return np.inf
    return over(norm(got["C"] - ormtr(a)["C"]), max(a.m, a.n, 1), norm(a.C), a.eps)
