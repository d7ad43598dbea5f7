"""What a type checker says of code that uses the bindings."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
USER = """
import ctypes
import numpy as np
from scale_x.bindings import cublas, cudart
from scale_x.memory import to_device

handle: int = cublas.create()
x = to_device(np.ones(3, np.float32))
cublas.sscal(handle, 3, np.float32(2).reshape(1), x, 1)
cublas.sscal(handle, n=3, alpha=ctypes.c_float(2), x=None, incx=1)
cublas.set_pointer_mode(handle, cublas.PointerMode.DEVICE)
cublas.gemm_ex(handle, cublas.Operation.N, cublas.CUBLAS_OP_T, 1, 1, 1, x, x, cublas.DataType.R_32F, 1, x, 0, 1, x, x,
               0, 1, cublas.ComputeType.COMPUTE_32F, cublas.GemmAlgo.DEFAULT)
size: int = cudart.malloc(100)
text: str | None = cublas.get_status_string(7)
value: complex = cublas.legacy_cdotu(3, x, 1, x, 1)
cublas.sscal(handle, "3", x, x, 1)
cublas.sscal(handle, 3, 1.5, x, 1)
cublas.sscal(handle, 3, x, x)
cublas.sscal(handle, 3, x, x, inc=1)
"""


def test_right_calls_pass_and_wrong_ones_do_not(tmp_path: Path) -> None:
    subprocess.run([sys.executable, "-c", "import typing_tree; typing_tree.make()"], cwd=ROOT / "tools", check=True)
    (tmp_path / "user.py").write_text(USER)
    command = [sys.executable, "-m", "mypy", "--no-incremental", "--config-file", str(ROOT / "pyproject.toml"),
               str(tmp_path / "user.py")]  # fmt: skip
    run = subprocess.run(command, cwd=ROOT / "build" / "typing", capture_output=True, text=True)
    last = len(USER.splitlines())
    wrong = sorted({int(line.split(":")[1]) for line in run.stdout.splitlines() if ": error:" in line})
    assert wrong == [last - 3, last - 2, last - 1, last], run.stdout + run.stderr
