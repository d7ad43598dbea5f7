"""Products of cublasLtMatmul drawn at random, over everything that may be combined: SCALE_X_CONFORM_SEED=n adds 500."""

from __future__ import annotations

import os
import random
from collections.abc import Iterator

from scale_x.conformance import ltmatmul as lt
from scale_x.conformance.ltmatmul import Product

SEED = os.environ.get("SCALE_X_CONFORM_SEED", "")
COUNT = 500
SIZES = (1, 2, 3, 5, 8, 16, 17, 31, 33, 64, 70)
NO_GRADIENT = {"e4m3-f32": (152, 164, 208), "e4m3-e4m3": (136, 152, 192, 208), "e5m2-e4m3-e5m2": (136, 152, 192, 208)}


def epilogue(r: random.Random, kind: str, ops: str, rows: str) -> int:
    """One that the kind has with these transposes and orders; often none."""
    e = r.choice([1, 1, *lt.EPILOGUES])
    eight = kind[0] in "ei"
    allowed = (
        kind[0] != "c" and kind != "i8-i32" and (kind != "i8-i8" or ops == "TN")
        and ("D" not in rows or e in (1, 2, 32)) and e not in NO_GRADIENT.get(kind, ())
        and (e < 256 or not eight)
        and (e != 256 or (ops[0] == "N" and "A" not in rows)) and (e != 512 or (ops[1] != "N" and "B" not in rows))
    )  # fmt: skip
    return e if allowed else 1


def factors(r: random.Random, kind: str) -> tuple[float, float]:
    if kind == "i8-i32":
        return r.choice([1.0, -2.0, 3.0]), r.choice([0.0, 1.0, 2.0])
    alpha, beta = r.choice([1.0, 0.5, -2.0, 0.25]), r.choice([0.0, 1.0, -0.5, 2.0])
    return (alpha / 64 if kind == "i8-i8" else alpha), beta


def products(seed: str = SEED) -> Iterator[Product]:
    r = random.Random(seed)
    for _ in range(COUNT if seed else 0):
        kind = r.choice([k for k in lt.KINDS if not k.startswith("e2m1")])
        ops = r.choice(["NN", "NT", "TN", "TT", "CN", "NC", "CT"])
        rows = r.choice(["", "", "A", "B", "AB", "D", "AD", "BD", "ABD"])
        if kind[0] == "c" and "C" in ops:
            rows = ""  # the conjugate of a row-major matrix is refused
        e, (alpha, beta) = epilogue(r, kind, ops, rows), factors(r, kind)
        m, n, k = (r.choice(SIZES) for _ in range(3))
        batch = r.choice([1, 1, 2, 3])
        in_place = r.random() < 0.2 and lt.KINDS[kind].c == lt.KINDS[kind].d
        yield Product(
            kind, m, n, 0 if r.random() < 0.05 else k, ops[0], ops[1], e, alpha, beta, rows, batch,
            shared="" if batch == 1 else r.choice(["", "A", "B", "AB", *([] if in_place else ["C"])]),
            arrays=batch > 1 and r.random() < 0.3, mode=r.choice([0, 0, 1]), pad=r.choice([0, 0, 3, 4]),
            in_place=in_place, no_c=r.random() < 0.2 and beta == 0 and not in_place,
            bias_stride=batch > 1 and bool(e & 4) and r.random() < 0.5,
        )  # fmt: skip
