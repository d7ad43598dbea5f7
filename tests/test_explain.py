"""``python -m wrappers_gen``: explain, list, check, and what a broken page says."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from rows_sample import real

from scale_x.wrappers_gen.explain import explain

ROOT = Path(__file__).resolve().parent.parent


def run(*arguments: str, cwd: Path = ROOT) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-S", "-m", "wrappers_gen", *arguments], cwd=cwd, capture_output=True, text=True, check=False
    )


@pytest.mark.parametrize("name", ["cublasSgemm_v2_64", "cublasSgemm_64"])
def test_the_whole_chain_on_one_screen(name: str) -> None:
    text = explain(real(), name)
    row = real().symbols["cublasSgemm_v2_64"]
    for part in (
        "cublasSgemm_v2_64  cublas, direct",
        "cublas/spec/cublas.jsonl: cublas_api.h; also called cublasSgemm_64",
        "libcublas.so.12: CUDA 12",
        "libcublas.so.13: CUDA 13",
        f"row      {row.where}",
        "rocblas_sgemm: since ROCm 5.7 or older (header)",
        "rocblas_sgemm_64: since ROCm 6.",
        "binding  scale_x.bindings.cublas.",
        "against gemm, componentwise: scale-x-conform run -k",
        "wrapper  src/cublas/gemm.cpp",
        "SX_EXPORT cublasStatus_t cublasSgemm_v2_64(cublasHandle_t handle",
    ):
        assert part in text  # fmt: skip
    assert "libcublas.so.11" not in text  # which has no 64-bit functions
    assert len(text.splitlines()) < 60


def test_every_symbol_can_be_explained() -> None:
    for name in real().symbols:
        assert explain(real(), name).startswith(name)


def test_an_unknown_symbol_gets_suggestions() -> None:
    result = run("explain", "cublasSgem_v2")
    assert result.returncode == 1
    assert "no library exports cublasSgem_v2; did you mean" in result.stderr
    assert "cublasSgemm_v2" in result.stderr


def test_list() -> None:
    lines = run("list", "--library", "cublas", "--kind", "direct").stdout.splitlines()
    assert any(
        line.split() == ["cublasSgemm_v2", "cublas", "direct", real().symbols["cublasSgemm_v2"].where] for line in lines
    )
    assert len(lines) == sum(s.kind == "direct" for s in real().of("cublas"))


def test_check_says_nothing_about_good_rows() -> None:
    result = run("check")
    assert (result.returncode, result.stdout) == (0, "")


def test_a_broken_page_is_named(tmp_path: Path) -> None:
    for folder in ("wrappers_gen", "scale_x", "rocm", "cublas", "cublaslt", "cusolver", "cufft", "cudart"):
        if (ROOT / folder).is_dir():
            shutil.copytree(ROOT / folder, tmp_path / folder, ignore=shutil.ignore_patterns("__pycache__", "*.so"))
    (tmp_path / "pyproject.toml").touch()
    page = tmp_path / "cublas" / "rows" / "gemm.py"
    page.write_text(page.read_text().replace('call="rocblas_{t}gemm"', 'call="rocblas_{t}gem"', 1))
    result = run("check", cwd=tmp_path)
    line = next(i for i, text in enumerate(page.read_text().splitlines(), 1) if text == "    Row(")
    assert result.returncode == 1
    assert f"cublas/rows/gemm.py:{line}: 'rocblas_sgem' is no function of rocm/spec" in result.stdout
    result = run("emit", "--out", str(tmp_path / "out"), cwd=tmp_path)
    assert result.returncode == 1
    assert "cublas/rows/gemm.py:" in result.stderr and "Traceback" not in result.stderr
    page.write_text("ROWS = (Row(),)\n")
    result = run("emit", "--out", str(tmp_path / "out"), cwd=tmp_path)
    assert "cublas/rows/gemm.py:1: cannot be imported: name 'Row' is not defined" in result.stderr
