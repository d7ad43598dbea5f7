"""The Python bindings over libraries that answer without computing: arguments, errors, the GIL, lookup."""

from __future__ import annotations

import ast
import ctypes
import enum
import gc
import importlib
import inspect
import pickle
import subprocess
import sys
import sysconfig
import threading
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import nullib
import numpy as np
import pytest

from scale_x import bindings, errors
from scale_x.bindings import _native, _support, cublas, cudart, cusolver
from scale_x.wrappers_gen import spec
from scale_x.wrappers_gen.emit import bindings as emitter

ROOT = Path(__file__).resolve().parent.parent
ARGUMENTS = ("handle", "transa", "transb", "m", "n", "k", "alpha", "A", "lda", "B", "ldb", "beta", "C", "ldc")
SGEMM = (0x7F1234567890, 0, 1, 2, 3, 4, 0x7F0000000010, 0x7F0000000020, 5, 0x7F0000000030, 6, 0x7F0000000040,
         0x7F0000000050, 7)  # fmt: skip


@pytest.fixture(scope="module")
def directory(tmp_path_factory: pytest.TempPathFactory) -> Path:
    where = tmp_path_factory.mktemp("null")
    nullib.build(where, "libcublas.so.13", nullib.CUBLAS)
    nullib.build(where, "libcudart.so.13", nullib.CUDART)
    nullib.build(where, "libcusolver.so.12", nullib.CUSOLVER)
    return where


@pytest.fixture(autouse=True)
def null(directory: Path) -> Iterator[None]:
    state = (_support.state.provider, _support.state.cuda, _support.state.directories)
    bindings.load(directory)
    yield
    _support.switch(*state)


def seen(directory: Path) -> tuple[int, ...]:
    library = ctypes.CDLL(str(directory / "libcublas.so.13"))
    return tuple((ctypes.c_uint64 * 14).in_dll(library, "seen"))


# ---- names and signatures ------------------------------------------------------------------------------------


def test_every_exported_function_with_known_parameters_has_one_name() -> None:
    table = _native.table()
    by_symbol = {symbol for _, _, symbol, _, _ in table}
    for name in spec.LIBRARIES:
        lib = spec.load(name)
        wanted = {f.name for f in lib.functions.values() if f.exported and not f.inline and f.header}
        assert wanted <= by_symbol, sorted(wanted - by_symbol)[:5]
    names = Counter((library, name, symbol) for library, name, symbol, _, _ in table)
    assert len(names) == len({(library, name) for library, name, _ in names})
    assert all(name.isidentifier() for _, name, _ in names)


def test_one_caller_serves_many_functions() -> None:
    table, kinds = emitter.collect({n: spec.load(n) for n in spec.LIBRARIES})
    assert len(table) > 2000
    assert len({b.caller for b in table}) < len(table) / 3


@pytest.mark.parametrize(("symbol", "module", "name"), [
    ("cublasSgemm_v2", "cublas", "sgemm"), ("cublasSgemm_v2_64", "cublas", "sgemm_64"),
    ("cublasSgemm", "cublas", "legacy_sgemm"), ("cublasGemmEx", "cublas", "gemm_ex"),
    ("cublasNrm2Ex", "cublas", "nrm2_ex"), ("cublasCgemm3mStridedBatched", "cublas", "cgemm3m_strided_batched"),
    ("cublasGetStatusString", "cublas", "get_status_string"), ("cublasXtSgemm", "cublas", "xt_sgemm"),
    ("cublasLtMatmulAlgoGetHeuristic", "cublaslt", "matmul_algo_get_heuristic"),
    ("cusolverDnSpotrf_bufferSize", "cusolver", "dn_spotrf_buffer_size"),
    ("cusolverDnCCgels", "cusolver", "dn_cc_gels"), ("cusolverDnIRSXgesv", "cusolver", "dn_irs_xgesv"),
    ("cufftExecC2C", "cufft", "exec_c2c"), ("cufftXtSetGPUs", "cufft", "xt_set_gpus"),
    ("cudaMemcpy2DAsync", "cudart", "memcpy2d_async"), ("cudaGetDeviceProperties", "cudart", "get_device_properties"),
    ("fftwf_plan_dft_1d", "cufftw", "fftwf_plan_dft_1d"), ("sgemm_", "nvblas", "sgemm_"),
])  # fmt: skip
def test_names(symbol: str, module: str, name: str) -> None:
    rows = [row for row in _native.table() if row[2] == symbol]
    assert {(row[0], row[1]) for row in rows} == {(module, name)}
    assert bindings.function(symbol).__name__ == name


