"""What the pages of level 1 with types as arguments share: the types known, and the inputs swept."""

from __future__ import annotations

from scale_x.wrappers_gen.rows import INOUT, Arg, Check, Vec

KNOWN = "(R_16F, C_16F, R_16BF, C_16BF, R_32F, C_32F, R_64F, C_64F, R_8I, C_8I, R_8U, C_8U, R_32I, C_32I, R_32U, C_32U)"
X_KNOWN, Y_KNOWN, ALPHA_KNOWN, RESULT_KNOWN = (
    Check(f"xType in {KNOWN}"),
    Check(f"yType in {KNOWN}"),
    Check(f"alphaType in {KNOWN}"),
    Check(f"resultType in {KNOWN}"),
)
SPELLED, SPELT = Check(f"executionType in {KNOWN}"), Check(f"executiontype in {KNOWN}")  # NVIDIA writes it both ways

#: one type for everything, or a 16-bit vector computed in single precision
PLAIN = "(R_32F, R_64F, C_32F, C_64F)"
HALF = "(R_16F, R_16BF)"

SIZES = (0, 1, 2, 17, 1000)
INCREMENTS = (1, 2, -1, -3)
X_AND_Y: dict[str, Arg] = {
    "x": Vec(n="n", inc="incx", T="xType", dir=INOUT),
    "y": Vec(n="n", inc="incy", T="yType", dir=INOUT),
}
ONE_SWEEP = {"n": SIZES, "incx": (1, 2, 0, -1)}
TWO_SWEEP = {"n": SIZES, "incx incy": ((2, 1), (1, -1), (-1, 2), (-3, -1), (0, 1))}
PAIRS = (
    ("R_32F", "R_32F"),
    ("R_64F", "R_64F"),
    ("C_32F", "C_32F"),
    ("C_64F", "C_64F"),
    ("R_16F", "R_16F"),
    ("R_16BF", "R_16BF"),
)
BAD_PAIRS = (("R_32F", "R_64F"), ("R_16F", "R_16BF"), ("C_16F", "C_16F"), ("R_8I", "R_8I"))
SINGLE = {"xType": "R_32F", "yType": "R_32F", "n": 17, "incx": 1, "incy": 1}
TYPED_ONCE = ("R_32F", "R_64F", "C_32F", "C_64F", "R_16F", "R_16BF", "C_16F", "R_8I")
