"""The only place that knows how a CUDA-X function is called: arguments in as integers, the status out."""

from __future__ import annotations

import ctypes
import os
from collections.abc import Callable, Sequence

from scale_x.conformance.providers import Provider, ProviderError, soname_of
from scale_x.conformance.subjects import facts

INTEGERS = {"long": ctypes.c_long, "long long": ctypes.c_longlong, "unsigned long": ctypes.c_ulong,
            "size_t": ctypes.c_size_t, "unsigned long long": ctypes.c_ulonglong, "int64_t": ctypes.c_int64}  # fmt: skip
Function = Callable[..., int | float | None]


def ctype(canon: str) -> type:
    if "*" in canon or "[" in canon:
        return ctypes.c_void_p
    plain = canon.replace("const ", "").replace("enum ", "").strip()
    if plain in ("float", "double"):
        return {"float": ctypes.c_float, "double": ctypes.c_double}[plain]
    if plain in ("float2", "double2", "struct float2", "struct double2"):
        return ctypes.c_float * 2 if "float" in plain else ctypes.c_double * 2
    return INTEGERS.get(plain, ctypes.c_int)


class _Binding:
    """The emitted Python bindings: a status other than success is an exception there."""

    def __init__(self, provider: Provider) -> None:
        from scale_x import bindings, errors
        from scale_x.bindings import _native  # noqa: F401  the C module may not be built

        bindings.use_provider(provider.name, provider.cuda)
        self._find, self._error = bindings.function, errors.CUDAXError

    def function(self, library: str, symbol: str) -> Function:
        call, error = self._find(symbol), self._error

        def status(*arguments: complex) -> int | float | None:
            try:
                return call(*arguments)
            except error as e:
                return e.status

        return status


class _Ctypes:
    """Where the bindings' C module is not built: the same functions through ctypes."""

    def __init__(self, provider: Provider) -> None:
        self._provider = provider
        self._dsos: dict[str, ctypes.CDLL] = {}

    def _dso(self, library: str) -> ctypes.CDLL:
        if library not in self._dsos:
            path = self._provider.find(library)
            if path is None:
                looked = ", ".join(map(str, self._provider.directories))
                raise ProviderError(f"{soname_of(library, self._provider.cuda)} is not in {looked}")
            if library == "cublas" and self._provider.find("cublaslt"):
                self._dso("cublaslt")  # both from one set, whatever the search path holds
            self._dsos[library] = ctypes.CDLL(str(path), mode=ctypes.RTLD_LOCAL | os.RTLD_NOW)
        return self._dsos[library]

    def function(self, library: str, symbol: str) -> Function:
        f = facts(library).functions[symbol]
        ret, params = f.variants.get(self._provider.cuda, (f.ret, f.params))
        pointer = getattr(self._dso(library), symbol)
        pointer.argtypes = [ctype(p.canon) for p in params]
        pointer.restype = None if ret == "void" else ctype(ret)
        return pointer


class Calls:
    """The functions of one provider, by symbol. The libraries stay open until the process ends."""

    def __init__(self, provider: Provider) -> None:
        self.provider = provider
        self._functions: dict[str, Function] = {}
        try:
            self._through: _Binding | _Ctypes = _Binding(provider)
        except ImportError:
            self._through = _Ctypes(provider)

    def function(self, library: str, symbol: str) -> Function:
        """``symbol`` as a callable of integers and floats that returns the status (None for success is possible)."""
        if symbol not in self._functions:
            self._functions[symbol] = self._through.function(library, symbol)
        return self._functions[symbol]

    def status(self, library: str, symbol: str, arguments: Sequence[complex]) -> int:
        result = self.function(library, symbol)(*arguments)
        return 0 if result is None else int(result)

    # --- the CUDA runtime -------------------------------------------------------------------------------------------

    def runtime(self, symbol: str, *arguments: int) -> int:
        return self.status("cudart", symbol, arguments)

    def malloc(self, nbytes: int) -> int:
        out = ctypes.c_void_p()
        if error := self.runtime("cudaMalloc", ctypes.addressof(out), nbytes):
            raise ProviderError(f"cudaMalloc of {nbytes} bytes: error {error}")
        return out.value or 0

    def copy(self, to: int, source: int, nbytes: int, kind: int) -> int:
        return self.runtime("cudaMemcpy", to, source, nbytes, kind)

    def synchronise(self) -> int:
        return self.runtime("cudaDeviceSynchronize")

    def new(self, library: str, symbol: str) -> int:
        """The object that a create function writes through its first argument."""
        out = ctypes.c_void_p()
        if error := self.status(library, symbol, (ctypes.addressof(out),)):
            raise ProviderError(f"{symbol}: status {error}")
        return out.value or 0


def host_counters() -> Callable[[str, int], int] | None:
    """The host engine's control function, when this process has the engine loaded."""
    with open("/proc/self/maps", encoding="utf-8") as maps:
        path = next((line.split(maxsplit=5)[5].strip() for line in maps if "libscalex_host.so" in line), None)
    if path is None:
        return None
    control = ctypes.CDLL(path).sx_host_control
    control.argtypes, control.restype = [ctypes.c_char_p, ctypes.c_long], ctypes.c_long
    return lambda name, value: int(control(name.encode(), value))
