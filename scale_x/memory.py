"""Device memory as NumPy users want it: allocate, copy to and from, free. Nothing more: arithmetic is what CuPy is for.

::

    with to_device(a) as x, empty((m, n), np.float32, order="F") as y:
        cublas.sgemm(handle, ..., x, ..., y, ...)
        result = to_host(y)
"""

from __future__ import annotations

from types import TracebackType
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike, DTypeLike, NDArray

from .bindings import _support, cudart

Order = Literal["C", "F"]


class DeviceArray:
    """Contiguous device memory with a shape. Usable wherever the bindings take an address.

    Freed by :meth:`free`, at the end of a ``with`` block, or with the last reference.
    """

    def __init__(self, shape: tuple[int, ...] | int, dtype: DTypeLike, order: Order = "C") -> None:
        self._ptr = 0
        self.shape = (shape,) if isinstance(shape, int) else tuple(shape)
        self.dtype = np.dtype(dtype)
        self.order: Order = order
        self._generation = _support.state.generation
        if self.nbytes:
            self._ptr = cudart.malloc(self.nbytes)

    @property
    def ptr(self) -> int:
        """The address on the device; 0 when empty or freed."""
        return self._ptr

    @property
    def size(self) -> int:
        return int(np.prod(self.shape, dtype=np.int64))

    @property
    def nbytes(self) -> int:
        return self.size * self.dtype.itemsize

    @property
    def strides(self) -> tuple[int, ...]:
        extents = self.shape if self.order == "F" else self.shape[::-1]
        steps = [self.dtype.itemsize * int(np.prod(extents[:k], dtype=np.int64)) for k in range(len(extents))]
        return tuple(steps if self.order == "F" else steps[::-1])

    @property
    def __cuda_array_interface__(self) -> dict[str, Any]:
        return {"version": 3, "shape": self.shape, "typestr": self.dtype.str, "data": (self._ptr, False),
                "strides": None if self.order == "C" else self.strides}  # fmt: skip

    def set(self, values: ArrayLike) -> None:
        """Copy from the host; shapes must agree."""
        host = np.asarray(values, dtype=self.dtype, order=self.order)
        if host.shape != self.shape:
            raise ValueError(f"the device array has shape {self.shape}, the values {host.shape}")
        host = np.require(host, requirements=self.order)
        if self.nbytes:
            cudart.memcpy(self._ptr, host.ctypes.data, self.nbytes, cudart.MemcpyKind.HostToDevice)

    def get(self) -> NDArray[Any]:
        """A copy on the host, in the same order. Waits for the device."""
        host = np.empty(self.shape, self.dtype, order=self.order)
        if self.nbytes:
            cudart.memcpy(host.ctypes.data, self._ptr, self.nbytes, cudart.MemcpyKind.DeviceToHost)
        return host

    def free(self) -> None:
        """Give the memory back; harmless when that has happened."""
        ptr, self._ptr = self._ptr, 0
        if ptr and self._generation == _support.state.generation:  # else it belongs to libraries no longer in use
            cudart.free(ptr)

    def __enter__(self) -> DeviceArray:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.free()

    def __del__(self) -> None:
        try:
            self.free()
        except Exception:  # the interpreter may be shutting down, or the device's error may be sticky
            self._ptr = 0

    def __repr__(self) -> str:
        return f"DeviceArray(shape={self.shape}, dtype={self.dtype}, order={self.order!r}, ptr={self._ptr:#x})"


def empty(shape: tuple[int, ...] | int, dtype: DTypeLike = np.float32, order: Order = "C") -> DeviceArray:
    """Memory whose contents are not set."""
    return DeviceArray(shape, dtype, order)


def to_device(values: ArrayLike, order: Order | None = None) -> DeviceArray:
    """A copy on the device; in Fortran order when ``values`` is (and is not C as well), unless ``order`` says."""
    host = np.asarray(values)
    fortran = host.flags.f_contiguous and not host.flags.c_contiguous
    made = DeviceArray(host.shape, host.dtype, order or ("F" if fortran else "C"))
    try:
        made.set(host)
    except BaseException:
        made.free()
        raise
    return made


def to_host(array: DeviceArray) -> NDArray[Any]:
    """A copy on the host."""
    return array.get()
