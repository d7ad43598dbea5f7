"""Version gates: every row resolves, under every release of ROCm, to a call, a composition or a refusal with a status,
never to a missing symbol; and what lies behind each gate's other side runs.

The table half reads rows and rocm/spec. The bodies half reads what the C++ bodies take from the table, after the
preprocessor. The run-time half calls functions on a host engine that impersonates each release, or that lacks one of
AMD's libraries altogether.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

from scale_x.wrappers_gen import cli, gates, rocm_spec, rows, spec
from scale_x.wrappers_gen.emit.cpp import wrapper
from scale_x.wrappers_gen.model import Model, Symbol

ROOT = Path(__file__).resolve().parent.parent
HERE = Path(__file__).resolve().parent
RELEASES = ("6.0", "6.1", "6.2", "6.3", "6.4", "7.0", "7.1", "7.2", "7.12", "7.13", "10.0", "10.1")
ALWAYS = ("hip", "rocblas")  # the loader refuses a ROCm without them
#: a body outside the table half's sight: core, and the native folders
BODIES = ("core/src", *(f"{folder}/native" for folder in dict.fromkeys(spec.LIBRARIES.values())))


@cache
def model() -> Model:
    return Model.load()


def real(m: Model) -> list[Symbol]:
    return [s for library in m.cuda for s in m.of(library) if s.row is not None and s.kind != rows.STUB]


# ---- the table half --------------------------------------------------------------------------------------------------


def test_the_releases_are_those_the_specs_know() -> None:
    assert gates.releases(model()) == RELEASES


@pytest.mark.parametrize("release", RELEASES)
def test_rows_resolve(release: str) -> None:
    m = model()
    wrong, seen = [], set()
    for library in m.cuda:
        for s in m.of(library):
            try:
                found = gates.resolve(m, s, release)
            except gates.WrongGate as e:
                wrong.append(f"{s.where}: {s.name}: {e}")
                continue
            seen.add(found.how)
            assert found.what, s.name
            if found.how == gates.CALL:
                assert m.rocm_functions[found.what].present(release)
    assert not wrong, "\n".join(wrong)
    assert seen == {gates.CALL, gates.COMPOSITION, gates.REFUSAL}


def test_no_path_is_newer_than_its_gate() -> None:
    """Of later paths, too, which an earlier one hides from the walk above."""
    m = model()
    wrong = [f"{s.where}: {s.name}: {text}" for s in real(m) for text in gates.complaints(m, s)]
    assert not wrong, "\n".join(wrong)


def changed(name: str, **path: object) -> tuple[Model, Symbol]:
    m = model()
    s = m.symbols[name]
    assert s.row is not None
    return m, replace(s, row=replace(s.row, paths=(replace(s.row.paths[0], **path), *s.row.paths[1:])))


@pytest.mark.parametrize(
    ("path", "says"),
    [
        ({"call": "rocblas_syrk_ex"}, r"not in ROCm 6\.0 \(since 7\.2\), but its path has no since"),
        ({"call": "rocsolver_sgecon", "since": "7.2"}, r"not in ROCm 7\.2 \(since 7\.12\), but its path has since='7"),
        ({"call": "rocblas_sgemm_kernel_name"}, r"not in ROCm 7\.0 \(since 5\.7, removed in 7\.0\)"),
        ({"call": "rocblas_sgemn"}, "is no function of rocm/spec"),
    ],
)
def test_a_wrong_row_is_seen(path: dict[str, object], says: str) -> None:
    m, s = changed("cublasSgemm_v2", **path)
    assert any(re.search(says, text) for text in gates.complaints(m, s)), list(gates.complaints(m, s))
    with pytest.raises(gates.WrongGate, match=says):
        for release in RELEASES:
            gates.resolve(m, s, release)


def test_a_gated_path_falls_to_the_next_or_refuses() -> None:
    m = model()
    s = m.symbols["cudaEventRecordWithFlags"]
    assert gates.resolve(m, s, "6.3") == gates.Resolution(gates.CALL, "hipEventRecord")
    assert gates.resolve(m, s, "6.4") == gates.Resolution(gates.CALL, "hipEventRecordWithFlags")
    m, s = changed("cublasSgemm_v2", since="7.0")
    assert gates.resolve(m, s, "6.4") == gates.Resolution(gates.REFUSAL, "NOT_SUPPORTED")


def test_emitted_calls_ask_the_table_first() -> None:
    """A function pointer is called only behind ``call_sx != nullptr``, and nothing else is called through the table."""
    m = model()
    taken = re.compile(
        r"if \(const auto call_sx = sx_rocm->(\w+); SX_LIKELY\((?:.* && )?call_sx != nullptr(?: && .*)?\)\) \{"
    )
    seen = 0
    for s in real(m):
        if not any(p.call for p in s.row.paths):
            continue
        for line in wrapper(m, s):
            if "sx_rocm->" in line and "sx_rocm->version" not in line.replace(taken.sub("", line), ""):
                assert taken.search(line), f"{s.name}: {line}"
                seen += 1
    assert seen > 600


# ---- the bodies half -------------------------------------------------------------------------------------------------


def own_text(preprocessed: str) -> str:
    """The lines that come from the project's own files."""
    kept, own = [], False
    for line in preprocessed.splitlines():
        if m := re.match(r'# \d+ "([^"]*)"', line):
            own = m[1].startswith(str(ROOT)) and "/gen/" not in m[1] and "third_party" not in m[1]
        elif own and line.strip():
            kept.append(line.strip())
    return "\n".join(kept)


