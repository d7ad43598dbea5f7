"""Put the facts of every CUDA major together into the spec of each library."""

from __future__ import annotations

import re
from collections.abc import Iterable

from .parse import Facts

#: Headers whose facts make up a library's spec. Types that several libraries share stand with the CUDA runtime.
HEADERS: dict[str, tuple[str, ...]] = {
    "cublas": ("cublas_v2.h", "cublas_api.h", "cublas.h", "cublasXt.h"),
    "nvblas": ("nvblas.h",),
    "cublaslt": ("cublasLt.h",),
    "cusolver": ("cusolver_common.h", "cusolverDn.h", "cusolverSp.h", "cusolverSp_LOWLEVEL_PREVIEW.h", "cusolverRf.h",
                 "cusparse.h"),
    "cusolvermg": ("cusolverMg.h",),
    "cufft": ("cufft.h", "cufftXt.h", "cudalibxt.h", "cufft_device.h"),
    "cufftw": ("cufftw.h",),
    "cudart": ("cuda_runtime_api.h", "driver_types.h", "library_types.h", "cuComplex.h", "vector_types.h",
               "device_types.h", "surface_types.h", "texture_types.h", "cuda_fp16.h", "cuda_bf16.h"),
}
#: The shared library of a spec, as its link name without suffix.
SHARED = {"cublas": "libcublas", "nvblas": "libnvblas", "cublaslt": "libcublasLt", "cusolver": "libcusolver",
          "cusolvermg": "libcusolverMg", "cufft": "libcufft", "cufftw": "libcufftw", "cudart": "libcudart"}
#: Of these headers only the types are facts of ours.
TYPES_ONLY = ("cuda_fp16.h", "cuda_bf16.h", "cusparse.h")
#: Of cusparse.h only what cuSOLVER's interface names.
CUSPARSE = re.compile(r"cusparse(Context|Handle_t|MatDescr(_t)?|FillMode_t|DiagType_t|IndexBase_t|MatrixType_t|"
                      r"Operation_t|Status_t)")
#: Exports that no header declares and that other libraries import: name pattern and return type.
UNDECLARED: dict[str, tuple[str, str]] = {
    "cublas": (r"cublas([SDCZ]bdmm|[GS]etBackdoor(Ex)?|[GS]etEnvironmentMode)", "cublasStatus_t"),
    "cusolver": (r"cusolverDn[SDCZ]larft", "cusolverStatus_t"),
    "cufft": (r"cufftXtMakePlanGuru64", "cufftResult"),
    "cudart": (r"\w+", "cudaError_t"),
}
_FAT, _NAME = "void **handle", "const char *deviceName"
#: What nvcc's host code calls: (return type, parameters) of exports that only compiler-internal headers declare.
COMPILER_INTERFACE: dict[str, tuple[str, tuple[str, ...]]] = {
    "__cudaRegisterFatBinary": ("void **", ("void *fatbin",)),
    "__cudaRegisterFatBinaryEnd": ("void", (_FAT,)),
    "__cudaUnregisterFatBinary": ("void", (_FAT,)),
    "__cudaInitModule": ("char", (_FAT,)),
    "__cudaRegisterVar": ("void", (_FAT, "char *hostVar", "char *deviceAddress", _NAME, "int ext", "size_t size",
                                   "int constant", "int global")),
    "__cudaRegisterManagedVar": ("void", (_FAT, "void **hostVarAddress", "char *deviceAddress", _NAME, "int ext",
                                          "size_t size", "int constant", "int global")),
    "__cudaRegisterHostVar": ("void", (_FAT, _NAME, "char *hostVar", "size_t size")),
    "__cudaRegisterTexture": ("void", (_FAT, "const void *hostVar", "const void **deviceAddress", _NAME, "int dim",
                                       "int norm", "int ext")),
    "__cudaRegisterSurface": ("void", (_FAT, "const void *hostVar", "const void **deviceAddress", _NAME, "int dim",
                                       "int ext")),
    "__cudaRegisterFunction": ("void", (_FAT, "const char *hostFun", "char *deviceFun", _NAME, "int threadLimit",
                                        "uint3 *tid", "uint3 *bid", "dim3 *bDim", "dim3 *gDim", "int *wSize")),
    "__cudaPushCallConfiguration": ("unsigned int", ("dim3 gridDim", "dim3 blockDim", "size_t sharedMem",
                                                     "cudaStream_t stream")),
    "__cudaPopCallConfiguration": ("cudaError_t", ("dim3 *gridDim", "dim3 *blockDim", "size_t *sharedMem",
                                                   "void *stream")),
}
#: The release inside a major that brought a function, where it is known and not the first.
SINCE = (
    (r"cublas[SD]gemmGroupedBatched(_64)?", "12.4"),
    (r"cublasGemmGroupedBatchedEx(_64)?", "12.6"),
    (r"cublas[GS]et(EmulationStrategy|EnvironmentMode)", "12.9"),
    (r"cublas[GS]et(EmulationSpecialValuesSupport|FixedPointEmulation\w+)", "13.1"),
    (r"cublasLtEmulationDesc\w+", "13.1"),
    (r"cublasLtGroupedMatrixLayout\w+", "13.2"),
    (r"cublasLtMatmulAlgo\w+ForStream", "13.6"),
)


