"""Pieces of C text made from the spec: declarations, prototypes, and the inline functions that follow a pattern."""

from __future__ import annotations

import re

from .. import spec

DIM3 = """struct dim3 {
    unsigned int x, y, z;
#ifdef __cplusplus
    constexpr dim3(unsigned int vx = 1, unsigned int vy = 1, unsigned int vz = 1) : x(vx), y(vy), z(vz) {}
    constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
    constexpr operator uint3() const { return uint3{x, y, z}; }
#endif
};
"""


def prototype(ret: str, function: spec.Function, params: tuple[spec.Param, ...]) -> str:
    """``ret name(type name, ...)``, with C++ default arguments where NVIDIA's header has them."""
    defaults = function.defaults
    texts = [declare(p.type, p.name) + (f" SCALEX_DEFAULT({defaults[p.name]})" if p.name in defaults else "")
             for p in params]
    return declare(ret, f"{function.name}({', '.join(texts) or 'void'})")


def declare(kind: str, name: str) -> str:
    """A C declaration of ``name``: what follows the name in C (``[]``, parameter lists) follows it."""
    pointer = re.search(r"\(\*+(const)?\)", kind)
    if pointer:
        at = pointer.end() - 1
        return f"{kind[:at]}{name}{kind[at:]}"
    array = re.search(r"\s*((\[\w*\])+)$", kind)
    tail = array[1] if array else ""
    head = kind[:array.start()] if array else kind
    return f"{head}{'' if head.endswith('*') else ' '}{name}{tail}"


def init(function: spec.Function) -> str:
    """cublasLt*Init: hand the size of the caller's struct to the exported function."""
    first, *rest = (p.name for p in function.params)
    call = ", ".join([first, f"sizeof(*{first})", *rest])
    return (f"static inline {prototype(function.ret, function, function.params)}\n{{\n"
            f"    return {function.name}_internal({call});\n}}\n")


def compute_type_overloads(functions: list[spec.Function]) -> str:
    """C++ callers from before CUDA 11 pass a cudaDataType where the compute type stands now."""
    out = []
    for f in functions:
        if f.name not in ("cublasGemmEx", "cublasGemmBatchedEx", "cublasGemmStridedBatchedEx"):
            continue
        old = tuple(spec.Param(p.name, "cudaDataType", p.canon) if p.type == "cublasComputeType_t" else p
                    for p in f.params)
        call = ", ".join("migrated" if p.type == "cublasComputeType_t" else p.name for p in f.params)
        (compute,) = (p.name for p in f.params if p.type == "cublasComputeType_t")
        out.append(f"static inline {prototype(f.ret, f, old)}\n{{\n"
                   "    cublasComputeType_t migrated = CUBLAS_COMPUTE_32F;\n"
                   f"    cublasStatus_t status = cublasMigrateComputeType({f.params[0].name}, {compute}, &migrated);\n"
                   f"    return status != CUBLAS_STATUS_SUCCESS ? status : {f.name}({call});\n}}\n")
    return "#ifdef __cplusplus\n" + "\n".join(out) + "#endif\n"


def make_vectors(structs: list[spec.Struct]) -> str:
    """make_float2(x, y) and the like, for every vector type that has members x, y, ..."""
    out = []
    for struct in sorted(structs, key=lambda s: s.name):
        layout = struct.layouts[0]
        if struct.name == "dim3" or struct.name.endswith(("_16a", "_32a")):
            continue
        params = ", ".join(declare(f.type, f.name) for f in layout.fields)
        sets = " ".join(f"v.{f.name} = {f.name};" for f in layout.fields)
        out.append(f"static inline struct {struct.name} make_{struct.name}({params})\n{{\n"
                   f"    struct {struct.name} v;\n    {sets}\n    return v;\n}}\n")
    return "\n".join(out)