@pytest.fixture(scope="session")
def preprocessed(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """Source file -> its text and that of the headers people wrote, macros expanded."""
    gen = tmp_path_factory.mktemp("gates") / "gen"
    cli.main(["emit", "--out", str(gen)])
    shared = [f"-I{ROOT / d}" for d in ("core/include", "kernels/include", "host/include")]
    shared += [f"-I{gen / d}" for d in ("", "rocm", "include/all", "src", "kernels")]
    kin: dict[str, list[str]] = {}
    for library, folder in spec.LIBRARIES.items():
        kin.setdefault(folder, []).append(f"-I{gen / 'src' / library}")

    def read(path: Path) -> tuple[str, str]:
        folder = path.relative_to(ROOT).parts[0]
        command = [*os.environ.get("CXX", "g++").split(), "-std=c++17", "-E", *shared, *kin.get(folder, []),
                   f"-I{ROOT / folder / 'native'}", "-include", "scalex/core.h", str(path)]  # fmt: skip
        text = subprocess.run(command, capture_output=True, text=True, check=True).stdout
        return str(path.relative_to(ROOT)), own_text(text)

    sources = [p for folder in BODIES for p in sorted((ROOT / folder).rglob("*.cpp"))]
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        return dict(pool.map(read, sources))


def table_members(text: str) -> set[str]:
    """Functions that a body takes from the table, by ``sx_rocm->`` or through a reference to the table."""
    found = set(re.findall(r"\bsx_rocm->(\w+)", text))
    for name in set(re.findall(r"sx_rocm_table& (\w+) = \*sx_rocm", text)):
        found |= {x for x in re.findall(rf"\b{name}\.(\w+)", text) if x in model().rocm_functions}
    return found - {"version", "arch"}


def is_tested(text: str, value: str) -> bool:
    """Whether ``value``, or what it is kept in or handed out by, is compared with NULL somewhere in the text."""
    if re.search(
        rf"{value} [!=]= nullptr|!{value}\b|\bif \({value}\)|{value} (?:&&|\|\||\?)|(?:&&|\|\|) {value}\b", text
    ):
        return True
    if re.search(rf"if \(const auto \w+ = [\w<>:]*{value}\)", text):
        return True
    kept = re.findall(rf"(?:const auto|auto\* const|const auto\*) (\w+) = [^;]*{value};", text)
    out = re.findall(rf"\bauto (\w+)\(\) (?:const )?\{{ return {value}; \}}", text)
    return any(is_tested(text, name) for name in kept) or any(is_tested(text, rf"[\w<>:]*\b{name}\(\)") for name in out)


def only_offered(text: str, name: str) -> bool:
    """Whether the text knows the function only as what a header's function hands out, which it never calls."""
    offers = re.findall(rf"\bauto (\w+)\(\) (?:const )?\{{ return sx_rocm->{name}; \}}", text)
    taken = len(re.findall(rf"\bsx_rocm->{name}\b", text)) > len(offers)
    return not taken and not any(re.search(rf"::{offer}\(\)", text) for offer in offers)


def unguarded(text: str) -> set[str]:
    functions = model().rocm_functions
    return {name for name in table_members(text) if gates.changes(functions[name])
            and not is_tested(text, rf"sx_rocm->{name}") and not only_offered(text, name)}  # fmt: skip


def test_bodies_use_functions_that_exist(preprocessed: dict[str, str]) -> None:
    functions = model().rocm_functions
    used = {f: table_members(text) for f, text in preprocessed.items()}
    assert sum(map(len, used.values())) > 250
    assert {(f, n) for f, names in used.items() for n in names if n not in functions} == set()


def test_bodies_test_what_a_release_may_lack(preprocessed: dict[str, str]) -> None:
    wrong = {f: sorted(names) for f, text in preprocessed.items() if (names := unguarded(text))}
    assert not wrong, "taken from the table without a look whether this ROCm has it"
    assert any(gates.changes(model().rocm_functions[n]) for t in preprocessed.values() for n in table_members(t))


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("return sx_rocm->hipStreamGetId(s, &n);", {"hipStreamGetId"}),
        ("const auto f = sx_rocm->hipStreamGetId; return f(s, &n);", {"hipStreamGetId"}),
        ("static auto id() { return sx_rocm->hipStreamGetId; } return A<T>::id()(s, &n);", {"hipStreamGetId"}),
        ("if (sx_rocm->hipStreamGetId != nullptr) return sx_rocm->hipStreamGetId(s, &n);", set()),
        ("const auto f = sx_rocm->hipStreamGetId; if (f == nullptr) return 1; return f(s, &n);", set()),
        ("static auto id() { return sx_rocm->hipStreamGetId; } if (const auto f = A<T>::id()) f(s);", set()),
        ("static auto id() { return sx_rocm->hipStreamGetId; }", set()),
        ("sx_rocm->hipFree(p);", set()),
    ],
)
def test_an_unguarded_body_is_seen(text: str, names: set[str]) -> None:
    assert unguarded(text) == names


