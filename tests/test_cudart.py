# ruff: noqa: E501
"""The CUDA runtime's library, driven by C programs compiled against the headers of each CUDA major."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

MAJORS = {"11": "libcudart.so.11.0", "12": "libcudart.so.12", "13": "libcudart.so.13"}

HEAD = r"""
#include <cuda_runtime_api.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#define WANT(call, status) do { int got_ = (int)(call); if (got_ != (int)(status)) { \
  fprintf(stderr, "line %d: %s answered %d, not %d\n", __LINE__, #call, got_, (int)(status)); exit(1); } } while (0)
#define OK(call) WANT(call, cudaSuccess)
#define TRUE(x) do { if (!(x)) { fprintf(stderr, "line %d: not %s\n", __LINE__, #x); exit(1); } } while (0)
"""


@pytest.fixture(params=list(MAJORS))
def program(
    request: pytest.FixtureRequest, cc: Callable[..., Path], lib_dir: Path, include_dir: Path, engine_env: dict[str, str]
) -> Callable[..., str]:
    major = request.param

    def run(body: str, top: str = "", **environment: str) -> str:
        source = f"{HEAD}{top}\nint main(void) {{\n{body}\nreturn 0;\n}}\n"
        built = cc(source, f"-DMAJOR={major}", f"-I{include_dir / major}", str(lib_dir / MAJORS[major]),
                   f"-Wl,-rpath,{lib_dir}")  # fmt: skip
        done = subprocess.run([built], env={**engine_env, **environment}, capture_output=True, text=True, timeout=60)
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    return run


def test_memory(program: Callable[..., str]) -> None:
    program(r"""
double *d, *e, *h, *g; double x[64], y[64];
for (int i = 0; i < 64; ++i) x[i] = i;
OK(cudaFree(0));
OK(cudaMalloc((void**)&d, sizeof x)); OK(cudaMalloc((void**)&e, sizeof x));
OK(cudaMemcpy(d, x, sizeof x, cudaMemcpyHostToDevice));
OK(cudaMemcpy(e, d, sizeof x, cudaMemcpyDeviceToDevice));
OK(cudaMemset(e, 0, 8));
OK(cudaMemcpy(y, e, sizeof x, cudaMemcpyDefault));
TRUE(y[0] == 0 && !memcmp(x + 1, y + 1, sizeof x - 8));
size_t pitch; char* p; OK(cudaMallocPitch((void**)&p, &pitch, 24, 3)); TRUE(pitch >= 24);
OK(cudaMemcpy2D(p, pitch, x, 24, 24, 3, cudaMemcpyHostToDevice));
OK(cudaMemcpy2D(y, 32, p, pitch, 24, 3, cudaMemcpyDeviceToHost)); TRUE(y[4] == x[3] && y[8] == x[6]);
OK(cudaMallocHost((void**)&h, 8)); OK(cudaHostAlloc((void**)&g, 8, cudaHostAllocMapped)); *h = *g = 1;
struct cudaPointerAttributes a;
OK(cudaPointerGetAttributes(&a, d)); TRUE(a.type == cudaMemoryTypeDevice && a.devicePointer == (void*)d);
OK(cudaPointerGetAttributes(&a, h)); TRUE(a.type == cudaMemoryTypeHost && a.hostPointer == (void*)h);
OK(cudaPointerGetAttributes(&a, x)); TRUE(a.type == cudaMemoryTypeUnregistered && a.devicePointer == NULL);
double* m; OK(cudaMallocManaged((void**)&m, 64, cudaMemAttachGlobal)); m[0] = 2;
OK(cudaPointerGetAttributes(&a, m)); TRUE(a.type == cudaMemoryTypeManaged);
OK(cudaHostRegister(x, sizeof x, cudaHostRegisterDefault)); WANT(cudaHostRegister(x, 8, 0), cudaErrorHostMemoryAlreadyRegistered);
OK(cudaHostUnregister(x)); WANT(cudaHostUnregister(x), cudaErrorHostMemoryNotRegistered);
size_t now, all; OK(cudaMemGetInfo(&now, &all)); TRUE(now > 0 && now < all);
WANT(cudaMalloc((void**)&p, all * 2), cudaErrorMemoryAllocation);
WANT(cudaFree(x), cudaErrorInvalidValue); WANT(cudaMemcpy(d, x, 1 << 20, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
WANT(cudaMemcpy(d, x, 8, (enum cudaMemcpyKind)77), cudaErrorInvalidMemcpyDirection);
OK(cudaFree(d)); WANT(cudaFree(d), cudaErrorInvalidValue); OK(cudaFreeHost(h)); OK(cudaFreeHost(g)); OK(cudaFree(m));
""")


def test_last_error(program: Callable[..., str]) -> None:
    program(r"""
OK(cudaGetLastError());
WANT(cudaFree((void*)64), cudaErrorInvalidValue);
int n; OK(cudaGetDeviceCount(&n));
WANT(cudaPeekAtLastError(), cudaErrorInvalidValue); WANT(cudaGetLastError(), cudaErrorInvalidValue); OK(cudaGetLastError());
WANT(cudaSetDevice(99), cudaErrorInvalidDevice); WANT(cudaGetLastError(), cudaErrorInvalidDevice);
TRUE(!strcmp(cudaGetErrorName(cudaErrorInvalidDevice), "cudaErrorInvalidDevice"));
TRUE(!strcmp(cudaGetErrorString(cudaErrorMemoryAllocation), "out of memory"));
TRUE(!strcmp(cudaGetErrorString((cudaError_t)12345), "unrecognized error code"));
TRUE(!strcmp(cudaGetErrorName((cudaError_t)12345), "unrecognized error code"));
""")


def test_streams_and_events(program: Callable[..., str]) -> None:
    body = r"""
cudaStream_t s, t; cudaEvent_t a, b; float ms = -1; unsigned flags; int priority, least, greatest;
OK(cudaStreamCreate(&s)); OK(cudaStreamCreateWithFlags(&t, cudaStreamNonBlocking));
OK(cudaStreamGetFlags(t, &flags)); TRUE(flags == cudaStreamNonBlocking);
OK(cudaDeviceGetStreamPriorityRange(&least, &greatest)); TRUE(greatest < least);
OK(cudaStreamGetPriority(s, &priority)); TRUE(priority == 0);
OK(cudaEventCreate(&a)); OK(cudaEventCreateWithFlags(&b, cudaEventDefault));
char *d, *h; OK(cudaMalloc((void**)&d, 100)); OK(cudaMallocHost((void**)&h, 100));
OK(cudaEventRecord(a, s)); OK(cudaMemsetAsync(d, 7, 100, s)); OK(cudaEventRecord(b, s)); OK(cudaStreamWaitEvent(t, b, 0));
OK(cudaMemcpyAsync(h, d, 100, cudaMemcpyDeviceToHost, t)); OK(cudaLaunchHostFunc(t, add, h));
OK(cudaStreamSynchronize(t)); TRUE(h[0] == 8 && h[99] == 7);
OK(cudaStreamQuery(t)); OK(cudaEventQuery(b)); OK(cudaEventSynchronize(b));
OK(cudaEventElapsedTime(&ms, a, b)); TRUE(ms >= 0);
OK(cudaMemsetAsync(d, 1, 100, cudaStreamLegacy)); OK(cudaMemsetAsync(d, 2, 50, cudaStreamPerThread));
OK(cudaStreamSynchronize(cudaStreamPerThread)); OK(cudaStreamSynchronize(0)); OK(cudaDeviceSynchronize());
OK(cudaMemcpy(h, d, 100, cudaMemcpyDeviceToHost)); TRUE(h[0] == 2 && h[99] == 1);
OK(cudaEventDestroy(a)); WANT(cudaEventRecord(a, s), cudaErrorInvalidResourceHandle);
OK(cudaStreamDestroy(s)); WANT(cudaStreamSynchronize(s), cudaErrorInvalidResourceHandle);
WANT(cudaStreamDestroy(0), cudaErrorInvalidResourceHandle);
"""
    top = "static void add(void* p) { ++*(char*)p; }"
    for mode in ("inline", "async", "deferred"):
        program(body, top, SCALE_X_HOST_STREAMS=mode)


def test_not_ready_is_no_error(program: Callable[..., str]) -> None:
    program(r"""
cudaStream_t s; char* d; OK(cudaStreamCreate(&s)); OK(cudaMalloc((void**)&d, 8));
OK(cudaMemsetAsync(d, 1, 8, s)); OK(cudaMemsetAsync(d, 2, 8, s));
WANT(cudaStreamQuery(s), cudaErrorNotReady); OK(cudaGetLastError());
OK(cudaStreamSynchronize(s)); OK(cudaStreamQuery(s));
""", SCALE_X_HOST_STREAMS="deferred")


@pytest.mark.parametrize("release", ["6.0", "7.2"])
def test_calls_that_older_rocm_lacks(program: Callable[..., str], release: str) -> None:
    program(r"""
cudaStream_t s, t; cudaEvent_t e; OK(cudaStreamCreate(&s)); OK(cudaStreamCreate(&t)); OK(cudaEventCreate(&e));
OK(cudaEventRecordWithFlags(e, s, cudaEventRecordDefault)); OK(cudaEventQuery(e));
#if MAJOR >= 12
unsigned long long a = 0, b = 0; OK(cudaStreamGetId(s, &a)); OK(cudaStreamGetId(t, &b)); TRUE(a != b);
#endif
""", SCALE_X_HOST_ROCM=release)


def test_capture_and_graph(program: Callable[..., str]) -> None:
    program(r"""
cudaStream_t s; cudaGraph_t g; cudaGraphExec_t x; char *d, *p; char h = 0; enum cudaStreamCaptureStatus status;
OK(cudaStreamCreate(&s)); OK(cudaMalloc((void**)&d, 8)); OK(cudaMemset(d, 0, 8));
OK(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
OK(cudaMemsetAsync(d, 5, 8, s)); OK(cudaStreamIsCapturing(s, &status)); TRUE(status == cudaStreamCaptureStatusActive);
unsigned long long id = 0;
#if MAJOR >= 13
OK(cudaStreamGetCaptureInfo(s, &status, &id, NULL, NULL, NULL, NULL));
#else
OK(cudaStreamGetCaptureInfo_v2(s, &status, &id, NULL, NULL, NULL));
#endif
TRUE(status == cudaStreamCaptureStatusActive && id != 0);
OK(cudaStreamEndCapture(s, &g));
#if MAJOR >= 12
OK(cudaGraphInstantiate(&x, g, 0));
#else
OK(cudaGraphInstantiate(&x, g, NULL, NULL, 0));
#endif
OK(cudaMemcpy(&h, d, 1, cudaMemcpyDeviceToHost)); TRUE(h == 0);
OK(cudaGraphLaunch(x, s)); OK(cudaStreamSynchronize(s));
OK(cudaMemcpy(&h, d, 1, cudaMemcpyDeviceToHost)); TRUE(h == 5);
OK(cudaGraphExecDestroy(x)); OK(cudaGraphDestroy(g));
OK(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
WANT(cudaMalloc((void**)&p, 8), cudaErrorStreamCaptureUnsupported);
WANT(cudaStreamEndCapture(s, &g), cudaErrorStreamCaptureInvalidated);
""")


def test_explicit_graph(program: Callable[..., str]) -> None:
    program(r"""
cudaGraph_t g, child, copy; cudaGraphExec_t x; cudaGraphNode_t fill, read, call, whole, list[4]; char* d; char h[8] = {0}; size_t n;
enum cudaGraphNodeType type; cudaStream_t s; OK(cudaStreamCreate(&s));
OK(cudaMalloc((void**)&d, 8)); OK(cudaMemset(d, 0, 8));
struct cudaMemsetParams p; memset(&p, 0, sizeof p); p.dst = d; p.value = 6; p.elementSize = 1; p.width = 8; p.height = 1;
OK(cudaGraphCreate(&g, 0)); OK(cudaGraphAddMemsetNode(&fill, g, NULL, 0, &p));
OK(cudaGraphAddMemcpyNode1D(&read, g, NULL, 0, h, d, 8, cudaMemcpyDeviceToHost));
#if MAJOR >= 13
OK(cudaGraphAddDependencies(g, &fill, &read, NULL, 1));
n = 4; OK(cudaGraphNodeGetDependencies(read, list, NULL, &n)); TRUE(n == 1 && list[0] == fill);
#else
OK(cudaGraphAddDependencies(g, &fill, &read, 1));
n = 4; OK(cudaGraphNodeGetDependencies(read, list, &n)); TRUE(n == 1 && list[0] == fill);
#endif
struct cudaHostNodeParams c = {add, h}; OK(cudaGraphAddHostNode(&call, g, &read, 1, &c));
OK(cudaGraphNodeGetType(call, &type)); TRUE(type == cudaGraphNodeTypeHost);
OK(cudaGraphGetRootNodes(g, NULL, &n)); TRUE(n == 1);
OK(cudaGraphClone(&copy, g)); OK(cudaGraphDestroy(g));
OK(cudaGraphCreate(&child, 0)); OK(cudaGraphAddChildGraphNode(&whole, child, NULL, 0, copy));
OK(cudaGraphNodeGetType(whole, &type)); TRUE(type == cudaGraphNodeTypeGraph);
#if MAJOR >= 12
OK(cudaGraphInstantiate(&x, child, 0));
#else
OK(cudaGraphInstantiate(&x, child, NULL, NULL, 0));
#endif
OK(cudaGraphLaunch(x, s)); OK(cudaStreamSynchronize(s)); TRUE(h[0] == 7 && h[7] == 6);
""", top="static void add(void* p) { ++*(char*)p; }", SCALE_X_HOST_STREAMS="deferred")


def test_memory_pools(program: Callable[..., str]) -> None:
    program(r"""
cudaMemPool_t pool, other; unsigned long long keep = ~0ull, used = 1, got = 0; void *p, *q; cudaStream_t s; OK(cudaStreamCreate(&s));
OK(cudaDeviceGetDefaultMemPool(&pool, 0));
OK(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &keep)); OK(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &got));
TRUE(got == keep);
OK(cudaMallocAsync(&p, 1000, s)); OK(cudaMemsetAsync(p, 0, 1000, s));
OK(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrUsedMemCurrent, &used)); TRUE(used == 1000);
struct cudaMemPoolProps props; memset(&props, 0, sizeof props); props.allocType = cudaMemAllocationTypePinned; props.location.type = cudaMemLocationTypeDevice;
OK(cudaMemPoolCreate(&other, &props)); OK(cudaMallocFromPoolAsync(&q, 64, other, s)); OK(cudaFreeAsync(q, s));
OK(cudaFreeAsync(p, s)); OK(cudaStreamSynchronize(s));
OK(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrUsedMemCurrent, &used)); TRUE(used == 0);
OK(cudaMemPoolTrimTo(pool, 0)); OK(cudaMemPoolDestroy(other)); WANT(cudaMemPoolDestroy(pool), cudaErrorInvalidValue);
WANT(cudaMallocFromPoolAsync(&q, 64, other, s), cudaErrorInvalidValue); WANT(cudaFreeAsync(p, s), cudaErrorInvalidValue);
""", SCALE_X_HOST_STREAMS="deferred")


def test_device(program: Callable[..., str]) -> None:
    out = program(r"""
int n, v, r, major, minor, warp; struct cudaDeviceProp before, p;
OK(cudaGetDeviceCount(&n)); TRUE(n == 2); OK(cudaSetDevice(1)); OK(cudaGetDevice(&v)); TRUE(v == 1);
memset(&p, 0x5a, sizeof p); before = p; (void)before;
struct { struct cudaDeviceProp p; char guard[64]; } fenced; memset(&fenced, 0x5a, sizeof fenced);
OK(cudaGetDeviceProperties(&fenced.p, 1)); p = fenced.p;
for (int i = 0; i < 64; ++i) TRUE(fenced.guard[i] == 0x5a);
OK(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, 0)); OK(cudaDeviceGetAttribute(&minor, cudaDevAttrComputeCapabilityMinor, 0));
OK(cudaDeviceGetAttribute(&warp, cudaDevAttrWarpSize, 0));
TRUE(p.major == major && p.minor == minor && p.warpSize == warp && p.multiProcessorCount > 0 && p.totalGlobalMem > 1 << 20);
TRUE(p.maxThreadsPerBlock == 1024 && p.pciBusID == 2 && p.unifiedAddressing == 1 && p.sharedMemPerBlock >= 49152 && p.managedMemory == 1);
#if MAJOR < 13
TRUE(p.clockRate > 0 && p.memoryClockRate > 0);
#endif
WANT(cudaGetDeviceProperties(&p, 2), cudaErrorInvalidDevice); WANT(cudaDeviceGetAttribute(&v, cudaDevAttrWarpSize, 2), cudaErrorInvalidDevice);
WANT(cudaDeviceGetAttribute(&v, (enum cudaDeviceAttr)9999, 0), cudaErrorInvalidValue);
OK(cudaRuntimeGetVersion(&r)); OK(cudaDriverGetVersion(&v)); TRUE(v >= r && r / 1000 == MAJOR && r / 1000 == CUDART_VERSION / 1000);
int can; OK(cudaDeviceCanAccessPeer(&can, 0, 1)); TRUE(can == 1);
OK(cudaDeviceReset());
printf("%d.%d %s", major, minor, p.name);
""", SCALE_X_HOST_DEVICES="2", SCALE_X_COMPUTE_CAPABILITY="8.6")  # fmt: skip
    assert out.startswith("8.6 scale-x host engine")


def test_device_code_is_refused_cleanly(program: Callable[..., str]) -> None:
    program(r"""
