"""cuBLASLt on the embedded engine, through the C ABI."""

from __future__ import annotations

import ctypes as C
from pathlib import Path

import pytest

SIZES = {"libcublasLt.so.11": (184, 64, 80), "libcublasLt.so.12": (184, 64, 64), "libcublasLt.so.13": (256, 112, 96)}


@pytest.mark.parametrize("soname", SIZES)
def test_structs_of_each_release(lib_dir: Path, soname: str) -> None:
    """Structs on the stack, of each release's size: what is set stays, nothing is written beyond, copies are whole."""
    lt = C.CDLL(str(lib_dir / soname))
    desc, layout, preference = SIZES[soname]
    for name, size, arguments, attribute in (
        ("MatmulDesc", desc, (C.c_int(68), C.c_int(0)), 7),
        ("MatrixLayout", layout, (C.c_int(0), C.c_uint64(3), C.c_uint64(4), C.c_int64(5)), 1),
        ("MatmulPreference", preference, (), 0),
    ):
        block = C.create_string_buffer(b"\xa5" * 512, 512)
        assert getattr(lt, f"cublasLt{name}Init_internal")(block, C.c_size_t(size), *arguments) == 0
        value, got = C.c_int(6), C.c_int()
        assert getattr(lt, f"cublasLt{name}SetAttribute")(block, attribute, C.byref(value), C.c_size_t(4)) == 0
        assert block.raw[size:] == b"\xa5" * (512 - size), name
        copy = C.create_string_buffer(block.raw[:size], size)
        C.memset(block, 0, 512)
        assert getattr(lt, f"cublasLt{name}GetAttribute")(copy, attribute, C.byref(got), C.c_size_t(4), None) == 0
        assert got.value == 6, name


def test_attributes_belong_to_releases(lib_dir: Path) -> None:
    """What a number means, and whether it is there, depends on the CUDA release."""
    for major, preference_13, atomic in ((11, 4, None), (12, None, 4), (13, 8, None)):
        lt = C.CDLL(str(lib_dir / f"libcublasLt.so.{major}"))
        for name, number, want in (("MatmulPreference", 13, preference_13), ("MatmulDesc", 27, atomic)):
            struct, written = C.c_void_p(), C.c_size_t()
            assert getattr(lt, f"cublasLt{name}Create")(C.byref(struct), 68, 0) == 0
            status = getattr(lt, f"cublasLt{name}GetAttribute")(struct, number, None, C.c_size_t(0), C.byref(written))
            assert (status, written.value) == ((0, want) if want else (7, 0)), (major, name)
            assert getattr(lt, f"cublasLt{name}Destroy")(struct) == 0


def test_garbage_is_refused(lib_dir: Path) -> None:
    lt = C.CDLL(str(lib_dir / "libcublasLt.so.13"))
    zeros, out = C.create_string_buffer(256), C.create_string_buffer(8)
    for name in ("MatmulDesc", "MatrixLayout", "MatmulPreference"):
        assert getattr(lt, f"cublasLt{name}GetAttribute")(zeros, 0, out, C.c_size_t(4), None) == 7
        assert getattr(lt, f"cublasLt{name}Destroy")(zeros) == 7
