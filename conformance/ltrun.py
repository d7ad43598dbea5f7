"""Runs a product through cublasLtMatmul: descriptors, heuristic, call, comparison with what must come out."""

from __future__ import annotations

import ctypes
import os
from typing import TYPE_CHECKING, Any

import numpy as np

from scale_x.conformance import ltmatmul as lt
from scale_x.conformance.fftcases import Device
from scale_x.conformance.ltmatmul import ATTRIBUTES, DTYPES, KINDS, WIDE, Problem, Product, Stored, room_for

if TYPE_CHECKING:
    from scale_x.conformance.scripts import Script, Session

OPS = {"N": 0, "T": 1, "C": 2, "CONJ": 3}
WORKSPACE = 1 << 22
EXACT = os.environ.get("SCALE_X_COMPAT") == "exact"
RESULT = 96  # bytes of cublasLtMatmulHeuristicResult_t


class Made:
    """Descriptors of one call; destroyed at the end."""

    def __init__(self, x: Session) -> None:
        self.x = x
        self._live: list[tuple[str, int]] = []

    def __enter__(self) -> Made:
        self.handle = self.x.got("cublasLtCreate", bits=64)
        return self

    def __exit__(self, *_: object) -> None:
        for name, struct in self._live:
            self.x.ok(f"cublasLt{name}Destroy", struct)
        self.x.ok("cublasLtDestroy", self.handle)

    def new(self, name: str, *arguments: int) -> int:
        out = self.x.room(8, 0)
        self.x.ok(f"cublasLt{name}Create", out, *arguments)
        struct = int(ctypes.c_uint64.from_address(out).value)
        self._live.append((name.removeprefix("Grouped"), struct))
        return struct

    def set(self, name: str, struct: int, number: int, value: int, nbytes: int) -> None:
        buf = self.x.room(8, 0)
        ctypes.memmove(buf, int(value).to_bytes(8, "little", signed=value < 0), 8)
        self.x.ok(f"cublasLt{name}SetAttribute", struct, number, buf, nbytes)

    def desc(self, compute: int, scale: int, **attributes: int) -> int:
        desc = self.new("MatmulDesc", compute, scale)
        for name, value in attributes.items():
            self.set("MatmulDesc", desc, ATTRIBUTES[name], value, 8 if name in WIDE else 4)
        return desc

    def layout(self, type_: int, s: Stored, batch: int = 1, stride: int = 0, arrays: bool = False) -> int:
        layout = self.new("MatrixLayout", type_, s.rows, s.cols, s.ld)
        if s.order:
            self.set("MatrixLayout", layout, 1, 1, 4)
        if batch > 1:
            self.set("MatrixLayout", layout, 5, batch, 4)
            self.set("MatrixLayout", layout, 6, stride, 8)
        if arrays:
            self.set("MatrixLayout", layout, 8, 1, 4)
        return layout

    def preference(self, workspace: int = WORKSPACE) -> int:
        preference = self.new("MatmulPreference")
        self.set("MatmulPreference", preference, 1, workspace, 8)
        return preference


