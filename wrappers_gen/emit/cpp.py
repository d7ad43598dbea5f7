"""The wrappers: one C++ file per rows page, and the declarations of the native bodies that rows name.

A wrapper is straight-line code: the row's steps in their order, then its paths. Nothing on the way to the ROCm call
locks, allocates, throws or touches thread-local storage; what is rare is out of line. Locals end in ``_sx``, because
NVIDIA's parameters are called ``s``, ``c``, ``a`` and ``n``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from .. import rows, spec
from ..expr import Cpp, ExprError, Var
from ..model import Model, ModelError, Symbol
from .ctypes import variable
from .stubs import signature
from .text import banner

#: what a handle's canonical type is kept as in core
HANDLES = {
    "cublasContext *": "SX_KIND_BLAS",
    "cusolverDnContext *": "SX_KIND_SOLVER",
    "cublasLtContext *": "SX_KIND_LT",
    "cublasXtContext *": "SX_KIND_XT",
}
C_OF = {"S": "float", "D": "double", "C": "cuComplex", "Z": "cuDoubleComplex", "H": "__half", "B": "__nv_bfloat16",
         "I": "int", "L": "int64_t"}  # fmt: skip
_REAL = {"C": "S", "Z": "D"}


class RowError(ModelError):
    """A row that cannot be emitted."""


def letter_of(symbol: Symbol, T: str) -> str:
    """A Scalar's T as a type letter."""
    own = symbol.names.letter
    return own if T == "T" else _REAL.get(own, own) if T == "R" else T


