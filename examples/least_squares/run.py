"""Compiles least_squares.c as any CUDA user would, runs it on a real table, and checks every number.

The table is scikit-learn's copy of the UCI wine data (178 wines, 13 measurements): the alcohol content explained by the
other twelve. The reference is numpy.linalg.lstsq, which uses an SVD, not normal equations.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
from importlib.resources import as_file, files
from pathlib import Path

import numpy as np

HERE = Path(__file__).resolve().parent
RESPONSE = 0  # alcohol


def wine_table() -> np.ndarray:
    """(178, 13) float64: the measurements, without the class column."""
    with as_file(files("sklearn") / "datasets" / "data" / "wine_data.csv") as path:
        return np.loadtxt(path, delimiter=",", skiprows=1)[:, :13]


def compile_program(prefix: Path, out: Path) -> None:
    cc = os.environ.get("CC", "cc")
    subprocess.run(
        [
            cc,
            "-std=c99",
            "-O2",
            "-Wall",
            "-Wextra",
            "-Werror",
            f"-I{prefix / 'include'}",
            str(HERE / "least_squares.c"),
            f"-L{prefix / 'lib64'}",
            f"-Wl,-rpath,{prefix / 'lib64'}",
            "-lcublas",
            "-lcudart",
            "-lm",
            "-o",
            str(out),
        ],
        check=True,
    )


def reference(table: np.ndarray) -> tuple[np.ndarray, float, float]:
    """Coefficients (constant first), residual norm, and the condition number of the design matrix."""
    y = table[:, RESPONSE]
    predictors = np.delete(table, RESPONSE, axis=1)
    standardised = (predictors - predictors.mean(0)) / predictors.std(0)
    X = np.column_stack([np.ones(len(y)), standardised])
    b = np.linalg.lstsq(X, y, rcond=None)[0]
    return b, float(np.linalg.norm(y - X @ b)), float(np.linalg.cond(X))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--cuda", default="13", choices=["11", "12", "13"])
    options = parser.parse_args()
    scale_x = Path(sys.executable).parent / "scale-x"
    prefix = Path(
        subprocess.run(
            [scale_x, "prefix", "--cuda", options.cuda], check=True, capture_output=True, text=True
        ).stdout.strip()
    )
    table = wine_table()
    with tempfile.TemporaryDirectory() as scratch:
        program, csv = Path(scratch) / "least_squares", Path(scratch) / "wine.csv"
        np.savetxt(csv, table, delimiter=",", fmt="%.17g")
        compile_program(prefix, program)
        run = subprocess.run([program, csv, str(RESPONSE)], capture_output=True, text=True)
    if run.returncode:
        sys.stderr.write(run.stdout + run.stderr)
        return 1
    got = np.array([float(line) for line in run.stdout.split()])
    b, norm, condition = reference(table)
    want = np.append(b, norm)
    error = float(np.linalg.norm(got - want) / np.linalg.norm(want)) if got.shape == want.shape else float("nan")
    bound = 10 * len(b) * condition**2 * np.finfo(float).eps  # normal equations square the condition number
    ok = error <= bound
    r2 = 1 - norm**2 / np.sum((table[:, RESPONSE] - table[:, RESPONSE].mean()) ** 2)
    print(
        f"least squares on {table.shape[0]} wines, {len(b)} coefficients, CUDA {options.cuda}: R^2 {r2:.4f}, "
        f"residual norm {got[-1]:.6f}, relative error {error:.1e} (bound {bound:.1e}): {'ok' if ok else 'WRONG'}"
    )
    return 0 if ok else 1


if __name__ == "__main__":
    sys.exit(main())
