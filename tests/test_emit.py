"""What is emitted: the same bytes every time, nothing stale, and wrappers that compile and do what their rows say."""

from __future__ import annotations

import ctypes
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from rows_sample import CREATE, GEMM, IAMAX, REFUSED, ROWS, SCAL, changed, model_of, real

from scale_x.wrappers_gen import cli, rocm_spec, rows, spec
from scale_x.wrappers_gen.emit import abi, coverage, cpp, headers, maps, registry, rocm, stubs, translate
from scale_x.wrappers_gen.model import Model, expand, row_lines

ROOT = Path(__file__).resolve().parent.parent
WARN = ("-std=c++17", "-Wall", "-Wextra", "-Werror")


# ---- the tree --------------------------------------------------------------------------------------------------------


def run_emit(out: Path, seed: str) -> None:
    env = dict(os.environ, PYTHONHASHSEED=seed)
    env.pop("PYTHONPATH", None)
    subprocess.run(
        [sys.executable, "-S", "-m", "wrappers_gen", "emit", "--out", str(out)], cwd=ROOT, env=env, check=True
    )


def test_emit_is_deterministic_and_needs_only_the_standard_library(tmp_path: Path) -> None:
    run_emit(tmp_path / "a", "1")
    run_emit(tmp_path / "b", "2")
    read = [
        {p.relative_to(d): p.read_bytes() for p in d.rglob("*") if p.is_file()}
        for d in (tmp_path / "a", tmp_path / "b")
    ]
    assert read[0] == read[1]
    assert len(read[0]) > 100


def test_only_changes_are_written_and_stale_files_go(tmp_path: Path) -> None:
    cli.write_tree(tmp_path, {"src/a.cpp": "a", "src/b.cpp": "b"})
    (tmp_path / "src" / "foreign.o").write_text("of the build")
    os.utime(tmp_path / "src" / "a.cpp", (1, 1))
    os.utime(tmp_path / "src" / "b.cpp", (1, 1))
    assert cli.write_tree(tmp_path, {"src/a.cpp": "a", "src/b.cpp": "changed"}) == (1, 0)
    assert (tmp_path / "src" / "a.cpp").stat().st_mtime == 1
    assert (tmp_path / "src" / "b.cpp").stat().st_mtime > 1
    assert cli.write_tree(tmp_path, {"src/a.cpp": "a"}) == (0, 1)
    assert not (tmp_path / "src" / "b.cpp").exists()
    assert (tmp_path / "src" / "foreign.o").exists()


def test_symbols_of_a_deleted_page_become_stubs() -> None:
    with_page, without = model_of(), model_of(())
    assert "src/cublas/sample.cpp" in cpp.emit(with_page)
    assert "src/cublas/sample.cpp" not in cpp.emit(without)
    assert "cublasSgemm_v2(" not in stubs.emit(with_page)["src/cublas/stubs.cpp"]
    assert "cublasSgemm_v2(" in stubs.emit(without)["src/cublas/stubs.cpp"]


def test_version_scripts_export_what_the_spec_says() -> None:
    model = real()
    files = maps.emit(model)
    for library, (link, suffixes) in spec.SONAMES.items():
        for suffix in set(suffixes.values()):
            text = files[f"maps/{link}.{suffix}.map"]
            node, _, body = text.partition(" {\n  global:\n")
            listed, _, rest = body.partition("  local:\n")
            assert node == f"{link}.{suffix}"
            assert listed.split() == [f"{s};" for s in spec.load(library).exports(suffix)]
            assert rest == "    *;\n};\n"
    assert set(abi.emit(model)) == {f"src/abi/{n[5:-4]}.cpp" for n in files}


def test_coverage_lists_every_export_once() -> None:
    model = real()
    listed = json.loads(coverage.emit(model)["docs/coverage.json"])
    for library in spec.LIBRARIES:
        exported = sorted(f.name for f in spec.load(library).functions.values() if f.exported and not f.inline)
        assert [e["symbol"] for e in listed if e["library"] == library] == exported
    assert all(e["kind"] in rows.KINDS and (e["page"] or e["kind"] == rows.STUB) for e in listed)
    assert all(e["why"] for e in listed if e["kind"] == rows.STUB)


def test_an_exact_name_wins_over_a_family() -> None:
    exact = rows.Row(symbols="cublasSgemm_v2", kind=rows.STUB, why="an exact row")
    model = model_of((GEMM, exact))
    assert model.symbols["cublasSgemm_v2"].row is exact
    assert model.symbols["cublasSgemm_v2_64"].row is GEMM


