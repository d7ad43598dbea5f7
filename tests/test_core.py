"""Core: handles, borrowed rocBLAS handles, threads, fork, the choice of a provider and what is said about it.

Small programs drive ``libscalex_core.so.0`` as wrappers do, over a ROCm whose functions do nothing (``tests/core``).
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from scale_x.wrappers_gen import cli

ROOT = Path(__file__).resolve().parent.parent
HERE = ROOT / "tests" / "core"
CXX = os.environ.get("CXX", "g++").split()
FLAGS = ["-std=c++17", "-O1", "-Wall", "-Wextra", "-Werror", "-fPIC"]
CLEAN = ("LD_LIBRARY_PATH", "LD_PRELOAD", "ROCM_PATH", "SCALE_X_PROVIDER", "SCALE_X_HOST_ENGINE", "SCALE_X_HOST_ROCM",
         "SCALE_X_HOST_ARCH", "SCALE_X_LOG", "SCALE_X_KFD")  # fmt: skip


@dataclass
class Built:
    """What the tests compile: the probe beside its own copy of core, and the null libraries."""

    directory: Path
    null: Path
    include: list[str] = field(default_factory=list)

    def compile(self, output: Path, *sources: Path, flags: tuple[str, ...] = ()) -> Path:
        command = [*CXX, *FLAGS, *self.include, *map(str, sources), "-o", str(output), *flags]
        subprocess.run(command, check=True)
        return output

    def run(self, what: str, cwd: Path | None = None, **env: str) -> subprocess.CompletedProcess[str]:
        clean = {k: v for k, v in os.environ.items() if k not in CLEAN and not k.startswith("NULLROCM_")}
        command = [self.directory / "probe", what]
        return subprocess.run(command, env=clean | env, cwd=cwd, capture_output=True, text=True, timeout=120)


def core_library(lib_dir: Path, work: Path, include: list[str]) -> Path:
    """The installed core, or one made here when nothing is installed yet."""
    installed = lib_dir / "libscalex_core.so.0"
    if installed.is_file():
        return installed
    made = work / "libscalex_core.so.0"
    sources = map(str, sorted((ROOT / "core" / "src").glob("*.cpp")))
    link = ["-shared", "-fvisibility=hidden", "-Wl,-soname,libscalex_core.so.0", "-Wl,-z,nodelete", "-Wl,-z,defs",
            f"-Wl,--version-script,{ROOT / 'core' / 'core.map'}", "-ldl", "-pthread"]  # fmt: skip
    subprocess.run([*CXX, *FLAGS, *include, *sources, "-o", str(made), *link], check=True)
    return made


@pytest.fixture(scope="session")
def built(lib_dir: Path, tmp_path_factory: pytest.TempPathFactory) -> Built:
    work = tmp_path_factory.mktemp("core")
    cli.main(["emit", "--out", str(work / "gen")])
    b = Built(work / "bin", work / "null")
    b.include = [f"-I{ROOT / 'core' / 'include'}", f"-I{work / 'gen' / 'rocm'}", f"-I{HERE}"]
    for d in (b.directory, b.null):
        d.mkdir()
    shutil.copy(core_library(lib_dir, work, b.include), b.directory / "libscalex_core.so.0")
    b.compile(
        b.directory / "probe",
        HERE / "probe.cpp",
        flags=(f"-L{b.directory}", "-l:libscalex_core.so.0", "-Wl,-rpath,$ORIGIN", "-pthread", "-ldl"),
    )
    for which, soname in (("HIP", "libamdhip64.so.7"), ("ROCBLAS", "librocblas.so.5")):
        b.compile(b.null / soname, HERE / "nullrocm.cpp", HERE / "nullrocm_rest.cpp",
                  flags=(f"-DNULL_{which}", "-shared", f"-Wl,-soname,{soname}"))  # fmt: skip
    b.compile(b.directory / "fakehost.so", HERE / "fakehost.cpp", flags=("-shared",))
    return b


# ---- handles and borrowed handles ------------------------------------------------------------------------------------

PROPERTIES = {
    "slab": "only a live handle of the right kind is valid; slots are used again late",
    "full": "a slab without a free slot is ALLOC_FAILED",
    "settings": "a borrowed handle carries the settings, and nothing is set twice",
    "workspace": "the user's workspace is a hint that SetStream drops",
    "one_handle": "four threads on one handle never share a rocBLAS handle",
    "everything": "threads, handles, streams and settings at once",
    "cached_elsewhere": "a handle cached for a thread that ended can be destroyed; nothing leaks",
    "bounds": "idle handles are bounded",
    "streams": "destroying a stream lets its handles go; a capture is never disturbed by SetStream",
    "per_thread_stream": "the per-thread default stream is not shared between threads",
    "scratch": "scratch memory grows outside captures only",
    "forked": "a child of a ROCm process has no handles, its parent goes on",
}


@pytest.mark.parametrize("what", PROPERTIES)
def test_property(what: str, built: Built) -> None:
    run = built.run(what, SCALE_X_PROVIDER=str(built.null))
    assert run.returncode == 0, f"{PROPERTIES[what]}: {run.stderr}"


def test_several_devices(built: Built) -> None:
    run = built.run("devices", SCALE_X_PROVIDER=str(built.null), NULLROCM_DEVICES="3")
    assert run.returncode == 0, run.stderr


def test_failing_backend(built: Built) -> None:
    run = built.run("failures", SCALE_X_PROVIDER=str(built.null), NULLROCM_FAIL="rocblas_create_handle")
    assert run.returncode == 0, run.stderr


def test_stays_loaded(built: Built) -> None:
    script = f"""