def merge(library: str, facts: dict[int, Facts], exports: dict[int, dict[str, list[str]]]) -> list[dict]:
    """The records of ``library`` from what each major's headers say and its shared library exports."""
    headers = HEADERS[library]
    exported = {m: frozenset(exports[m].get(SHARED[library], ())) for m in facts}
    functions = _functions(facts, headers, exported)
    macros = _by_name(facts, "macros", headers)
    _aliases(functions, macros)
    out = list(functions.values())
    out += _undeclared(library, functions, exported)
    out += [_enum(n, seen) for n, seen in _by_name(facts, "enums", headers).items()]
    out += [_struct(n, seen) for n, seen in _by_name(facts, "structs", headers).items()]
    out += [_typedef(n, seen) for n, seen in _by_name(facts, "typedefs", headers).items()]
    out += [{"kind": "macro", "name": n, "header": _newest(seen)["header"],
             "value": {str(m): r["value"] for m, r in sorted(seen.items())}} for n, seen in macros.items()]
    return out


def _by_name(facts: dict[int, Facts], kind: str, headers: tuple[str, ...]) -> dict[str, dict[int, dict]]:
    """Records of one kind as name -> major -> record."""
    out: dict[str, dict[int, dict]] = {}
    for major in sorted(facts):
        for name, record in getattr(facts[major], kind).items():
            header = record["header"]
            if header not in headers or (header == "cusparse.h" and not CUSPARSE.fullmatch(name)):
                continue
            if kind in ("functions", "macros") and header in TYPES_ONLY:
                continue
            out.setdefault(name, {})[major] = record
    return out


def _newest(seen: dict[int, dict]) -> dict:
    return seen[max(seen)]


def _functions(facts: dict[int, Facts], headers: tuple[str, ...],
               exported: dict[int, frozenset[str]]) -> dict[str, dict]:
    out = {}
    for name, seen in _by_name(facts, "functions", headers).items():
        newest = _newest(seen)
        record = {"kind": "function", "name": name, "ret": newest["ret"], "params": newest["params"],
                  "header": newest["header"], "declared": sorted(seen),
                  "exported": [m for m in sorted(exported) if name in exported[m]]}
        if newest["cxx"]:
            record["cxx"] = True
        if newest["inline"]:
            record["inline"] = True
        deprecated = [m for m, r in sorted(seen.items()) if r["deprecated"]]
        if deprecated:
            record["deprecated"] = deprecated
        since = next((s for pattern, s in SINCE if re.fullmatch(pattern, name)), "")
        if since:
            record["since"] = since
        if newest["defaults"]:
            record["defaults"] = newest["defaults"]
        variants = {str(m): {"ret": r["ret"], "params": r["params"]} for m, r in sorted(seen.items())
                    if _types(r) != _types(newest)}
        if variants:
            record["variants"] = variants
        out[name] = record
    return out