def test_families_expand() -> None:
    names = {n: (k.letter, k.wide) for n, k in expand(rows.Row(symbols="cublas{T}nrm2_v2{_64}", kind=rows.DIRECT,
                                                              T={"S": "S", "Sc": "C"}))}  # fmt: skip
    assert names == {"cublasSnrm2_v2": ("S", ""), "cublasSnrm2_v2_64": ("S", "_64"),
                     "cublasScnrm2_v2": ("C", ""), "cublasScnrm2_v2_64": ("C", "_64")}  # fmt: skip


def test_row_lines_are_those_of_the_page() -> None:
    text = "ROWS = (\n    Row(a=1),\n\n    Row(\n        b=2,\n    ),\n)\n"
    assert row_lines(text) == [2, 4]


def test_the_banner_of_a_wrapper_names_its_row() -> None:
    text = cpp.emit(model_of())["src/cublas/sample.cpp"]
    assert text.startswith("// emitted by wrappers_gen from cublas/rows/sample.py; do not edit\n")
    assert "// cublas/rows/sample.py:1\nSX_EXPORT cublasStatus_t cublasSgemm_v2(" in text


# ---- ROCm ------------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def gen(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Everything that the sample's wrappers need, and a real build of the headers."""
    out = tmp_path_factory.mktemp("gen")
    model, files = model_of(), {}
    for emitter in (rocm, registry, translate, stubs, cpp, headers):
        files.update(emitter.emit(model))
    cli.write_tree(out, files)
    return out


def includes(gen: Path) -> list[str]:
    return [
        f"-I{ROOT / 'core' / 'include'}",
        f"-I{gen / 'rocm'}",
        f"-I{gen / 'include' / 'all'}",
        f"-I{gen / 'src' / 'cublas'}",
    ]


COMPILERS = [
    pytest.param(c, marks=pytest.mark.skipif(not shutil.which(c), reason=f"no {c}")) for c in ("g++", "clang++")
]


@pytest.mark.parametrize("compiler", COMPILERS)
def test_rocm_declarations_compile(gen: Path, tmp_path: Path, compiler: str) -> None:
    """With every structure's size asserted by the headers themselves, and beside CUDA's headers."""
    source = tmp_path / "all.cpp"
    lines = [f'#include "scalex/rocm_{n}.h"' for n in rocm_spec.LIBRARIES] + ['#include "scalex/rocm_table.h"']
    lines += [
        "#include <cublas_v2.h>",
        "#define COUNT(f, l, s, r) +1",
        "static_assert(0 SX_ROCM_FUNCTIONS(COUNT) == SX_ROCM_FUNCTION_COUNT);",
        "static_assert(sizeof(sx_rocm_table) == 8 * (2 + SX_ROCM_FUNCTION_COUNT));",
    ]
    source.write_text("\n".join(lines) + "\n")
    subprocess.run([compiler, *WARN, "-fsyntax-only", *includes(gen), str(source)], check=True)


def test_the_registry_finds_what_is_defined(gen: Path, tmp_path: Path) -> None:
    source = tmp_path / "engine.cpp"
    source.write_text(
        '#include "scalex/rocm_rocblas.h"\n#include "registry.h"\n#include <stdio.h>\n'
        'extern "C" rocblas_status rocblas_create_handle(rocblas_handle*) { return rocblas_status_success; }\n'
        "int main() {\n"
        "  for (size_t i = 0; i < sx_host_registry_size; i++) {\n"
        "    const sx_host_function& f = sx_host_registry[i];\n"
        '    if (f.fn != nullptr) printf("%s %d %d\\n", f.name, f.since, f.removed);\n  }\n'
        '  printf("%zu\\n", sx_host_registry_size);\n}\n'
    )
    program = tmp_path / "engine"
    subprocess.run(["g++", *WARN, "-fPIC", "-fvisibility=hidden", *includes(gen), f"-I{gen / 'host'}", str(source),
                    str(gen / "host" / "registry.cpp"), "-o", str(program)], check=True)  # fmt: skip
    lines = subprocess.run([program], capture_output=True, text=True, check=True).stdout.splitlines()
    assert lines == ["rocblas_create_handle 507 0", str(len(real().rocm_functions))]


# ---- wrappers that run -----------------------------------------------------------------------------------------------

