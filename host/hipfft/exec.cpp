// Execution of hipFFT's plans, the version, and what needs device code of AMD's (callbacks), which is not there.
#include <math.h>

#include <memory>
#include <vector>

#include "plan.h"
#include "rocblas/kernels.h"

namespace sx::fft {

void run(const Kernels& k, Kind kind, const Transform& t, void* in, void* out, bool forward) {
  switch (kind) {
    case Kind::c2c:
      return k.c2c(t, in, out, forward);
    case Kind::r2c:
      return k.r2c(t, in, out);
    case Kind::c2r:
      return k.c2r(t, in, out);
  }
}

// ---- walking a layout ----

Side::Side(const Transform& t, bool input, Kind kind) {
  const bool halved = kind == (input ? Kind::c2r : Kind::r2c);
  complex = kind == Kind::c2c || halved;
  for (int i = 0; i < t.rank; ++i) {
    const int to = 3 - t.rank + i;
    n[to] = halved && i == t.rank - 1 ? t.n[i] / 2 + 1 : t.n[i];
    stride[to] = input ? t.in_stride[i] : t.out_stride[i];
  }
  dist = input ? t.in_dist : t.out_dist;
  batch = t.batch;
}

Transform packed(const Transform& t, Kind kind) {
  Transform p = t;
  const auto fill = [&](ptrdiff_t* strides, ptrdiff_t* dist, size_t last) {
    ptrdiff_t step = 1;
    for (int i = t.rank - 1; i >= 0; --i) {
      strides[i] = step;
      step *= static_cast<ptrdiff_t>(i == t.rank - 1 ? last : t.n[i]);
    }
    *dist = step;
  };
  const size_t n = t.n[t.rank - 1], half = n / 2 + 1;
  fill(p.in_stride, &p.in_dist, kind == Kind::c2r ? half : n);
  fill(p.out_stride, &p.out_dist, kind == Kind::r2c ? half : n);
  return p;
}

namespace {

const Kernels& kernels(int bytes) { return bytes == 8 ? double_kernels() : float_kernels(); }

// Half precision: computed in single precision, rounded once.
void run_half(Kind kind, const Transform& t, const void* in, void* out, bool forward) {
  const Side from(t, true, kind), to(t, false, kind);
  const size_t in_parts = from.complex ? 2 : 1, out_parts = to.complex ? 2 : 1;
  std::vector<float> wide_in(from.size() * in_parts), wide_out(to.size() * out_parts);
  float* w = wide_in.data();
  from.lines([&](ptrdiff_t at, size_t count, ptrdiff_t step) {
    for (size_t k = 0; k < count; ++k, w += in_parts) {
      const auto* x =
          static_cast<const rb::half*>(in) + (at + static_cast<ptrdiff_t>(k) * step) * static_cast<ptrdiff_t>(in_parts);
      rb::widen(static_cast<rb::i64>(in_parts), x, w);
    }
  });
  run(float_kernels(), kind, packed(t, kind), wide_in.data(), wide_out.data(), forward);
  const float* r = wide_out.data();
  to.lines([&](ptrdiff_t at, size_t count, ptrdiff_t step) {
    for (size_t k = 0; k < count; ++k, r += out_parts) {
      auto* y =
          static_cast<rb::half*>(out) + (at + static_cast<ptrdiff_t>(k) * step) * static_cast<ptrdiff_t>(out_parts);
      rb::narrow(static_cast<rb::i64>(out_parts), r, y);
    }
  });
}

// ---- quirks ----

template <class T>
void add_imaginary(const Transform& t, const std::vector<double>& im, void* out) {
  for (size_t b = 0; b < t.batch; ++b) {
    T* const y = static_cast<T*>(out) + static_cast<ptrdiff_t>(b) * t.out_dist;
    for (size_t j = 0; j < t.n[0]; ++j)
      y[static_cast<ptrdiff_t>(j) * t.out_stride[0]] += static_cast<T>(im[2 * b] + (j % 2 ? -1 : 1) * im[2 * b + 1]);
  }
}

// The imaginary parts of a line's first and middle elements, which a real signal does not have.
template <class T>
std::vector<double> impossible_parts(const Transform& t, const void* in) {
  std::vector<double> im(2 * t.batch);
  for (size_t b = 0; b < t.batch; ++b) {
    const T* const x = static_cast<const T*>(in) + 2 * static_cast<ptrdiff_t>(b) * t.in_dist;
    im[2 * b] = static_cast<double>(x[1]);
    if (t.n[0] % 2 == 0)
      im[2 * b + 1] = static_cast<double>(x[2 * static_cast<ptrdiff_t>(t.n[0] / 2) * t.in_stride[0] + 1]);
  }
  return im;
}

void spoil_input(const Transform& t, Kind kind, int bytes, void* in) {
  Side(t, true, kind).lines([&](ptrdiff_t at, size_t count, ptrdiff_t step) {
    for (size_t k = 0; k < count; ++k) {
      char* const x = static_cast<char*>(in) + (at + static_cast<ptrdiff_t>(k) * step) * 2 * bytes;
      memset(x, 0xff, 2 * static_cast<size_t>(bytes));
    }
  });
}

struct Job {
  Callback load, store;
  Types types;
  Transform t;
  void *in, *out, *work;
  size_t work_size;
  bool forward, quirks, overwrites, uses_imaginary;

