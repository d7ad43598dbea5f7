"""Two arenas, device and host, filled with 0xFF (NaN in every floating type) wherever no input stands.

Everything of one call lies in them, so one copy in each direction carries a case, and one comparison of bytes finds any
write to a place the routine may not touch: padding, gaps, guard bands, other arguments.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

GUARD = 256


class Arena:
    """Bump allocation in a mirror; ``base`` is the address that the library sees."""

    def __init__(self, nbytes: int) -> None:
        self.base = 0
        self.used = 0
        self.capacity = nbytes
        self.mirror = np.full(nbytes, 0xFF, np.uint8)
        self.after = np.empty(nbytes, np.uint8)
        self._allowed = np.zeros(nbytes, bool)

    def reset(self) -> None:
        self.mirror[: self.used] = 0xFF
        self._allowed[: self.used] = False
        self.used = 0

    def take(self, nbytes: int, shift: int = 0) -> int:
        """Offset of ``nbytes`` behind a guard band; ``shift`` bytes past a multiple of 256."""
        offset = (self.used + GUARD + 255) // 256 * 256 + shift
        end = offset + nbytes + GUARD
        if end > self.capacity:
            raise MemoryError(end)
        self.used = end
        return offset

    def elements(self, offset: int, count: int, dtype: np.dtype, after: bool = False) -> np.ndarray:
        source = self.after if after else self.mirror
        return source[offset : offset + count * dtype.itemsize].view(dtype)

    def allow(self, offset: int, count: int, itemsize: int, touched: np.ndarray) -> None:
        """The routine may write these elements."""
        self._allowed[offset : offset + count * itemsize].reshape(count, itemsize)[touched] = True

    def stray_writes(self) -> int:
        """Bytes changed outside what was allowed; -1 as the position when there are none."""
        changed = self.after[: self.used] != self.mirror[: self.used]
        if not changed.any():
            return -1
        changed &= ~self._allowed[: self.used]
        return int(np.argmax(changed)) if changed.any() else -1

    def unchanged(self) -> bool:
        return bool(np.array_equal(self.after[: self.used], self.mirror[: self.used]))

    # what differs by residency
    def send(self) -> None:
        raise NotImplementedError

    def receive(self) -> int:
        raise NotImplementedError


class HostArena(Arena):
    """The mirror is what we think was there; the library sees a separate block of ordinary memory."""

    def __init__(self, nbytes: int) -> None:
        super().__init__(nbytes)
        raw = np.empty(nbytes + 512, np.uint8)
        start = -raw.ctypes.data % 256
        self._keep, self.block = raw, raw[start : start + nbytes]
        self.base = self.block.ctypes.data

    def send(self) -> None:
        self.block[: self.used] = self.mirror[: self.used]

    def receive(self) -> int:
        self.after[: self.used] = self.block[: self.used]
        return 0


class DeviceArena(Arena):
    """Memory from cudaMalloc; ``copy(dst, src, bytes, kind) -> cudaError_t``."""

    def __init__(self, nbytes: int, base: int, copy: Callable[[int, int, int, int], int]) -> None:
        super().__init__(nbytes)
        self.base, self._copy = base, copy
        self._mirror_at, self._after_at = self.mirror.ctypes.data, self.after.ctypes.data

    def send(self) -> None:
        if self.used and (error := self._copy(self.base, self._mirror_at, self.used, 1)):
            raise OSError(f"cudaMemcpy to the device: error {error}")

    def receive(self) -> int:
        return self._copy(self._after_at, self.base, self.used, 2) if self.used else 0
