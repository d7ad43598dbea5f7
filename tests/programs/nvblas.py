"""Every routine of nvblas against NumPy. Usage: nvblas.py LIBDIR MAJOR DEVICES"""

from __future__ import annotations

import ctypes
import itertools
from typing import Any

import numpy as np
import xt
from cuda import LETTERS, random

from scale_x.wrappers_gen import spec

nvblas = ctypes.CDLL(str(xt.LIB / f"libnvblas.so.{xt.MAJOR}"))
FUNCTIONS = spec.load("nvblas").functions
ENUMERATORS = {"trans": "NTC", "transa": "NTC", "transb": "NTC", "uplo": "LU", "side": "LR", "diag": "NU"}
called: set[str] = set()


class Runner(xt.Runner):
    """The products of cublasXt's test, asked by their Fortran names: with and without the underscore in turn."""

    def call(self, name: str, *arguments: Any) -> None:
        symbol = f"{self.letter.lower()}{name}"
        symbol += "" if f"{symbol}_" in called and symbol not in called else "_"
        called.add(symbol)
        parameters = FUNCTIONS[symbol].params
        assert len(parameters) == len(arguments), (symbol, len(arguments))
        keep = [self.argument(p.name, x) for p, x in zip(parameters, arguments, strict=True)]
        function = getattr(nvblas, symbol)
        function.restype = None
        function(*(x if isinstance(x, ctypes.c_void_p) else ctypes.byref(x) for x in keep))

    def argument(self, name: str, x: Any) -> Any:
        if isinstance(x, xt.Scalar | xt.Matrix):
            return ctypes.c_void_p(x.address)
        return ctypes.c_char(ENUMERATORS[name][x].encode()) if name in ENUMERATORS else ctypes.c_int(x)

    def sided(self, m: int, n: int) -> None:
        for name, side, uplo in itertools.product(("symm", "hemm"), range(2), range(2)):
            if name == "symm" or self.complex:
                self.side(name, side, uplo, m, n)

    def side(self, name: str, side: int, uplo: int, m: int, n: int) -> None:
        order = n if side else m
        (a, ma), (b, mb), (c, mc) = self.matrix(order, order), self.matrix(m, n), self.matrix(m, n)
        alpha, beta = self.factors()
        full = xt.mirrored(uplo, a, name == "hemm")
        self.call(name, side, uplo, m, n, alpha, ma, ma.ld, mb, mb.ld, beta, mc, mc.ld)
        self.same((name, side, uplo), mc, alpha.value * (b @ full if side else full @ b) + beta.value * c)

    def triangular(self, m: int, n: int) -> None:
        for side, uplo, trans, unit in itertools.product(range(2), range(2), range(3), range(2)):
            order = n if side else m
            a = random(xt.rng, (order, order), self.dtype) / order + np.diag(np.full(order, 1 if unit else 2))
            ma = xt.Matrix(np.asfortranarray(a.astype(self.dtype)), False)
            t = xt.op(trans, xt.triangle(uplo, a, unit))
            b, mb = self.matrix(m, n)
            alpha = xt.Scalar(1.25 - 0.5j, self.dtype)
            self.call("trmm", side, uplo, trans, unit, m, n, alpha, ma, ma.ld, mb, mb.ld)
            self.same(("trmm", side, uplo, trans, unit), mb, alpha.value * (b @ t if side else t @ b))
            self.call("trsm", side, uplo, trans, unit, m, n, alpha, ma, ma.ld, mb, mb.ld)
            self.same(("trsm", side, uplo, trans, unit), mb, alpha.value**2 * b)

    def updates(self, n: int, k: int) -> None:
        for name, uplo, trans in itertools.product(("rk", "r2k"), range(2), range(3)):
            for kind in ("sy", "he"):
                if kind == "he" and (not self.complex or trans == 1) or kind == "sy" and self.complex and trans == 2:
                    continue
                self.update(kind + name, kind == "he", uplo, trans, n, k)


def main() -> None:
    for letter in LETTERS:
        r = Runner(0, letter, False)
        r.gemm(37, 45, 29)
        r.sided(37, 21)
        r.triangular(41, 19)
        r.updates(37, 21)
    assert called == set(FUNCTIONS), set(FUNCTIONS) - called
    print("ok")


main()
