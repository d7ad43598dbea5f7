"""Core's launch: the cache of compiled code, captures, streams, and what happens without hipRTC."""

from __future__ import annotations

import hashlib
import os
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import hostengine
import kernels_on_host as kernels
import pytest

SIMPLE = r"""
engine = C.CDLL(os.path.join(os.environ["TEST_LIB"], "libscalex_host.so.0"))
class Entry(C.Structure):
    _fields_ = [("name", C.c_char_p), ("fn", C.c_void_p)]
engine.sx_host_table.restype = C.POINTER(Entry)
engine.sx_host_control.restype = C.c_long
engine.sx_host_control.argtypes = [C.c_char_p, C.c_long]
n = C.c_size_t()
rows = engine.sx_host_table(0, None, C.byref(n))
functions = {rows[i].name.decode(): rows[i].fn for i in range(n.value)}

class Hip:
    def __getattr__(self, name):
        def call(*arguments):
            values = [C.c_size_t(a) if isinstance(a, int) else a for a in arguments]
            kinds = [C.c_void_p if isinstance(v, (C.Array, type(C.byref(C.c_int())))) else type(v) for v in values]
            return C.CFUNCTYPE(C.c_int, *kinds)(functions[name])(*values)
        return call
hip = Hip()

def count(what):
    return engine.sx_host_control(what.encode(), 0)

def new_stream():
    s = C.c_void_p()
    ok(hip.hipStreamCreateWithFlags(C.byref(s), 1))
    return s

def fill(out, value):
    return Convert(m=len(out), n=1, batch=1, dst=operand(out, T.f32), alpha=host(value))
"""

CAPTURE = r"""
stream = new_stream()
out = np.zeros(1000, np.float32)
UNSUPPORTED, RELAXED = 900, 2
graph, executable = C.c_void_p(), C.c_void_p()

# not loaded: refused, and the capture lives on
ok(hip.hipStreamBeginCapture(stream, 0))
assert launch("convert", fill(out, 1), stream.value) == UNSUPPORTED
assert prepare("convert", stream.value) == UNSUPPORTED
ok(hip.hipStreamEndCapture(stream, C.byref(graph)))

# another stream's capture does not hinder loading, and is not hurt by it
ok(hip.hipStreamBeginCapture(stream, 0))
ok(prepare("convert"))
args = fill(out, 7)
ok(launch("convert", args, stream.value))
args.alpha = host(9)  # the launch has its own copy
ok(hip.hipStreamEndCapture(stream, C.byref(graph)))
assert (out == 0).all()
ok(hip.hipGraphInstantiate(C.byref(executable), graph, C.c_void_p(), C.c_void_p(), 0))
for _ in range(2):
    out[:] = 0
    ok(hip.hipGraphLaunch(executable, stream))
    ok(hip.hipStreamSynchronize(stream))
    assert (out == 7).all()
"""

DEFERRED = r"""
stream = new_stream()
out = np.zeros(1000, np.float32)
ok(prepare("convert"))
before = {what: count(what) for what in ("launches", "calls", "copies", "allocations", "syncs")}
ok(launch("convert", fill(out, 3), stream.value))
after = {what: count(what) - before[what] for what in before}
assert after == {"launches": 1, "calls": 0, "copies": 0, "allocations": 0, "syncs": 0}, after
assert (out == 0).all()
ok(hip.hipStreamSynchronize(stream))
assert (out == 3).all()
"""

WITHOUT_HIPRTC = r"""
# the table of ROCm's functions without hipRTC's
table = C.c_void_p.in_dll(core, "sx_rocm").value
words = C.cast(table, C.POINTER(C.c_uint64))
gone = 0
for i in range(2 * len(functions)):
    if words[i] == functions["hiprtcCompileProgram"]:
        words[i] = 0
        gone += 1
    if gone:
        break
assert gone == 1
out = np.zeros(10, np.float32)
assert launch("convert", fill(out, 1)) == 801 and prepare("epilogue") == 801
assert (out == 0).all()
"""

ONCE = r"""
out = np.zeros(10, np.float32)
ok(launch("convert", fill(out, 5)))
assert (out == 5).all()
"""

RESET = r"""
out = np.zeros(10, np.float32)
ok(launch("convert", fill(out, 5)))
core.sx_device_reset(0)
ok(hip.hipDeviceReset())
ok(launch("convert", fill(out, 6)))
assert (out == 6).all()
"""

FOREIGN = r"""
program = C.c_void_p()
source = C.create_string_buffer(b'extern "C" __global__ void sx_convert() {}')
ok(hip.hiprtcCreateProgram(C.byref(program), source, C.c_void_p(), 0, C.c_void_p(), C.c_void_p()))
assert hip.hiprtcCompileProgram(program, 0, C.c_void_p()) == 6
size = C.c_size_t()
assert hip.hiprtcGetCodeSize(program, C.byref(size)) == 4
ok(hip.hiprtcGetProgramLogSize(program, C.byref(size)))
log = C.create_string_buffer(size.value)
ok(hip.hiprtcGetProgramLog(program, log))
assert b"none of them" in log.value
ok(hip.hiprtcDestroyProgram(C.byref(program)))
assert not program and hip.hiprtcDestroyProgram(C.byref(program)) == 3
module = C.c_void_p()
for image, error in ((b"", 200), (b"\x7fELF", 200), (b"scale-x host kernel\ngfx906\nsx_convert\n", 209),
                     (b"scale-x host kernel\ngfx942\nsx_convert\n0000\n", 200)):
    assert hip.hipModuleLoadData(C.byref(module), C.create_string_buffer(image)) == error, image
assert hip.hipModuleGetFunction(C.byref(module), C.c_void_p(64), C.create_string_buffer(b"sx_convert")) == 400
"""