NATIVE_BODIES = """
#include "native.h"
cublasStatus_t sx_sample_create(cublasHandle_t *handle) { *handle = nullptr; return CUBLAS_STATUS_SUCCESS; }
cublasStatus_t sx_zscal_rare(cublasHandle_t, int, const cuDoubleComplex *, cuDoubleComplex *, int) {
  return CUBLAS_STATUS_MAPPING_ERROR;
}
"""


@pytest.fixture(scope="module")
def library(gen: Path) -> ctypes.CDLL:
    """The sample's wrappers and stubs over a core and a rocBLAS that record."""
    (gen / "native.cpp").write_text(NATIVE_BODIES)
    sources = [gen / "src" / "cublas" / "sample.cpp", gen / "src" / "cublas" / "stubs.cpp", gen / "native.cpp",
               ROOT / "tests" / "data" / "fake_core.cpp"]  # fmt: skip
    subprocess.run(["g++", *WARN, "-O1", "-fPIC", "-shared", "-fvisibility=hidden", *includes(gen), *map(str, sources),
                    "-o", str(gen / "libsample.so")], check=True)  # fmt: skip
    lib = ctypes.CDLL(str(gen / "libsample.so"))
    lib.fake_handle.restype = ctypes.c_void_p
    lib.fake_record.restype = ctypes.c_char_p
    return lib


class Driver:
    """The library with its defaults, and what it recorded."""

    def __init__(self, lib: ctypes.CDLL) -> None:
        self.lib, self.handle = lib, ctypes.c_void_p(lib.fake_handle())
        self.set()
        self.record()

    def set(
        self, version: int = 702, arch: bytes = b"gfx942", members: int = 2, status: int = 0, device: int = 0
    ) -> None:
        self.arch = ctypes.c_char_p(arch)
        self.lib.fake_set(version, self.arch, members, status, device)

    def record(self) -> list[str]:
        return self.lib.fake_record().decode().splitlines()

    def gemm(self, transa=0, transb=0, m=4, n=5, k=6, alpha=2.0, a=8, lda=9, b=8, ldb=9, beta=3.0, c=8, ldc=9,
             wide=False, handle=..., align=0):  # fmt: skip
        self.block = ctypes.create_string_buffer(64)
        base = ctypes.addressof(self.block) + align
        if alpha is not None:
            ctypes.c_float.from_address(base).value = alpha
        ctypes.c_float.from_address(base + 16).value = beta
        number = ctypes.c_int64 if wide else ctypes.c_int
        pointer = ctypes.c_void_p
        function = self.lib.cublasSgemm_v2_64 if wide else self.lib.cublasSgemm_v2
        status = function(
            self.handle if handle is ... else handle, transa, transb, number(m), number(n), number(k),
            pointer(base if alpha is not None else None), pointer(a), number(lda), pointer(b), number(ldb),
            pointer(base + 16), pointer(c), number(ldc),
        )  # fmt: skip
        return status, self.record()


@pytest.fixture
def sample(library: ctypes.CDLL) -> Iterator[Driver]:
    yield Driver(library)


SUCCESS, NOT_INITIALIZED, ALLOC_FAILED, INVALID_VALUE, MAPPING_ERROR, NOT_SUPPORTED = 0, 1, 3, 7, 11, 15


def test_the_call_and_its_enumerators(sample: Driver) -> None:
    status, record = sample.gemm(transa=1, transb=2, m=4, n=5, k=6)
    assert status == SUCCESS
    assert record == ["borrow", "sgemm 112 113 4 5 6 9 9 9 aligned=1", "return"]


def test_steps_in_their_order(sample: Driver) -> None:
    assert sample.gemm(handle=None, transa=7) == (NOT_INITIALIZED, [])
    assert sample.gemm(handle=ctypes.c_void_p(12345)) == (NOT_INITIALIZED, [])
    assert sample.gemm(transa=7, m=-1) == (INVALID_VALUE, ["xerbla SGEMM 1"])
    assert sample.gemm(transb=-1, m=-1) == (INVALID_VALUE, ["xerbla SGEMM 2"])
    assert sample.gemm(m=-1, lda=0) == (INVALID_VALUE, ["xerbla SGEMM 3"])
    assert sample.gemm(m=0, lda=0) == (INVALID_VALUE, ["xerbla SGEMM 8"])
    assert sample.gemm(m=0, alpha=None) == (SUCCESS, [])
    assert sample.gemm(alpha=None) == (INVALID_VALUE, [])
    assert sample.gemm(alpha=0.0, beta=1.0, a=0) == (SUCCESS, [])
    assert sample.gemm(a=0) == (INVALID_VALUE, [])
    assert sample.gemm(a=0, alpha=0.0)[0] == SUCCESS
    assert sample.gemm(transa=1, k=10) == (INVALID_VALUE, ["xerbla SGEMM 8"])