def test_signature_and_prototype_are_documented() -> None:
    assert tuple(inspect.signature(cublas.sgemm).parameters) == ARGUMENTS
    said = cublas.sgemm.__doc__ or ""
    assert "cublasStatus_t cublasSgemm_v2(cublasHandle_t handle" in said
    assert "C: matrix of m rows and n columns, leading dimension ldc, float32, read and written, on the device" in said
    assert "INVALID_VALUE unless: transa in (N, T, C); " in said
    assert "result: scalar, int64, written" in (cublas.isamax_64.__doc__ or "")
    assert "Only in CUDA 12, 13." in (cublas.isamax_64.__doc__ or "")
    assert all(f.__doc__ for library in bindings.LIBRARIES for f in _native.functions(library, 13).values())


@pytest.mark.parametrize("library", bindings.LIBRARIES)
def test_stub_files_say_what_the_module_has(library: str) -> None:
    module = importlib.import_module(f"scale_x.bindings.{library}")
    tree = ast.parse(Path(module.__file__ or "").with_suffix(".pyi").read_text())
    stubs: dict[str, list[list[str]]] = {}
    classes: dict[str, dict[str, int]] = {}
    for node in tree.body:
        if isinstance(node, ast.FunctionDef):
            stubs.setdefault(node.name, []).append([a.arg for a in node.args.args])
        elif isinstance(node, ast.ClassDef):
            classes[node.name] = {
                s.targets[0].id: ast.literal_eval(s.value)
                for s in node.body if isinstance(s, ast.Assign) and isinstance(s.targets[0], ast.Name)
            }  # fmt: skip
    functions = {n for lib, n, _, _, _ in _native.table() if lib == library}
    assert stubs.keys() == functions
    for name, forms in stubs.items():
        assert forms[0] == list(inspect.signature(getattr(module, name)).parameters), name
    for name, members in classes.items():
        assert {m: int(v) for m, v in getattr(module, name).__members__.items()} == members, name


def test_enums_have_short_members_and_nvidias_constants() -> None:
    assert cublas.Operation.T == cublas.CUBLAS_OP_T == 1
    assert cublas.ComputeType.COMPUTE_32F == cublas.CUBLAS_COMPUTE_32F == 68
    assert cublas.GemmAlgo.DFALT == -1
    assert cudart.DataType.R_16BF == cudart.CUDA_R_16BF == 14
    assert cublas.DataType is cudart.DataType
    assert cudart.MemcpyKind.HostToDevice == cudart.cudaMemcpyHostToDevice == 1
    assert cusolver.EigMode.VECTOR == 1


# ---- arguments -----------------------------------------------------------------------------------------------


def test_arguments_arrive_in_order(directory: Path) -> None:
    assert cublas.sgemm(*SGEMM) is None
    assert seen(directory) == SGEMM


def test_keywords_in_any_order(directory: Path) -> None:
    by_name = dict(zip(ARGUMENTS, SGEMM, strict=True))
    cublas.sgemm(*SGEMM[:3], **{n: by_name[n] for n in reversed(ARGUMENTS[3:])})
    assert seen(directory) == SGEMM


@pytest.mark.parametrize("value", [0, 1, 2**30 - 1, 2**30, 2**31 - 1, -1, -(2**30), -(2**31)])
def test_int_values(directory: Path, value: int) -> None:
    cublas.sgemm(*SGEMM[:13], value)
    assert seen(directory)[13] == value % 2**32


@pytest.mark.parametrize("value", [0, 1, 2**30 - 1, 2**30, 2**47 - 1, 2**59, 2**60, 2**63, 2**64 - 1])
def test_addresses(directory: Path, value: int) -> None:
    cublas.sgemm(value, *SGEMM[1:])
    assert seen(directory)[0] == value


@pytest.mark.parametrize("value", [0, 1, -1, 2**30, -(2**30), 2**59, -(2**60), 2**63 - 1, -(2**63)])
def test_wide_ints(directory: Path, value: int) -> None:
    cublas.sgemm_64(*SGEMM[:13], value)
    assert seen(directory)[13] == value % 2**64


@pytest.mark.parametrize("value", [-1, 2**31, 2**32 - 1, cublas.Operation.C])
def test_an_enum_may_be_any_32_bits(directory: Path, value: int) -> None:
    cublas.sgemm(SGEMM[0], value, *SGEMM[2:])
    assert seen(directory)[1] == value % 2**32


class Holder:
    def __init__(self, ptr: object) -> None:
        self.ptr = ptr


