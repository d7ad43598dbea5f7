// Plans of the FFTW interface. Arrays are the program's, on the host, with strides that hipFFT's embeds cannot all
// express: elements are collected in packed order, transformed on the device, and put back one by one. Arrays that are
// packed already are copied as they are.
#include "plan.h"

#include <pthread.h>

#include <new>

namespace sx_fftw {
namespace {

// ---- one side of a plan, walked in packed order
// ------------------------------------------------------------------------

struct Side {
  std::vector<ptrdiff_t> n, step;
  size_t element;

  Side(const Plan& p, bool input) {
    const bool complex = p.kind != (input ? SX_FFT_R2C : SX_FFT_C2R);
    const bool halved = p.kind == (input ? SX_FFT_C2R : SX_FFT_R2C);
    element = (complex ? 2 : 1) * p.real_bytes;
    const auto add = [&](const Dim& d, ptrdiff_t length) {
      n.push_back(length);
      step.push_back((input ? d.is : d.os) * static_cast<ptrdiff_t>(element));
    };
    for (const Dim& d : p.batches) add(d, d.n);
    for (size_t i = 0; i < p.dims.size(); ++i)
      add(p.dims[i], halved && i + 1 == p.dims.size() ? p.dims[i].n / 2 + 1 : p.dims[i].n);
  }

  size_t bytes() const {
    size_t b = element;
    for (ptrdiff_t l : n) b *= static_cast<size_t>(l);
    return b;
  }

  bool is_packed() const {
    auto expected = static_cast<ptrdiff_t>(element);
    for (size_t i = n.size(); i-- > 0;) {
      if (n[i] != 1 && step[i] != expected) return false;
      expected *= n[i];
    }
    return true;
  }