import ctypes, _ctypes
core = ctypes.CDLL({str(built.directory / "libscalex_core.so.0")!r})
core.sx_slot_new.restype = ctypes.c_void_p
slot = core.sx_slot_new(0x53580011)
_ctypes.dlclose(core._handle)
assert ctypes.c_uint32.from_address(slot).value == 0x53580011
again = ctypes.CDLL({str(built.directory / "libscalex_core.so.0")!r})
again.sx_slot_new.restype = ctypes.c_void_p
assert again.sx_slot_new(0x53580011) == slot + 512
"""
    subprocess.run([sys.executable, "-c", script], check=True)


def test_exports(built: Built) -> None:
    text = subprocess.run(["nm", "-D", "--defined-only", built.directory / "libscalex_core.so.0"], capture_output=True,
                          text=True, check=True).stdout  # fmt: skip
    names = {line.split()[-1].split("@")[0] for line in text.splitlines()}
    assert {n for n in names if not n.startswith("sx_")} <= {"libscalex_core.so.0"}
    headers = "".join(p.read_text() for p in (ROOT / "core" / "include" / "scalex").glob("*.h"))
    assert {n for n in names if n.startswith("sx_") and n not in headers} == set()


# ---- the choice of a provider ----------------------------------------------------------------------------------------


def load(built: Built, cwd: Path | None = None, **env: str) -> tuple[list[str], str]:
    """[hipError, release, architecture, devices] and what was said."""
    run = built.run("load", cwd, **env)
    assert run.returncode == 0, run.stderr
    return run.stdout.rstrip("\n").split(" "), run.stderr


@pytest.fixture
def fake(built: Built) -> dict[str, str]:
    return {"SCALE_X_HOST_ENGINE": str(built.directory / "fakehost.so")}


ROCM = ["0", "702", "gfx942", "1"]
HOST = ["0", "702", "gfx942", "1"]
NONE = ["3", "0", "", "0"]
NO_DEVICE = ["100", "0", "", "0"]


def test_directory(built: Built) -> None:
    assert load(built, SCALE_X_PROVIDER=str(built.null)) == (ROCM, "")


@pytest.mark.parametrize("provider", ["", "rocm"])
def test_rocm_path(provider: str, built: Built, tmp_path: Path) -> None:
    (tmp_path / "lib").symlink_to(built.null)
    assert load(built, SCALE_X_PROVIDER=provider, ROCM_PATH=str(tmp_path)) == (ROCM, "")


def test_library_path(built: Built) -> None:
    assert load(built, SCALE_X_PROVIDER="rocm", LD_LIBRARY_PATH=f"/nonexistent:{built.null}") == (ROCM, "")


def test_amd_libraries_in_the_process(built: Built) -> None:
    """HIP that the program loaded is the one to use, and rocBLAS is looked for beside it."""
    assert load(built, SCALE_X_PROVIDER="rocm", LD_PRELOAD=str(built.null / "libamdhip64.so.7")) == (ROCM, "")


@pytest.mark.parametrize("path", ["", ":", ".", "/nonexistent:"])
def test_nothing_from_the_current_directory(path: str, built: Built) -> None:
    result, said = load(built, built.null, SCALE_X_PROVIDER="rocm", LD_LIBRARY_PATH=path)
    assert result == NONE and "no ROCm was found" in said


@pytest.mark.parametrize("provider", [".", "./null", "gpu"])
def test_unknown_provider(provider: str, built: Built, fake: dict[str, str]) -> None:
    result, said = load(built, built.null, SCALE_X_PROVIDER=provider, **fake)
    assert result == HOST
    assert (
        said == f"scale-x: SCALE_X_PROVIDER={provider} is neither rocm, host nor an absolute directory; "
        "the host engine is used\n"
    )


def test_missing_rocm_demanded(built: Built, fake: dict[str, str]) -> None:
    result, said = load(built, SCALE_X_PROVIDER="rocm", **fake)
    assert result == NONE
    assert said.count("\n") == 1 and "libamdhip64.so.7 and libamdhip64.so.6" in said
    assert "/opt/rocm/lib" in said and "handles cannot be created" in said


def test_missing_rocm_not_demanded(built: Built, fake: dict[str, str]) -> None:
    assert load(built, **fake) == (HOST, "")


def test_wrong_directory(built: Built, fake: dict[str, str], tmp_path: Path) -> None:
    result, said = load(built, SCALE_X_PROVIDER=str(tmp_path), **fake)
    assert result == HOST
    assert (
        said == f"scale-x: no ROCm was found: looked for libamdhip64.so.7 and libamdhip64.so.6 in {tmp_path}; "
        "the host engine is used\n"
    )


def test_wrong_rocm_path(built: Built, fake: dict[str, str], tmp_path: Path) -> None:
    result, said = load(built, ROCM_PATH=str(tmp_path), **fake)
    assert result == HOST
    assert said == f"scale-x: ROCM_PATH={tmp_path} has neither lib/libamdhip64.so.7 nor lib/libamdhip64.so.6\n"


def test_too_old_by_name(built: Built, fake: dict[str, str], tmp_path: Path) -> None:
    (tmp_path / "libamdhip64.so.5").touch()
    result, said = load(built, SCALE_X_PROVIDER=str(tmp_path), **fake)
    assert result == HOST
    assert (
        said == f"scale-x: ROCm 6.0 or newer is needed, but {tmp_path}/libamdhip64.so.5 belongs to ROCm 5; "
        "the host engine is used\n"
    )


def test_too_old_by_version(built: Built) -> None:
    result, said = load(built, SCALE_X_PROVIDER="rocm", NULLROCM_HIP="50731921", LD_LIBRARY_PATH=str(built.null))
    assert result == NONE and "ROCm 6.0 or newer is needed" in said and "has 5.7" in said


def test_mixed_releases(built: Built) -> None:
    env = {"SCALE_X_PROVIDER": "rocm", "LD_LIBRARY_PATH": str(built.null), "NULLROCM_ROCBLAS": "5.1.0."}
    result, said = load(built, **env)
    assert result == NONE and "ROCm 7.2's, but rocBLAS is 7.1's" in said


def test_newer_release(built: Built) -> None:
    env = {"SCALE_X_PROVIDER": str(built.null), "NULLROCM_ROCBLAS": "5.4.0.", "NULLROCM_HIP": "100152802"}
    assert load(built, **env) == (["0", "1001", "gfx942", "1"], "")


def test_rocblas_missing(built: Built, fake: dict[str, str], tmp_path: Path) -> None:
    shutil.copy(built.null / "libamdhip64.so.7", tmp_path)
    result, said = load(built, SCALE_X_PROVIDER=str(tmp_path), **fake)
    assert result == HOST and f"ROCm 7.2 was found in {tmp_path}, but not its librocblas.so.5" in said


def test_damaged_library(built: Built, fake: dict[str, str], tmp_path: Path) -> None:
    (tmp_path / "libamdhip64.so.7").write_text("not a library")
    result, said = load(built, SCALE_X_PROVIDER=str(tmp_path), **fake)
    assert result == HOST and "libamdhip64.so.7 is there but cannot be loaded" in said


def test_no_device(built: Built, fake: dict[str, str]) -> None:
    env = {"LD_LIBRARY_PATH": str(built.null), "NULLROCM_DEVICES": "0"} | fake
    result, said = load(built, SCALE_X_PROVIDER="rocm", **env)
    assert result == NO_DEVICE and "sees no device" in said
    assert load(built, **env) == (HOST, "")
    result, said = load(built, SCALE_X_KFD="/dev/null", **env)
    assert result == HOST and said.count("\n") == 1 and "/dev/kfd is present" in said


def test_hip_with_devices_beside_the_host_engine(built: Built, fake: dict[str, str]) -> None:
    result, said = load(built, SCALE_X_PROVIDER="host", LD_PRELOAD=str(built.null / "libamdhip64.so.7"), **fake)
    assert result == HOST and said.count("\n") == 1 and "libamdhip64.so.7" in said and "1 device(s)" in said


def test_impersonation(built: Built, fake: dict[str, str]) -> None:
    result, said = load(built, SCALE_X_PROVIDER="host", SCALE_X_HOST_ROCM="6.4", SCALE_X_HOST_ARCH="gfx1100", **fake)
    assert (result, said) == (["0", "604", "gfx1100", "1"], "")
    for release in ("x", "7.", "7.2.1", "99.9"):
        result, said = load(built, SCALE_X_PROVIDER="host", SCALE_X_HOST_ROCM=release, **fake)
        assert result == NONE and f"does not know ROCm {release} on gfx942" in said


def test_missing_engine(built: Built) -> None:
    result, said = load(built, SCALE_X_PROVIDER="host")
    assert result == NONE and f"looked for {built.directory.resolve()}/libscalex_host.so.0" in said


def test_missing_openblas(built: Built, tmp_path: Path) -> None:
    """The message names the Python package that the library comes with, and where it was looked for."""
    blas = tmp_path / "libscipy_openblas64_.so"
    (tmp_path / "blas.cpp").write_text("extern int blas; int blas = 1;")
    (tmp_path / "engine.cpp").write_text("extern int blas; int* used = &blas;")
    built.compile(blas, tmp_path / "blas.cpp", flags=("-shared", f"-Wl,-soname,{blas.name}"))
    built.compile(tmp_path / "engine.so", tmp_path / "engine.cpp", flags=("-shared", str(blas)))
    blas.unlink()
    result, said = load(built, SCALE_X_PROVIDER="host", SCALE_X_HOST_ENGINE=str(tmp_path / "engine.so"))
    assert result == NONE and said.count("\n") == 1
    assert "pip install scipy-openblas64" in said and "scipy_openblas64/lib/libscipy_openblas64_.so" in said


# ---- messages --------------------------------------------------------------------------------------------------------

XERBLA = """ ** On entry to SGEMM  parameter number 8 had an illegal value
 ** On entry to SBATCHED_GETRF parameter number -3 had an illegal value
"""


def test_messages(built: Built, tmp_path: Path) -> None:
    quiet = built.run("errors")
    assert (quiet.returncode, quiet.stdout, quiet.stderr) == (0, XERBLA, "")
    loud = built.run("errors", SCALE_X_LOG="1")
    lines = loud.stderr.splitlines()
    assert (loud.returncode, loud.stdout, lines[0]) == (0, XERBLA, "scale-x: cublasX is not supported: no reason")
    assert len(lines) == 2 and lines[1].startswith("scale-x: xxx") and len(lines[1]) < 2048
    log = tmp_path / "log"
    assert built.run("errors", SCALE_X_LOG=str(log)).stderr == ""
    assert log.read_text() == loud.stderr


def test_loading_is_quick(built: Built) -> None:
    """Core alone: reserving the slab and nothing else."""
    core = str(built.directory / "libscalex_core.so.0")
    script = f"import ctypes, time; t = time.perf_counter(); ctypes.CDLL({core!r}); print(time.perf_counter() - t)"
    times = [float(subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True).stdout)
             for _ in range(3)]  # fmt: skip
    assert min(times) < 0.01