class OnDevice:
    __cuda_array_interface__ = {"data": (0x7F0000001000, False), "shape": (1,), "typestr": "<f4", "version": 3}


class Index:
    def __index__(self) -> int:
        return 12


def test_what_counts_as_an_address(directory: Path) -> None:
    host = np.arange(6, dtype=np.float32).reshape(2, 3, order="F")
    raw = ctypes.c_float(2)
    given = [(None, 0), (Holder(0x1234), 0x1234), (OnDevice(), 0x7F0000001000), (host, host.ctypes.data),
             (raw, ctypes.addressof(raw)), (np.uint64(77), 77), (Index(), 12)]  # fmt: skip
    for value, address in given:
        cublas.sgemm(*SGEMM[:7], value, *SGEMM[8:])
        assert seen(directory)[7] == address, value


def test_numbers_that_are_not_int(directory: Path) -> None:
    class Size(enum.IntEnum):
        BIG = 2**31 - 1

    for value, number in ((np.int64(9), 9), (True, 1), (Size.BIG, 2**31 - 1), (Index(), 12)):
        cublas.sgemm(*SGEMM[:3], value, *SGEMM[4:])
        assert seen(directory)[3] == number


WRONG = [(3, 1.5), (3, "4"), (3, None), (1, None), (0, 1.5), (7, "text"), (7, Holder("x"))]
TOO_BIG = [(3, 2**31), (3, -(2**31) - 1), (3, 2**70), (1, 2**32), (0, -1), (0, 2**64)]


@pytest.mark.parametrize(("position", "value"), WRONG)
def test_wrong_types_name_the_argument(position: int, value: object) -> None:
    arguments = (*SGEMM[:position], value, *SGEMM[position + 1 :])
    message = rf"sgemm\(\) argument '{ARGUMENTS[position]}' must be .* not {type(value).__name__}"
    with pytest.raises(TypeError, match=message):
        cublas.sgemm(*arguments)


@pytest.mark.parametrize(("position", "value"), TOO_BIG)
def test_overflow_names_the_argument(position: int, value: int) -> None:
    arguments = (*SGEMM[:position], value, *SGEMM[position + 1 :])
    with pytest.raises(OverflowError, match=rf"sgemm\(\) argument '{ARGUMENTS[position]}': {value} does not fit"):
        cublas.sgemm(*arguments)


def test_wrong_counts_and_keywords() -> None:
    with pytest.raises(TypeError, match=r"sgemm\(\) missing required argument 'ldc' \(position 14\)"):
        cublas.sgemm(*SGEMM[:13])
    with pytest.raises(TypeError, match=r"sgemm\(\) takes 14 arguments but 15 were given"):
        cublas.sgemm(*SGEMM, 1)
    with pytest.raises(TypeError, match=r"sgemm\(\) got multiple values for argument 'handle'"):
        cublas.sgemm(*SGEMM, **{"handle": 1})
    with pytest.raises(TypeError, match=r"sgemm\(\) got an unexpected keyword argument 'ldx'"):
        cublas.sgemm(*SGEMM[:13], ldx=1)


def test_reals_complex_numbers_and_structs_by_value() -> None:
    cublas.legacy_sscal(1, 0.25, 0, 1)
    assert cublas.legacy_dasum(1, 0, 1) == 0.25
    cublas.legacy_sscal(1, 3, 0, 1)
    assert cublas.legacy_dasum(1, 0, 1) == 3.0
    assert cublas.legacy_sdot(3, 0, 1, 0, 1) == 1.5
    assert cublas.legacy_cdotu(3, 0, 1, 0, 1) == 3 - 1j
    cublas.legacy_zscal(1, 1.5 + 2j, 0, 1)
    assert cublas.legacy_zdotu(1, 0, 1, 0, 1) == 1.5 + 2j
    with pytest.raises(TypeError, match="legacy_zscal\\(\\) argument 'alpha' must be a complex number, not str"):
        cublas.legacy_zscal(1, "1", 0, 1)
    with pytest.raises(TypeError, match="legacy_sscal\\(\\) argument 'alpha' must be a float, not str"):
        cublas.legacy_sscal(1, "1", 0, 1)
    assert np.frombuffer(cudart.create_channel_desc(1, 2, 3, 4, 5), np.int32).tolist() == [1, 2, 3, 4, 5]
    cudart.malloc3d_array(None, None, np.array([5, 6, 7], np.uint64).tobytes(), 0)
    with pytest.raises(ValueError, match="argument 'extent' is a struct of 24 bytes, not 2"):
        cudart.malloc3d_array(None, None, b"ab", 0)


