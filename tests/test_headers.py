"""The emitted C headers compile as C99 and C++17, say what the spec says, and behave where they hold code."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import ml_dtypes
import numpy as np
import pytest

from scale_x.wrappers_gen.emit import abi_check, headers

RELEASES = (11, 12, 13, headers.ALL)
COMPILERS = [pytest.param(c, marks=pytest.mark.skipif(not shutil.which(c), reason=f"no {c}")) for c in ("gcc", "clang")]
STRICT = ("-Wall", "-Wextra", "-Werror", "-pedantic", "-fsyntax-only")


@pytest.fixture(scope="session")
def include(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The emitted ``include`` directory."""
    root = tmp_path_factory.mktemp("headers")
    for name, text in headers.emit().items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return root / "include"


def folder(include: Path, release: int) -> Path:
    return include / str(release or "all")


def compile_text(text: str, *flags: str, compiler: str = "gcc", language: str = "c") -> str:
    """Compile ``text`` and return the first error, or nothing."""
    standard = {"c": "-std=c99", "c11": "-std=c11", "c++": "-std=c++17"}[language]
    done = subprocess.run(
        [compiler, "-x", language.removesuffix("11"), standard, *flags, "-"], input=text, text=True,
        capture_output=True, check=False)
    errors = [line for line in done.stderr.splitlines() if "error" in line]
    return "" if done.returncode == 0 else (errors or [done.stderr or "failed"])[0]


def includes(names: list[str]) -> str:
    return "".join(f"#include <{n}>\n" for n in names) + "extern int not_an_empty_unit;\n"


@pytest.mark.parametrize("compiler", COMPILERS)
@pytest.mark.parametrize("language", ["c", "c++"])
@pytest.mark.parametrize("release", RELEASES)
def test_all_headers_together(include: Path, release: int, language: str, compiler: str) -> None:
    names = abi_check.checked_headers(release, cxx=language == "c++")
    assert len(names) > 30
    assert not compile_text(includes(names), *STRICT, f"-I{folder(include, release)}", compiler=compiler,
                            language=language)


@pytest.mark.parametrize("language", ["c", "c++"])
@pytest.mark.parametrize("release", RELEASES)
def test_each_header_alone(include: Path, release: int, language: str) -> None:
    for path in sorted(folder(include, release).rglob("*.h")):
        name = str(path.relative_to(folder(include, release)))
        if name in headers.ONLY and language == "c":
            continue
        assert not compile_text(includes([name]), *STRICT, f"-I{folder(include, release)}", language=language), name


@pytest.mark.parametrize("language", ["c11", "c++"])
@pytest.mark.parametrize("release", RELEASES)
def test_values_sizes_offsets_and_signatures(include: Path, release: int, language: str) -> None:
    cxx = language == "c++"
    text = abi_check.source(release, abi_check.checked_headers(release, cxx=cxx), cxx=cxx)
    assert text.count("CHECK(") > 1000
    assert not compile_text(text, "-w", "-fsyntax-only", f"-I{folder(include, release)}", language=language)


def test_a_wrong_header_is_noticed(include: Path, tmp_path: Path) -> None:
    wrong = (folder(include, 12) / "cublas_api.h").read_text(encoding="utf-8")
    for old, new in (("CUBLAS_STATUS_ALLOC_FAILED = 3", "CUBLAS_STATUS_ALLOC_FAILED = 4"),
                     ("cublasSscal_v2(cublasHandle_t handle, int n,", "cublasSscal_v2(cublasHandle_t handle, long n,")):
        assert old in wrong
        (tmp_path / "cublas_api.h").write_text(wrong.replace(old, new), encoding="utf-8")
        error = compile_text(abi_check.source(12, ["cublas_api.h"]), "-w", "-fsyntax-only", f"-I{tmp_path}",
                             f"-I{folder(include, 12)}", language="c11")
        assert "static assertion failed" in error or "CHECK" in error, error


def test_the_legacy_header_excludes_the_new_one(include: Path) -> None:
    text = includes(["cublas_v2.h", "cublas.h"])
    assert "exclude each other" in compile_text(text, "-fsyntax-only", f"-I{folder(include, 12)}")
    assert not compile_text(text, "-fsyntax-only", f"-I{folder(include, headers.ALL)}")


def test_renames_are_those_of_the_release(include: Path) -> None:
    def expand(release: int, word: str) -> str:
        done = subprocess.run(["gcc", "-E", "-P", f"-I{folder(include, release)}", "-"], check=True, text=True,
                              input=f"#include <cublas_v2.h>\n=> {word}\n", capture_output=True)
        return done.stdout.rstrip().rpartition("=> ")[2]

    assert expand(11, "cublasSgemm") == "cublasSgemm_v2"
    assert expand(11, "cublasSgemm_64") == "cublasSgemm_64"
    assert expand(12, "cublasSgemm_64") == "cublasSgemm_v2_64"
    assert expand(headers.ALL, "cublasSgemm") == "cublasSgemm"