  // f(byte offset of an element), in packed order.
  template <class F>
  void each(F f, size_t axis = 0, ptrdiff_t at = 0) const {
    if (axis + 1 == n.size()) {
      for (ptrdiff_t i = 0; i < n[axis]; ++i) f(at + i * step[axis]);
      return;
    }
    for (ptrdiff_t i = 0; i < n[axis]; ++i) each(f, axis + 1, at + i * step[axis]);
  }
};

bool copy(void* to, const void* from, size_t bytes, hipMemcpyKind kind) {
  return sx_rocm->hipMemcpy(to, from, bytes, kind) == hipSuccess;
}

bool send(const Plan& p, const char* in, char* to) {
  const Side side(p, true);
  if (side.is_packed()) return copy(to, in, side.bytes(), hipMemcpyDefault);
  std::vector<char> staged(side.bytes());
  char* next = staged.data();
  side.each([&](ptrdiff_t at) {
    memcpy(next, in + at, side.element);
    next += side.element;
  });
  return copy(to, staged.data(), staged.size(), hipMemcpyHostToDevice);
}

bool receive(const Plan& p, const char* from, char* out) {
  const Side side(p, false);
  if (side.is_packed()) return copy(out, from, side.bytes(), hipMemcpyDefault);
  std::vector<char> staged(side.bytes());
  if (!copy(staged.data(), from, staged.size(), hipMemcpyDeviceToHost)) return false;
  const char* next = staged.data();
  side.each([&](ptrdiff_t at) {
    memcpy(out + at, next, side.element);
    next += side.element;
  });
  return true;
}

// A real signal's spectrum has no imaginary part at a line's ends; hipFFT leaves open what it makes of one.
bool clear_imaginary(const Plan& p) {
  if (p.kind != SX_FFT_C2R || p.dims.size() != 1) return true;
  const auto n = static_cast<size_t>(p.dims[0].n), half = n / 2 + 1;
  const auto clear = [&](size_t element) {
    return sx_rocm->hipMemset2DAsync(p.device + (2 * element + 1) * p.real_bytes, half * 2 * p.real_bytes, 0,
                                     p.real_bytes, static_cast<size_t>(p.key.batch), nullptr) == hipSuccess;
  };
  return clear(0) && (n % 2 != 0 || n == 1 || clear(n / 2));
}

int32_t type_of(size_t real_bytes, bool complex) {
  if (real_bytes == 8) return complex ? CUDA_C_64F : CUDA_R_64F;
  return complex ? CUDA_C_32F : CUDA_R_32F;
}

bool describe(Plan* p) {
  sx_fft_key& k = p->key;
  memset(&k, 0, sizeof k);
  if (sx_rocm->hipGetDevice && sx_rocm->hipGetDevice(&k.device) != hipSuccess) return false;
  k.rank = static_cast<int32_t>(p->dims.size());
  for (int i = 0; i < k.rank; ++i) k.n[i] = p->dims[static_cast<size_t>(i)].n;
  k.batch = 1;
  for (const Dim& d : p->batches) k.batch *= d.n;
  k.types[0] = type_of(p->real_bytes, p->kind != SX_FFT_R2C);
  k.types[1] = type_of(p->real_bytes, p->kind != SX_FFT_C2R);
  k.types[2] = type_of(p->real_bytes, true);
  return true;
}

size_t rounded(size_t bytes) { return (bytes + 255) & ~size_t{255}; }

bool prepare(Plan* p) {
  if (!sx_rocm->hipMalloc || !sx_rocm->hipFree || !sx_rocm->hipMemcpy || !sx_rocm->hipMemset2DAsync ||
      !sx_rocm->hipStreamSynchronize || !describe(p))
    return false;
  if (sx_fft_obtain(&p->key, &p->plan, &p->work_bytes) != HIPFFT_SUCCESS) return false;
  p->in_bytes = rounded(Side(*p, true).bytes());
  p->out_bytes = rounded(Side(*p, false).bytes());
  void* memory = nullptr;
  if (sx_rocm->hipMalloc(&memory, p->in_bytes + p->out_bytes + p->work_bytes) != hipSuccess) return false;
  p->device = static_cast<char*>(memory);
  if (p->work_bytes && sx_rocm->hipfftSetWorkArea(p->plan, p->device + p->in_bytes + p->out_bytes) != HIPFFT_SUCCESS)
    return false;
  return sx_rocm->hipfftSetStream(p->plan, nullptr) == HIPFFT_SUCCESS;
}

bool sound(const Request& r) {
  if (r.dims.empty() || r.dims.size() > 3 || r.in == nullptr || r.out == nullptr) return false;
  if (r.sign != FFTW_FORWARD && r.sign != FFTW_BACKWARD) return false;
  for (const Dim& d : r.dims)
    if (d.n <= 0) return false;
  for (const Dim& d : r.batches)
    if (d.n <= 0) return false;
  return true;
}

}  // namespace

std::vector<Dim> packed(int rank, const int* n, uint8_t kind, bool in_place) {
  std::vector<Dim> dims;
  if (rank < 1 || rank > 3 || n == nullptr) return dims;
  dims.resize(static_cast<size_t>(rank));
  ptrdiff_t is = 1, os = 1;
  for (int i = rank - 1; i >= 0; --i) {
    const ptrdiff_t length = n[i], half = length / 2 + 1, real = in_place ? 2 * half : length;
    dims[static_cast<size_t>(i)] = {length, is, os};
    const bool last = i == rank - 1 && kind != SX_FFT_C2C;
    is *= !last ? length : kind == SX_FFT_R2C ? real : half;
    os *= !last ? length : kind == SX_FFT_C2R ? real : half;
  }
  return dims;
}

Plan* make(Request&& r) try {
  if (!sound(r) || sx_provider_load() != 0) return nullptr;
  auto* p = new Plan{};
  p->real_bytes = r.real_bytes;
  p->kind = r.kind;
  p->direction = r.sign;
  p->dims = std::move(r.dims);
  p->batches = std::move(r.batches);
  p->in = static_cast<char*>(const_cast<void*>(r.in));
  p->out = static_cast<char*>(const_cast<void*>(r.out));
  pthread_mutex_init(&p->mutex, nullptr);
  if (prepare(p)) return p;
  destroy(p);
  return nullptr;
} catch (const std::bad_alloc&) {
  return nullptr;
}

void execute(Plan* p, const void* in, void* out) try {
  if (p == nullptr || in == nullptr || out == nullptr) return;
  pthread_mutex_lock(&p->mutex);
  char* const result = p->device + p->in_bytes;
  const bool good = send(*p, static_cast<const char*>(in), p->device) && clear_imaginary(*p) &&
                    sx_rocm->hipfftXtExec(p->plan, p->device, result, p->direction) == HIPFFT_SUCCESS &&
                    sx_rocm->hipStreamSynchronize(nullptr) == hipSuccess &&
                    receive(*p, result, static_cast<char*>(out));
  pthread_mutex_unlock(&p->mutex);
  if (!good) sx_log("cufftw: a transform failed");
} catch (const std::bad_alloc&) {
  pthread_mutex_unlock(&p->mutex);
  sx_log("cufftw: no memory to collect a strided array");
}

void destroy(Plan* p) {
  if (p == nullptr) return;
  if (p->device) sx_rocm->hipFree(p->device);
  if (p->plan) sx_fft_keep(&p->key, p->plan, p->work_bytes);
  pthread_mutex_destroy(&p->mutex);
  delete p;
}

}  // namespace sx_fftw
