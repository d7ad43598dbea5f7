"""The grammar of conditions: what it refuses, and that its C++ agrees with its Python reading."""

from __future__ import annotations

import itertools
import subprocess
from pathlib import Path

import pytest

from scale_x.conformance.conditions import Situation, compiled
from scale_x.wrappers_gen import cli
from scale_x.wrappers_gen.expr import Cpp, ExprError, Var, names, parse
from scale_x.wrappers_gen.model import Model

ROOT = Path(__file__).resolve().parent.parent
SHORTS = {"N": ("op_t", "OP_N"), "T": ("op_t", "OP_T"), "C": ("op_t", "OP_C"), "UPPER": ("fill_t", "FILL_UPPER")}
VARIABLES = {
    "m": Var("int", 32), "n": Var("int", 32), "k": Var("int", 32), "lda": Var("int", 32), "big": Var("int", 64),
    "bytes": Var("int", 65), "u": Var("int", 33), "trans": Var("enum", type="op_t"), "uplo": Var("enum", type="fill_t"),
    "alpha": Var("pointer", type="float", by_mode=True), "z": Var("pointer", type="cuDoubleComplex", by_mode=True),
    "h": Var("pointer", type="__half", by_mode=True), "x": Var("pointer", type="float"),
    "C": Var("pointer", type="float"), "v": Var("pointer", type="void"),
}  # fmt: skip


def cpp(**more: object) -> Cpp:
    return Cpp(VARIABLES, SHORTS, {"rocblas_gemm_algo_standard": "rocblas_gemm_algo_"}, host_mode="host_sx", **more)


@pytest.mark.parametrize(
    "text",
    ["m +", "lambda: 1", "m.real", "[1, 2]", "m ** 2", "m / 2", "m % 2", "f(m)", "max(a=1)", "'text' == m", "m == 1.5",
     "(m := 3) > 2", "m is None", "__import__('os')", "{m}", "x[0]", "~m", "m if n else"],
)  # fmt: skip
def test_what_is_not_in_the_grammar(text: str) -> None:
    with pytest.raises(ExprError):
        parse(text)


@pytest.mark.parametrize(
    "text, says",
    [
        ("unknown >= 0", "neither an argument nor an enumerator"),
        ("trans == UPPER", "compares op_t with fill_t"),
        ("trans < T", "orders enumerators"),
        ("m", "no condition"),
        ("m and n", "no condition"),
        ("not m", "no condition"),
        ("x == y", "neither an argument"),
        ("x == m", "cannot compare"),
        ("null(m)", "pointer arguments"),
        ("value(v) == 0", "is not known"),
        ("value(alpha) == m", "compared with an integer"),
        ("value(z) > 0", "orders values of type cuDoubleComplex"),
        ("m in n", "needs a tuple"),
        ("max(m) > 0", "takes 2 arguments"),
        ("complex_type", "no T"),
        ("(m if trans == N else x) == 0", "two types"),
        ("m == 9223372036854775807", "too large"),
        ("same(x, m)", "two pointer arguments"),
        ("multiple(m, 0)", "of a positive number"),
        ("multiple(m, n)", "of a positive number"),
        ("multiple(x, 4)", "no integer"),
    ],
)
def test_types_that_do_not_fit(text: str, says: str) -> None:
    with pytest.raises(ExprError, match=says):
        cpp().condition(text)


def test_host_mode_needs_the_handle() -> None:
    with pytest.raises(ExprError, match="before the handle"):
        Cpp(VARIABLES, SHORTS).condition("value(alpha) == 0")


def test_facts_of_the_type_are_decided_at_emit_time() -> None:
    assert cpp(complex_type=True).condition("real_type and m < 0").constant is False
    assert cpp(complex_type=True).condition("real_type or m < 0").text == "m < 0"
    assert cpp(complex_type=False).condition("m < 0 if complex_type else n < 0").text == "n < 0"


def test_a_matrix_and_an_operation_may_share_a_name() -> None:
    assert cpp().condition("trans == C").text == "trans == OP_C"
    assert cpp().condition("trans in (T, C)").text == "(trans == OP_T) || (trans == OP_C)"
    assert cpp().condition("C == trans").text == "OP_C == trans"
    assert cpp().condition("null(C)").text == "C == nullptr"


def test_names() -> None:
    assert names("lda >= max(1, m if trans == N else k)") == {"lda", "m", "trans", "N", "k"}


AGREE = (
    "lda >= max(1, m if trans == N else k)",
    "trans in (N, T)",
    "trans not in (N, T)",
    "not (trans == C or uplo == UPPER)",
    "m * n * k <= lda",
    "(m + 1) * abs(n) - k > min(lda, 7)",
    "-m < n <= k",
    "big >= max(1, m)",
    "big * big > big",
    "abs(big) - big != 0",
    "bytes >= lda",
    "u > 3 and u - 5 < m",
    "multiple(m, 4) or multiple(big + 1, 16) and multiple(bytes, 3)",
    "value(alpha) == 0 or k == 0",
    "value(alpha) != 1",
    "value(alpha) > 0 and null(x)",
    "not null(alpha)",
    "(n - 1 if uplo == UPPER else n + 1) in (0, 2, m)",
    "host_mode or m == 0",
)
INTS = (-(2**31), -1, 0, 1, 7, 2**31 - 1)


