"""Plane rotations, applied and made as the Reference BLAS does (shared by level 1's pages; not a page: no rows)."""

from __future__ import annotations

import math
from typing import Any

from scale_x.cublas.rows._linalg import relative_error
from scale_x.wrappers_gen.rows import lazy

np = lazy("numpy")


def rot(a: Any) -> dict[str, Any]:
    """(x, y) := (c x + s y, c y - conj(s) x)."""
    return {"x": a.c * a.x + a.s * a.y, "y": a.c * a.y - np.conj(a.s) * a.x}


def rotg(v: Any) -> dict[str, Any]:
    """[c s; -s c] [a; b] = [r; 0], and z from which c and s can be recovered: a, b := r, z."""
    size = abs(v.a) + abs(v.b)
    if size == 0:
        return {"a": 0.0, "b": 0.0, "c": 1.0, "s": 0.0}
    larger = v.a if abs(v.a) > abs(v.b) else v.b
    r = math.copysign(size * math.hypot(v.a / size, v.b / size), larger)
    c, s = v.a / r, v.b / r
    z = s if abs(v.a) > abs(v.b) else 1 / c if c != 0 else 1.0
    return {"a": r, "b": z, "c": c, "s": s}


def complex_rotg(v: Any) -> dict[str, Any]:
    """[c s; -conj(s) c] [a; b] = [r; 0] with real c: a := r, b is kept."""
    if v.a == 0:
        return {"a": v.b, "c": 0.0, "s": 1.0}
    size = abs(v.a) + abs(v.b)
    norm = size * math.hypot(abs(v.a / size), abs(v.b / size))
    phase = v.a / abs(v.a)
    return {"a": phase * norm, "c": abs(v.a) / norm, "s": phase * np.conj(v.b) / norm}


def rotm_matrix(param: Any) -> Any:
    """H from param = flag, h11, h21, h12, h22: the flag says which elements are stored and which are 1, -1 or 0.
    Flags other than -1, 0 and 1 mean the identity (the Reference BLAS reads them by their sign)."""
    flag, h11, h21, h12, h22 = (float(value) for value in param)
    if flag == -1:
        return np.array([[h11, h12], [h21, h22]])
    if flag == 0:
        return np.array([[1.0, h12], [h21, 1.0]])
    if flag == 1:
        return np.array([[h11, 1.0], [-1.0, h22]])
    return np.eye(2)


def rotm(a: Any) -> dict[str, Any]:
    """(x, y) := H (x, y)."""
    h = rotm_matrix(a.param)
    return {"x": h[0, 0] * a.x + h[0, 1] * a.y, "y": h[1, 0] * a.x + h[1, 1] * a.y}


def rotm_error(a: Any, got: Any) -> float:
    """The error of H (x, y) beside the sizes of its two terms: the sign of the flag is not a size."""
    h = np.abs(rotm_matrix(a.param))
    want = rotm(a)
    worst = 0.0
    for row, name in enumerate(("x", "y")):
        terms = h[row, 0] * np.abs(a.x) + h[row, 1] * np.abs(a.y)
        error = np.abs(got[name] - want[name]) / np.where(terms == 0, 1.0, terms)
        worst = max(worst, float(error.max(initial=0.0)) / a.eps)
    return worst


GAM = 4096.0


def rotmg(a: Any) -> dict[str, Any]:
    """The modified Givens H that annihilates the second component of (sqrt(d1) x1, sqrt(d2) y1), rescaled by powers of
    4096 until d1 and d2 are moderate. Only the elements that the flag calls stored are written to param."""
    d1, d2, x1, y1 = (float(value) for value in (a.d1, a.d2, a.x1, a.y1))
    param = np.array(a.param, dtype=float)
    if d1 < 0:
        return {"d1": 0.0, "d2": 0.0, "x1": 0.0, "param": np.array([-1.0, 0, 0, 0, 0])}
    p2 = d2 * y1
    if p2 == 0:
        param[0] = -2.0
        return {"d1": d1, "d2": d2, "x1": x1, "param": param}
    p1, q2 = d1 * x1, p2 * y1
    q1 = p1 * x1
    if abs(q1) > abs(q2):
        flag, h = 0.0, np.array([[1.0, p2 / p1], [-y1 / x1, 1.0]])
        u = 1 - h[0, 1] * h[1, 0]
        d1, d2, x1 = d1 / u, d2 / u, x1 * u
    elif q2 < 0:
        return {"d1": 0.0, "d2": 0.0, "x1": 0.0, "param": np.array([-1.0, 0, 0, 0, 0])}
    else:
        flag, h = 1.0, np.array([[p1 / p2, 1.0], [-1.0, x1 / y1]])
        u = 1 + h[0, 0] * h[1, 1]
        d1, d2, x1 = d2 / u, d1 / u, y1 * u
    d1, grow1 = moderate(d1)
    d2, grow2 = moderate(d2)
    if grow1 != 1 or grow2 != 1:
        flag, x1 = -1.0, x1 / grow1
        h = h / np.array([[grow1], [grow2]])
    param[0] = flag
    stored = {-1.0: (1, 2, 3, 4), 0.0: (2, 3), 1.0: (1, 4)}[flag]
    for place in stored:
        param[place] = h.T.ravel()[place - 1]
    return {"d1": d1, "d2": d2, "x1": x1, "param": param}


def moderate(d: float) -> tuple[float, float]:
    """d scaled by powers of 4096 squared into (4096**-2, 4096**2), and the power of 4096 that H is divided by."""
    grow = 1.0
    while d != 0 and abs(d) <= 1 / GAM**2:
        d, grow = d * GAM**2, grow * GAM
    while d != 0 and abs(d) >= GAM**2:
        d, grow = d / GAM**2, grow / GAM
    return d, grow


def rotg_error(a: Any, got: Any) -> float:
    """How far the rotation is from the oracle's, relatively."""
    return relative_error(rotg(a), got, a.eps)


def complex_rotg_error(a: Any, got: Any) -> float:
    """How far the rotation is from the oracle's, relatively."""
    return relative_error(complex_rotg(a), got, a.eps)


def rotmg_error(a: Any, got: Any) -> float:
    """How far the modified rotation is from the oracle's, relatively; no step of its making cancels."""
    return relative_error(rotmg(a), got, a.eps)
