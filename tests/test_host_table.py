"""What the host engine stands for: releases, chips, error states, quirks."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hostengine import run

ROOT = Path(__file__).parent.parent


def test_the_table_is_filtered_by_release(lib_dir: Path) -> None:
    run(lib_dir, """
old, new = table(600, b"gfx90a"), table(702, b"gfx942")
assert list(new) == sorted(new) and len(new) > len(old) > 50
assert "hipStreamGetId" in new and "hipStreamGetId" not in old          # 7.1
assert "hipEventRecordWithFlags" in new and "hipEventRecordWithFlags" not in old  # 6.4
assert table(599, b"gfx942") == {} and table(1002, b"gfx942") == {} and table(702, b"gfx700") == {}
""")


@pytest.mark.parametrize("release, arch, major", [("6.0", "gfx90a", 9), ("6.4", "gfx1100", 11), ("7.2", "gfx942", 9),
                                                 ("10.1", "gfx950", 9)])  # fmt: skip
def test_release_and_chip_come_from_the_environment(lib_dir: Path, release: str, arch: str, major: int) -> None:
    run(lib_dir, f"""
number = int("{release}".split(".")[0]) * 100 + int("{release}".split(".")[1])
assert control("release") == number
v = C.c_int(); ok(hip.hipRuntimeGetVersion(C.byref(v)))
assert v.value // 10_000_000 * 100 + v.value // 100_000 % 100 == number
p = C.create_string_buffer(1472); ok(hip.hipGetDevicePropertiesR0600(p, C.c_int(0)))
assert b"{arch}" in p.raw and b"{arch}" in p.raw[:256]
a = C.c_int(); ok(hip.hipDeviceGetAttribute(C.byref(a), C.c_int(23), C.c_int(0))); assert a.value == {major}
ok(hip.hipDeviceGetAttribute(C.byref(a), C.c_int(87), C.c_int(0))); assert a.value == (64 if {major} == 9 else 32)
assert hip.hipDeviceGetAttribute(C.byref(a), C.c_int(5000), C.c_int(0)) == 1
""", SCALE_X_HOST_ROCM=release, SCALE_X_HOST_ARCH=arch)


def test_last_error_is_kept_since_7_0_and_overwritten_before(lib_dir: Path) -> None:
    code = """
assert hip.hipFree(C.c_void_p(64)) == 1
n = C.c_int(); ok(hip.hipGetDeviceCount(C.byref(n)))
assert hip.hipPeekAtLastError() == KEPT and hip.hipGetLastError() == KEPT and hip.hipGetLastError() == 0
"""
    run(lib_dir, "KEPT = 1\n" + code, SCALE_X_HOST_ROCM="7.2")
    run(lib_dir, "KEPT = 0\n" + code, SCALE_X_HOST_ROCM="6.4")


def test_every_quirk_names_its_source(lib_dir: Path) -> None:
    lines = [x for x in (ROOT / "host" / "quirks.def").read_text().splitlines() if x.startswith("SX_QUIRK")]
    assert len(lines) > 5
    for line in lines:
        found = re.fullmatch(r'SX_QUIRK\((\w+), (\d+), (\d+), "([^"]{8,})", "([^"]{8,})"\)', line)
        assert found, line


def test_hostile_mode_is_asked_for(lib_dir: Path) -> None:
    run(lib_dir, 'assert control("hostile") == 1')
    run(lib_dir, 'os.environ.get("x"); assert control("hostile") == 0', SCALE_X_HOST_HOSTILE="0")


def test_error_names(lib_dir: Path) -> None:
    run(lib_dir, """
name = C.CFUNCTYPE(C.c_char_p, C.c_int)(functions["hipGetErrorName"])
text = C.CFUNCTYPE(C.c_char_p, C.c_int)(functions["hipGetErrorString"])
assert name(0) == b"hipSuccess" and name(2) == b"hipErrorOutOfMemory" and text(2) == b"out of memory"
assert name(123456) == b"hipErrorUnknown"
""")
