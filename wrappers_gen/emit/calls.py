"""The paths of a row: gates, argument matching, the borrowed handle, the ROCm call, its status."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from .. import rocm_spec, rows, spec
from ..expr import Node
from . import own
from .cpp import C_OF, RowError, Wrapper, letter_of
from .ctypes import abstract, integer_bits, is_pointer, is_real, pointee, tag, value_tag
from .rocm import c_type
from .translate import from_name, to_name


def plain(name: str) -> str:
    """A parameter name as both sides may spell it: ``batch_count`` is ``batchCount``."""
    return name.lower().replace("_", "")


@dataclass
class Attempt:
    """One ROCm call being put together."""

    function: rocm_spec.Function
    arguments: list[str] = field(default_factory=list)
    fits: list[str] = field(default_factory=list)  # conditions under which integers may be narrowed
    before: list[str] = field(default_factory=list)
    after: list[str] = field(default_factory=list)
    loan: bool = False


class Calls:
    """Emits the paths of one wrapper."""

    def __init__(self, w: Wrapper) -> None:
        self.w = w
        self.closed = False  # the last path always returns

    # ---- paths ---------------------------------------------------------------------------------------------------

    def path(self, p: rows.Path) -> Iterator[str]:
        w = self.w
        gates = self._gates(p)
        if p.own:
            yield from own.lines(w, p, gates)
            self.closed = not gates
            return
        if p.native:
            call = f"return {w.names.fill(p.native)}({', '.join(w.params)});"
            yield f"  if ({' && '.join(gates)}) {call}" if gates else f"  {call}"
            self.closed = not gates
            return
        name = w.names.fill(p.call)
        base = self._find(name)
        wide = w.model.rocm_functions.get(f"{name}_64") if w.names.wide else None
        if p.wide_result and w.names.wide:
            yield from self._wide_result(p, base, wide, gates)
            return
        attempt = self._attempt(base, p)
        yield from self._emit(attempt, gates)
        if attempt.fits and wide:
            yield from self._emit(self._attempt(wide, p), gates)

    def _find(self, name: str) -> rocm_spec.Function:
        f = self.w.model.rocm_functions.get(name)
        if f is None or f.unknown:
            raise RowError(f"{name!r} is no function of rocm/spec")
        return f

    def _gates(self, p: rows.Path) -> list[str]:
        found = []
        if p.when:
            condition = self.w.cpp().condition(p.when)
            if condition.constant is False:
                found.append("false")
            elif condition.constant is None:
                found.append(condition.wrapped)
        if p.since:
            found.append(f"sx_rocm->version >= {rocm_spec.number(p.since)}")
        if p.archs:
            found.append("(" + " || ".join(f'sx_arch_is("{a}")' for a in p.archs) + ")")
        return found

    def _wide_result(
        self, p: rows.Path, base: rocm_spec.Function, wide: rocm_spec.Function | None, gates: list[str]
    ) -> Iterator[str]:
        """An integer result behind a pointer: the ``_64`` call writes it, or a host result is widened."""
        w, name = self.w, p.wide_result
        if name not in w.params:
            raise RowError(f"wide_result: {name!r} is no argument of {w.f.name}")
        if wide:
            yield from self._emit(self._attempt(wide, p), gates)
        attempt = self._attempt(base, p, replace={name: f"{name}_p_sx"})
        attempt.before.append(f"int {name}_sx = 0;")
        attempt.before.append(f"int* const {name}_p_sx = &{name}_sx;")
        attempt.after.append(f"const int64_t wide_sx = *{name}_p_sx;")
        attempt.after.append(f"if (r_sx == {self._success()}) memcpy({name}, &wide_sx, sizeof wide_sx);")
        yield from self._emit(attempt, [*gates, *(["host_sx"] if w.variables[name].by_mode else [])])

    def _success(self) -> str:
        assert self.w.types and self.w.types.status
        return next(r for r in self.w.types.status.values if r.lower().endswith("success"))

    # ---- one call ------------------------------------------------------------------------------------------------

    def _emit(self, a: Attempt, gates: list[str]) -> Iterator[str]:
        w, status = self.w, self.w.types.status if self.w.types else None
        if status is None or a.function.ret != status.rocm:
            raise RowError(f"{a.function.name} returns {a.function.ret}; {w.folder}/rows/types.py has no status for it")
        conditions = " && ".join([*gates, "call_sx != nullptr", *a.fits])
        arguments = ", ".join(a.arguments)
        lines = [
            f"const {a.function.ret} r_sx = call_sx({arguments});",
            *a.after,
            self.w.answer(f"{from_name(status.rocm)}(r_sx)"),
        ]
        yield f"  if (const auto call_sx = sx_rocm->{a.function.name}; SX_LIKELY({conditions})) {{"
        yield from (f"    {line}" for line in a.before)
        if w.solver and a.loan:
            yield f"    const auto run_sx = [=](rocblas_handle borrowed_sx) {{ return call_sx({arguments}); }};"
            yield f"    return {self._solver(a)};"
        elif a.loan:
            yield "    const auto run_sx = [=](rocblas_handle borrowed_sx) SX_INLINE {"
            yield from (f"      {line}" for line in lines)
            yield "    };"
            yield "    if (SX_LIKELY(sx_blas_ready(slot_sx))) return run_sx(slot_sx->cached);"
            yield f"    return sx_blas_slow<{w.f.ret}>(slot_sx, run_sx);"
        else:
            yield from (f"    {line}" for line in lines)
        yield "  }"

    def _solver(self, a: Attempt) -> str:
        """The call with its memory: how much it takes, or with the caller's, and an info that it has none of."""
        w, size, work = self.w, self.w.row.size, self.w.row.work
        if size:
            extra = w.cpp().any(size.extra).text
            return f"sx_solver_size(slot_sx, {size.arg}, {self._bytes(size.T)}, {extra}, {size.least}, run_sx)"
        info = w.device_info
        unheard = info is not None and not any(re.search(rf"\b{info.arg}\b", x) for x in a.arguments)
        told = f"{info.arg}, {w.info_count()}" if info is not None and unheard else "nullptr, 0"
        lent = f"{work.arg}, sx_solver_bytes({work.size}, {self._bytes(work.T)})" if work else "nullptr, 0"
        return f"sx_solver_call(slot_sx, {lent}, {told}, run_sx)"

    def _bytes(self, T: str) -> str:
        letter = letter_of(self.w.symbol, T) if T != "bytes" else ""
        return f"sizeof({C_OF[letter]})" if letter else "1"

    def _attempt(self, f: rocm_spec.Function, p: rows.Path, replace: dict[str, str] | None = None) -> Attempt:
        w, attempt = self.w, Attempt(f)
        overrides = {plain(k): v for k, v in p.args.items()}
        unknown = set(overrides) - {plain(q.name) for q in f.params}
        if unknown:
            raise RowError(f"{f.name} has no parameter {', '.join(sorted(unknown))}")
        by_position = w.row.kind == rows.DIRECT
        if by_position and len(f.params) != len(w.f.params):
            raise RowError(f"a direct row needs {f.name} to take as many arguments as {w.f.name}")
        named = {plain(q.name): q for q in w.f.params}
        for i, q in enumerate(f.params):
            key = plain(q.name)
            if key in overrides:
                attempt.arguments.append(self._expression(overrides[key], q, attempt))
                continue
            own = w.f.params[i] if by_position else named.get(key)
            if value_tag(q.type) == "rocblas_handle":
                attempt.arguments.append(self._borrow(attempt))
            elif w.row.size and (is_pointer(q.type) or is_pointer(q.canon)):
                attempt.arguments.append("nullptr")
            elif own is None:
                raise RowError(f"{f.name}: nothing is said about its parameter {q.name!r}")
            elif replace and own.name in replace:
                attempt.arguments.append(replace[own.name])
            else:
                attempt.arguments.append(self._argument(own, q, attempt))
        return attempt

    def _borrow(self, attempt: Attempt) -> str:
        if not self.w.slot:
            raise RowError(f"{attempt.function.name} needs a handle; the row has no Handle step")
        attempt.loan = True
        return "borrowed_sx"

    # ---- arguments -----------------------------------------------------------------------------------------------

    def _expression(self, text: str, q: spec.Param, attempt: Attempt) -> str:
        w = self.w
        text = text.strip()
        if text in w.params:
            return self._argument(w.params[text], q, attempt)
        node = w.cpp().any(text)
        if node.kind == "null":
            return "nullptr"
        if node.kind == "rocm":
            fits = value_tag(q.canon) == node.type
            return node.text if fits else f"static_cast<{q.type}>({node.text})"
        if node.kind == "bool":
            return node.text
        return self._convert(node, q, attempt, source=None)

    def _argument(self, own: spec.Param, q: spec.Param, attempt: Attempt) -> str:
        w = self.w
        v = w.variables[own.name]
        if v.kind == "pointer":
            return self._pointer(own, q, attempt)
        if v.kind == "real":
            if not is_real(q.canon):
                raise RowError(f"{own.name!r} ({own.type}) cannot be {attempt.function.name}'s {q.type}")
            return own.name
        if v.kind == "struct":
            return f"sx_load<{c_type(q.type)}>(&{own.name})"
        return self._convert(w.cpp().any(own.name), q, attempt, source=own)

    def _pointer(self, own: spec.Param, q: spec.Param, attempt: Attempt) -> str:
        w, v, text = self.w, self.w.variables[own.name], own.name
        if not is_pointer(q.type) and not is_pointer(q.canon):
            raise RowError(f"pointer {own.name!r} cannot be {attempt.function.name}'s {q.type} {q.name}")
        if value_tag(q.type) == "hipStream_t":
            return f"sx_to_hip_stream({text})"
        arg = w.row.args.get(own.name)
        have, want = tag(own.canon), tag(q.canon)
        scalar = isinstance(arg, rows.Scalar) and v.by_mode and arg.dir == rows.IN and arg.count == "1"
        if scalar and isinstance(arg, rows.Scalar) and v.type == "void" and len(arg.T) > 1:
            # its type is known at run time: what to copy when it is not aligned
            attempt.before.append(f"sx_any_scalar {own.name}_sx;")
            of_type = f"static_cast<int>({w.cpp().any(arg.T).text})"
            attempt.before.append(f"const void* const {own.name}_p_sx = {own.name}_sx.at({text}, {of_type}, host_sx);")
            text, have = f"{own.name}_p_sx", "const void *"
        elif scalar and v.type != "void":
            attempt.before.append(f"sx_scalar<{v.type}> {own.name}_sx;")
            cast = f"static_cast<const {v.type}*>({text})" if have == "const void *" else text
            text = f"{own.name}_p_sx"
            attempt.before.append(f"const {v.type}* const {text} = {own.name}_sx.at({cast}, host_sx);")
            have = have if have.startswith("const ") else f"const {have}"
        if have.startswith("const ") and not want.startswith("const "):
            # AMD's declaration lacks const; the row says which way the data goes
            if arg is not None and arg.dir != rows.IN:
                raise RowError(f"{own.name!r} is const, so it cannot be an output")
            have = have[6:]
            text = f"const_cast<{pointee(own.type) if v.type in ('', 'void') else v.type} *>({text})"
        if want == "void *" and have.endswith(("*const *", "*const[]")):  # an array of pointers that is itself const
            return f"const_cast<void *>(static_cast<const void *>({text}))"
        if have == want or want in ("const void *", "void *"):
            return text
        return f"reinterpret_cast<{c_type(abstract(q.type))}>({text})"

    def _convert(self, node: Node, q: spec.Param, attempt: Attempt, source: spec.Param | None) -> str:
        """An integer, an enumerator or a computed pointer as a ROCm parameter."""
        function = attempt.function.name
        if node.kind == "int":
            bits, by_value = integer_bits(q.canon), q.type.removeprefix("const ")
            if not bits:
                raise RowError(f"{function}'s {q.name} is {q.type}, not an integer")
            same = source is not None and value_tag(source.canon) == value_tag(q.canon)
            if same and source is not None:
                return source.name
            if node.bits > 32 and bits <= 33:
                fits = f"sx_fits({node.text})"
                if fits not in attempt.fits:
                    attempt.fits.append(fits)
                return f"static_cast<{by_value}>({node.text})"
            return f"static_cast<{by_value}>({source.name if source else node.text})"
        if node.kind == "enum":
            return self._enum(node, q, function)
        if node.kind == "pointer":
            return f"reinterpret_cast<{c_type(abstract(q.type))}>({node.text})"
        raise RowError(f"{function}'s {q.name}: {node.text!r} cannot be passed")

    def _enum(self, node: Node, q: spec.Param, function: str) -> str:
        w = self.w
        wanted = value_tag(q.type)
        for e in w.types.enums if w.types else ():
            cuda = w.enums.find(e.cuda)
            if cuda is not None and cuda.name == node.type and e.rocm == wanted:
                return f"{to_name(e.rocm)}({node.text})"
        raise RowError(f"{function}'s {q.name}: {w.folder}/rows/types.py maps no {node.type} to {wanted}")