  void operator()() const {
    if (SX_UNLIKELY(quirks)) return with_quirks();
    transform();
  }
  void transform() const {
    if (SX_UNLIKELY(load.function || store.function)) {
      return run_with_callbacks(types, load, store, t, in, out, forward);
    }
    if (types.bytes == 2) return run_half(types.kind, t, in, out, forward);
    run(kernels(types.bytes), types.kind, t, in, out, forward);
  }
  void with_quirks() const {
    if (work) poison(work, work_size);
    const bool leaks = uses_imaginary && t.rank == 1 && types.kind == Kind::c2r && types.bytes != 2;
    std::vector<double> im;
    if (leaks) im = types.bytes == 8 ? impossible_parts<double>(t, in) : impossible_parts<float>(t, in);
    transform();
    if (leaks) types.bytes == 8 ? add_imaginary<double>(t, im, out) : add_imaginary<float>(t, im, out);
    if (overwrites && types.kind == Kind::c2r && in != out) spoil_input(t, types.kind, types.bytes, in);
  }
};

}  // namespace

hipfftResult execute(const Plan& plan, void* in, void* out, int direction) {
  if (!plan.planned) return HIPFFT_EXEC_FAILED;
  if (direction != -1 && direction != 1) return HIPFFT_EXEC_FAILED;
  if (plan.types.kind == Kind::r2c && direction == 1) return HIPFFT_EXEC_FAILED;
  if (plan.types.kind == Kind::c2r && direction == -1) return HIPFFT_EXEC_FAILED;
  if (in == nullptr || out == nullptr) return HIPFFT_EXEC_FAILED;
  const bool in_place = in == out;
  if (in_place && !plan.in_place_possible) return HIPFFT_EXEC_FAILED;  // rocFFT planned only out of place
  if (SX_UNLIKELY(plan.work == nullptr && plan.work_size != 0)) {      // rocFFT allocates for the call
    if (capture_in_progress()) return HIPFFT_EXEC_FAILED;
    count(&Counters::allocations);
    count(&Counters::frees);
  }
  Job job{};
  job.types = plan.types;
  job.t = in_place ? plan.in_place : plan.out_of_place;
  job.t.scale = plan.scale;
  job.in = in;
  job.out = out;
  job.forward = direction == -1;
  job.load = plan.load;
  job.store = plan.store;
  if (SX_UNLIKELY(hostile())) {
    job.overwrites = quirk(Quirk::fft_c2r_overwrites_input);
    job.uses_imaginary = quirk(Quirk::fft_c2r_uses_imaginary);
    if (quirk(Quirk::workspace_poison)) job.work = plan.work;
    job.work_size = plan.work_size;
    job.quirks = job.overwrites || job.uses_imaginary || job.work;
  }
  return enqueue(plan.stream, job) == hipSuccess ? HIPFFT_SUCCESS : HIPFFT_EXEC_FAILED;
}

}  // namespace sx::fft

using sx::fft::execute;

namespace {

hipfftResult exec(hipfftHandle plan, void* in, void* out, int direction) {
  return plan ? execute(plan->plan, in, out, direction) : HIPFFT_INVALID_PLAN;
}

}  // namespace

extern "C" {

hipfftResult hipfftExecC2C(hipfftHandle plan, hipfftComplex* idata, hipfftComplex* odata, int direction) {
  return exec(plan, idata, odata, direction);
}
hipfftResult hipfftExecR2C(hipfftHandle plan, hipfftReal* idata, hipfftComplex* odata) {
  return exec(plan, idata, odata, -1);
}
hipfftResult hipfftExecC2R(hipfftHandle plan, hipfftComplex* idata, hipfftReal* odata) {
  return exec(plan, idata, odata, 1);
}
hipfftResult hipfftExecZ2Z(hipfftHandle plan, hipfftDoubleComplex* idata, hipfftDoubleComplex* odata, int direction) {
  return exec(plan, idata, odata, direction);
}
hipfftResult hipfftExecD2Z(hipfftHandle plan, hipfftDoubleReal* idata, hipfftDoubleComplex* odata) {
  return exec(plan, idata, odata, -1);
}
hipfftResult hipfftExecZ2D(hipfftHandle plan, hipfftDoubleComplex* idata, hipfftDoubleReal* odata) {
  return exec(plan, idata, odata, 1);
}
hipfftResult hipfftXtExec(hipfftHandle plan, void* input, void* output, int direction) {
  return exec(plan, input, output, direction);
}

hipfftResult hipfftGetVersion(int* version) {
  if (version == nullptr) return HIPFFT_INVALID_VALUE;
  *version = hipfftVersionMajor * 10000 + hipfftVersionMinor * 100 + 36;
  return HIPFFT_SUCCESS;
}

hipfftResult hipfftGetProperty(hipfftLibraryPropertyType type, int* value) {
  if (value == nullptr) return HIPFFT_INVALID_VALUE;
  switch (static_cast<int>(type)) {
    case HIPFFT_MAJOR_VERSION:
      *value = hipfftVersionMajor;
      return HIPFFT_SUCCESS;
    case HIPFFT_MINOR_VERSION:
      *value = hipfftVersionMinor;
      return HIPFFT_SUCCESS;
    case HIPFFT_PATCH_LEVEL:
      *value = 36;
      return HIPFFT_SUCCESS;
    default:
      return HIPFFT_INVALID_VALUE;
  }
}

}  // extern "C"
