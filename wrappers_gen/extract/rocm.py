"""Turn comparisons of ROCm's headers (one JSON file per library) into ``rocm/spec/*.jsonl``.

The input files name, per library, the functions, enums, structs, typedefs and macros of one ROCm's headers with the
first of the compared releases that had each function. What no header can say is added here, with its evidence.
"""

from __future__ import annotations

import json
import re
from pathlib import Path

from .. import rocm_spec
from .jsonl import write
from .rocm_hidden import TESTED_ONLY, parameters

#: First ROCm release of the HIP library's version nodes (HIP 6.5 was released as ROCm 7.0).
NODE_RELEASE = {"hip_6.5": "7.0"}
OLDEST = "5.7"
#: A macro worth keeping: a number, another name of HIP, or a number cast to a HIP type.
MACRO_VALUE = re.compile(r"[\s(]*-?(0[xX][0-9a-fA-F]+|\d+|(hip|HIP_)\w+)[uUlL]*[\s)]*|\(*\(hip\w+_t\)\s*\d+\)*")
#: rocSOLVER exports these without declaring them; first release by family, from the tagged sources.
HIDDEN_SINCE = {"gesvdx_notransv": "6.1", "getrf": "6.2", "potrf": "6.3", "stedcj": "6.1", "stedcx": "6.2"}
#: Enumerators that arrived after their enum did, where it matters which release has them.
ENUMERATOR_SINCE = {
    "HIP_R_8F_E4M3": "6.3", "HIP_R_8F_E5M2": "6.3", "HIP_R_8F_UE8M0": "7.0", "HIP_R_6F_E2M3": "7.0",
    "HIP_R_6F_E3M2": "7.0", "HIP_R_4F_E2M1": "7.0", "HIP_R_8F_E4M3_FNUZ": "6.0", "HIP_R_8F_E5M2_FNUZ": "6.0",
    "HIPBLASLT_MATMUL_DESC_AMAX_D_POINTER": "6.2", "HIPBLASLT_MATMUL_DESC_EPILOGUE_AUX_DATA_TYPE": "7.0",
    "HIPBLASLT_MATMUL_DESC_A_SCALE_MODE": "7.0", "HIPBLASLT_MATMUL_DESC_B_SCALE_MODE": "7.0",
    "HIPBLASLT_EPILOGUE_RELU_AUX": "7.1", "HIPBLASLT_EPILOGUE_RELU_AUX_BIAS": "7.1",
    "rocblas_layer_mode_log_internal": "7.2", "rocsolver_alg_mode_mixed": "7.2", "rocsolver_function_steqr": "7.2",
    "rocsolver_function_syev_heev": "7.2",
    "HIPBLASLT_EPILOGUE_SIGMOID_EXT": "7.2", "HIPBLASLT_EPILOGUE_SIGMOID_BIAS_EXT": "7.2",
}
#: Newer than the headers compared: [library, enum, enumerator, value, since].
NEW_ENUMERATORS = (
    ("hipblaslt", "hipblasLtEpilogue_t", "HIPBLASLT_EPILOGUE_DRELU", 136, "10.0"),
    ("hipblaslt", "hipblasLtEpilogue_t", "HIPBLASLT_EPILOGUE_DRELU_BGRAD", 152, "10.0"),
    ("hipblaslt", "hipblasLtEpilogue_t", "HIPBLASLT_EPILOGUE_SIGMOID", 1024, "10.0"),
    ("hipblaslt", "hipblasLtMatrixLayoutAttribute_t", "HIPBLASLT_MATRIX_LAYOUT_BATCH_MODE", 7, "10.0"),
    ("hipblaslt", "hipblasLtMatmulDescAttributes_t", "HIPBLASLT_MATMUL_DESC_BIAS_BATCH_STRIDE", 23, "10.0"),
    ("hipblaslt", "hipblasLtMatmulDescAttributes_t", "HIPBLASLT_MATMUL_DESC_SM_COUNT_TARGET", 33, "10.0"),
)
_LT_HANDLE = ["handle", "hipblasLtHandle_t", "void *"]
#: Newer than the headers compared: library -> (name, ret, params, since, evidence); params None: not known.
NEW_FUNCTIONS: dict[str, list[tuple[str, str, list | None, str, str]]] = {
    "hipblaslt": [
        ("hipblasLtSetSmCountTarget", "hipblasStatus_t", [_LT_HANDLE, ["count", "int32_t", "int"]], "10.0", "source"),
        ("hipblasLtGetSmCountTarget", "hipblasStatus_t", [_LT_HANDLE, ["count", "int32_t *", "int *"]], "10.0",
         "source"),
    ],
    "rocblas": [("rocblas_herk_ex", "rocblas_status", None, "10.1", "changelog")],
    "rocsolver": [
        (f"rocsolver_{t}{name}", "rocblas_status", None, since, "changelog")
        for names, types, since in (
            (("lange", "lange_64", "gecon", "gecon_64"), "sdcz", "7.12"),
            (("getrs_npvt", "getrs_npvt_64", "getrs_npvt_batched", "getrs_npvt_strided_batched", "sytrs", "sytrs_64",
              "sytrs_batched", "sytrs_strided_batched"), "sdcz", "7.13"),
            (("syev_64", "syevd_64"), "sd", "10.0"), (("heev_64", "heevd_64"), "cz", "10.0"),
            (("cholqr", "cholqr_64", "lahr2", "gehd2", "gehrd", "larft_64"), "sdcz", "10.1"),
        ) for name in names for t in types
    ],
}
SIZES = {"char": 1, "bool": 1, "_Bool": 1, "uint8_t": 1, "int8_t": 1, "short": 2, "uint16_t": 2, "int": 4,
         "unsigned int": 4, "int32_t": 4, "uint32_t": 4, "float": 4, "long": 8, "size_t": 8, "int64_t": 8,
         "uint64_t": 8, "unsigned long": 8, "long long": 8, "unsigned long long": 8, "double": 8, "unsigned char": 1,
         "unsigned short": 2}


