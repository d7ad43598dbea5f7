"""Rows whose path is another entry point of the same library: what is emitted, and what is refused."""

from __future__ import annotations

from dataclasses import replace

import pytest
from rows_sample import GEMM, IAMAX, model_of

from scale_x.wrappers_gen import check, rows
from scale_x.wrappers_gen.emit import cpp

TWIN = rows.Row(symbols="cublas{T}gemm", kind=rows.ADAPTED, T="S", paths=(rows.Path(own="{symbol}_v2"),))
TRMM = replace(GEMM, symbols="cublas{T}trmm_v2", kind=rows.NATIVE, steps=(), paths=(), args={}, native="sx_trmm")


def emitted(*table: rows.Row) -> str:
    return cpp.emit(model_of(table))["src/cublas/sample.cpp"]


def test_letters_become_enumerators_and_values_go_by_address() -> None:
    text = emitted(GEMM, TWIN)
    assert (
        "  sx_own_status(cublasSgemm_v2(sx_own_handle(), sx_own_enum<cublasOperation_t>(transa), "
        "sx_own_enum<cublasOperation_t>(transb), m, n, k, &alpha, A, lda, B, ldb, &beta, C, ldc));\n}"
    ) in text
    assert '#include "own.h"' in text
    assert '#include "own.h"' not in emitted(GEMM)


def test_a_result_behind_the_last_pointer_is_returned() -> None:
    text = emitted(IAMAX, replace(TWIN, symbols="cublasI{t}amax"))
    body = text[text.index("SX_EXPORT int cublasIsamax(") :]
    assert body.splitlines()[1:4] == [
        "  int result_sx{};",
        "  sx_own_status(cublasIsamax_v2(sx_own_handle(), n, x, incx, &result_sx));",
        "  return result_sx;",
    ]


def test_what_is_missing_is_named_by_the_row() -> None:
    row = replace(TWIN, symbols="cublas{T}trmm", paths=(rows.Path(own="{symbol}_v2", args={"C": "B", "ldc": "ldb"}),))
    assert "&alpha, A, lda, B, ldb, B, ldb));" in emitted(TRMM, row)


@pytest.mark.parametrize(
    ("table", "says"),
    [
        ((TWIN,), "'cublasSgemm_v2' is a stub itself"),
        ((replace(TWIN, paths=(rows.Path(own="{symbol}_v3"),)),), "'cublasSgemm_v3' is no entry point of cublas"),
        ((TRMM, replace(TWIN, symbols="cublas{T}trmm")), "nothing is said about its parameter 'C'"),
        ((GEMM, replace(TWIN, symbols="cublas{T}scal", paths=(rows.Path(own="cublas{T}gemm_v2"),))), "cannot be"),
        ((GEMM, replace(TWIN, paths=(rows.Path(own="{symbol}_v2", call="rocblas_sgemm"),))), "either a call"),
    ],
)
def test_refused(table: tuple[rows.Row, ...], says: str) -> None:
    found = check.check(model_of(table))
    assert any(says in line for line in found), found
