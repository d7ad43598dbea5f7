"""The checked-in spec holds what was counted, by other means, in NVIDIA's headers and libraries."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

import pytest

from scale_x.wrappers_gen import rocm_spec, spec

MAJORS = (11, 12, 13)
#: header -> library, C functions, functions that C++ alone declares, ``_64`` functions, deprecated ones; per major
HEADERS = {
    "cublas_api.h": ("cublas", (281, 507, 517), (11, 22, 22), (0, 232, 232), (0, 0, 0)),
    "cublas.h": ("cublas", (157,) * 3, (0,) * 3, (0,) * 3, (0,) * 3),
    "cublasXt.h": ("cublas", (51,) * 3, (0,) * 3, (0,) * 3, (0,) * 3),
    "cublasLt.h": ("cublaslt", (44, 45, 54), (0,) * 3, (0,) * 3, (0,) * 3),
    "nvblas.h": ("nvblas", (60,) * 3, (0,) * 3, (0,) * 3, (0,) * 3),
    "cusolverDn.h": ("cusolver", (379, 387, 401), (0,) * 3, (0,) * 3, (0, 14, 0)),
    "cusolverSp.h": ("cusolver", (62,) * 3, (0,) * 3, (0,) * 3, (0, 12, 62)),
    "cusolverSp_LOWLEVEL_PREVIEW.h": ("cusolver", (110,) * 3, (0,) * 3, (0,) * 3, (0, 62, 62)),
    "cusolverRf.h": ("cusolver", (26,) * 3, (0,) * 3, (0,) * 3, (0, 9, 26)),
    "cusolverMg.h": ("cusolvermg", (19,) * 3, (0,) * 3, (0,) * 3, (0, 0, 19)),
    "cusolver_common.h": ("cusolver", (2,) * 3, (0,) * 3, (0,) * 3, (0,) * 3),
    "cufft.h": ("cufft", (32, 35, 35), (0,) * 3, (0,) * 3, (0,) * 3),
    # CUDA 12 defines cufftXtSetJITCallback inline, which the other count leaves out
    "cufftXt.h": ("cufft", (21, 22, 21), (0,) * 3, (0,) * 3, (0,) * 3),
    "cufftw.h": ("cufftw", (70,) * 3, (0,) * 3, (0,) * 3, (0,) * 3),
    "cufft_device.h": ("cufft", (0,) * 3, (0, 0, 17), (0,) * 3, (0,) * 3),
}
#: headers -> enums and enumerators per major; an enum that moved between two headers stands with both
ENUMS = {
    ("cublas_api.h",): ((10, 86), (11, 91), (11, 94)),
    ("cublasLt.h",): ((17, 256), (18, 874), (21, 914)),
    ("cublasXt.h",): ((3, 19),) * 3,
    ("cusolver_common.h", "cusolverDn.h"): ((11, 72), (12, 74), (14, 86)),
    ("cusolverRf.h",): ((6, 16),) * 3,
    ("cusolverMg.h",): ((1, 2),) * 3,
    ("cufft.h",): ((3, 24), (4, 26), (4, 29)),
    ("cufftXt.h",): ((5, 26),) * 3,
    ("cufft_device.h",): ((0, 0), (0, 0), (7, 27)),
    ("cudalibxt.h",): ((2, 5),) * 3,
    ("library_types.h",): ((2, 33), (2, 38), (5, 48)),
}
#: library -> functions declared and not inline, and exports that we must have, per major
COUNTS = {
    "cublas": ((500, 507), (737, 746), (747, 756)),
    "cublaslt": ((44, 44), (45, 44), (54, 53)),
    "cusolver": ((579, 577), (587, 585), (601, 595)),
    "cusolvermg": ((19, 19),) * 3,
    "cufft": ((53, 54), (57, 58), (73, 74)),
    "cufftw": ((70, 70),) * 3,
    "nvblas": ((60, 60),) * 3,
    "cudart": ((290, 395), (317, 435), (338, 458)),
}


@cache
def load(library: str) -> spec.Library:
    return spec.load(library)


def functions(library: str) -> list[spec.Function]:
    return list(load(library).functions.values())


@pytest.mark.parametrize("header", HEADERS)
def test_functions_per_header(header: str) -> None:
    library, *expected = HEADERS[header]
    found = [f for f in functions(library) if f.header == header and not f.inline]
    for i, major in enumerate(MAJORS):
        here = [f for f in found if major in f.declared]
        counts = [sum(not f.cxx for f in here), sum(f.cxx for f in here),
                  sum(f.name.endswith("_64") for f in here), sum(major in f.deprecated for f in here)]
        assert counts == [e[i] for e in expected], f"CUDA {major}"


@pytest.mark.parametrize("library", COUNTS)
def test_declared_and_exported(library: str) -> None:
    for major, expected in zip(MAJORS, COUNTS[library], strict=True):
        declared = sum(major in f.declared and not f.inline for f in functions(library))
        exported = sum(major in f.exported for f in functions(library))
        assert (declared, exported) == expected, f"CUDA {major}"


@pytest.mark.parametrize("headers", ENUMS, ids="+".join)
def test_enums_per_header(headers: tuple[str, ...]) -> None:
    libraries = {lib for lib in spec.LIBRARIES for e in load(lib).enums.values() if e.header in headers}
    enums = [e for lib in libraries for e in load(lib).enums.values() if e.header in headers]
    for major, expected in zip(MAJORS, ENUMS[headers], strict=True):
        here = [e for e in enums if major in e.majors]
        assert (len(here), sum(major in v.majors for e in here for v in e.values)) == expected, f"CUDA {major}"


def test_one_enum_is_signed() -> None:
    assert [e.name for e in load("cublas").enums.values() if not e.unsigned] == ["cublasGemmAlgo_t"]


def test_renames() -> None:
    counts = [sum(major in majors for f in functions("cublas") for majors in f.aliases.values()) for major in MAJORS]
    assert counts == [164, 314, 314]
    assert load("cublas").functions["cublasSgemm_v2_64"].aliases == {"cublasSgemm_64": frozenset({12, 13})}


def test_undeclared_exports_are_listed() -> None:
    undeclared = {f.name: f.exported for f in functions("cublas") if not f.declared}
    always = {f"cublas{t}bdmm" for t in "SDCZ"} | {"cublasGetBackdoor", "cublasSetBackdoor", "cublasSetBackdoorEx"}
    assert undeclared == {
        **dict.fromkeys(always, frozenset(MAJORS)),
        **dict.fromkeys(("cublasGetEnvironmentMode", "cublasSetEnvironmentMode"), frozenset({12, 13})),
    }
    assert {f.name for f in functions("cusolver") if not f.declared} == {f"cusolverDn{t}larft" for t in "SDCZ"}


def test_declared_but_not_exported() -> None:
    missing = {f.name for lib in spec.LIBRARIES for f in functions(lib)
               if not f.inline and f.name != "cufftXtSetJITCallback" and f.declared - f.exported}
    logger = {f"cusolverDnLogger{x}" for x in ("SetCallback", "SetFile", "OpenFile", "SetLevel", "SetMask",
                                               "ForceDisable")}
    assert missing == logger | {"cublasLtDisableCpuInstructionsSetMask"}


def test_signatures_that_changed() -> None:
    changed = {f.name for lib in spec.LIBRARIES if lib != "cudart" for f in functions(lib) if f.variants}
    assert changed == {"fftw_import_wisdom_from_file", "fftwf_import_wisdom_from_file"}


@pytest.mark.parametrize(("library", "struct", "sizes"), [
    ("cublaslt", "cublasLtMatmulDescOpaque_t", (184, 256, 256)),
    ("cublaslt", "cublasLtMatrixLayoutOpaque_t", (64, 64, 112)),
    ("cublaslt", "cublasLtMatmulPreferenceOpaque_t", (80, 64, 96)),
    ("cublaslt", "cublasLtMatrixTransformDescOpaque_t", (64, 64, 64)),
    ("cublaslt", "cublasLtMatmulAlgo_t", (64, 64, 64)),
    ("cublaslt", "cublasLtEmulationDescOpaque_t", (None, None, 64)),
    ("cublaslt", "cublasLtMatmulHeuristicResult_t", (96, 96, 96)),
    ("cufft", "cudaXtDesc_t", (1296, 1296, 1296)),
    ("cufft", "cudaLibXtDesc_t", (32, 32, 32)),
    ("cufft", "cufftXt1dFactors_t", (96, 96, 96)),
    ("cufft", "cufftBox3d_t", (72, None, None)),
])
def test_struct_sizes(library: str, struct: str, sizes: tuple[int | None, ...]) -> None:
    layouts = load(library).structs[struct].layouts
    assert tuple(next((x.size for x in layouts if m in x.majors), None) for m in MAJORS) == sizes


def test_heuristic_result_offsets() -> None:
    (layout,) = load("cublaslt").structs["cublasLtMatmulHeuristicResult_t"].layouts
    assert {f.name: f.offset for f in layout.fields} == {
        "algo": 0, "workspaceSize": 64, "state": 72, "wavesCount": 76, "reserved": 80}


def test_cusolver_12_serves_cuda_11_programs() -> None:
    """One libcusolver.so.11 serves CUDA 11 and 12: what 11 exports, 12 exports too."""
    assert not [f.name for f in functions("cusolver") if 11 in f.exported and 12 not in f.exported]


def test_every_spec_file_is_sorted_facts_only() -> None:
    paths = [spec.path_of(lib) for lib in spec.LIBRARIES] + [rocm_spec.path_of(lib) for lib in rocm_spec.LIBRARIES]
    for path in paths:
        keys = []
        for line in path.read_text(encoding="utf-8").splitlines():
            record = json.loads(line)
            keys.append((record["kind"], record["name"]))
            assert not any(x in line for x in ("(unnamed", "(anonymous", "/include/")), f"{path.name}: {record['name']}"
        assert keys == sorted(set(keys)), path.name


#: library -> functions of the newest ROCm's headers, and some of a release each
ROCM = {"hip": 501, "rocblas": 1213, "rocsolver": 913, "hipblaslt": 40, "hipfft": 50, "hiprtc": 18, "rocsparse": 700}


@pytest.mark.parametrize("library", ROCM)
def test_rocm_functions(library: str) -> None:
    here = [f for f in rocm_spec.load(library).functions.values()
            if f.evidence in ("header", "symbol") and not f.removed and not f.hidden and f.present("7.2")]
    assert len(here) == ROCM[library]


def test_rocm_releases() -> None:
    rocblas = rocm_spec.load("rocblas").functions
    names = ("rocblas_sgemm", "rocblas_saxpy_64", "rocblas_sgemv_64", "rocblas_sgemm_64")
    assert [rocblas[n].since for n in names] == ["5.7", "6.1", "6.2", "6.3"]
    assert rocm_spec.load("hip").functions["hipGetDevicePropertiesR0600"].since == "6.0"
    kernel_name = rocblas["rocblas_sgemm_kernel_name"]
    assert kernel_name.present("6.4") and not kernel_name.present("7.0") and not kernel_name.present("10.1")
    assert not rocm_spec.load("hipblaslt").functions["hipblasLtSetSmCountTarget"].present("7.2")


def test_rocm_hidden_exports() -> None:
    hidden = {f.name: f for f in rocm_spec.load("rocsolver").functions.values() if f.hidden}
    assert len(hidden) == 52
    assert not [f.name for f in hidden.values() if f.unknown or not f.params]
    assert len(hidden["rocsolver_zhegvdx_inplace"].params) == 18
    assert [p.name for p in hidden["rocsolver_sgeqrf_ptr_batched"].params] == [
        "handle", "m", "n", "A", "lda", "tau", "batch_count"]


def test_rocm_enumerators_that_changed_value() -> None:
    (memory,) = [e for e in rocm_spec.load("hip").enums.values() if e.name == "hipMemoryType"]
    assert memory.newest()["hipMemoryTypeDevice"] == 2
    assert [(v.value, v.since) for v in memory.values if v.name == "hipMemoryTypeDevice"] == [(1, "5.7"), (2, "6.0")]


def test_hip_symbol_versions() -> None:
    nodes = rocm_spec.hip_symbol_versions()
    assert sorted(nodes) == ["libamdhip64.so.6", "libamdhip64.so.7"]
    assert "hipMalloc" in nodes["libamdhip64.so.7"]["hip_4.2"]
    assert Path(rocm_spec.ROOT, "rocm", "spec", "hip_symbol_versions.json").stat().st_size < 100_000