class Wrapper:
    """One wrapper's C++."""

    def __init__(self, model: Model, symbol: Symbol) -> None:
        assert symbol.row is not None
        self.model, self.symbol, self.enums, self.row = model, symbol, model.enums, symbol.row
        self.f, self.names = symbol.function, symbol.names
        self.folder = spec.LIBRARIES[symbol.library]
        self.types = model.types.get(self.folder)
        self.runtime = symbol.library == "cudart"
        self.slot = ""  # C++ of the handle's slot, once checked
        self.info = ""  # the host integer that says which argument is bad, once it may be written
        self.device_info: rows.DeviceInfo | None = None  # the same on the device
        self.solver = self.folder == "cusolver"
        self.params = {p.name: p for p in self.f.params}
        self.variables = {p.name: self._variable(p) for p in self.f.params}

    def _variable(self, p: spec.Param) -> Var:
        arg = self.row.args.get(p.name)
        if not isinstance(arg, rows.Scalar):
            return variable(p, self.enums, by_mode=False)
        v = variable(p, self.enums, by_mode=not arg.host)
        if v.type == "void":
            v = Var(v.kind, v.bits, C_OF.get(letter_of(self.symbol, arg.T), "void"), v.by_mode)
        return v

    # ---- expressions and statuses --------------------------------------------------------------------------------

    def cpp(self) -> Cpp:
        letter = self.names.letter
        return Cpp(
            self.variables,
            self.types.short if self.types else {},
            self.model.rocm_enumerators,
            complex_type=letter in "CZ" if letter else None,
            host_mode="host_sx" if self.slot else "",
        )

    def status(self, name: str) -> str:
        """A step's status as an enumerator of the return type."""
        e = self.enums.find(self.f.ret)
        if e is None:
            raise RowError(f"{self.f.name} returns {self.f.ret}, so it has no status {name!r}")
        values = {v.name: v.value for v in e.values}
        prefix = self.types.status.prefix if self.types and self.types.status else ""
        if name == "SUCCESS":
            return next(n for n, v in values.items() if v == 0)
        for candidate in (prefix + name, name):
            if candidate in values:
                return candidate
        raise RowError(f"{name!r} is no status of {e.name}")

    def answer(self, text: str) -> str:
        if self.runtime and text != self.status("SUCCESS"):
            return f"return sx_runtime_result({text});"
        return f"return {text};"

    def error(self, text: str) -> str:
        """Return of an int that core made, a status of this library by value."""
        if self.solver:
            return f"return sx_solver_status({text});"
        return self.answer(f"static_cast<{self.f.ret}>({text})")

    # ---- steps ---------------------------------------------------------------------------------------------------

    def step(self, s: rows.Step) -> Iterator[str]:
        if isinstance(s, rows.Handle):
            yield from self._handle(s)
        elif isinstance(s, rows.Provider):
            yield "  if (SX_UNLIKELY(!sx_loaded())) {"
            converted = "sx_from_hip_error(static_cast<hipError_t>(e_sx))" if self.runtime else self.status(s.status)
            yield f"    if (const int e_sx = sx_provider_load(); e_sx != 0) {self.answer(converted)}"
            yield "  }"
        elif isinstance(s, rows.Check):
            condition = self.cpp().condition(s.holds)
            if condition.constant is not True:
                yield f"  if (SX_UNLIKELY(!({condition.text}))) {self._refuse(s.number, s.status)}"
        elif isinstance(s, rows.ChipLimit):
            condition = self.cpp().condition(s.holds)
            yield f"  if (SX_UNLIKELY(sx_exact) && !({condition.text})) {self.answer(self.status(s.status))}"
        elif isinstance(s, rows.Quick):
            yield from self._quick(s)
        elif isinstance(s, rows.NotNull):
            yield f"  if ({self._nulls(s.args, s.unless)}) {self._refuse(s.number, s.status)}"
        elif isinstance(s, rows.SkipNull):
            yield f"  if ({self._nulls(s.args, s.unless)}) {self.answer(self.status('SUCCESS'))}"
        elif isinstance(s, rows.Info):
            if s.arg not in self.params:
                raise RowError(f"Info: {s.arg!r} is no argument of {self.f.name}")
            self.info = s.arg
            yield f"  *{s.arg} = 0;"
        elif isinstance(s, rows.DeviceInfo):
            if s.arg not in self.params or not self.slot:
                raise RowError(f"DeviceInfo: {s.arg!r} is no argument of {self.f.name}, or no Handle comes before it")
            self.device_info = s
        elif isinstance(s, rows.Zero):
            yield from self._zero(s)
        else:
            raise RowError(f"unknown step {s!r}")

    def _zero(self, s: rows.Zero) -> Iterator[str]:
        for name in s.args:
            if name not in self.variables or self.variables[name].kind != "pointer":
                raise RowError(f"Zero: {name!r} is no pointer argument of {self.f.name}")
            yield f"  if (SX_LIKELY({name} != nullptr)) *{name} = 0;"

    def _handle(self, s: rows.Handle) -> Iterator[str]:
        if s.arg not in self.params:
            raise RowError(f"Handle: {s.arg!r} is no argument of {self.f.name}")
        canon = self.params[s.arg].canon.replace("struct ", "")
        if canon not in HANDLES:
            raise RowError(f"Handle: {s.arg!r} of type {self.params[s.arg].type} is no handle that core keeps")
        yield f"  sx_blas_slot* const slot_sx = sx_slot_of({s.arg}, {HANDLES[canon]});"
        yield f"  if (SX_UNLIKELY(slot_sx == nullptr)) {self.answer(self.status(s.status))}"
        self.slot = "slot_sx"
        yield "@host"

    def _refuse(self, number: int | None, status: str) -> str:
        value = self.status(status)
        routine = self.names.fill(self.row.xerbla)
        if number is not None and self.info:
            return f"return *{self.info} = {-number}, {value};"
        if number is not None and self.device_info:
            info = self.device_info
            return f"return sx_solver_refuse(slot_sx, {info.arg}, {info.sign * number}, {self.info_count()}, {value});"
        if number is not None and routine:
            value = f'sx_refuse("{routine}", {number}, {value})'
        return self.answer(value)

    def _quick(self, s: rows.Quick) -> Iterator[str]:
        condition = self.cpp().condition(s.when)
        if condition.constant is False:
            return
        end = self.answer(self.status(s.status))
        if self.device_info and s.info is not None:
            end = f"return sx_solver_write(slot_sx, {self.device_info.arg}, {s.info}, {self.info_count()});"
        if not s.zero:
            yield f"  if (SX_UNLIKELY({condition.text})) {end}"
            return
        if not self.slot:
            raise RowError("Quick: zero needs the handle first")
        yield f"  if (SX_UNLIKELY({condition.text})) {{"
        for name in s.zero:
            if name not in self.params:
                raise RowError(f"Quick: zero: {name!r} is no argument of {self.f.name}")
            yield (f"    if (const int e_sx = sx_zero(slot_sx, {name}, sizeof(*{name})); e_sx != 0) "
                   f"{self.error('e_sx')}")  # fmt: skip
        yield f"    {end}"
        yield "  }"

    def _nulls(self, args: tuple[str, ...], unless: str) -> str:
        for a in args:
            if a not in self.variables or self.variables[a].kind != "pointer":
                raise RowError(f"{a!r} is no pointer argument of {self.f.name}")
        text = "SX_UNLIKELY(" + " || ".join(f"{a} == nullptr" for a in args) + ")"
        if unless:
            condition = self.cpp().condition(unless)
            if condition.constant is None:
                return f"{text} && !({condition.text})"
            if condition.constant:
                return "false"
        return text

    def info_count(self) -> str:
        """How many infos there are on the device."""
        assert self.device_info is not None
        return self.cpp().any(self.device_info.count).text

    # ---- the whole -----------------------------------------------------------------------------------------------

    def lines(self) -> list[str]:
        from .calls import Calls

        body: list[str] = []
        for s in self.row.steps:
            body += self.step(s)
        if self.row.native:
            arguments = ", ".join(self.params)
            body.append(f"  return {self.names.fill(self.row.native)}({arguments});")
        elif not self.row.paths:
            raise RowError("a row that is no stub needs paths or a native body")
        else:
            calls = Calls(self)
            for p in self.row.paths:
                body += calls.path(p)
            if not calls.closed:
                status = self.types.status.not_supported if self.types and self.types.status else "NOT_SUPPORTED"
                body.append(f"  {self.answer(self.status(status))}")
        host = any("host_sx" in line for line in body)
        body = [x if x != "@host" else "  const bool host_sx = sx_host_mode(slot_sx);" for x in body
                if x != "@host" or host]  # fmt: skip
        used = set(re.findall(r"\w+", "\n".join(body)))
        head = signature(self.f, used=used)
        return [f"// {self.symbol.where}", f"SX_EXPORT {head} {{", *body, "}"]