def late_enumerators(text: str) -> dict[str, str]:
    """Enumerators that a text names and some supported release lacks, with the release that brings them."""
    oldest = rocm_spec.number(rocm_spec.OLDEST)
    late = {v.name: v.since for lib in model().rocm.values() for e in lib.enums.values() for v in e.values
            if rocm_spec.number(v.since) > oldest}  # fmt: skip
    return {w: late[w] for w in set(re.findall(r"\b[A-Za-z]\w+\b", text)) & set(late)}


def test_newer_enumerators_stand_behind_a_version(preprocessed: dict[str, str]) -> None:
    """A file that passes an enumerator of a later release compares the version with that release."""
    found = {f: late_enumerators(text) for f, text in preprocessed.items()}
    assert any(found.values())
    wrong = [f"{f}: {name} is since {since}" for f, names in found.items() for name, since in names.items()
             if not re.search(rf"version (?:<|>=) {rocm_spec.number(since)}\b", preprocessed[f])]  # fmt: skip
    assert not wrong, "\n".join(wrong)


def values_in_force(e: rocm_spec.Enum, name: str) -> set[int]:
    """The values of an enumerator in supported releases."""
    listed = sorted((v for v in e.values if v.name == name), key=lambda v: rocm_spec.number(v.since))
    old = [v for v in listed if rocm_spec.number(v.since) <= rocm_spec.number(rocm_spec.OLDEST)]
    return {v.value for v in old[-1:] + listed[len(old) :]}


def test_no_enumerator_is_used_that_changed_its_number(preprocessed: dict[str, str]) -> None:
    enums = [e for lib in model().rocm.values() for e in lib.enums.values()]
    moved = {v.name for e in enums for v in e.values if len(values_in_force(e, v.name)) > 1}
    assert "HIPBLASLT_POINTER_MODE_ALPHA_DEVICE_VECTOR_BETA_HOST" in moved
    named = {v for t in model().types.values() for e in t.enums for v in e.values.values()}
    for text in preprocessed.values():
        named |= set(re.findall(r"\b[A-Za-z]\w+\b", text))
    assert moved & named == set()


# ---- the run-time half -----------------------------------------------------------------------------------------------


def definitions(text: str) -> dict[str, str]:
    """Name -> body of the functions that rows may name."""
    starts = re.finditer(r"\b(sx_\w+)\([^;{}()]*\) \{", text)
    return {m[1]: text[m.end() : text.find("\n}", m.end())] for m in starts}


def gated_bodies(preprocessed: dict[str, str]) -> set[str]:
    """Bodies that take what some release lacks: themselves, or in a file whose templates they share."""
    functions, found = model().rocm_functions, set()
    for file, text in preprocessed.items():
        if not file.startswith("core/") and any(gates.changes(functions[n]) for n in table_members(text)):
            shared = not file.startswith("cudart/")
            found |= {name for name, body in definitions(text).items()
                      if shared or any(gates.changes(functions[n]) for n in table_members(body))}  # fmt: skip
    return found


def other_sides(preprocessed: dict[str, str]) -> list[str]:
    """library/symbol of every row with a gate, and of every body with one."""
    m, gated = model(), gated_bodies(preprocessed)
    found = []
    for s in real(m):
        bodies = {s.names.fill(n) for n in (s.row.native, *(p.native for p in s.row.paths)) if n}
        if gates.has_other_side(m, s) or bodies & gated:
            found.append(f"{s.library}/{s.name}")
    return found