class Run:
    """The memory and descriptors of a product, and its call."""

    def __init__(self, x: Session, made: Made, device: Device, problem: Problem) -> None:
        self.x, self.made, self.device, self.problem = x, made, device, problem
        self.p, self.kind = problem.p, KINDS[problem.p.kind]
        self._matrices()
        self._epilogue()
        self._describe()

    def _matrices(self) -> None:
        p, kind = self.p, self.kind
        self.sa = lt.stored(lt.operate(p.transa, self.problem.a), kind.a, "A" in p.rows, p.pad)
        self.sb = lt.stored(lt.operate(p.transb, self.problem.b), kind.b, "B" in p.rows, p.pad)
        self.sc = lt.stored(self.problem.c, kind.c, "D" in p.rows, p.pad)
        nothing = np.full((p.batch, p.m, p.n), 77 if kind.d in (3, 10) else np.nan)
        self.sd = lt.stored(nothing.astype(DTYPES[kind.d]), kind.d, "D" in p.rows, p.pad)
        if p.in_place:
            self.sd = self.sc
        self.a, self.b, self.c = (self.device.put(s.memory) for s in (self.sa, self.sb, self.sc))
        self.d = self.c if p.in_place else self.device.put(self.sd.memory)

    def _epilogue(self) -> None:
        p, kind = self.p, self.kind
        self.attributes: dict[str, int] = {"epilogue": p.epilogue}
        self.aux: np.ndarray[Any, Any] | None = None
        self.bias: np.ndarray[Any, Any] | None = None
        if p.epilogue & 4 or p.epilogue in lt.GRADIENTS:
            length = p.n if p.epilogue == 512 else p.m
            lead = p.batch if p.bias_stride or p.epilogue in lt.GRADIENTS else 1
            given = self.problem.bias
            self.bias = given if given is not None else np.full((lead, length), 77).astype(DTYPES[kind.bias_type])
            self.bias_at = self.device.put(self.bias)
            self.attributes["bias"] = self.bias_at
            if lead > 1:
                self.attributes["bias_stride"] = length
        if p.epilogue in lt.MASKS:
            self.aux_ld = (p.m + 127) // 128 * 128
            bits = np.zeros((p.batch, p.n, self.aux_ld), bool)
            if self.problem.aux is not None:
                bits[:, :, : p.m] = np.swapaxes(self.problem.aux, -1, -2)
            self.aux = np.packbits(bits, axis=-1, bitorder="little")
            self._put_aux(p.n * self.aux_ld)
        elif p.epilogue & 128:
            self.aux_ld = p.m + 3 if self.x.own else -(-p.m // 8) * 8  # else NVIDIA's kernels may fault
            type_ = 14 if kind.d in (28, 29) else kind.d
            self.aux = np.full((p.batch, p.n, self.aux_ld), 77).astype(DTYPES[type_])
            if self.problem.aux is not None:
                self.aux[:, :, : p.m] = np.swapaxes(self.problem.aux, -1, -2)
            self._put_aux(p.n * self.aux_ld)

    def _put_aux(self, stride: int) -> None:
        assert self.aux is not None
        self.aux_at = self.device.put(self.aux)
        self.attributes |= {"aux": self.aux_at, "aux_ld": self.aux_ld, "aux_stride": stride}

    def _describe(self) -> None:
        p, kind, made = self.p, self.kind, self.made
        self.attributes |= {"transa": OPS[p.transa], "transb": OPS[p.transb], "pointer_mode": p.mode}
        for name, value in p.scales.items():
            self.attributes[name] = self.device.put(np.array([value], np.float32))
        self.desc = made.desc(kind.compute, kind.scale, **self.attributes)
        self.layouts = []
        for name, type_, s in (("A", kind.a, self.sa), ("B", kind.b, self.sb), ("C", kind.c, self.sc),
                               ("D", kind.d, self.sd)):  # fmt: skip
            stride = 0 if name in p.shared else s.stride
            self.layouts.append(made.layout(type_, s, p.batch, stride, p.arrays))

    def scalar(self, value: complex, vector: bool = False) -> int:
        dtype = DTYPES[self.kind.scale]
        exact = value if np.issubdtype(dtype, np.complexfloating) else complex(value).real
        values = np.full(self.p.m if vector else 1, exact)
        if self.p.mode == 0 or (self.p.mode == 4 and not vector):
            return room_for(self.x, values, dtype)
        return self.device.put(values.astype(dtype))

    def heuristic(self, count: int = 1) -> tuple[str, int, int]:
        """Status, count, the address of the results."""
        results, found = self.x.room(RESULT * count, 0), self.x.room(4)
        status = self.x.call("cublasLtMatmulAlgoGetHeuristic", self.made.handle, self.desc, *self.layouts,
                             self.made.preference(), count, results, found)  # fmt: skip
        return status, ctypes.c_int.from_address(found).value, results

    def addresses(self, base: int, s: Stored, shared: bool) -> int:
        size = s.memory.itemsize * (0 if shared else s.stride)
        return self.device.put(np.array([base + i * size for i in range(self.p.batch)], np.uint64))

    def call(self, algo: int = 0) -> str:
        p = self.p
        a, b, c, d = self.a, self.b, self.c, self.d
        if p.arrays:
            a, b, c = (self.addresses(q, s, n in p.shared) for q, s, n in
                       ((a, self.sa, "A"), (b, self.sb, "B"), (c, self.sc, "C")))  # fmt: skip
            d = self.addresses(d, self.sd, False)
        workspace = self.device.put(np.zeros(WORKSPACE, np.uint8))
        al, ad, bd, cd, dd = self.scalar(p.alpha, p.mode == 4), *self.layouts
        return self.x.call("cublasLtMatmul", self.made.handle, self.desc, al, a, ad, b, bd, self.scalar(p.beta),
                           0 if p.no_c else c, 0 if p.no_c else cd, d, dd, algo, workspace, WORKSPACE, 0)  # fmt: skip

    # --- what came out ------------------------------------------------------------------------------------------------

    def outputs(self) -> dict[str, np.ndarray[Any, Any]]:
        """Every output, with what surrounds it checked."""
        p, kind = self.p, self.kind
        memory = self.device.get(self.d, self.sd.memory)
        outside = self.sd.outside(memory).tobytes()
        assert outside == self.sd.outside(self.sd.memory).tobytes(), "written between the columns of D"
        out = {"D": self.sd.matrices(memory)}
        if p.epilogue in lt.GRADIENTS:
            assert self.bias is not None
            out["bias"] = self.device.get(self.bias_at, self.bias)
        if p.epilogue in (130, 134, 160, 164):
            assert self.aux is not None
            got = self.device.get(self.aux_at, self.aux)
            if p.epilogue in lt.MASKS:
                out["aux"] = np.swapaxes(np.unpackbits(got, axis=-1, bitorder="little")[:, :, : p.m], -1, -2)
            else:
                assert (got[:, :, p.m :].astype(np.float32) == 77).all(), "written below the auxiliary matrix"
                out["aux"] = np.swapaxes(got[:, :, : p.m], -1, -2)
        if "amax_d" in p.scales:
            out["amax"] = self.device.get(self.attributes["amax_d"], np.zeros(1, np.float32))
        if kind.d != kind.c or not p.in_place:
            assert self.device.get(self.c, self.sc.memory).tobytes() == self.sc.memory.tobytes(), "C changed"
        return out

    def check(self) -> None:
        p, kind = self.p, self.kind
        got = self.outputs()
        types = {"D": kind.d, "bias": kind.bias_type, "aux": 14 if kind.d in (28, 29) else kind.d, "amax": 0}
        for name, (want, bound) in self.problem.expected(self.x.own).items():
            if name == "aux" and p.epilogue in lt.MASKS:
                x, near = self.problem.accumulated(self.x.own)
                sure = np.isnan(x) | (np.abs(x) > near) | (x == 0)
                assert (got[name].astype(bool) == want)[sure].all(), "bits of the mask"
                continue
            said = lt.compared(got[name].reshape(np.shape(want)), np.asarray(want), np.asarray(bound), types[name])
            assert not said[0], f"{name}: {said[0]}"
            self.x.ratio = max(self.x.ratio, said[1])


def product(p: Product) -> Script:
    """The heuristic finds an algorithm, and the product with it is right."""

    def script(x: Session) -> None:
        if p.arrays and x.cuda < 12:
            return  # without batches by address
        problem = Problem.of(p)
        with Made(x) as made, Device(x) as device:
            run = Run(x, made, device, problem)
            status, count, results = run.heuristic()
            assert status == "SUCCESS", f"the heuristic answers {status}"
            assert count >= 1, f"the heuristic answers SUCCESS and {count} results"
            status = run.call(results if p.algo else 0)
            assert status == "SUCCESS", f"cublasLtMatmul answers {status}"
            run.check()

    return script


def only_exact(p: Product) -> Script:
    """NVIDIA's chip has no kernel: NOT_SUPPORTED there and with SCALE_X_COMPAT=exact, else computed right."""

    def script(x: Session) -> None:
        with Made(x) as made, Device(x) as device:
            run = Run(x, made, device, Problem.of(p))
            said, count, _ = run.heuristic()
            assert said == ("NOT_SUPPORTED" if EXACT else "SUCCESS"), f"the heuristic answers {said}"
            assert EXACT or count >= 1
            assert run.call() == said
            if not EXACT:
                run.check()

    return script