CXX_USES = """
#include <cuda_runtime.h>
#include <cublas_v2.h>
#include <cublasLt.h>
cublasStatus_t uses(cublasHandle_t h, cudaStream_t s, float *host, const void *a, void *c)
{
    float *device = nullptr, *pinned = nullptr;
    float one = 1, zero = 0;
    cudaMalloc(&device, 4);
    cudaMallocHost(&pinned, 4);
    cudaMemcpyAsync(device, host, 4, cudaMemcpyHostToDevice); // the stream has a default
    cudaMemcpyAsync(device, host, 4, cudaMemcpyHostToDevice, s);
    cudaEvent_t e;
    cudaEventCreate(&e, cudaEventDisableTiming);
    cudaEventRecord(e);
    cudaStreamWaitEvent(s, e);
    cudaPointerAttributes attributes;
    cudaDeviceProp properties;
    cudaPointerGetAttributes(&attributes, device);
    cudaGetDeviceProperties(&properties, 0);
    dim3 grid(2), block = {32, 1, 1};
    cublasLtMatrixLayoutOpaque_t layout;
    cublasLtMatrixLayoutInit(&layout, CUDA_R_32F, 1, 1, 1);
    cublasHgemm(h, CUBLAS_OP_N, CUBLAS_OP_T, 1, 1, 1, nullptr, nullptr, 1, nullptr, 1, nullptr, nullptr, 1);
    cublasGemmEx(h, CUBLAS_OP_N, CUBLAS_OP_N, 1, 1, 1, &one, a, CUDA_R_32F, 1, a, CUDA_R_32F, 1, &zero, c, CUDA_R_32F,
                 1, CUDA_R_32F, CUBLAS_GEMM_DEFAULT); // compute type as it was before CUDA 11
    return cublasSgemm(h, CUBLAS_OP_N, CUBLAS_OP_N, int(grid.y), 1, int(block.x), &one, device, 1, device, 1, &zero,
                       device, 1);
}
"""


@pytest.mark.parametrize("release", [11, 12, 13])
def test_cxx_programs_use_overloads_templates_and_defaults(include: Path, release: int) -> None:
    error = compile_text(CXX_USES, "-Wall", "-Wextra", "-Werror", "-fsyntax-only", f"-I{folder(include, release)}",
                         language="c++")
    assert not error


HALF = """
#include <cstdio>
#include <cuda_fp16.h>
#include <cuda_bf16.h>
int main()
{
    double d;
    while (fread(&d, 8, 1, stdin) == 1) {
        const float f = static_cast<float>(d);
        unsigned short bits[6] = {
            __half_as_ushort(__half(d)), __half_as_ushort(__float2half(f)),
            __bfloat16_as_ushort(__nv_bfloat16(d)), __bfloat16_as_ushort(__float2bfloat16(f)), 0, 0,
        };
        fwrite(bits, 2, 4, stdout);
        float back[2] = {__half2float(__ushort_as_half(bits[0])), __bfloat162float(__ushort_as_bfloat16(bits[2]))};
        fwrite(back, 4, 2, stdout);
    }
}
"""


def test_half_precision_conversions_round_to_nearest_even(include: Path, tmp_path: Path) -> None:
    program = tmp_path / "half"
    assert not compile_text(HALF, "-O1", f"-I{folder(include, 12)}", "-o", str(program), compiler="g++", language="c++")
    rng = np.random.default_rng(1)
    halves = np.arange(65536, dtype=np.uint16).view(np.float16).astype(np.float64)
    halves = halves[np.isfinite(halves)]
    between = (halves[:-1] + np.diff(halves) / 2)  # ties of binary16
    brain = np.arange(65536, dtype=np.uint32)
    brain = (brain[(brain & 0x7F80) != 0x7F80] << 16).view(np.float32).astype(np.float64)  # the finite bfloat16
    ties = (brain[:-1] + np.diff(brain) / 2)
    near = np.concatenate([ties * (1 + 2.0**-40), ties * (1 - 2.0**-40), between * (1 + 2.0**-40)])
    wide = rng.standard_normal(20000) * 2.0 ** rng.integers(-45, 140, 20000)
    values = np.concatenate([halves, between, brain, ties, near, wide, [np.inf, -np.inf, 1e300, -1e-300, 0.0, -0.0]])
    out = np.frombuffer(subprocess.run([program], input=values.tobytes(), capture_output=True, check=True).stdout,
                        dtype=np.dtype([("half", "<u2", 2), ("brain", "<u2", 2), ("back", "<f4", 2)]))
    with np.errstate(over="ignore"):
        single = values.astype(np.float32)
        np.testing.assert_array_equal(out["half"][:, 0], values.astype(np.float16).view(np.uint16))
        np.testing.assert_array_equal(out["half"][:, 1], single.astype(np.float16).view(np.uint16))
        np.testing.assert_array_equal(out["brain"][:, 1], single.astype(ml_dtypes.bfloat16).view(np.uint16))
        np.testing.assert_array_equal(out["brain"][:, 0], nearest_bfloat16(values))
    np.testing.assert_array_equal(out["back"][:, 0], np.ascontiguousarray(out["half"][:, 0]).view(np.float16))
    np.testing.assert_array_equal(
        out["back"][:, 1], np.ascontiguousarray(out["brain"][:, 0]).view(ml_dtypes.bfloat16).astype(np.float32))