void** module = __cudaRegisterFatBinary(module_); __cudaRegisterFatBinaryEnd(module); TRUE(module != NULL);
struct dim3_ g = {4, 1, 1}, b = {32, 1, 1}, g2, b2; size_t shared; void* s = (void*)7;
WANT(__cudaPushCallConfiguration(g, b, 16, (void*)2), 0);
WANT(__cudaPopCallConfiguration(&g2, &b2, &shared, &s), 0);
TRUE(g2.x == 4 && b2.x == 32 && shared == 16 && s == (void*)2);
WANT(__cudaPopCallConfiguration(&g2, &b2, &shared, &s), cudaErrorMissingConfiguration);
OK(cudaGetLastError() == cudaErrorMissingConfiguration ? cudaSuccess : cudaErrorUnknown);
WANT(cudaLaunchKernel((void*)main, g2_, g2_, NULL, 0, 0), cudaErrorNotSupported);
WANT(cudaGetLastError(), cudaErrorNotSupported);
__cudaUnregisterFatBinary(module);
""", top=r"""
struct dim3_ { unsigned x, y, z; };
static const dim3 g2_ = {1, 1, 1}; static char module_[64];
void** __cudaRegisterFatBinary(void*); void __cudaRegisterFatBinaryEnd(void**); void __cudaUnregisterFatBinary(void**);
unsigned __cudaPushCallConfiguration(struct dim3_, struct dim3_, size_t, void*);
cudaError_t __cudaPopCallConfiguration(struct dim3_*, struct dim3_*, size_t*, void*);
""")


def test_per_thread_default_stream(program: Callable[..., str]) -> None:
    program(r"""
char *d; char h[8] = {0}; OK(cudaMalloc((void**)&d, 8));
OK(cudaMemsetAsync_ptsz(d, 3, 8, 0)); OK(cudaStreamSynchronize_ptsz(0));
OK(cudaMemcpy_ptds(h, d, 8, cudaMemcpyDeviceToHost)); TRUE(h[7] == 3);
""", top=r"""
cudaError_t cudaMemsetAsync_ptsz(void*, int, size_t, cudaStream_t); cudaError_t cudaStreamSynchronize_ptsz(cudaStream_t);
cudaError_t cudaMemcpy_ptds(void*, const void*, size_t, enum cudaMemcpyKind);
""", SCALE_X_HOST_STREAMS="deferred")
