"""Types of arguments, as type checkers see them."""

from __future__ import annotations

from typing import Any, Protocol, TypeAlias


class HasPtr(Protocol):
    """Memory that names its address, such as CuPy's ``MemoryPointer`` and :class:`scale_x.memory.DeviceArray`."""

    @property
    def ptr(self) -> int: ...


class HasCudaArrayInterface(Protocol):
    @property
    def __cuda_array_interface__(self) -> dict[str, Any]: ...


class HasArrayInterface(Protocol):
    @property
    def __array_interface__(self) -> dict[str, Any]: ...


class HasBuffer(Protocol):
    """Host memory: bytes, ctypes objects, memoryviews."""

    def __buffer__(self, flags: int, /) -> memoryview: ...


Pointer: TypeAlias = int | None | HasPtr | HasCudaArrayInterface | HasArrayInterface | HasBuffer
Text: TypeAlias = Pointer | str
