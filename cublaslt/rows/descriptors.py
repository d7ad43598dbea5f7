"""Descriptors: MatmulDesc, MatrixLayout, GroupedMatrixLayout, MatmulPreference, EmulationDesc.

All are shadowed: hipBLASLt validates next to nothing and gives back few attributes. A struct holds its whole state, is
freely copied and honours the size that Init is told; native objects are made by calls. Setters take
any value of the attribute's exact size; getters answer the size when asked with size 0.
"""

from __future__ import annotations

from scale_x.wrappers_gen.rows import NATIVE, NotNull, Row

TITLE = "Descriptors and their attributes"

ROWS = (
    Row(
        symbols="cublasLtMatmulDescCreate",
        kind=NATIVE,
        why="the whole state in the struct, with NVIDIA's defaults",
        steps=(NotNull(("matmulDesc",)),),
        native="sx_matmul_desc_create",
        source="cuBLAS 3.4, cublasLtMatmulDescCreate; measured: any type and size",
    ),
    Row(
        symbols="cublasLtMatmulDescInit_internal",
        kind=NATIVE,
        why="a struct of the caller's, whose size is honoured; too small is ALLOC_FAILED",
        steps=(NotNull(("matmulDesc",), nvidia="crash"),),
        native="sx_matmul_desc_init",
        source="cuBLAS 3.4, cublasLtMatmulDescInit; measured sizes",
    ),
    Row(
        symbols="cublasLtMatmulDescDestroy",
        kind=NATIVE,
        why="NULL is fine",
        native="sx_matmul_desc_destroy",
        source="cuBLAS 3.4, cublasLtMatmulDescDestroy; measured",
    ),
    Row(
        symbols="cublasLtMatmulDescGetAttribute",
        kind=NATIVE,
        why="answers what was set",
        native="sx_matmul_desc_get",
        source="cuBLAS 3.4, cublasLtMatmulDescGetAttribute; measured sizes",
    ),
    Row(
        symbols="cublasLtMatmulDescSetAttribute",
        kind=NATIVE,
        why="kept; any value of the exact size",
        native="sx_matmul_desc_set",
        source="cuBLAS 3.4, cublasLtMatmulDescSetAttribute; measured sizes",
    ),
    Row(
        symbols="cublasLtMatrixLayoutCreate",
        kind=NATIVE,
        why="the whole state in the struct, with NVIDIA's defaults",
        steps=(NotNull(("matLayout",)),),
        native="sx_layout_create",
        source="cuBLAS 3.4, cublasLtMatrixLayoutCreate; measured: any type and size",
    ),
    Row(
        symbols="cublasLtMatrixLayoutInit_internal",
        kind=NATIVE,
        why="a struct of the caller's, whose size is honoured; too small is ALLOC_FAILED",
        steps=(NotNull(("matLayout",)),),
        native="sx_layout_init",
        source="cuBLAS 3.4, cublasLtMatrixLayoutInit; measured sizes",
    ),
    Row(
        symbols="cublasLtMatrixLayoutDestroy",
        kind=NATIVE,
        why="NULL is fine",
        native="sx_layout_destroy",
        source="cuBLAS 3.4, cublasLtMatrixLayoutDestroy; measured",
    ),
    Row(
        symbols="cublasLtMatrixLayoutGetAttribute",
        kind=NATIVE,
        why="answers what was set",
        native="sx_layout_get",
        source="cuBLAS 3.4, cublasLtMatrixLayoutGetAttribute; measured sizes",
    ),
    Row(
        symbols="cublasLtMatrixLayoutSetAttribute",
        kind=NATIVE,
        why="kept; any value of the exact size",
        native="sx_layout_set",
        source="cuBLAS 3.4, cublasLtMatrixLayoutSetAttribute; measured sizes",
    ),
    Row(
        symbols="cublasLtMatmulPreferenceCreate",
        kind=NATIVE,
        why="the whole state in the struct, with NVIDIA's defaults",
        steps=(NotNull(("pref",)),),
        native="sx_preference_create",
        source="cuBLAS 3.4, cublasLtMatmulPreferenceCreate; measured: any type and size",
    ),
    Row(
        symbols="cublasLtMatmulPreferenceInit_internal",
        kind=NATIVE,
        why="a struct of the caller's, whose size is honoured; too small is ALLOC_FAILED",
        steps=(NotNull(("pref",)),),
        native="sx_preference_init",
        source="cuBLAS 3.4, cublasLtMatmulPreferenceInit; measured sizes",
    ),
    Row(
        symbols="cublasLtMatmulPreferenceDestroy",
        kind=NATIVE,
        why="NULL is fine",
        native="sx_preference_destroy",
        source="cuBLAS 3.4, cublasLtMatmulPreferenceDestroy; measured",
    ),
    Row(
        symbols="cublasLtMatmulPreferenceGetAttribute",
        kind=NATIVE,
        why="answers what was set",
        native="sx_preference_get",
        source="cuBLAS 3.4, cublasLtMatmulPreferenceGetAttribute; measured sizes",
    ),
    Row(
        symbols="cublasLtMatmulPreferenceSetAttribute",
        kind=NATIVE,
        why="kept; any value of the exact size",
        native="sx_preference_set",
        source="cuBLAS 3.4, cublasLtMatmulPreferenceSetAttribute; measured sizes",
    ),
    Row(
        symbols="cublasLtEmulationDescCreate",
        kind=NATIVE,
        why="the whole state in the struct, with NVIDIA's defaults",
        steps=(NotNull(("emulationDesc",)),),
        native="sx_emulation_create",
        source="cuBLAS 3.4, cublasLtEmulationDescCreate; measured: any type and size",
    ),
    Row(
        symbols="cublasLtEmulationDescInit_internal",
        kind=NATIVE,
        why="a struct of the caller's, whose size is honoured; too small is ALLOC_FAILED",
        native="sx_emulation_init",
        source="cuBLAS 3.4, cublasLtEmulationDescInit; measured sizes",
    ),
    Row(
        symbols="cublasLtEmulationDescDestroy",
        kind=NATIVE,
        why="NULL is fine",
        native="sx_emulation_destroy",
        source="cuBLAS 3.4, cublasLtEmulationDescDestroy; measured",
    ),
    Row(
        symbols="cublasLtEmulationDescGetAttribute",
        kind=NATIVE,
        why="answers what was set",
        native="sx_emulation_get",
        source="cuBLAS 3.4, cublasLtEmulationDescGetAttribute; measured sizes",
    ),
    Row(
        symbols="cublasLtEmulationDescSetAttribute",
        kind=NATIVE,
        why="kept; any value of the exact size",
        native="sx_emulation_set",
        source="cuBLAS 3.4, cublasLtEmulationDescSetAttribute; measured sizes",
    ),
    Row(
        symbols="cublasLtGroupedMatrixLayoutCreate",
        kind=NATIVE,
        why="arrays of sizes on the device, by pointer",
        steps=(NotNull(("matLayout",)),),
        native="sx_grouped_layout_create",
        source="cuBLAS 3.4, cublasLtGroupedMatrixLayoutCreate",
    ),
    Row(
        symbols="cublasLtGroupedMatrixLayoutInit_internal",
        kind=NATIVE,
        why="as its Create, in a struct of the caller's",
        steps=(NotNull(("matLayout",)),),
        native="sx_grouped_layout_init",
        source="cuBLAS 3.4, cublasLtGroupedMatrixLayoutInit",
    ),
)
