"""cuFFTW: FFTW's interface on host arrays, so that a program for FFTW links with cuFFT.

As in FFTW, nothing is scaled, arrays are in row-major order, a real side is padded in place, and strides are free.
One to three dimensions. Arrays are copied to the device, transformed by hipFFT, and copied back before the call
returns. An inverse real transform leaves its input alone, whatever the flags allow.
"""

from __future__ import annotations

from scale_x.wrappers_gen.rows import NATIVE, Row

TITLE = "FFTW's interface"

_FFTW = "FFTW 3 manual"

ROWS = (
    Row(
        symbols="fftw{T}",
        T=(
            "_plan_dft", "_plan_dft_1d", "_plan_dft_2d", "_plan_dft_3d", "_plan_dft_r2c", "_plan_dft_r2c_1d",
            "_plan_dft_r2c_2d", "_plan_dft_r2c_3d", "_plan_dft_c2r", "_plan_dft_c2r_1d", "_plan_dft_c2r_2d",
            "_plan_dft_c2r_3d", "_plan_many_dft", "_plan_many_dft_r2c", "_plan_many_dft_c2r", "_plan_guru_dft",
            "_plan_guru_dft_r2c", "_plan_guru_dft_c2r", "_plan_guru64_dft", "_plan_guru64_dft_r2c",
            "_plan_guru64_dft_c2r", "f_plan_dft", "f_plan_dft_1d", "f_plan_dft_2d", "f_plan_dft_3d", "f_plan_dft_r2c",
            "f_plan_dft_r2c_1d", "f_plan_dft_r2c_2d", "f_plan_dft_r2c_3d", "f_plan_dft_c2r", "f_plan_dft_c2r_1d",
            "f_plan_dft_c2r_2d", "f_plan_dft_c2r_3d", "f_plan_many_dft", "f_plan_many_dft_r2c", "f_plan_many_dft_c2r",
            "f_plan_guru_dft", "f_plan_guru_dft_r2c", "f_plan_guru_dft_c2r", "f_plan_guru64_dft",
            "f_plan_guru64_dft_r2c", "f_plan_guru64_dft_c2r",
        ),
        kind=NATIVE,
        why="hipfftXtMakePlanMany for the packed transform, memory on the device; flags are hints",
        native="sx_fftw{T}",
        source=_FFTW,
    ),
    Row(
        symbols="fftw{T}",
        T=(
            "_execute", "_execute_dft", "_execute_dft_r2c", "_execute_dft_c2r", "f_execute", "f_execute_dft",
            "f_execute_dft_r2c", "f_execute_dft_c2r",
        ),
        kind=NATIVE,
        why="copy, hipfftXtExec, copy back; strided arrays are collected on the host",
        native="sx_fftw{T}",
        capture="refuse",
        source=_FFTW,
    ),
    Row(
        symbols="fftw{T}",
        T=(
            "_destroy_plan", "_malloc", "_free", "_cost", "_flops", "_print_plan", "f_destroy_plan", "f_malloc",
            "f_free", "f_cost", "f_flops", "f_print_plan",
        ),
        kind=NATIVE,
        why="host memory; operations as a radix-2 transform has them",
        native="sx_fftw{T}",
        source=_FFTW,
    ),
    Row(
        symbols="fftw{T}",
        T=(
            "_cleanup", "_set_timelimit", "_export_wisdom_to_file", "_import_wisdom_from_file", "f_cleanup",
            "f_set_timelimit", "f_export_wisdom_to_file", "f_import_wisdom_from_file",
        ),
        kind=NATIVE,
        why="nothing is measured when planning, so there is nothing to keep, to read or to limit",
        native="sx_fftw{T}",
        source=_FFTW,
    ),
)  # fmt: skip