def cases() -> list[dict[str, object]]:
    """Values of one call each: extremes crossed where they matter."""
    found = []
    for m, n, trans in itertools.product(INTS, (-1, 0, 2**31 - 1), ("N", "T", "C", 9)):
        for alpha, host in ((0.0, True), (1.0, True), (None, True), (1.0, False)):
            found.append({"m": m, "n": n, "k": m ^ n, "lda": n, "big": m, "bytes": abs(n), "u": abs(m), "trans": trans,
                          "uplo": "UPPER" if m % 2 else 5, "alpha": alpha, "host": host})  # fmt: skip
    return found


@pytest.fixture(scope="module")
def rocm_include(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The emitted ROCm headers that core.h needs."""
    from scale_x.wrappers_gen.emit import rocm

    out = tmp_path_factory.mktemp("rocm")
    cli.write_tree(out, rocm.emit(Model.load()))
    return out / "rocm"


def test_cpp_agrees_with_python(tmp_path: Path, rocm_include: Path) -> None:
    """Every expression on every case, 32-bit extremes included, through both readings."""
    table = cases()
    lines = [
        '#include <stdio.h>\n#include "scalex/wrap.h"',
        "enum op_t : unsigned { OP_N, OP_T, OP_C }; enum fill_t : unsigned { FILL_LOWER, FILL_UPPER };",
        "struct Case { int m, n, k, lda; long long big; size_t bytes; unsigned u; op_t trans; fill_t uplo;"
        " const float* alpha; bool host_sx; };",
        "static const float zero = 0, one = 1;",
        "static const Case cases[] = {",
    ]
    number = {"N": 0, "T": 1, "C": 2, "UPPER": 1}
    for c in table:
        enums = [f"static_cast<{t}>({number.get(str(c[n]), c[n])})" for n, t in (("trans", "op_t"), ("uplo", "fill_t"))]
        pointer = {0.0: "&zero", 1.0: "&one", None: "nullptr"}[c["alpha"]]  # type: ignore[index]
        ints = [f"int(INT64_C({c[n]}))" for n in ("m", "n", "k", "lda")]
        rest = [f"INT64_C({c['big']})", f"size_t({c['bytes']})", f"{c['u']}u", *enums, pointer]
        lines.append(f"  {{{', '.join([*ints, *rest, str(c['host']).lower()])}}},")
    lines += ["};", "int main() {", "  for (const Case& c : cases) {"]
    lines += [f"    const auto {n} = c.{n};" for n in ("m", "n", "k", "lda", "big", "bytes", "u", "trans", "uplo",
                                                        "alpha", "host_sx")]  # fmt: skip
    lines += ["    const float* const x = alpha;"]
    lines += [f"    putchar({cpp().condition(e).text} ? '1' : '0');" for e in AGREE]
    lines += ["    putchar('\\n');", "  }", "}"]
    source, program = tmp_path / "agree.cpp", tmp_path / "agree"
    source.write_text("\n".join(lines))
    subprocess.run(
        ["g++", "-std=c++17", "-fsanitize=undefined", "-fno-sanitize-recover", "-Wall", "-Wextra",
         "-Werror", f"-I{ROOT / 'core' / 'include'}", f"-I{rocm_include}", str(source), "-c", "-o",
         str(program) + ".o"], check=True,
    )  # fmt: skip
    stub = tmp_path / "stub.cpp"
    stub.write_text('#include "scalex/core.h"\nconst sx_rocm_table* sx_rocm; sx_core_state sx_core;\n')
    subprocess.run(
        ["g++", "-std=c++17", "-fsanitize=undefined", f"-I{ROOT / 'core' / 'include'}", f"-I{rocm_include}",
         str(program) + ".o", str(stub), "-Wl,--unresolved-symbols=ignore-all", "-o", str(program)], check=True,
    )  # fmt: skip
    got = subprocess.run([program], capture_output=True, text=True, check=True).stdout.splitlines()
    arguments = frozenset((*VARIABLES, "x")) - {"C"}
    assert len(got) == len(table)
    for c, bits in zip(table, got, strict=True):
        situation = Situation(values=c, nulls=("alpha", "x") if c["alpha"] is None else (), host_mode=bool(c["host"]))
        for text, bit in zip(AGREE, bits, strict=True):
            want = bool(compiled(text, arguments, frozenset(SHORTS))(c, situation))
            assert (bit == "1") == want, f"{text} of {c}"
