"""Matrix transform: C = alpha op(A) + beta op(B), between types, orders and transposes.

The orders COL32, COL4_4R2_8C and COL32_2R_4R4 hold 8-bit (COL32 also 32-bit) integers in tiles; which combinations
NVIDIA takes was measured, and so was where each element lies. hipBLASLt's own transform knows only two orders and six
sets of types, so all of it is one kernel of the project's own (``kernels/transform.cpp``). It needs hipRTC on AMD;
without it, and for a first call while capturing, the answer is NOT_SUPPORTED.
"""

from __future__ import annotations

from scale_x.wrappers_gen.rows import NATIVE, NotNull, Row

TITLE = "Matrix transform"

ROWS = (
    Row(
        symbols="cublasLtMatrixTransformDescCreate",
        kind=NATIVE,
        why="the whole state in the struct, with NVIDIA's defaults",
        steps=(NotNull(("transformDesc",)),),
        native="sx_transform_desc_create",
        source="cuBLAS 3.4, cublasLtMatrixTransformDescCreate; measured: any type",
    ),
    Row(
        symbols="cublasLtMatrixTransformDescInit_internal",
        kind=NATIVE,
        why="a struct of the caller's, whose size is honoured; too small is ALLOC_FAILED",
        steps=(NotNull(("transformDesc",)),),
        native="sx_transform_desc_init",
        source="cuBLAS 3.4, cublasLtMatrixTransformDescInit; measured sizes",
    ),
    Row(
        symbols="cublasLtMatrixTransformDescDestroy",
        kind=NATIVE,
        why="NULL is fine",
        native="sx_transform_desc_destroy",
        source="cuBLAS 3.4, cublasLtMatrixTransformDescDestroy; measured",
    ),
    Row(
        symbols="cublasLtMatrixTransformDescGetAttribute",
        kind=NATIVE,
        why="answers what was set",
        native="sx_transform_desc_get",
        source="cuBLAS 3.4, cublasLtMatrixTransformDescGetAttribute; measured sizes",
    ),
    Row(
        symbols="cublasLtMatrixTransformDescSetAttribute",
        kind=NATIVE,
        why="kept; any value of the exact size",
        native="sx_transform_desc_set",
        source="cuBLAS 3.4, cublasLtMatrixTransformDescSetAttribute; measured sizes",
    ),
    Row(
        symbols="cublasLtMatrixTransform",
        kind=NATIVE,
        why="one kernel for every type and order; hipBLASLt's has two orders and crashes on NULL",
        steps=(NotNull(("transformDesc", "alpha", "Adesc", "beta"), nvidia="crash"),),
        native="sx_lt_transform",
        differs={"rounds": "rounds halves of 8-bit results otherwise"},
        source="cuBLAS 3.4, cublasLtMatrixTransform; measured types, orders, maps and statuses",
    ),
)
