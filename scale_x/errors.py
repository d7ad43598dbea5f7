"""What the bindings raise.

Every failed call raises a :class:`CUDAXError` of its library, with the status as a number, its name and text::

    try:
        cublas.sgemm(handle, ...)
    except scale_x.errors.CublasError as e:
        print(e.status, e.name, e.text, e.function)
"""

from __future__ import annotations


class CUDAXError(RuntimeError):
    """A CUDA-X call that failed."""

    def __init__(self, status: int, name: str, text: str, function: str = "") -> None:
        where = f"{function}: " if function else ""
        super().__init__(f"{where}{name} ({status})" + (f": {text}" if text else ""))
        self.status = status
        self.name = name
        self.text = text
        self.function = function

    def __reduce__(self) -> tuple[type[CUDAXError], tuple[int, str, str, str]]:
        return type(self), (self.status, self.name, self.text, self.function)


class CublasError(CUDAXError):
    """A cuBLAS, cuBLASXt or NVBLAS call that failed."""


class CublasLtError(CublasError):
    """A cuBLASLt call that failed."""


class CusolverError(CUDAXError):
    """A cuSOLVER call that failed."""


class CufftError(CUDAXError):
    """A cuFFT call that failed."""


class CudartError(CUDAXError):
    """A CUDA runtime call that failed."""


class LibraryNotFoundError(OSError):
    """A CUDA-X library was not found, or could not be loaded; the message says what was looked for and where."""


class MissingSymbolError(NotImplementedError):
    """The loaded library does not export the function: another release of CUDA has it, or this provider lacks it."""

    def __init__(self, symbol: str, library: str) -> None:
        super().__init__(f"{library} does not export {symbol}")
        self.symbol = symbol
        self.library = library

    def __reduce__(self) -> tuple[type[MissingSymbolError], tuple[str, str]]:
        return type(self), (self.symbol, self.library)


class ProviderError(RuntimeError):
    """The provider cannot be what was asked for in this process."""


#: library -> the error its statuses raise, and where its status enum is
BY_LIBRARY: dict[str, tuple[type[CUDAXError], str, str]] = {
    "cublas": (CublasError, "cublas", "Status"),
    "nvblas": (CublasError, "cublas", "Status"),
    "cublaslt": (CublasLtError, "cublas", "Status"),
    "cusolver": (CusolverError, "cusolver", "Status"),
    "cusolvermg": (CusolverError, "cusolver", "Status"),
    "cufft": (CufftError, "cufft", "Result"),
    "cufftw": (CufftError, "cufft", "Result"),
    "cudart": (CudartError, "cudart", "Error"),
}