def test_a_scalar_on_the_device_is_not_read(sample: Driver) -> None:
    sample.set(device=1)
    status, record = sample.gemm(alpha=0.0, beta=1.0)
    assert (status, record[1][:5]) == (SUCCESS, "sgemm")
    assert sample.gemm(alpha=0.0, a=0) == (INVALID_VALUE, [])
    assert sample.gemm(align=1)[1][1].endswith("aligned=0")  # nor copied


def test_an_unaligned_scalar_is_copied_in_host_mode(sample: Driver) -> None:
    status, record = sample.gemm(align=1)
    assert status == SUCCESS
    assert record[1].endswith("aligned=1")


@pytest.mark.parametrize(
    "rocblas, cublas", [(0, 0), (2, 15), (5, 3), (7, 0), (9, 0), (10, 0), (8, 14), (11, 7), (4, 7), (77, 14)]
)
def test_statuses_translate(sample: Driver, rocblas: int, cublas: int) -> None:
    sample.set(status=rocblas)
    assert sample.gemm()[0] == cublas


def test_64_bit_integers_are_narrowed_when_all_fit(sample: Driver) -> None:
    assert sample.gemm(wide=True)[1][1] == "sgemm 111 111 4 5 6 9 9 9 aligned=1"
    assert sample.gemm(wide=True, ldc=2**31)[1][1] == "sgemm_64 4"
    sample.set(members=1)
    assert sample.gemm(wide=True)[0] == SUCCESS
    assert sample.gemm(wide=True, ldc=2**31) == (NOT_SUPPORTED, [])


def test_a_missing_function_is_not_supported(sample: Driver) -> None:
    sample.set(members=0)
    assert sample.gemm() == (NOT_SUPPORTED, [])


def iamax(s: Driver, n: int, wide: bool, x: int = 8) -> tuple[int, int, list[str]]:
    result = ctypes.c_int64(-1) if wide else ctypes.c_int(-1)
    function = s.lib.cublasIsamax_v2_64 if wide else s.lib.cublasIsamax_v2
    number = ctypes.c_int64 if wide else ctypes.c_int
    status = function(s.handle, number(n), ctypes.c_void_p(x), number(1), ctypes.byref(result))
    return status, result.value, s.record()


def test_a_wide_result(sample: Driver) -> None:
    assert iamax(sample, 3, wide=False) == (SUCCESS, 7, ["borrow", "isamax 3", "return"])
    assert iamax(sample, 3, wide=True) == (SUCCESS, 2**40, ["borrow", "isamax_64 3", "return"])
    sample.set(members=1)  # widened from the host
    assert iamax(sample, 3, wide=True) == (SUCCESS, 7, ["borrow", "isamax 3", "return"])
    assert iamax(sample, 2**31, wide=True) == (NOT_SUPPORTED, -1, [])
    sample.set(members=1, device=1)
    assert iamax(sample, 3, wide=True) == (NOT_SUPPORTED, -1, [])
    sample.set(members=1, status=5)
    assert iamax(sample, 3, wide=True)[:2] == (ALLOC_FAILED, -1)


def test_a_quick_return_zeroes_its_result_where_it_lives(sample: Driver) -> None:
    assert iamax(sample, 0, wide=True) == (SUCCESS, 0, [])
    sample.set(device=1)
    assert iamax(sample, 0, wide=False) == (SUCCESS, -1, ["borrow", "memset 0 4", "return"])


def test_skip_null(sample: Driver) -> None:
    assert iamax(sample, 3, wide=False, x=0) == (SUCCESS, -1, [])


def scal(s: Driver, n: int, incx: int = 1, offset: int = 8) -> tuple[int, list[str]]:
    s.block = ctypes.create_string_buffer(64)
    base = (ctypes.addressof(s.block) + 15) // 16 * 16 + offset
    (ctypes.c_double * 2).from_address(base)[:] = [1.5, -2.0]
    status = s.lib.cublasZscal_v2(s.handle, n, ctypes.c_void_p(base), ctypes.c_void_p(8), incx)
    return status, s.record()


