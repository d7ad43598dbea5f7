"""What nvcc's generated code calls. Programs with kernels need another compiler; they load and are refused cleanly."""

from __future__ import annotations

from scale_x.wrappers_gen.rows import NATIVE, STUB, Row

TITLE = "Kernel launches and the registration calls of compiled device code"

WHY = "device code compiled for NVIDIA's GPUs cannot run; build the program's kernels for its target"

ROWS = (
    Row(
        symbols="{T}",
        T=(
            "__cudaRegisterFatBinary", "__cudaRegisterFatBinaryEnd", "__cudaUnregisterFatBinary",
            "__cudaRegisterFunction", "__cudaRegisterVar", "__cudaRegisterManagedVar", "__cudaRegisterHostVar",
            "__cudaInitModule", "__cudaPushCallConfiguration", "__cudaPopCallConfiguration",
        ),
        kind=NATIVE,
        native="sx{T}",
        source="nvcc's generated host code: registration at load time, the <<<>>> configuration stack",
    ),
    Row(symbols="cudaLaunchKernel cudaLaunchKernel_ptsz", kind=STUB, why=WHY),
    Row(symbols="cudaLaunchKernelExC cudaLaunchKernelExC_ptsz", kind=STUB, why=WHY),
    Row(symbols="cudaLaunchCooperativeKernel cudaLaunchCooperativeKernel_ptsz", kind=STUB, why=WHY),
    Row(symbols="__cudaLaunchKernel __cudaLaunchKernel_ptsz", kind=STUB, why=WHY),
)
