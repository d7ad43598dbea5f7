// Making plans. A handle's hipFFT plan is one that an earlier handle of the same geometry left, or a new one; the work
// area is always scale-x's or the program's, never hipFFT's own, so that it can hold a copy of the input as well.
#include <initializer_list>

#include "fft.h"

namespace sx_fft_native {
namespace {

constexpr size_t kMost = size_t{1} << 62;

bool capturing(hipStream_t stream) {
  hipStreamCaptureStatus state = hipStreamCaptureStatusNone;
  return sx_rocm->hipStreamIsCapturing && sx_rocm->hipStreamIsCapturing(stream, &state) == hipSuccess &&
         state != hipStreamCaptureStatusNone;
}

int64_t power(int64_t base, int64_t exponent, int64_t modulus) {
  __int128 r = 1, b = base % modulus;
  for (; exponent > 0; exponent >>= 1) {
    if (exponent & 1) r = r * b % modulus;
    b = b * b % modulus;
  }
  return static_cast<int64_t>(r);
}

// Miller's test with the bases that decide it for 64 bits.
bool prime(int64_t n) {
  int64_t d = n - 1;
  int twos = 0;
  for (; d % 2 == 0; d /= 2) ++twos;
  for (int64_t a : {2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37}) {
    if (n % a == 0) return n == a;
    int64_t x = power(a, d, n);
    if (x == 1 || x == n - 1) continue;
    bool passes = false;
    for (int i = 1; i < twos && !passes; ++i)
      passes = (x = static_cast<int64_t>(static_cast<__int128>(x) * x % n)) == n - 1;
    if (!passes) return false;
  }
  return true;
}

// NVIDIA plans no length with a prime factor whose convolution needs 2^32 points or more.
bool has_huge_prime(int64_t n) {
  constexpr int64_t huge = int64_t{1} << 30;
  if (n <= huge) return false;
  for (int64_t p = 2; p < 1 << 16 && n > huge; p += p == 2 ? 1 : 2)
    while (n % p == 0) n /= p;
  return n > huge && prime(n);
}

// hipFFT's types of what is executed: bfloat16 is computed in single precision, packed.
sx_fft_key hip_key(const Problem& p) {
  sx_fft_key key = p.key;
  if (!p.bfloat16) return key;
  for (int32_t& type : key.types) type = type == CUDA_R_16BF ? CUDA_R_32F : CUDA_C_32F;
  key.embedded = 0;
  memset(key.inembed, 0, sizeof key.inembed);
  memset(key.onembed, 0, sizeof key.onembed);
  key.istride = key.idist = key.ostride = key.odist = 0;
  return key;
}

cufftResult obtain(const sx_fft_key& key, hipfftHandle* plan, size_t* work) {
  const int status = sx_fft_obtain(&key, plan, work);
  return status == HIPFFT_NOT_IMPLEMENTED ? CUFFT_NOT_SUPPORTED : from(static_cast<hipfftResult>(status));
}

size_t element_bytes(const Problem& p, bool input) {
  return (complex_side(p.kind, input) ? 2u : 1u) * size_t{p.real_bytes};
}

// A one-dimensional inverse real transform keeps its input and ignores imaginary parts that a real signal cannot have;
// rocFFT promises neither: it works on a copy.
size_t copy_bytes(const Problem& p) {
  if (p.kind != SX_FFT_C2R || p.key.rank != 1 || p.bfloat16) return 0;
  const size_t elements = span(p, true), bytes = element_bytes(p, true);
  return elements > kMost / bytes ? kMost : (elements * bytes + 255) & ~size_t{255};
}

// bfloat16: the single-precision input and output.
size_t widened_bytes(const Problem& p) {
  if (!p.bfloat16) return 0;
  Problem packed = p;
  packed.key = hip_key(p);
  const size_t parts[2] = {complex_side(p.kind, true) ? 2u : 1u, complex_side(p.kind, false) ? 2u : 1u};
  const size_t in = span(packed, true), out = span(packed, false);
  if (in > kMost / 8 || out > kMost / 8) return kMost;
  return ((in * parts[0] * 4 + 255) & ~size_t{255}) + ((out * parts[1] * 4 + 255) & ~size_t{255});
}

size_t sum(size_t a, size_t b) { return a > kMost - b ? kMost : a + b; }

cufftResult allocate(sx_fft_slot* slot) {
  if (slot->auto_allocate == 0 || slot->work_bytes == 0) return CUFFT_SUCCESS;
  if (!sx_rocm->hipMalloc) return CUFFT_NOT_SUPPORTED;
  void* p = nullptr;
  if (sx_rocm->hipMalloc(&p, slot->work_bytes) != hipSuccess) return CUFFT_INTERNAL_ERROR;  // measured
  slot->own_work = slot->work = p;
  return CUFFT_SUCCESS;
}

cufftResult current_device(int* device) {
  *device = 0;
  return sx_rocm->hipGetDevice && sx_rocm->hipGetDevice(device) != hipSuccess ? CUFFT_INTERNAL_ERROR : CUFFT_SUCCESS;
}

}  // namespace

// The first ``own`` bytes of the work area are not hipFFT's.
cufftResult fill(sx_fft_slot* slot, Problem p, size_t own, size_t* work_size) {
  if (capturing(slot->stream)) return CUFFT_INTERNAL_ERROR;
  if (const cufftResult e = current_device(&slot->device)) return e;
  p.key.device = slot->device;
  size_t work = 0;
  if (const cufftResult e = obtain(hip_key(p), &slot->plan, &work)) return e;
  slot->key = p.key;
  slot->kind = p.kind;
  slot->real_bytes = p.real_bytes;
  slot->bfloat16 = p.bfloat16;
  slot->copy_bytes = own;
  slot->hip_work_bytes = work;
  slot->work_bytes = sum(own, work);
  cufftResult status = allocate(slot);
  if (status == CUFFT_SUCCESS) status = from(sx_rocm->hipfftSetStream(slot->plan, slot->stream));
  if (status == CUFFT_SUCCESS && slot->work && work != 0)
    status = from(sx_rocm->hipfftSetWorkArea(slot->plan, static_cast<char*>(slot->work) + own));
  if (status == CUFFT_SUCCESS) *work_size = slot->work_bytes;
  return status;
}

static cufftResult make_on_one(sx_fft_slot* slot, const Problem& p, size_t* work_size) {
  slot->special = p.bfloat16 || copy_bytes(p) != 0;
  return fill(slot, p, sum(copy_bytes(p), widened_bytes(p)), work_size);
}

void release(sx_fft_slot* slot) {
  if (slot->own_work && sx_rocm->hipFree) sx_rocm->hipFree(slot->own_work);
  if (slot->own_work == slot->work) slot->work = nullptr;
  slot->own_work = nullptr;
  if (slot->callback) {
    if (sx_rocm->hipfftDestroy) sx_rocm->hipfftDestroy(slot->plan);
  } else if (slot->plan) {
    const sx_fft_key key = hip_key({slot->key, slot->kind, slot->real_bytes, slot->bfloat16});
    sx_fft_keep(&key, slot->plan, slot->hip_work_bytes);
  }
  slot->plan = nullptr;
  slot->callback = false;
}

cufftResult make(cufftHandle handle, const Problem& p, size_t* work_size) {
  sx_fft_slot* slot = sx_fft_find(handle);
  if (slot == nullptr) return CUFFT_INVALID_PLAN;
  for (int i = 0; i < p.key.rank; ++i) {
    if (!has_huge_prime(p.key.n[i])) continue;
    *work_size = 0;
    return CUFFT_INVALID_PLAN;
  }
  int32_t state = SX_FFT_CREATED;
  if (!__atomic_compare_exchange_n(&slot->state, &state, SX_FFT_BUSY, false, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED))
    return CUFFT_INVALID_PLAN;
  cufftResult status = CUFFT_INTERNAL_ERROR;  // also measured: no callback can be compiled
  if (!slot->jit_callback) {
    status = slot->gpu_count > 1 ? make_on_several(slot, p, work_size) : make_on_one(slot, p, work_size);
  }
  if (status != CUFFT_SUCCESS) release(slot);
  __atomic_store_n(&slot->state, status == CUFFT_SUCCESS ? SX_FFT_PLANNED : SX_FFT_CREATED, __ATOMIC_RELEASE);
  return status;
}

// The size comes from a plan, which is kept: it is likely to be made next.
cufftResult size_of(const Problem& p, size_t* work_size) {
  for (int i = 0; i < p.key.rank; ++i)
    if (has_huge_prime(p.key.n[i])) return CUFFT_INVALID_PLAN;
  if (sx_provider_load() != 0) return CUFFT_SETUP_FAILED;
  Problem here = p;
  if (const cufftResult e = current_device(&here.key.device)) return e;
  const sx_fft_key key = hip_key(here);
  hipfftHandle plan = nullptr;
  size_t work = 0;
  if (const cufftResult e = obtain(key, &plan, &work)) return e;
  sx_fft_keep(&key, plan, work);
  *work_size = sum(sum(copy_bytes(p), widened_bytes(p)), work);
  return CUFFT_SUCCESS;
}

}  // namespace sx_fft_native