def test_paths_are_tried_in_order_behind_their_gates(sample: Driver) -> None:
    assert scal(sample, 200)[1][1] == "zscal 200 1.5 -2 aligned=1"  # ROCm 7.2 on gfx942, n > 100
    assert scal(sample, 50)[1][1] == "zscal 6 1.5 -2 aligned=1"  # second path, a computed argument
    assert scal(sample, 5) == (MAPPING_ERROR, [])  # the native body
    sample.set(version=601)
    assert scal(sample, 200)[1][1].startswith("zscal 6 ")
    sample.set(arch=b"gfx90a")
    assert scal(sample, 200)[1][1].startswith("zscal 6 ")
    sample.set(members=0)
    assert scal(sample, 200) == (MAPPING_ERROR, [])


def test_products_do_not_overflow(sample: Driver) -> None:
    assert scal(sample, 2**31 - 1, incx=-(2**31)) == (NOT_SUPPORTED, [])


def test_native_and_stub(sample: Driver) -> None:
    handle = ctypes.c_void_p(5)
    assert sample.lib.cublasCreate_v2(ctypes.byref(handle)) == SUCCESS
    assert handle.value is None
    assert sample.lib.cublasDestroy_v2(sample.handle) == NOT_SUPPORTED
    assert sample.record() == ["stub cublasDestroy_v2: the sample has no end"]
    assert sample.lib.cublasDgemm_v2(*([None] * 14)) == NOT_SUPPORTED
    assert sample.record() == ["stub cublasDgemm_v2: no row yet"]


def test_stubs_answer_by_their_return_type(sample: Driver) -> None:
    real_part = sample.lib.cublasSdot
    real_part.restype = ctypes.c_float
    assert real_part(0, None, 0, None, 0) != real_part(0, None, 0, None, 0)  # NaN

    class Complex(ctypes.Structure):
        _fields_ = [("x", ctypes.c_double), ("y", ctypes.c_double)]

    dot = sample.lib.cublasZdotc
    dot.restype = Complex
    value = dot(0, None, 0, None, 0)
    assert value.x != value.x and value.y != value.y
    name = sample.lib.cublasGetStatusName
    name.restype = ctypes.c_void_p
    assert name(0) is None


# ---- rows that cannot be emitted -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "row, fields, says",
    [
        (GEMM, {"steps": (rows.Check("mm >= 0", 3),)}, "'mm' is neither an argument nor an enumerator"),
        (GEMM, {"steps": ()}, "the row has no Handle step"),
        (GEMM, {"steps": (rows.Handle("stream"),)}, "'stream' is no argument"),
        (GEMM, {"steps": (rows.Handle(), rows.NotNull(("lda",)))}, "'lda' is no pointer argument"),
        (GEMM, {"steps": (rows.Handle(), rows.Check("m > 0", status="TEAPOT"))}, "'TEAPOT' is no status"),
        (GEMM, {"paths": (rows.Path(call="rocblas_sgem"),)}, "no function of rocm/spec"),
        (GEMM, {"paths": (rows.Path(call="rocblas_sgemv"),)}, "as many arguments"),
        (GEMM, {"paths": (rows.Path(call="rocblas_sgemm", args={"q": "m"}),)}, "has no parameter q"),
        (
            GEMM,
            {"paths": (rows.Path(call="rocblas_sgemm", args={"m": "transa"}),)},
            "is rocblas_int, not an integer|rocblas",
        ),
        (GEMM, {"paths": ()}, "needs paths or a native body"),
        (SCAL, {"paths": (rows.Path(call="rocblas_zgemm"),)}, "nothing is said about its parameter"),
        (IAMAX, {"paths": (rows.Path(call="rocblas_isamax", wide_result="r"),)}, "'r' is no argument"),
        (
            CREATE,
            {"kind": rows.DIRECT, "native": "", "paths": (rows.Path(call="hipInit"),)},
            "has no status for it|cannot be",
        ),
    ],
)
def test_rows_that_cannot_be_emitted(row: rows.Row, fields: dict, says: str) -> None:
    with pytest.raises(cpp.RowError, match=says) as e:
        cpp.emit(changed(row, **fields))
    assert str(e.value).startswith("cublas/rows/sample.py:1: cublas")


def test_the_sample_uses_every_kind_that_is_emitted() -> None:
    kinds = {model_of().symbols[n].kind for r in ROWS for n, _ in expand(r)}
    assert kinds == {rows.DIRECT, rows.ADAPTED, rows.NATIVE, rows.STUB}
    assert REFUSED.kind == rows.STUB
    assert isinstance(model_of(), Model)