def called(lib_dir: Path, symbols: list[str], **environment: str) -> list[dict]:
    """What each call answered; fails when one of them ends the process."""
    env = {k: v for k, v in os.environ.items() if not k.startswith("SCALE_X_")}
    env |= {"SCALE_X_PROVIDER": "host", "SCALE_X_HOST_HOSTILE": "1", "SCALE_X_LIBRARY_DIR": str(lib_dir), **environment}
    env["PYTHONPATH"] = os.pathsep.join(p or os.getcwd() for p in sys.path)
    run = subprocess.run([sys.executable, str(HERE / "gates_process.py"), "-"], input=" ".join(symbols), env=env,
                         capture_output=True, text=True, timeout=600)  # fmt: skip
    lines = [json.loads(line) for line in run.stdout.splitlines()]
    assert run.returncode == 0, (
        f"{lines[-1] if lines else ''} ended the process: {run.returncode}\n{run.stderr[-2000:]}"
    )
    return [line for line in lines if "calling" not in line]


def lacking(release: str) -> frozenset[str]:
    """The functions of rows and bodies that a release does not have."""
    m = model()
    return frozenset(n for n in m.rocm_used if not m.rocm_functions[n].present(release))


def by_what_they_lack() -> list[object]:
    """Releases; of those that lack the same, all but the oldest are exhaustive."""
    first: dict[frozenset[str], str] = {}
    return [r if first.setdefault(lacking(r), r) == r else pytest.param(r, marks=pytest.mark.slow) for r in RELEASES]


@pytest.mark.parametrize("release", by_what_they_lack())
def test_the_other_side_of_each_gate_runs(release: str, lib_dir: Path, preprocessed: dict[str, str]) -> None:
    m = model()
    symbols = other_sides(preprocessed)
    assert len(symbols) > 200
    answers = called(lib_dir, symbols, SCALE_X_HOST_ROCM=release)
    unasked = {a["symbol"] for a in answers if a["result"] == "nothing to ask"}
    assert {n for n in unasked if not re.search(r"(Create|Destroy|Set|Get)[A-Z]", n)} == set()  # state calls nothing
    for a in answers:
        s = m.symbols[a["symbol"].partition("/")[2]]
        wanted = [m.rocm_functions[c] for c in gates.calls(s) if c.endswith("_64") and c in m.rocm_functions]
        if a["result"] == "nothing to ask":
            continue
        if a.get("wide") and wanted and not any(f.present(release) for f in wanted):
            assert a["status"] == "NOT_SUPPORTED", a
        else:
            assert a["result"] in ("passed", "skipped"), a


@pytest.fixture(scope="session")
def hiding(lib_dir: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("hiding") / "hiding.so"
    subprocess.run([*os.environ.get("CXX", "g++").split(), "-std=c++17", "-O1", "-fPIC", "-shared",
                    f"-I{ROOT / 'core' / 'include'}", str(HERE / "core" / "hiding.cpp"), "-o", str(made), "-ldl"],
                   check=True)  # fmt: skip
    return made


#: AMD's libraries that may be missing -> the beginnings of their functions' names, and who calls them
MISSING = {
    "rocsolver": ("rocsolver_", ("cusolver", "cublas")),
    "hipblaslt": ("hipblasLt hipblaslt", ("cublaslt",)),
    "hipfft": ("hipfft", ("cufft", "cufftw")),
    "hiprtc": ("hiprtc", ("cublaslt",)),
}


@pytest.mark.parametrize("missing", MISSING)
def test_a_missing_library_is_a_refusal(missing: str, lib_dir: Path, hiding: Path) -> None:
    """Every function that may stand on it answers: computed another way, or refused with a status."""
    m = model()
    words, libraries = MISSING[missing]
    symbols = [f"{s.library}/{s.name}" for s in real(m) if s.library in libraries]
    if libraries[-1] == "cublas":  # of cuBLAS, what is LAPACK
        symbols = [n for n in symbols if not n.startswith("cublas/") or re.search("get|gel|geq|matinv", n)]
    answers = called(lib_dir, symbols, SCALE_X_HOST_ENGINE=str(hiding), TEST_HIDE=words, TEST_ONE="1",
                     TEST_ENGINE=str(lib_dir / "libscalex_host.so.0"))  # fmt: skip
    assert len({a["symbol"] for a in answers if a["result"] != "nothing to ask"}) > 10
    assert not [a for a in answers if "fault" in a.get("pattern", "")]
