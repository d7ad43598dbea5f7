"""cuFFT Xt: plans of several devices and descriptors of memory that is spread over them.

A descriptor's parts lie as NVIDIA documents: ``INPLACE`` and ``INPUT`` split the first dimension,
``INPLACE_SHUFFLED`` and ``OUTPUT`` the second; batches are split whole. A transform in place changes the one format
to the other. A single line keeps its natural order, which ``cufftXtQueryPlan`` describes. The transform is done on
the plan's first device.
"""

from __future__ import annotations

from scale_x.wrappers_gen.rows import NATIVE, STUB, Row

TITLE = "Several devices, descriptors"

_DESCRIPTOR = "parts are gathered on the first device, transformed by hipFFT, and spread again"

ROWS = (
    Row(
        symbols="cufftXt{T}",
        T=("SetGPUs", "SetWorkArea", "SetWorkAreaPolicy", "QueryPlan"),
        kind=NATIVE,
        why="kept in the plan's slot; checks as measured on one device",
        native="sx_cufftXt{T}",
        source="cuFFT: cufftXtSetGPUs, cufftXtSetWorkAreaPolicy, cufftXtQueryPlan; measured",
    ),
    Row(
        symbols="cufftXt{T}",
        T=("Malloc", "Free", "Memcpy"),
        kind=NATIVE,
        why="memory on each device in the documented parts; hipFFT knows fewer formats",
        native="sx_cufftXt{T}",
        capture="refuse",
        source="cuFFT: cufftXtMalloc, cufftXtMemcpy",
    ),
    Row(
        symbols="cufftXtExecDescriptor{T}",
        T=("C2C", "R2C", "C2R", "Z2Z", "D2Z", "Z2D"),
        kind=NATIVE,
        why=_DESCRIPTOR,
        native="sx_cufftXtExecDescriptor{T}",
        capture="refuse",
        source="cuFFT: cufftXtExecDescriptorC2C and kin",
    ),
    Row(
        symbols="cufftXtExecDescriptor",
        kind=NATIVE,
        why=_DESCRIPTOR,
        native="sx_cufftXtExecDescriptor",
        capture="refuse",
        source="cuFFT: cufftXtExecDescriptor",
    ),
    Row(
        symbols="cufftXtSetDistribution",
        kind=STUB,
        why="distributions over processes (cuFFT 11 only) have no counterpart; NVIDIA removed them again",
    ),
    Row(
        symbols="cufftXtMakePlanGuru64",
        kind=STUB,
        why="not declared in any header: its parameters are unknown",
    ),
    Row(
        symbols="cufft{T}",
        T=(
            "DescriptionCreate", "DescriptionDestroy", "DescriptionGetTraitInt64", "DescriptionSetTraitInt64",
            "DeviceCreate", "DeviceDestroy", "DeviceGetDatabaseStr", "DeviceGetDatabaseStrSize",
            "DeviceGetDeviceFunctionTraitInt64", "DeviceGetDeviceFunctions", "DeviceGetLTOIRSizes", "DeviceGetLTOIRs",
            "DeviceGetNumDeviceFunctions", "DeviceGetNumLTOIRs", "DeviceGetSemanticVersion", "DeviceGetVersion",
            "DeviceIsSupported",
        ),
        kind=STUB,
        why="experimental: code for NVIDIA's GPUs to be linked into kernels",
    ),
)  # fmt: skip
