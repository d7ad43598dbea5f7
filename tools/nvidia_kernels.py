"""The project's device kernels on a real NVIDIA GPU: the same source through nvcc, judged by the tests' oracles.

Needs Python with NumPy, ml_dtypes and pytest, a C++ compiler, nvcc and a GPU; nothing of scale-x has to be built.
Every program of ``tests/test_kernels*.py`` runs twice: once compiled with fused multiply-add, as AMD does it,
against float64 oracles only; once without, where every launch must also leave the same bits as the processor's code.

    python tools/nvidia_kernels.py                  on the GPU
    python tools/nvidia_kernels.py --compile-only   with nvcc, without a GPU
    python tools/nvidia_kernels.py --on host        this tool itself, without nvcc
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SOURCE = ROOT / "tests" / "programs" / "kernels.cpp"
INCLUDE = f"-I{ROOT / 'kernels' / 'include'}"
sys.path.insert(0, str(ROOT / "tests"))

# ``launch`` of the programs. NumPy's arrays all lie in the arena, which the GPU reads at the same addresses.
DRIVER = r"""
import mmap, time
host_library, device_library = (C.CDLL(os.environ[n]) for n in ("TEST_HOST_KERNELS", "TEST_KERNELS"))
on_gpu, exact = os.environ["TEST_ON"] == "gpu", os.environ["TEST_EXACT"] == "1"
ARENA = 8 << 30 if on_gpu else 2 << 30
name = C.create_string_buffer(256)
arena = None
if on_gpu:
    device_library.kernels_arena.restype = C.c_void_p
    arena = device_library.kernels_arena(C.c_size_t(ARENA), name, C.c_size_t(256))
    assert arena, "no GPU"
for f, result in (("items", C.c_longlong), ("differ", C.c_longlong), ("allocator", C.c_void_p),
                  ("arena_begin", C.c_void_p), ("arena_used", C.c_size_t)):
    getattr(host_library, "kernels_" + f).restype = result

def use_arena():
    api = C.pythonapi
    api.PyCapsule_New.restype, api.PyCapsule_New.argtypes = C.py_object, [C.c_void_p, C.c_char_p, C.c_void_p]
    api.PyCapsule_GetPointer.restype = C.c_void_p
    api.PyCapsule_GetPointer.argtypes = [C.py_object, C.c_char_p]
    table = api.PyCapsule_GetPointer(np._core._multiarray_umath._ARRAY_API, None)
    set_handler = C.cast(table, C.POINTER(C.c_void_p))[304]  # PyDataMem_SetHandler
    handler = api.PyCapsule_New(host_library.kernels_allocator(C.c_void_p(arena), C.c_size_t(ARENA)), b"mem_handler",
                                None)
    C.PYFUNCTYPE(C.py_object, C.py_object)(set_handler)(handler)
    return handler

handler = use_arena()
counts = {k: [0, 0] for k in kernels}  # launches, of which compared bit by bit
most_blocks = [1 << 20, 3, 64]

def types_of(args):
    operands = [getattr(args, n) for n in ("d", "aux", "dst", "c") if isinstance(getattr(args, n, None), Operand)]
    types = {o.type for o in operands} | {getattr(args, "out_type", 0)}
    types = {{T.c32: T.f32, T.c64: T.f64}.get(t, t) for t in types}
    return types & {T.f32, T.f64, T.f16, T.bf16, T.e4m3, T.e5m2, T.e4m3z, T.e5m2z}

def compared(number, args, blocks):
    "what the processor makes of the same memory, then what the device makes of it"
    begin, used = host_library.kernels_arena_begin(), host_library.kernels_arena_used()
    before, after = mmap.mmap(-1, used), mmap.mmap(-1, used)
    before_at, after_at = (C.addressof(C.c_char.from_buffer(m)) for m in (before, after))
    C.memmove(before_at, begin, used)
    ok(host_library.kernels_run(number, C.byref(args), blocks))
    C.memmove(after_at, begin, used)
    C.memmove(begin, before_at, used)
    status = device_library.kernels_run(number, C.byref(args), blocks)
    types = sorted(types_of(args))
    at = host_library.kernels_differ(C.c_void_p(begin), C.c_void_p(after_at), C.c_longlong(used),
                                     (C.c_int * len(types))(*types), len(types))
    both = [(C.c_char * 8).from_address(p + at).raw.hex() for p in (begin, after_at)] if at >= 0 else None
    assert at < 0, ("the device's bits are not the processor's", number, types, both)
    return status