def nearest_bfloat16(values: np.ndarray) -> np.ndarray:
    """Bits of the bfloat16 nearest to each double, rounded once (ml_dtypes rounds through float)."""
    table = np.arange(0x7F81, dtype=np.uint16)  # 0 ... infinity, in order of their values
    exact = table.view(ml_dtypes.bfloat16).astype(np.float64)
    exact[-1] = 2.0**128  # infinity stands where the next number would be
    size = np.abs(values)
    above = np.clip(np.searchsorted(exact, size), 1, len(table) - 1)
    low, high = size - exact[above - 1], exact[above] - size
    bits = np.where((low < high) | ((low == high) & (table[above - 1] % 2 == 0)), table[above - 1], table[above])
    bits = np.where(size >= exact[-1], table[-1], bits)
    return (bits | (np.signbit(values).astype(np.uint16) << 15)).astype(np.uint16)


COMPLEX = """
#include <cuComplex.h>
#include <stdio.h>
int main(void)
{
    double v[4], out[9];
    while (fread(v, 8, 4, stdin) == 4) {
        cuDoubleComplex x = make_cuDoubleComplex(v[0], v[1]), y = make_cuDoubleComplex(v[2], v[3]);
        cuDoubleComplex m = cuCmul(x, y), q = cuCdiv(x, y), f = cuCfma(x, y, cuConj(y));
        cuFloatComplex s = cuCsubf(cuComplexDoubleToFloat(x), cuComplexDoubleToFloat(y));
        out[0] = cuCreal(m), out[1] = cuCimag(m), out[2] = cuCreal(q), out[3] = cuCimag(q), out[4] = cuCabs(x);
        out[5] = cuCreal(f), out[6] = cuCimag(f), out[7] = cuCrealf(s), out[8] = cuCimagf(s);
        fwrite(out, 8, 9, stdout);
    }
    return 0;
}
"""


def test_complex_arithmetic(include: Path, tmp_path: Path) -> None:
    program = tmp_path / "complex"
    assert not compile_text(COMPLEX, "-O1", f"-I{folder(include, 12)}", "-o", str(program), "-Wall", "-Werror",
                            "-Wl,--no-as-needed", "-lm")
    rng = np.random.default_rng(2)
    parts = rng.standard_normal((500, 4))
    parts[250:] *= 2.0 ** rng.integers(-300, 300, (250, 1))
    parts[0] = [3e200, 4e200, 1e200, 0]  # squares overflow
    out = np.frombuffer(subprocess.run([program], input=parts.tobytes(), capture_output=True, check=True).stdout)
    out = out.reshape(-1, 9)
    x, y = parts[:, 0] + 1j * parts[:, 1], parts[:, 2] + 1j * parts[:, 3]
    with np.errstate(all="ignore"):
        for column, want in ((0, x * y), (2, x / y), (5, x * y + np.conj(y))):
            got = out[:, column] + 1j * out[:, column + 1]
            close = np.isclose(got, want, rtol=1e-14, atol=0) | (np.abs(got - want) <= 1e-14 * np.abs(want))
            assert np.all(close | ~np.isfinite(want))
        np.testing.assert_allclose(out[:, 4], np.hypot(parts[:, 0], parts[:, 1]), rtol=1e-15)
        single = x.astype(np.complex64) - y.astype(np.complex64)
    finite = np.isfinite(single)
    np.testing.assert_array_equal(out[finite, 7:9], single.view(np.float32).reshape(-1, 2)[finite])


def test_emitting_is_deterministic_and_covers_every_release() -> None:
    first, second = headers.emit(), headers.emit(None)
    assert first == second
    assert {name.split("/")[1] for name in first} == {"11", "12", "13", "all"}
    assert "include/13/cufft_device.h" in first and "include/12/cufft_device.h" not in first
