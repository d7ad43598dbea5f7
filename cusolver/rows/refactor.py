"""cusolverRf: a sparse system whose pattern and pivots are known, factored anew for other values.

ROCm's csrrf functions need rocSPARSE beside rocSOLVER, know neither batches nor boosts, and answer not_implemented in
releases before 6.3; so everything is hostmath's, whatever the provider. The factors lie on the host. Functions that
take device pointers wait for the legacy default stream, copy to the host and back, and are refused while it is being
captured; the others touch no device.

Statuses were measured on NVIDIA's library (CUDA 13, H200). Where it does something else than is documented:

*   It accepts steps in any order and leaves nonsense. Here a solve without a refactorisation makes the factors first,
    and a second refactorisation starts from the values again.
*   A pivot of at most ``zero`` in size is flagged, also for the default zero of 0: with a ``boost`` it becomes that,
    without one the answer is ZERO_PIVOT; the boost report says USED in both cases. NVIDIA's then leaves the column of
    such a pivot unscaled, so that its factors are those of no matrix; here they are those of the boosted one.
*   Indices, permutations and patterns are checked (INVALID_VALUE); A must fit into the pattern of L + U. Matrices
    are 0-based.
*   Where the ones are U's, the factors that it bundles are not those that it splits. Here they are the same.
*   It takes one right-hand side a call. So does this library under ``SCALE_X_COMPAT=exact``; otherwise any number.
*   The values of L and U are not read, and ``Temp`` is not used, by either.

Algorithms and the fast mode are kept for their getters. Tested in tests/test_cusolverrf.py.
"""

from __future__ import annotations

from scale_x.wrappers_gen.rows import NATIVE, Row

TITLE = "cusolverRf: refactorisation"

ROWS = (
    Row(
        symbols="cusolverRf{T}",
        T=(
            "Create",
            "Destroy",
            "SetMatrixFormat",
            "GetMatrixFormat",
            "SetNumericProperties",
            "GetNumericProperties",
            "SetAlgs",
            "GetAlgs",
            "SetResetValuesFastMode",
            "GetResetValuesFastMode",
            "GetNumericBoostReport",
        ),
        kind=NATIVE,
        why="an object of core with its settings",
        native="sx_cusolverRf{T}",
        source="cuSOLVER: cusolverRfCreate and kin",
    ),
    Row(
        symbols="cusolverRf{T}",
        T=(
            "SetupHost",
            "BatchSetupHost",
            "Analyze",
            "BatchAnalyze",
            "BatchZeroPivot",
            "ExtractBundledFactorsHost",
            "ExtractSplitFactorsHost",
        ),
        kind=NATIVE,
        why="on the host, for every provider; touches no device",
        native="sx_cusolverRf{T}",
        source="cuSOLVER: cusolverRfSetupHost and kin",
    ),
    Row(
        symbols="cusolverRf{T}",
        T=(
            "SetupDevice",
            "ResetValues",
            "BatchResetValues",
            "Refactor",
            "BatchRefactor",
            "Solve",
            "BatchSolve",
            "AccessBundledFactorsDevice",
        ),
        kind=NATIVE,
        why="elimination on the known pattern, on the host; rocSOLVER's csrrf has no batches, boosts or zero pivots",
        native="sx_cusolverRf{T}",
        capture="refuse",
        differs={
            "pivots": "leaves the column of a small pivot unscaled",
            "order": "solves with what is there where a step was left out",
            "systems": "BatchAnalyze crashes",
            "bundled and split and differ": "bundles other factors than it splits where the ones are U's",
        },
        source="cuSOLVER: cusolverRfRefactor and kin",
    ),
)