def test_results() -> None:
    handle = ctypes.c_void_p()
    cublas.create(ctypes.addressof(handle))
    assert handle.value == 0x7F1234567890
    assert cublas.get_cudart_version() == 1 << 40
    assert cublas.get_status_string(7) == "a bad value"
    assert cublas.get_status_string(99) is None
    with pytest.raises(errors.CublasError, match="NOT_INITIALIZED"):
        cublas.destroy(0)
    assert cudart.get_last_error() == 2  # the answer, not a failure


def test_a_result_behind_a_pointer_may_be_returned() -> None:
    handle = cublas.create()
    assert handle == 0x7F1234567890
    assert cublas.get_version(handle) == cublas.get_version(handle=handle) == 130100
    version = ctypes.c_int()
    assert cublas.get_version(handle, ctypes.addressof(version)) is None
    assert version.value == 130100
    with pytest.raises(errors.CublasError, match="NOT_INITIALIZED"):
        cublas.get_version(0)
    with pytest.raises(TypeError, match=r"get_version\(\) got an unexpected keyword argument 'handel'"):
        cublas.get_version(handel=handle)
    with pytest.raises(TypeError, match=r"get_version\(\) missing required argument 'handle'"):
        cublas.get_version()
    with pytest.raises(TypeError, match=r"get_version\(\) argument 'handle' must be an address"):
        cublas.get_version("handle")


# ---- errors --------------------------------------------------------------------------------------------------


def test_a_status_becomes_a_typed_error() -> None:
    with pytest.raises(errors.CublasError) as caught:
        cublas.sscal(0, 7, 0, 0, 1)
    e = caught.value
    assert (e.status, e.name, e.text, e.function) == (7, "CUBLAS_STATUS_INVALID_VALUE", "a bad value", "cublasSscal_v2")
    assert str(e) == "cublasSscal_v2: CUBLAS_STATUS_INVALID_VALUE (7): a bad value"
    assert pickle.loads(pickle.dumps(e)).args == e.args
    with pytest.raises(errors.CudartError, match=r"cudaFree: cudaErrorInvalidValue \(1\): invalid argument"):
        cudart.free(2**64 - 1)
    with pytest.raises(errors.CusolverError, match=r"cusolverDnCreate: CUSOLVER_STATUS_INTERNAL_ERROR \(7\)"):
        cusolver.dn_create(0)
    with pytest.raises(errors.CublasError, match="Status 1000"):
        cublas.sscal(0, 1000, 0, 0, 1)


def test_a_missing_symbol_and_a_missing_library(directory: Path, tmp_path: Path) -> None:
    with pytest.raises(errors.MissingSymbolError, match=r"libcublas.so.13 does not export cublasCgemm_v2"):
        cublas.cgemm(*SGEMM)
    assert issubclass(errors.MissingSymbolError, NotImplementedError)
    with pytest.raises(errors.LibraryNotFoundError, match=rf"libcufft.so.12 not found in {directory}"):
        bindings.function("cufftDestroy")(0)
    with pytest.raises(errors.LibraryNotFoundError, match="libcublas.so.11"):
        bindings.load(tmp_path, cuda=11)
    (tmp_path / "libcublas.so.13").write_text("not a library")
    bindings.load(tmp_path)
    with pytest.raises(errors.LibraryNotFoundError, match="could not be loaded"):
        cublas.sgemm(*SGEMM)


def test_switching_libraries(directory: Path, tmp_path: Path) -> None:
    nullib.build(tmp_path, "libcublas.so.12", "int cublasSscal_v2(void* h, int n) { return n + 1; }")
    bindings.load(tmp_path, cuda=12)
    with pytest.raises(errors.CublasError, match="CUBLAS_STATUS_NOT_INITIALIZED"):
        cublas.sscal(0, 0, 0, 0, 1)
    assert bindings.info()["loaded"] == {"cublas": str(tmp_path / "libcublas.so.12")}
    bindings.load(directory)
    cublas.sscal(0, 0, 0, 0, 1)


def test_signatures_that_differ_by_release(directory: Path, tmp_path: Path) -> None:
    assert len(inspect.signature(cudart.mem_prefetch_async).parameters) == 5
    nullib.build(tmp_path, "libcudart.so.12", "")
    bindings.load(tmp_path, cuda=12)
    assert len(inspect.signature(cudart.mem_prefetch_async).parameters) == 4
    assert len(inspect.signature(bindings.function("cudaMemPrefetchAsync")).parameters) == 4
    bindings.load(directory)
    assert len(inspect.signature(cudart.mem_prefetch_async).parameters) == 5


# ---- the interpreter -----------------------------------------------------------------------------------------


