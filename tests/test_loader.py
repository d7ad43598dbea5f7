"""How ROCm is found and judged: sonames by release, places and their order, what is in the process already.

Beside ``test_core.py``, which says what is chosen when something is missing, old, damaged or mixed.
"""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest
from test_core import HERE, ROCM, Built, built, fake, load

__all__ = ["built", "fake"]  # fixtures

TRAP = 'extern "C" void _exit(int);\n__attribute__((constructor)) static void leave() { _exit(42); }\n'


def null(built: Built, which: str, path: Path, soname: str = "", extra: Path | None = None) -> Path:
    """A library whose functions do nothing, under any name."""
    path.parent.mkdir(parents=True, exist_ok=True)
    sources = [HERE / "nullrocm.cpp", HERE / "nullrocm_rest.cpp", *([extra] if extra else [])]
    flags = (f"-DNULL_{which}", "-shared", f"-Wl,-soname,{soname or path.name}")
    return built.compile(path, *sources, flags=flags)


def from_where(said: str) -> str:
    """The directory that the log names."""
    found = re.search(r"ROCm [\d.]+ from (\S+) on", said)
    assert found, said
    return found[1]


@pytest.mark.parametrize(
    ("hip", "rocblas", "version", "release"),
    [
        ("libamdhip64.so.6", "librocblas.so.4", ("60032830", "4.0.0."), "600"),
        ("libamdhip64.so.6", "librocblas.so.4", ("60443484", "4.4.0."), "604"),
        ("libamdhip64.so.7", "librocblas.so.5", ("70051831", "5.0.0."), "700"),
        ("libamdhip64.so.7", "librocblas.so.5", ("100152802", "5.4.0."), "1001"),
    ],
)
def test_sonames_by_release(
    hip: str, rocblas: str, version: tuple[str, str], release: str, built: Built, tmp_path: Path
) -> None:
    null(built, "HIP", tmp_path / hip)
    null(built, "ROCBLAS", tmp_path / rocblas)
    env = {"SCALE_X_PROVIDER": str(tmp_path), "NULLROCM_HIP": version[0], "NULLROCM_ROCBLAS": version[1]}
    assert load(built, **env) == (["0", release, "gfx942", "1"], "")


def test_a_generation_is_not_completed_by_another(built: Built, tmp_path: Path) -> None:
    null(built, "HIP", tmp_path / "libamdhip64.so.6")
    null(built, "ROCBLAS", tmp_path / "librocblas.so.5")
    result, said = load(built, SCALE_X_PROVIDER="rocm", LD_LIBRARY_PATH=str(tmp_path), NULLROCM_HIP="60443484")
    assert result[0] != "0" and "ROCm 6.4 was found" in said and "not its librocblas.so.4" in said


def test_minor_releases_are_not_mixed(built: Built, tmp_path: Path) -> None:
    null(built, "HIP", tmp_path / "libamdhip64.so.6")
    null(built, "ROCBLAS", tmp_path / "librocblas.so.4")
    env = {"SCALE_X_PROVIDER": "rocm", "LD_LIBRARY_PATH": str(tmp_path), "NULLROCM_HIP": "60443484"}
    result, said = load(built, **env, NULLROCM_ROCBLAS="4.2.1.")
    assert result[0] != "0" and "is ROCm 6.4's, but rocBLAS is 6.2's" in said
    assert load(built, **env, NULLROCM_ROCBLAS="4.4.1.")[0] == ["0", "604", "gfx942", "1"]


def test_the_newest_of_a_directory(built: Built, tmp_path: Path) -> None:
    for name in ("libamdhip64.so.6", "libamdhip64.so.7"):
        null(built, "HIP", tmp_path / name)
    null(built, "ROCBLAS", tmp_path / "librocblas.so.5")
    assert load(built, SCALE_X_PROVIDER=str(tmp_path)) == (ROCM, "")


def test_rocm_path_comes_before_the_library_path(built: Built, tmp_path: Path) -> None:
    shutil.copytree(built.null, tmp_path / "rocm" / "lib")
    env = {"SCALE_X_PROVIDER": "rocm", "SCALE_X_LOG": "1", "LD_LIBRARY_PATH": str(built.null)}
    assert from_where(load(built, **env)[1]) == str(built.null)
    assert from_where(load(built, **env, ROCM_PATH=str(tmp_path / "rocm"))[1]) == str(tmp_path / "rocm" / "lib")


