"""Compares what came back with what the oracle expects. Every measure is a ratio: at most 1 passes, NaN never does."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from types import SimpleNamespace
from typing import Any

import numpy as np

from scale_x.conformance import layout
from scale_x.wrappers_gen import rows as R


class Magnitude(np.ndarray):
    """Absolute values: subtraction adds and every operand counts by its size, so that an oracle run on them bounds what
    can cancel."""

    def __array_ufunc__(self, ufunc: np.ufunc, method: str, *inputs: Any, **kwargs: Any) -> Any:
        swap = {np.subtract: np.add, np.negative: np.positive}
        plain = [np.abs(i.view(np.ndarray) if isinstance(i, Magnitude) else i) for i in inputs]
        if "out" in kwargs:
            kwargs["out"] = tuple(o.view(np.ndarray) if isinstance(o, Magnitude) else o for o in kwargs["out"])
        result = getattr(swap.get(ufunc, ufunc), method)(*plain, **kwargs)
        return result.view(Magnitude) if isinstance(result, np.ndarray) else result


class _Positive(float):
    """A magnitude scalar: its negative is itself."""

    def __neg__(self) -> _Positive:
        return self

    def __sub__(self, other: float) -> Any:
        return self + other

    def __rsub__(self, other: float) -> Any:
        return self + other


def magnitudes(a: SimpleNamespace, as_they_are: Collection[str] = ()) -> SimpleNamespace:
    """``as_they_are`` names arguments whose signs steer the oracle."""
    out: dict[str, Any] = {}
    for name, value in vars(a).items():
        if name in as_they_are:
            out[name] = value
        elif isinstance(value, np.ndarray) and value.dtype.kind in "fc":
            out[name] = np.abs(value).view(Magnitude)
        elif isinstance(value, float | complex):
            out[name] = _Positive(abs(value))
        else:
            out[name] = value
    return SimpleNamespace(**out)


def exact(got: np.ndarray, want: np.ndarray) -> tuple[float, str]:
    """Bit for bit, except that any NaN equals any NaN."""
    want = np.asarray(want).astype(got.dtype)
    same = (got == want) | ((got != got) & (want != want))
    return (0.0, "") if same.all() else (np.inf, _first(got, want, ~same))


def componentwise(got: np.ndarray, want: np.ndarray, bound: np.ndarray, nan_free: bool = False) -> tuple[float, str]:
    """max |got - want| / bound. A NaN or an infinity must be met by the same; ``nan_free``: a NaN may have
    spread or not."""
    wide = np.complex128 if got.dtype.kind == "c" else np.float64
    g, w = got.astype(wide), np.asarray(want).astype(wide)
    with np.errstate(all="ignore"):
        difference = np.abs(g - w)
        ratio = np.where(difference == 0, 0.0, difference / bound)
        if not (np.isfinite(w).all() and np.isfinite(g).all()):
            limit = _largest(got.dtype)
            agree = (np.isnan(g) & np.isnan(w)) | ((g == w) & np.isinf(w))
            overflow = np.isinf(g) & np.isfinite(w) & (np.abs(w) + bound > limit)
            ratio = np.where(agree | overflow | (nan_free & (np.isnan(w) | np.isnan(g))), 0.0, ratio)
            ratio = np.where(np.isnan(ratio), np.inf, ratio)
    worst = float(np.max(ratio, initial=0.0))
    return worst, "" if worst <= 1 else _first(got, want, ~(ratio <= 1))


def _largest(dtype: np.dtype) -> float:
    for letter, d in layout.DTYPES.items():
        if d == dtype and letter in "HB":
            return 65504.0 if letter == "H" else 3.3895e38
    return float(np.finfo(dtype).max)


def _first(got: np.ndarray, want: np.ndarray, bad: np.ndarray) -> str:
    if bad.ndim == 0:
        return f"got {got}, want {want}"
    where = tuple(int(i) for i in np.argwhere(bad)[0])
    value = np.broadcast_to(want, got.shape)[where]
    return f"{int(bad.sum())} of {bad.size} wrong, first at {where}: got {got[where]!s}, want {value!s}"


def outputs(
    rule: R.Componentwise | R.Residual | R.Exact | None,
    a: SimpleNamespace,
    want: Mapping[str, Any],
    bound: Mapping[str, Any],
    got: Mapping[str, tuple[str, np.ndarray, np.ndarray | None]],
    length: int,
    nan_free: bool,
    slack: float = 1.0,
) -> tuple[float, str]:
    """Worst ratio over all outputs and the first complaint. ``got``: name -> (letter, logical array, mask)."""
    worst, complaint = 0.0, ""

    def note(name: str, ratio: float, text: str) -> None:
        nonlocal worst, complaint
        if not ratio <= worst:  # NaN included
            worst = ratio
        if not ratio <= 1 and not complaint:
            complaint = f"{name}: {text or f'ratio {ratio:.3g}'}"

    if isinstance(rule, R.Residual):
        values = {n: _wide(g)[()] for n, (_, g, _) in got.items()}
        with np.errstate(all="ignore"):
            ratio = float(rule.fn(a, values)) / rule.bound
        note("residual", 0.0 if nan_free and np.isnan(ratio) else ratio, "")
        return worst, complaint
    for name, (letter, array, mask) in got.items():
        if name not in want:
            return np.inf, f"{name}: the oracle says nothing about this output"
        expected = np.asarray(want[name])
        if expected.shape != array.shape:
            if expected.size != array.size:
                return np.inf, f"{name}: the oracle's shape {expected.shape} is not {array.shape}"
            expected = expected.reshape(array.shape)
        if mask is not None:
            array, expected = array[mask], expected[mask]
        if isinstance(rule, R.Exact) or letter not in layout.EPS:
            note(name, *exact(array, expected))
            continue
        size = np.abs(np.asarray(bound[name])).reshape(want_shape) if (want_shape := np.shape(want[name])) else np.abs(
            np.asarray(bound[name]))  # fmt: skip
        size = np.asarray(size, np.float64).reshape(got[name][1].shape)
        if mask is not None:
            size = size[mask]
        eps, tiny = layout.EPS[letter], layout.TINY[letter]
        factor = slack * (rule.factor if rule else 2.0)
        with np.errstate(all="ignore"):
            limit = factor * (length + 2) * (eps * np.where(np.isnan(size), np.inf, size) + eps * tiny)
        note(name, *componentwise(array, expected, limit, nan_free))
    return worst, complaint


def _wide(array: np.ndarray) -> np.ndarray:
    if array.dtype.kind == "c":
        return array.astype(np.complex128)
    return array.astype(np.float64) if array.dtype.kind not in "iu" else array