def progress_during(call: object) -> int:
    """How often another thread gets to run Python code while ``call`` sleeps in C."""
    count, stop = 0, False

    def spin() -> None:
        nonlocal count
        while not stop:
            count += 1
            time.sleep(0.001)

    thread = threading.Thread(target=spin)
    thread.start()
    time.sleep(0.01)
    before = count
    call()  # type: ignore[operator]
    during = count - before
    stop = True
    thread.join()
    return during


def test_long_calls_release_the_gil() -> None:
    assert progress_during(lambda: cublas.dscal(0, 200, 0, 0, 1)) > 20
    kept = (progress_during(lambda: cublas.set_pointer_mode(0, 200)) for _ in range(5))
    assert min(kept) <= 2  # on a busy machine some goes on before and after the call


def test_which_calls_release_the_gil() -> None:
    for symbol in ("cublasSgemm_v2", "cublasCreate_v2", "cublasSetVector", "cudaMemcpy", "cudaStreamSynchronize",
                   "cusolverDnSpotrf", "cufftExecC2C", "cublasLtMatmul", "cublasLtMatmulAlgoGetHeuristic"):  # fmt: skip
        assert _native.releases_gil(symbol), symbol
    for symbol in ("cublasSetStream_v2", "cublasGetPointerMode_v2", "cublasGetVersion_v2", "cudaGetLastError",
                   "cublasLtMatmulDescSetAttribute", "cusolverDnSetStream", "cufftSetStream",
                   "cusolverDnSpotrf_bufferSize"):  # fmt: skip
        assert not _native.releases_gil(symbol), symbol


def test_nothing_leaks() -> None:
    """References of every object passed, and the memory of failing calls."""
    address, size, owner = 0x7F0000ABCDEF, 1 << 28, Holder(0x1234)
    by_name = dict(zip(ARGUMENTS, SGEMM, strict=True)) | {"A": owner}

    def all_kinds_of_calls() -> None:
        cublas.sgemm(address, 0, 0, size, *SGEMM[4:])
        cublas.sgemm(**by_name)
        for bad in ((*SGEMM[:3], "x", *SGEMM[4:]), (*SGEMM[:3], 2**40, *SGEMM[4:]), SGEMM[:3]):
            try:
                cublas.sgemm(*bad)
            except (TypeError, OverflowError):
                pass
        try:
            cublas.sscal(0, 7, 0, 0, 1)
        except errors.CublasError:
            pass

    for _ in range(50):
        all_kinds_of_calls()
    gc.collect()
    references = [sys.getrefcount(o) for o in (address, size, owner, None)]
    blocks = sys.getallocatedblocks()
    for _ in range(2000):
        all_kinds_of_calls()
    gc.collect()
    assert [sys.getrefcount(o) for o in (address, size, owner)] == references[:3]
    assert abs(sys.getrefcount(None) - references[3]) < 100
    assert sys.getallocatedblocks() - blocks < 500


def test_compiles_against_the_limited_api(tmp_path: Path) -> None:
    """The fallback for interpreters whose integers cannot be read in place gives the same answers."""
    from scale_x.bindings import build

    build.emit(tmp_path / "gen")
    flags = ("-DPy_LIMITED_API=0x030B0000", "-O0")
    module = build.compile_module(tmp_path / "gen" / "bindings", tmp_path / "out", flags)
    code = f"""
import importlib.util, sys
spec = importlib.util.spec_from_file_location("scale_x.bindings._native", {str(module)!r})
native = importlib.util.module_from_spec(spec); spec.loader.exec_module(native); sys.modules[spec.name] = native
import scale_x.bindings; scale_x.bindings._native = native
sys.path.insert(0, {str(ROOT / "tests")!r})
import test_bindings as t, nullib, pathlib
d = pathlib.Path({str(tmp_path)!r}); nullib.build(d, "libcublas.so.13", nullib.CUBLAS); t.bindings.load(d)
assert t._native is native
t.test_arguments_arrive_in_order(d); t.test_keywords_in_any_order(d); t.test_what_counts_as_an_address(d)
for v in (0, 2**30, -1, -(2**31)): t.test_int_values(d, v)
for v in (0, 2**47 - 1, 2**60, 2**64 - 1): t.test_addresses(d, v)
for v in (-1, 2**63 - 1, -(2**63)): t.test_wide_ints(d, v)
t.test_overflow_names_the_argument(3, 2**31)
print("same")
"""
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT)
    assert run.stdout == "same\n", run.stderr
    assert sysconfig.get_config_var("EXT_SUFFIX")