def _types(record: dict) -> list[str]:
    return [record["ret"], *(canon for _, _, canon in record["params"])]


def _aliases(functions: dict[str, dict], macros: dict[str, dict[int, dict]]) -> None:
    """Move the macros that rename a function from ``macros`` to the function's record."""
    for name in list(macros):
        targets = {m: r["value"] for m, r in macros[name].items()}
        if all(t in functions for t in targets.values()):
            for major, target in targets.items():
                functions[target].setdefault("aliases", {}).setdefault(name, []).append(major)
            del macros[name]
    for record in functions.values():
        if "aliases" in record:
            record["aliases"] = dict(sorted(record["aliases"].items()))


def _undeclared(library: str, functions: dict[str, dict], exported: dict[int, frozenset[str]]) -> Iterable[dict]:
    pattern, ret = UNDECLARED.get(library, ("", ""))
    names = {n for symbols in exported.values() for n in symbols if re.fullmatch(pattern, n)} if pattern else set()
    for name in sorted(names - set(functions)):
        base = functions.get(re.sub(r"_pt[ds][sz]$", "", name))
        known = COMPILER_INTERFACE.get(name, (ret, ()))
        record = {"kind": "function", "name": name, "ret": base["ret"] if base else known[0],
                  "params": base["params"] if base else [_split(p) for p in known[1]], "header": "", "declared": [],
                  "exported": [m for m in sorted(exported) if name in exported[m]]}
        since = next((s for p, s in SINCE if re.fullmatch(p, name)), "")
        if since:
            record["since"] = since
        yield record


def _split(parameter: str) -> list[str]:
    kind, name = re.fullmatch(r"(.*?[ *])(\w+)", parameter).groups()  # type: ignore[union-attr]
    kind = kind.strip()
    canon = {"size_t": "unsigned long", "size_t *": "unsigned long *", "cudaStream_t": "struct CUstream_st *",
             "dim3": "struct dim3", "dim3 *": "struct dim3 *", "uint3 *": "struct uint3 *"}.get(kind, kind)
    return [name, kind, canon]


def _enum(name: str, seen: dict[int, dict]) -> dict:
    """Enumerators in the newest major's order; those it lacks, and older values, follow in their own order."""
    order: dict[tuple[str, int], list[int]] = {}
    for major in sorted(seen, reverse=True):
        for enumerator, value in seen[major]["values"]:
            order.setdefault((enumerator, value), []).append(major)
    newest_first = sorted(order.items(), key=lambda item: (item[0][1], -max(item[1])))
    values = [[n, v, sorted(majors)] for (n, v), majors in newest_first]
    return {"kind": "enum", "name": name, "header": _newest(seen)["header"], "unsigned": _newest(seen)["unsigned"],
            "values": values, "majors": sorted(seen)}


def _struct(name: str, seen: dict[int, dict]) -> dict:
    layouts: list[dict] = []
    for major, record in sorted(seen.items(), reverse=True):
        if not record["layout"]:
            continue
        same = next((x for x in layouts if all(x[k] == record["layout"][k] for k in ("size", "align", "fields"))), None)
        if same:
            same["majors"] = sorted([*same["majors"], major])
        else:
            layouts.append({"majors": [major], **record["layout"]})
    newest = _newest(seen)
    out = {"kind": "struct", "name": name, "header": newest["header"], "tag": newest["tag"], "layouts": layouts}
    return out | {"union": True} if newest["union"] else out


def _typedef(name: str, seen: dict[int, dict]) -> dict:
    newest = _newest(seen)
    return {"kind": "typedef", "name": name, "type": newest["type"], "canon": newest["canon"],
            "header": newest["header"], "majors": sorted(seen)}
