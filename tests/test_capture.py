"""What may be captured: docs/capture.md, held against every function of cuBLAS and cuSOLVER that has an oracle."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from fnmatch import fnmatchcase
from functools import partial
from pathlib import Path

import pytest
from hazards_process import run
from test_gates import model, real

ROOT = Path(__file__).resolve().parent.parent
HERE = Path(__file__).resolve().parent
#: launches a kernel of our own: refused only as the first such call of the process
KERNELS = re.compile(r"cusolverDn.gesvdjBatched")
YES, AFTER, NO, LOST = "yes", "after one call", "no", "lost"


def promised() -> Iterator[tuple[list[str], dict[str, str]]]:
    """(patterns, pointer mode -> answer) of each line of the page's table."""
    for line in (ROOT / "docs" / "capture.md").read_text().splitlines():
        cells = [c.strip() for c in line.strip("|").split("|")]
        if line.startswith("| `") and len(cells) == 3:
            yield (
                re.findall(r"`(\w[^`]*)`", cells[0].partition(":")[0]),
                {"host": cells[1], "device": cells[2]},
            )  # "" where there are no modes


def promise(symbol: str, mode: str) -> set[str]:
    """The answers that the page allows; a function that two lines name may do either."""
    said = {AFTER, YES} if KERNELS.fullmatch(symbol) else set()
    for patterns, answers in promised():
        if any(map(partial(fnmatchcase, symbol), patterns)):
            said |= set(answers[mode].split(" or "))
    if symbol.removesuffix("_64").endswith("Async"):
        return {YES}
    return said or {YES}


def subjects_of(letters: str) -> list[str]:
    """library/symbol: of families over a type those of ``letters``, and no 64-bit twins, which share their bodies."""
    return [
        f"{s.library}/{s.name}" for s in real(model())
        if s.library in ("cublas", "cusolver") and s.row.oracle and 13 in s.function.exported and not s.names.wide
        and not s.name.startswith(("cublasXt", "cusolverSp")) and (not s.names.letter or s.names.letter in letters)
    ]  # fmt: skip


def captured(lib_dir: Path, symbols: list[str]) -> dict[tuple[str, str], dict[str, dict]]:
    """(symbol, pointer mode) -> "cold" and "warm" -> what came of it."""
    env = {k: v for k, v in os.environ.items() if not k.startswith("SCALE_X_")}
    env |= {"SCALE_X_PROVIDER": "host", "SCALE_X_HOST_HOSTILE": "1", "SCALE_X_LIBRARY_DIR": str(lib_dir)}
    env["PYTHONPATH"] = os.pathsep.join(p or os.getcwd() for p in sys.path)
    done = subprocess.run([sys.executable, str(HERE / "capture_process.py")], input=" ".join(symbols), env=env,
                          capture_output=True, text=True, timeout=600)  # fmt: skip
    assert done.returncode == 0, done.stdout[-500:] + done.stderr[-2000:]
    found: dict[tuple[str, str], dict[str, dict]] = {}
    for line in map(json.loads, done.stdout.splitlines()):
        found.setdefault((line["symbol"].partition("/")[2], line["mode"]), {})[line["when"]] = line
    return found


def seen(cold: dict, warm: dict) -> str:
    """Which of the four answers a pair of captures is; anything else is a fault and says so."""
    if warm["result"] == "passed":
        return YES if cold["result"] == "passed" else AFTER if refused(cold) and not cold["broken"] else str(cold)
    if not refused(cold) or not refused(warm):
        return f"{cold} {warm}"
    return LOST if warm["broken"] else NO


def refused(line: dict) -> bool:
    return line["result"] == "failed" and line["message"].startswith("status ") and line["status"] != "SUCCESS"


@pytest.mark.parametrize("letters", ["SC", pytest.param("SDCZ", marks=pytest.mark.slow)])
def test_functions_are_captured_as_the_page_says(letters: str, lib_dir: Path) -> None:
    found = captured(lib_dir, subjects_of(letters))
    assert len(found) > 150
    wrong = [f"{name}, {mode}: {seen(**r)}, the page says {promise(name, mode)}" for (name, mode), r in found.items()
             if seen(**r) not in promise(name, mode)]  # fmt: skip
    assert not wrong, "\n".join(wrong)
    assert {seen(**r) for r in found.values()} == {YES, AFTER, NO, LOST}


def test_every_pattern_means_something() -> None:
    exported = set(model().symbols)
    for patterns, _ in promised():
        assert patterns
        for p in patterns:
            assert any(fnmatchcase(name, p) for name in exported), p