def wrapper(model: Model, symbol: Symbol) -> list[str]:
    try:
        return Wrapper(model, symbol).lines()
    except (RowError, ExprError) as e:
        raise RowError(f"{symbol.where}: {symbol.name}: {e}") from None


def natives(model: Model, library: str) -> dict[tuple[str, str], spec.Function]:
    """(name, parameter types) -> the exported function whose signature the native body has."""
    found = {}
    for s in model.of(library):
        if s.row is None or s.row.kind == rows.STUB:
            continue
        listed = [s.row.native] + [p.native for p in s.row.paths]
        for name in filter(None, listed):
            found[s.names.fill(name), ", ".join(p.type for p in s.function.params)] = s.function
    return found


def _native_header(model: Model, library: str) -> str:
    declared = natives(model, library)
    lines = [banner(f"{spec.LIBRARIES[library]}/rows"), "#pragma once", "", '#include "translate.h"', ""]
    for (name, _), f in sorted(declared.items()):
        lines.append(signature(f, name=name) + ";")
    return "\n".join(lines) + "\n"


def emit(model: Model) -> dict[str, str]:
    out, errors = {}, []
    for library in model.cuda:
        pages: dict[str, list[str]] = {}
        for s in model.of(library):
            if s.kind != rows.STUB and s.page is not None:
                try:
                    pages.setdefault(s.page.name, []).extend(["", *wrapper(model, s)])
                except RowError as e:
                    errors.append(str(e))
        for page, text in pages.items():
            source = f"{spec.LIBRARIES[library]}/rows/{page}.py"
            head = [banner(source), '#include "native.h"']
            if any("sx_own_" in line for line in text):
                head.append('#include "own.h"')
            if any("sx_exact" in line for line in text):
                head.append('#include "scalex/compat.h"')
            if any("sx_solver_" in line for line in text):
                head.append('#include "solver.h"')
            out[f"src/{library}/{page}.cpp"] = "\n".join(head + text) + "\n"
        out[f"src/{library}/native.h"] = _native_header(model, library)
    if errors:
        raise RowError("\n".join(errors))
    return out