def extract(source: Path, out: Path) -> None:
    """Write ``out/<library>.jsonl`` and ``out/hip_symbol_versions.json`` from the JSON files in ``source``."""
    symbols = json.loads((source / "hip-symbol-versions.json").read_text())
    for library in rocm_spec.LIBRARIES:
        data = json.loads((source / f"{library}.json").read_text())
        nodes: dict[str, str] = {}
        if library == "hip":
            for table in symbols.values():
                nodes.update(table)
        records = _hiprtc(data) if library == "hiprtc" else _records(library, data, nodes)
        write(out / f"{library}.jsonl", records)
    compact = {
        soname.partition(" ")[0]: {
            node: sorted(s for s, n in table.items() if n == node) for node in sorted(set(table.values()))
        } for soname, table in symbols.items()
    }
    (out / "hip_symbol_versions.json").write_text(
        json.dumps(compact, separators=(",", ":"), sort_keys=True).replace("],", "],\n") + "\n")


def _records(library: str, data: dict, nodes: dict[str, str]) -> list[dict]:
    releases = data["releases_compared"]
    out = [_function(name, f, nodes.get(name, "")) for name, f in data["functions"].items()]
    for name, f in data["removed_functions"].items():
        removed = releases[releases.index(f["last_seen"]) + 1]
        if f["last_seen"] in ("5", OLDEST) or any(not _known(p["type"], data) for p in f["params"]):
            continue  # gone before the oldest ROCm that is supported, or of a type that went with it
        out.append(_function(name, {**f, "header": "", "since": OLDEST}, "") | {"removed": _release_after(removed)})
    tested = TESTED_ONLY if library == "rocsolver" else ()
    for name in (*data.get("hidden_exports_used_by_hipsolver_hipblas_7_2", ()), *tested):
        since = next((s for k, s in HIDDEN_SINCE.items() if re.match(rf"rocsolver_[sdcz]{k}", name)), OLDEST)
        known = parameters(name)
        out.append({"kind": "function", "name": name, "ret": "rocblas_status", "params": known, "since": since,
                    "evidence": "source", "header": "", "hidden": True} | ({} if known else {"unknown": True}))
    for name, ret, params, since, evidence in NEW_FUNCTIONS.get(library, ()):
        out.append({"kind": "function", "name": name, "ret": ret, "params": params or [], "since": since,
                    "evidence": evidence, "header": ""} | ({} if params else {"unknown": True}))
    out += [_enum(library, n, e, data["enum_value_changes"].get(n, {})) for n, e in data["enums"].items()]
    out += [_struct(n, s, data) for n, s in data["structs"].items()]
    out += [{"kind": "typedef", "name": n, "type": t["type"], "canon": t["canon"], "header": t["header"]}
            for n, t in data["typedefs"].items()]
    out += [{"kind": "macro", "name": n, "header": "", "value": v} for n, v in data["macros"].items()
            if not n.startswith("__") and MACRO_VALUE.fullmatch(v)]
    return out