@pytest.mark.parametrize("release", ["6.0", "7.2", "10.1"])
def test_cublaslt_is_captured(release: str, lib_dir: Path) -> None:
    """Cold, on a stream of its own, with scalars on the host and on the device, with bias and ReLU."""
    run(
        lib_dir,
        """
m, n, k = 16, 8, 32
rng = np.random.default_rng(5)
a, b = (rng.standard_normal(s).astype(np.float16) for s in ((m, k), (k, n)))
bias = rng.standard_normal(m).astype(np.float16)
h, A, B, V = made(lt.cublasLtCreate), send(a), send(b), send(bias)
want = a.astype(np.float64) @ b.astype(np.float64)
def call(s, D, attributes, alpha, beta):
    return matmul(h, m, n, k, A, B, D, D, [np.float16] * 4, alpha, beta, attributes=attributes, s=s)
two, zero = pointer(2), pointer(0)
device = send(np.array([2, 0, 0, 0], np.float32))
for attributes, expected in (((), 2 * want), (((7, I(6)), (8, P(V.value))), np.maximum(2 * want + bias[:, None], 0))):
    for mode, al, be in ((0, two, zero), (1, device, P(device.value + 4))):
        s, D = stream(), room(2 * m * n, 0)
        modes = (*attributes, (2, I(mode)))
        cold = capture(s, lambda: call(s, D, modes, al, be))
        if cold != 0:
            assert cold in (3, 15), cold
            ok(call(s, D, modes, al, be)); ok(rt.cudaStreamSynchronize(s))
            ok(rt.cudaMemset(D, 0, C.c_size_t(2 * m * n)))
            ok(capture(s, lambda: call(s, D, modes, al, be)))
        assert np.allclose(fetch(D, (m, n), np.float16), expected, atol=0.05, rtol=1e-2), (mode, cold)
        ok(rt.cudaMemset(D, 0, C.c_size_t(2 * m * n)))
        launch(s)
        assert np.allclose(fetch(D, (m, n), np.float16), expected, atol=0.05, rtol=1e-2)
""",
        SCALE_X_HOST_ROCM=release,
    )


def test_cufft_is_captured(lib_dir: Path) -> None:
    run(
        lib_dir,
        """
n, x = 32, np.random.default_rng(6).standard_normal((2, 32)).astype(np.complex64).T
plan, s = I(), stream()
ok(fft.cufftPlan1d(C.byref(plan), n, 41, 2)); ok(fft.cufftSetStream(plan, s))
X, Y = send(x), room(8 * 2 * n, 0)
ok(capture(s, lambda: fft.cufftExecC2C(plan, X, Y, -1)))
assert np.allclose(fetch(Y, (n, 2), np.complex64), np.fft.fft(x, axis=0), atol=1e-4)
ok(capture(s, lambda: fft.cufftExecC2C(plan, X, X, -1)))
assert np.allclose(fetch(X, (n, 2), np.complex64), np.fft.fft(x, axis=0), atol=1e-4)
""",
    )


def test_handles_are_made_while_a_stream_captures(lib_dir: Path) -> None:
    """And the capture survives: what is captured afterwards is in the graph."""
    run(
        lib_dir,
        """
s, other = stream(), stream()
x = send(np.ones(4, np.float32))
h = made(blas.cublasCreate_v2)
ok(blas.cublasSetStream_v2(h, s))
def call():
    for create in (blas.cublasCreate_v2, lt.cublasLtCreate, solver.cusolverDnCreate):
        made(create)
    return blas.cublasSscal_v2(h, 4, pointer(3), x, 1)
ok(capture(s, call))
assert (fetch(x, (4,), np.float32) == 3).all()
""",
    )


def test_a_refused_call_leaves_the_capture(lib_dir: Path) -> None:
    """The product before and the one after it are in the graph."""
    run(
        lib_dir,
        """
n, s = 4, stream()
h, x = made(blas.cublasCreate_v2), send(np.ones(4, np.float32))
ok(blas.cublasSetStream_v2(h, s))
a = send(np.eye(n, dtype=np.float32)); arrays = send(np.array([a.value], np.uint64))
out = room(4 * n * n); outs = send(np.array([out.value], np.uint64)); info = room(16)
def call():
    ok(blas.cublasSscal_v2(h, 4, pointer(3), x, 1))
    assert blas.cublasSmatinvBatched(h, n, arrays, n, outs, n, info, 1) == 3
    return blas.cublasSscal_v2(h, 4, pointer(2), x, 1)
ok(capture(s, call))
assert (fetch(x, (4,), np.float32) == 6).all()
""",
    )
