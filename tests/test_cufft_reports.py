# ruff: noqa: E501
"""Transforms that broke other people's programs; each test names the report. Values were worked out by hand or NumPy."""

from __future__ import annotations

from pathlib import Path

import cufft_process as process


def test_hipfft_185_empty_lengths_and_null_data_never_hang(lib_dir: Path) -> None:
    process.run(
        lib_dir,
        """
plan = C.c_int(-7)
for nx, batch in ((0, 1), (256, 0), (-1, 1)):
    assert fft.cufftPlan1d(C.byref(plan), nx, C2C, batch) == 8, (nx, batch)
assert fft.cufftPlan2d(C.byref(plan), 0, 4, C2C) == 8
for rank, n in ((0, (4,)), (4, (2, 2, 2, 2))):
    assert fft.cufftPlanMany(C.byref(plan), rank, ints(*n), None, 1, 0, None, 1, 0, C2C, 1) == 4, rank
ok(fft.cufftPlan1d(C.byref(plan), 8, C2C, 1))
assert fft.cufftExecC2C(plan, None, None, -1) == 6
""",
        timeout=30,
    )


def test_hipfft_3_null_embeds_ignore_strides(lib_dir: Path) -> None:
    process.run(
        lib_dir,
        """
x = sample((2, 4, 6), np.float64)
spectrum = oracle.rfft2(x)
packed, explicit = C.c_int(), C.c_int()
ok(fft.cufftPlanMany(C.byref(packed), 2, ints(4, 6), None, 5, 3, None, 7, 1, Z2D, 2))
ok(fft.cufftPlanMany(C.byref(explicit), 2, ints(4, 6), ints(4, 4), 1, 16, ints(4, 6), 1, 24, Z2D, 2))
answers = []
for plan in (packed, explicit):
    i, o = dev(spectrum), dev(np.full(x.shape, np.nan))
    ok(fft.cufftExecZ2D(plan, i, o))
    answers.append(get(o, x.shape, np.float64))
assert l2(answers[0], 24 * wide(x)) <= bound((4, 6), 8) and answers[0].tobytes() == answers[1].tobytes()
""",
    )


def test_rocfft_157_both_embeds_or_none(lib_dir: Path) -> None:
    process.run(
        lib_dir,
        """
for embeds, status in (((None, None), 0), ((ints(256, 128), None), 4), ((None, ints(256, 128)), 4), ((ints(256, 128), ints(256, 128)), 0)):
    plan = C.c_int()
    got = fft.cufftPlanMany(C.byref(plan), 2, ints(256, 128), embeds[0], 1, 256 * 128, embeds[1], 1, 256 * 128, R2C, 1)
    assert got == status, (embeds, got)
""",
    )


def test_pytorch_34551_only_complex_to_real_may_spoil_its_input(lib_dir: Path) -> None:
    process.run(
        lib_dir,
        """
ones = np.ones((2, 2), np.complex64)
i, o = dev(ones), dev(np.full((2, 2), np.nan, np.float32))
ok(execute(many((2, 2), C2R), C2R, i, o))
assert get(o, (2, 2), np.float32).tolist() == [[4, 0], [0, 0]]
for kind, n in itertools.product((R2C, C2C, D2Z, Z2Z), ((2, 2), (5,), (16, 9), (4, 3, 2))):
    x = sample(n, types(kind)[0])
    i, o = dev(x), malloc(16 * x.size * 2)
    ok(execute(many(n, kind), kind, i, o))
    assert get(i, n, x.dtype).tobytes() == x.tobytes(), (NAMES[kind], n)
""",
    )


def test_rocfft_270_a_sparse_spectrum_in_three_dimensions(lib_dir: Path) -> None:
    process.run(
        lib_dir,
        """
i, j, k = np.meshgrid(*[np.arange(4)] * 3, indexing="ij")
x = ((10 * k + i) + 1j * j).astype(np.complex64)
want = np.zeros((4, 4, 4), np.complex64)
want[0, 0, :] = 1056 + 96j, -320 + 320j, -320, -320 - 320j
want[0, 1:, 0] = -32 - 32j, -32j, 32 - 32j
want[1:, 0, 0] = -32 + 32j, -32, -32 - 32j
plan = C.c_int()
ok(fft.cufftPlan3d(C.byref(plan), 4, 4, 4, C2C))
source, other = dev(x), dev(np.full(x.shape, np.nan, np.complex64))
ok(fft.cufftExecC2C(plan, source, other, -1))
ok(fft.cufftExecC2C(plan, source, source, -1))
out, inside = get(other, x.shape, np.complex64), get(source, x.shape, np.complex64)
assert np.abs(out - want).max() < 1e-3 and out.tobytes() == inside.tobytes()
""",
    )