def test_the_rest_is_looked_for_beside_hip(built: Built, tmp_path: Path) -> None:
    """A damaged rocBLAS earlier on the path is not even opened."""
    shutil.copytree(built.null, tmp_path / "rocm" / "lib")
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "librocblas.so.5").write_text("not a library")
    env = {"SCALE_X_PROVIDER": "rocm", "LD_LIBRARY_PATH": f"{tmp_path / 'other'}:{tmp_path / 'rocm' / 'lib'}"}
    assert load(built, **env) == (ROCM, "")


def test_pips_rocm(built: Built, tmp_path: Path) -> None:
    """The wheels of ROCm put HIP and the libraries of a family of chips into two packages beside this one."""
    site = tmp_path / "site-packages"
    inside = site / "scale_x" / "lib"
    shutil.copytree(built.directory, inside)
    null(built, "HIP", site / "_rocm_sdk_core" / "lib" / "libamdhip64.so.7")
    null(built, "ROCBLAS", site / "_rocm_sdk_libraries_gfx94X_dcgpu" / "lib" / "librocblas.so.5")
    here = Built(inside, built.null)
    result, said = load(here, SCALE_X_PROVIDER="rocm", SCALE_X_LOG="1")
    assert result == ROCM and from_where(said) == str(site / "_rocm_sdk_core" / "lib")
    shutil.rmtree(site / "_rocm_sdk_libraries_gfx94X_dcgpu")
    result, said = load(here, SCALE_X_PROVIDER="rocm")
    assert result != ROCM and "not its librocblas.so.5" in said


@pytest.mark.parametrize("release", ["7.2", "6.4"])
def test_pytorchs_rocm(release: str, built: Built, tmp_path: Path) -> None:
    """PyTorch's wheels call the libraries libamdhip64.so and librocblas.so: those of the process are used."""
    torch = tmp_path / "torch" / "lib"
    hip = null(built, "HIP", torch / "libamdhip64.so")
    null(built, "ROCBLAS", torch / "librocblas.so")
    env = {"7.2": {}, "6.4": {"NULLROCM_HIP": "60443484", "NULLROCM_ROCBLAS": "4.4.0."}}[release]
    env = env | {"SCALE_X_PROVIDER": "rocm", "LD_PRELOAD": str(hip), "LD_LIBRARY_PATH": str(built.null)}
    result, said = load(built, **env, SCALE_X_LOG="1")
    assert result == ["0", release.replace(".", "0"), "gfx942", "1"] and from_where(said) == str(torch)
    assert "HIP is already in this process" in said


def test_rocblas_of_the_process_is_used(built: Built, tmp_path: Path) -> None:
    """Both are the program's, from two places: nothing else is opened."""
    hip = null(built, "HIP", tmp_path / "hip" / "libamdhip64.so.7")
    blas = null(built, "ROCBLAS", tmp_path / "blas" / "librocblas.so.5")
    (tmp_path / "hip" / "librocblas.so.5").write_text("not a library")
    env = {"SCALE_X_PROVIDER": "rocm", "LD_PRELOAD": f"{hip}:{blas}", "LD_LIBRARY_PATH": str(built.null)}
    assert load(built, **env) == (ROCM, "")


@pytest.mark.parametrize("library", ["librocblas.so.5", "libhipblaslt.so.1", "librocsolver.so.0"])
def test_devices_are_counted_before_anything_may_exit(
    library: str,
    built: Built,
    fake: dict[str, str],
    tmp_path: Path,  # noqa: F811
) -> None:
    """AMD's libraries may end a process that has no device; without one they are not opened at all."""
    trap = tmp_path / "trap.cpp"
    trap.write_text(TRAP)
    null(built, "HIP", tmp_path / "libamdhip64.so.7")
    null(built, "ROCBLAS", tmp_path / "librocblas.so.5")
    null(built, "ROCBLAS", tmp_path / library, extra=trap)
    env = {"SCALE_X_PROVIDER": "rocm", "LD_LIBRARY_PATH": str(tmp_path), **fake}
    assert built.run("load", **env).returncode == 42, "the trap works"
    result, said = load(built, **env, NULLROCM_DEVICES="0")
    assert result[0] == "100" and "sees no device" in said
    del env["SCALE_X_PROVIDER"]
    assert load(built, **env, NULLROCM_DEVICES="0") == (ROCM, ""), "the host engine"