def files(cache: Path) -> list[Path]:
    return sorted(p for p in (cache / "scale-x").iterdir() if p.is_file())


def compiled(lib_dir: Path, cache: Path) -> int:
    """How many kernels a program compiled that fills one array."""
    return kernels.run(lib_dir, SIMPLE + ONCE, cache, SCALE_X_LOG="1").stderr.count("compiled sx_convert")


def test_capture(lib_dir: Path) -> None:
    kernels.run(lib_dir, SIMPLE + CAPTURE)


@pytest.mark.parametrize("mode", ["deferred", "async"])
def test_a_launch_is_one_item_of_its_stream(lib_dir: Path, mode: str) -> None:
    code = DEFERRED if mode == "deferred" else DEFERRED.replace("assert (out == 0).all()\n", "", 1)
    kernels.run(lib_dir, SIMPLE + code, SCALE_X_HOST_STREAMS=mode)


def test_without_hiprtc_nothing_is_launched(lib_dir: Path) -> None:
    kernels.run(lib_dir, SIMPLE + WITHOUT_HIPRTC)


def test_after_a_reset_kernels_are_loaded_again(lib_dir: Path) -> None:
    kernels.run(lib_dir, SIMPLE + RESET)


def test_code_is_compiled_once_and_kept_safely(lib_dir: Path, tmp_path: Path) -> None:
    assert [compiled(lib_dir, tmp_path) for _ in range(2)] == [1, 0]
    (file,) = files(tmp_path)
    assert file.name.startswith("sx_convert-gfx942-") and file.stat().st_mode & 0o777 == 0o600
    assert (tmp_path / "scale-x").stat().st_mode & 0o777 == 0o700


def test_a_damaged_file_is_replaced(lib_dir: Path, tmp_path: Path) -> None:
    assert compiled(lib_dir, tmp_path) == 1
    (file,) = files(tmp_path)
    whole = file.read_bytes()
    for broken in (whole[:-1], whole[:20], b"", whole[:60] + bytes([whole[60] ^ 1]) + whole[61:]):
        file.write_bytes(broken)
        assert compiled(lib_dir, tmp_path) == 1
        assert file.read_bytes() == whole
    # a fitting digest around what is no code for this device
    digest = hashlib.sha256(file.name.encode() + b"\0" + b"nonsense").digest()
    file.write_bytes(b"scale-x code 1\n" + digest + b"nonsense")
    assert compiled(lib_dir, tmp_path) == 1 and file.read_bytes() == whole
    # and one of another key
    other = file.rename(file.with_name(file.name.replace("gfx942", "gfx90a")))
    other.rename(file)
    assert compiled(lib_dir, tmp_path) == 0
    assert [p.name for p in files(tmp_path)] == [file.name]


def test_nothing_is_taken_from_where_others_may_write(lib_dir: Path, tmp_path: Path) -> None:
    assert compiled(lib_dir, tmp_path) == 1
    (file,) = files(tmp_path)
    file.chmod(0o620)
    assert compiled(lib_dir, tmp_path) == 1  # and it is written anew
    assert file.stat().st_mode & 0o777 == 0o600 and compiled(lib_dir, tmp_path) == 0
    target = tmp_path / "elsewhere"
    file.rename(target)
    file.symlink_to(target)
    assert compiled(lib_dir, tmp_path) == 1 and not file.is_symlink()
    (tmp_path / "scale-x").chmod(0o777)
    assert compiled(lib_dir, tmp_path) == 1
    (tmp_path / "scale-x").chmod(0o700)
    assert compiled(lib_dir, tmp_path) == 0
    (tmp_path / "scale-x").rename(tmp_path / "moved")
    (tmp_path / "scale-x").symlink_to(tmp_path / "moved")
    assert compiled(lib_dir, tmp_path) == 1


def test_the_cache_is_bounded(lib_dir: Path, tmp_path: Path) -> None:
    assert compiled(lib_dir, tmp_path) == 1
    (file,) = files(tmp_path)
    folder = tmp_path / "scale-x"
    old = [folder / f"sx_convert-gfx{i}-0" for i in range(100)]
    others = [folder / "notes", folder / ".new-1-fresh", folder / ".new-1-left"]
    for i, path in enumerate([*old, *others]):
        path.write_bytes(b"x")
        os.utime(path, (i + 1, i + 1))
    os.utime(others[1])
    (folder / "sx_folder").mkdir()
    file.unlink()
    assert compiled(lib_dir, tmp_path) == 1
    assert files(tmp_path) == sorted([file, *old[41:], *others[:2]])  # the newest 60; what is not ours stays
    assert (folder / "sx_folder").exists()


def test_many_processes_share_the_cache(lib_dir: Path, tmp_path: Path) -> None:
    with ThreadPoolExecutor(6) as pool:
        counts = list(pool.map(lambda _: compiled(lib_dir, tmp_path), range(6)))
    assert 1 <= sum(counts) <= 6 and len(files(tmp_path)) == 1  # no half-written file stays
    assert compiled(lib_dir, tmp_path) == 0


def test_a_directory_that_cannot_be_written_does_no_harm(lib_dir: Path, tmp_path: Path) -> None:
    (tmp_path / "scale-x").write_text("a file in the way")
    assert [compiled(lib_dir, tmp_path) for _ in range(2)] == [1, 1]


def test_a_relative_cache_directory_is_not_used(lib_dir: Path, tmp_path: Path) -> None:
    environment = {"XDG_CACHE_HOME": "relative", "HOME": str(tmp_path)}
    kernels.run(lib_dir, SIMPLE + ONCE, **environment)
    assert len(files(tmp_path / ".cache")) == 1


def test_the_engine_runs_only_its_own_kernels(lib_dir: Path) -> None:
    hostengine.run(lib_dir, FOREIGN)