def _release_after(release: str) -> str:
    """The headers compared skip releases: what 6.4 or 6.3 had last and 7.x lacks went with the ABI break of 7.0."""
    return "7.0" if release.startswith("7") else release


def _function(name: str, f: dict, node: str) -> dict:
    since, evidence = f["since"].removeprefix("<="), "header"
    if node:
        since, evidence = NODE_RELEASE.get(node, node.removeprefix("hip_")), "symbol"
    if rocm_spec.number(since) < rocm_spec.number(OLDEST):
        since = OLDEST
    if name.endswith("R0600"):
        since = "6.0"
    out = {"kind": "function", "name": name, "ret": f["ret"],
           "params": [[p["name"], p["type"], p.get("canon", p["type"])] for p in f["params"]],
           "since": since, "evidence": evidence, "header": f["header"]}
    for key in ("variadic", "guard", "deprecated"):
        if f.get(key):
            out[key] = f[key]
    return out


def _enum(library: str, name: str, e: dict, changes: dict[str, dict[str, int]]) -> dict:
    values = []
    for enumerator, value in e["values"].items():
        seen: dict[int, str] = {}
        for release, old in changes.get(enumerator, {}).items():
            seen.setdefault(old, OLDEST if release in ("5", OLDEST) else release)
        if name == "hipMemoryType" and seen:
            seen = dict(zip(seen, (OLDEST, "6.0"), strict=False))  # renumbered with the ABI break of 6.0
        since = ENUMERATOR_SINCE.get(enumerator, OLDEST)
        values += [[enumerator, v, s] for v, s in seen.items()] or [[enumerator, value, since]]
    values += [[n, v, s] for lib, en, n, v, s in NEW_ENUMERATORS if (lib, en) == (library, name)]
    name = "" if name.startswith("@") else name
    return {"kind": "enum", "name": name or "hip_error_enumerators", "header": e["header"], "values": values}


def _struct(name: str, s: dict, data: dict) -> dict:
    raw = s.get("fields", [])
    bits = len({f["offset_bits"] % 8 for f in raw}) > 1
    fields = []
    for i, f in enumerate(raw):
        kind, at = f["type"], f["offset_bits"] // 8
        after = [g["offset_bits"] for g in raw[i + 1:] if g["offset_bits"] > f["offset_bits"]]
        if bits:
            fields.append([f["name"], f"{kind}:1", at, 0])
            continue
        gap = (after[0] // 8 if after else s["size"]) - at
        if "(unnamed" in kind:
            kind = kind.partition(" ")[0] + " {}"
        fields.append([f["name"], kind, at, _size(kind, data) or gap])
    return {"kind": "struct", "name": name, "header": s["header"], "tag": name, "size": s.get("size", 0),
            "align": s.get("align", 0), "fields": fields}


def _size(kind: str, data: dict) -> int:
    kind = kind.replace("const ", "").strip()
    array = re.fullmatch(r"(.*?)\s*\[(\d+)\]", kind)
    if array:
        return _size(array[1], data) * int(array[2])
    if kind.endswith("*") or "(*)" in kind:
        return 8
    bare = re.sub(r"^(struct|enum|union) ", "", kind)
    if bare in SIZES:
        return SIZES[bare]
    if bare in data["enums"]:
        return 4
    return (data["structs"].get(bare) or data["typedefs"].get(bare) or {}).get("size", 0)


def _known(kind: str, data: dict) -> bool:
    bare = re.sub(r"\b(const|struct|enum|union)\b|[*\[\]]", " ", kind).split()
    name = " ".join(bare)
    return name in SIZES or name == "void" or any(name in data[k] for k in ("enums", "structs", "typedefs"))


def _hiprtc(data: dict) -> list[dict]:
    out = [_function(n, {**f, "header": "hip/hiprtc.h", "since": OLDEST}, "") for n, f in data["functions"].items()]
    out.append({"kind": "enum", "name": "hiprtcResult", "header": "hip/hiprtc.h",
                "values": [[n, v, OLDEST] for n, v in data["enumerators"].items()]})
    for name in ("hiprtcProgram", "hiprtcLinkState"):
        tag = {"hiprtcProgram": "_hiprtcProgram", "hiprtcLinkState": "ihiprtcLinkState"}[name]
        out.append({"kind": "struct", "name": tag, "header": "hip/hiprtc.h", "tag": tag, "size": 0, "align": 0,
                    "fields": []})
        out.append({"kind": "typedef", "name": name, "type": f"struct {tag} *", "canon": f"struct {tag} *",
                    "header": "hip/hiprtc.h"})
    return out
