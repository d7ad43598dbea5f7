"""Exported symbols without a meaning that anybody could test: declared by no header, or documented nowhere."""

from __future__ import annotations

from scale_x.wrappers_gen.rows import STUB, Row

TITLE = "Undeclared and undocumented"

ROWS = (
    Row(
        symbols="cublas{T}bdmm",
        kind=STUB,
        T=("S", "D", "C", "Z"),
        why="exported, but declared by no header: neither its arguments nor what it computes are known",
    ),
    Row(
        symbols="cublasGetBackdoor cublasSetBackdoor cublasSetBackdoorEx",
        kind=STUB,
        why="switches inside NVIDIA's library, declared by no header",
    ),
    Row(
        symbols="cublasGetEnvironmentMode",
        kind=STUB,
        why="exported, but declared by no header: its arguments are not known",
    ),
    Row(
        symbols="cublasUint8gemmBias",
        kind=STUB,
        why="8-bit unsigned gemm with biases, multiplier and shift, whose rounding is documented nowhere; deprecated",
    ),
)
