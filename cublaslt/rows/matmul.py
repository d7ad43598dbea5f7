"""The product D = act(alpha op(A) op(B) + beta C + bias), its algorithms and its heuristic.

Checks are in C++ because their fields lie in opaque structs; their order and their split between INVALID_VALUE and
NOT_SUPPORTED are NVIDIA's, measured. One call of hipBLASLt computes what it computes as NVIDIA does: bias, GELU and its
derivative, bias gradients (ROCm 6.0 on; GELU_AUX_BIAS from 7.0; complex from 10.0; fp8 in CUDA's formats from 6.3, on
gfx950 and gfx12). ReLU follows in place, since hipBLASLt's makes 0 of NaN, and so do the bit masks of RELU_AUX and
DRELU, which hipBLASLt stores otherwise. All else is rocBLAS's product and one kernel after it. Groups, and batches by
address with an epilogue, have their arrays read on the host: such a call waits for its stream, and is refused while the
stream is being captured.
"""

from __future__ import annotations

from scale_x.wrappers_gen.rows import NATIVE, Row

TITLE = "Matmul, algorithms, heuristics"

_CHIP = "has no kernel for the shape on its chip: computed here, refused as there with SCALE_X_COMPAT=exact"
_DIFFERS = {
    "shape": _CHIP,
    "user-fp8 or user-i8": _CHIP,
    "i8-i8-32x16x48-NN": _CHIP,
    "33-batch": "refuses outer vectors of scales for a batch",
    "factor-zero": "spreads NaN of A and B although alpha is 0",
    "refused-batch-mode": "takes an unknown BATCH_MODE",
    "refused-factor-stride": "has no ALPHA_BATCH_STRIDE before cuBLAS 13.2",
}
_ALGORITHM = "an algorithm is a class of problems with settings that tune nothing; it means the same in every process"

ROWS = (
    Row(
        symbols="cublasLtMatmul",
        kind=NATIVE,
        why="a plan per problem and thread: hipBLASLt where it agrees with NVIDIA, else rocBLAS and a kernel",
        native="sx_matmul",
        differs=_DIFFERS,
        source="cuBLAS 3.4, cublasLtMatmul; measured",
    ),
    Row(
        symbols="cublasLtMatmulAlgoGetHeuristic cublasLtMatmulAlgoGetHeuristicForStream",
        kind=NATIVE,
        why="hipBLASLt's own results in its order, or one for a composed product; never SUCCESS with none",
        native="sx_heuristic",
        differs={"limited": "refuses to search for the algorithm that AlgoInit made of number 0"},
        source="cuBLAS 3.4, cublasLtMatmulAlgoGetHeuristic; measured",
    ),
    Row(
        symbols="cublasLtMatmulAlgoCheck cublasLtMatmulAlgoCheckForStream",
        kind=NATIVE,
        why=_ALGORITHM,
        native="sx_algo_check",
        source="cuBLAS 3.4, cublasLtMatmulAlgoCheck; measured",
    ),
    Row(
        symbols="cublasLtMatmulAlgoGetIds",
        kind=NATIVE,
        why=_ALGORITHM,
        native="sx_algo_ids",
        nvidia="differs: eight algorithms, numbered from 0 and of equal abilities, for every supported set of types",
        source="cuBLAS 3.4, cublasLtMatmulAlgoGetIds; measured",
    ),
    Row(
        symbols="cublasLtMatmulAlgoInit",
        kind=NATIVE,
        why=_ALGORITHM,
        native="sx_algo_init",
        source="cuBLAS 3.4, cublasLtMatmulAlgoInit; measured",
    ),
    Row(
        symbols="cublasLtMatmulAlgoCapGetAttribute",
        kind=NATIVE,
        why=_ALGORITHM,
        native="sx_algo_cap",
        source="cuBLAS 3.4, cublasLtMatmulAlgoCapGetAttribute; measured",
    ),
    Row(
        symbols="cublasLtMatmulAlgoConfigGetAttribute",
        kind=NATIVE,
        why=_ALGORITHM,
        native="sx_algo_config_get",
        source="cuBLAS 3.4, cublasLtMatmulAlgoConfigGetAttribute; measured",
    ),
    Row(
        symbols="cublasLtMatmulAlgoConfigSetAttribute",
        kind=NATIVE,
        why=_ALGORITHM,
        native="sx_algo_config_set",
        source="cuBLAS 3.4, cublasLtMatmulAlgoConfigSetAttribute; measured: the number cannot be set",
    ),
)