def launch(kernel, args, stream=None):
    number, count = kernels[kernel], counts[kernel]
    items = host_library.kernels_items(number, C.byref(args))
    if items <= 0:
        return 0
    count[0] += 1
    blocks = min(-(-items // 256), most_blocks[count[0] % 3])  # also grids that are smaller than the work
    if exact and host_library.kernels_arena_used() < 1 << 28:
        count[1] += 1
        return compared(number, args, blocks)
    return device_library.kernels_run(number, C.byref(args), blocks)
"""

REPORT = r"""
print(name.value.decode(), *(f"{k}={launches}/{same}" for k, (launches, same) in counts.items() if launches))
"""

SPEED = r"""
m, n = 16384, 8192
device_library.kernels_time.restype = C.c_float
x, d = np.zeros((m, n), np.float32, "F"), np.zeros((m, n), ml.bfloat16, "F")
bias = np.zeros(m, ml.bfloat16)
a = Epilogue(m=m, n=n, batch=1, compute=T.f32, activation=2, acc=operand(x, T.f32), d=operand(d, T.bf16),
             bias=pointer(bias), bias_type=T.bf16, alpha=host(1), beta=host(0))
c = Convert(m=m, n=n, batch=1, src=operand(x, T.f32), dst=operand(d, T.bf16), alpha=host(1))
s = Sums(m=m, n=n, batch=1, in_=operand(x, T.f32), out=pointer(bias), out_type=T.bf16)
for kernel, args, moved in (("epilogue", a, 6), ("convert", c, 6), ("sums", s, 4)):
    items = host_library.kernels_items(kernels[kernel], C.byref(args))
    blocks = min(-(-items // 256), 1 << 20)
    ms = device_library.kernels_time(kernels[kernel], C.byref(args), blocks, 5)
    print(f"{kernel} {m} x {n}: {ms:.3f} ms, {moved * m * n / ms / 1e6:.0f} GB/s")
"""


def programs() -> dict[str, str]:
    import kernels_on_host
    import test_kernels as numbers
    import test_kernels_epilogue as epilogue
    import test_kernels_transform as transform

    parts = {f"conversions: {n.lower()}": numbers.CONVERSIONS + getattr(numbers, n)
             for n in ("DECODE", "ENCODE", "INTEGERS", "SCALES")}  # fmt: skip
    for n in ("FORWARD", "AUX", "EDGES", "SCALED", "INTEGERS", "SUMS"):
        parts[f"epilogue and sums: {n.lower()}"] = epilogue.ORACLE + getattr(epilogue, n)
    parts["transform: orders"] = transform.ORDERS
    parts["transform: types"] = transform.ORDERS.split("for count")[0] + transform.TYPES
    return {name: kernels_on_host.STRUCTURES + DRIVER + code + REPORT for name, code in parts.items()}


# ---- compiling -----------------------------------------------------------------------------------------------
def compile_host(into: Path) -> Path:
    out = into / "host.so"
    command = [os.environ.get("CXX", "c++"), "-std=c++17", "-O2", "-ffp-contract=off", "-shared", "-fPIC", "-w"]
    subprocess.run([*command, INCLUDE, str(SOURCE), "-o", str(out)], check=True)
    return out


def compile_nvidia(into: Path, architecture: str, fused: bool) -> Path:
    out = into / f"nvidia-{'fused' if fused else 'plain'}.so"
    command = ["nvcc", "-std=c++17", "-O3", f"-arch={architecture}", f"-fmad={str(fused).lower()}", "-shared",
               "-Xcompiler=-fPIC", "-w", "-x", "cu"]  # fmt: skip
    subprocess.run([*command, INCLUDE, str(SOURCE), "-o", str(out)], check=True)
    return out


def run(code: str, host: Path, device: Path, on: str, exact: bool) -> subprocess.CompletedProcess[str]:
    env = {**os.environ, "TEST_HOST_KERNELS": str(host), "TEST_KERNELS": str(device), "TEST_ON": on,
           "TEST_EXACT": str(int(exact))}  # fmt: skip
    return subprocess.run([sys.executable, "-c", code], env=env, capture_output=True, text=True, timeout=300)


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--arch", default="sm_90", help="nvcc's name of the GPU (default: sm_90)")
    parser.add_argument("--on", choices=("gpu", "host"), default="gpu", help="where the kernels run (default: gpu)")
    parser.add_argument("--compile-only", action="store_true", help="compile with nvcc and stop")
    options = parser.parse_args()
    start, failed = time.monotonic(), 0
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(os.cpu_count()) as pool:
        into = Path(folder)
        builds = {fused: pool.submit(compile_nvidia, into, options.arch, fused) for fused in (True, False)
                  if options.on == "gpu"}  # fmt: skip
        host = compile_host(into)
        devices = {fused: build.result() for fused, build in builds.items()} or {False: host}
        print(f"compiled for {options.arch if builds else 'the host'} in {time.monotonic() - start:.0f} s", flush=True)
        if options.compile_only:
            return 0
        tried = {(name, fused): pool.submit(run, code, host, device, options.on, not fused)
                 for name, code in programs().items() for fused, device in devices.items()}  # fmt: skip
        for (name, fused), future in tried.items():
            done = future.result()
            failed += done.returncode != 0
            result = done.stdout.strip().splitlines()[-1] if done.returncode == 0 else "FAILED\n" + done.stderr
            print(f"{name}{', fused' if fused else ', bit by bit'}: {result}", flush=True)
        if options.on == "gpu" and not failed:
            code = programs()["transform: types"].split("rng =")[0] + SPEED
            print(run(code, host, devices[True], "gpu", False).stdout)
    print(f"{len(tried)} runs, {failed} failed, {time.monotonic() - start:.0f} s")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
