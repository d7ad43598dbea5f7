// Plans of hipFFT: layouts, sizes, creation. hipFFT checks little: that a plan is not NULL, not planned before, of a
// rank that it can hold, is left to the caller there; here such calls get an error instead of a crash.
#include "plan.h"

#include <limits.h>

#include <new>

namespace sx::fft {
namespace {

// Products of lengths saturate: a plan beyond the address space may be made, and never executed.
size_t times(size_t a, size_t b) {
  size_t r;
  return __builtin_mul_overflow(a, b, &r) ? SIZE_MAX / 4 : r;
}

// The layout of one side. ``embed`` NULL: packed; the last dimension then has ``last`` elements.
void side(const Problem& p, const long long* embed, long long stride, long long dist, size_t last, ptrdiff_t* strides,
          ptrdiff_t* distance) {
  size_t step = embed ? static_cast<size_t>(stride) : 1;
  for (int i = p.rank - 1; i >= 0; --i) {
    strides[i] = static_cast<ptrdiff_t>(step);
    const auto extent = embed ? static_cast<size_t>(embed[i]) : i == p.rank - 1 ? last : static_cast<size_t>(p.n[i]);
    step = times(step, extent);
  }
  *distance = embed ? static_cast<ptrdiff_t>(dist) : static_cast<ptrdiff_t>(step);
}

Transform transform(const Problem& p, bool in_place) {
  Transform t{};
  t.rank = p.rank;
  for (int i = 0; i < p.rank; ++i) t.n[i] = static_cast<size_t>(p.n[i]);
  t.batch = static_cast<size_t>(p.batch);
  t.scale = 1;
  const size_t n = t.n[p.rank - 1], half = n / 2 + 1;
  const size_t real = in_place ? 2 * half : n;
  const Kind kind = p.types.kind;
  side(p, p.inembed, p.istride, p.idist,
       kind == Kind::r2c   ? real
       : kind == Kind::c2r ? half
                           : n,
       t.in_stride, &t.in_dist);
  side(p, p.onembed, p.ostride, p.odist,
       kind == Kind::c2r   ? real
       : kind == Kind::r2c ? half
                           : n,
       t.out_stride, &t.out_dist);
  return t;
}

// Whether rocFFT could plan it in place: both sides must walk memory alike.
bool walks_alike(const Transform& t, Kind kind) {
  const auto in = kind == Kind::c2r ? 2 : 1, out = kind == Kind::r2c ? 2 : 1;
  const int last = t.rank - 1;
  if (kind == Kind::c2c ? t.in_stride[last] != t.out_stride[last]
                        : t.n[last] > 1 && (t.in_stride[last] != 1 || t.out_stride[last] != 1))
    return false;
  for (int i = 0; i < last; ++i)
    if (t.n[i] > 1 && t.in_stride[i] * in != t.out_stride[i] * out) return false;
  return t.batch == 1 || t.in_dist * in == t.out_dist * out;
}

size_t largest_small_factor_rest(size_t n) {
  for (size_t p = 2; p <= 127 && n > 1; p += p == 2 ? 1 : 2)
    while (n % p == 0) n /= p;
  return n;
}

// What the transform would take on a GPU: long lines go through memory, lengths with large primes through a convolution
// of at least twice the length. The engine needs none of it; callers must provide it all the same.
size_t work_bytes(const Transform& t, Types types) {
  const size_t complex_bytes = 2 * static_cast<size_t>(types.bytes);
  const size_t lds = types.bytes == 8 ? 8192 : 16384;
  size_t bytes = 0;
  if (t.rank == 1) {
    size_t n = t.n[0];
    if (types.kind != Kind::c2c && n % 2 == 0) n /= 2;
    if (largest_small_factor_rest(n) > 1) {
      size_t pow2 = 1;
      while (pow2 < 2 * n - 1) pow2 *= 2;
      bytes = times(times(2 * pow2, complex_bytes), t.batch);
    } else if (n >= lds) {
      bytes = times(times(n, complex_bytes), t.batch);
    }
  }
  // a work area of some size, for callers that rely on there being none
  return hostile() ? bytes + 4096 : bytes;
}

}  // namespace

hipfftResult types_of(hipfftType type, Types* out) {
  switch (static_cast<int>(type)) {
    case HIPFFT_C2C:
      *out = {Kind::c2c, 4};
      return HIPFFT_SUCCESS;
    case HIPFFT_R2C:
      *out = {Kind::r2c, 4};
      return HIPFFT_SUCCESS;
    case HIPFFT_C2R:
      *out = {Kind::c2r, 4};
      return HIPFFT_SUCCESS;
    case HIPFFT_Z2Z:
      *out = {Kind::c2c, 8};
      return HIPFFT_SUCCESS;
    case HIPFFT_D2Z:
      *out = {Kind::r2c, 8};
      return HIPFFT_SUCCESS;
    case HIPFFT_Z2D:
      *out = {Kind::c2r, 8};
      return HIPFFT_SUCCESS;
    default:
      return HIPFFT_NOT_IMPLEMENTED;
  }
}

namespace {

struct Element {
  int bytes;
  bool complex;
};

bool element_of(hipDataType type, Element* e) {
  switch (static_cast<int>(type)) {
    case HIP_R_16F:
      *e = {2, false};
      return true;
    case HIP_C_16F:
      *e = {2, true};
      return true;
    case HIP_R_32F:
      *e = {4, false};
      return true;
    case HIP_C_32F:
      *e = {4, true};
      return true;
    case HIP_R_64F:
      *e = {8, false};
      return true;
    case HIP_C_64F:
      *e = {8, true};
      return true;
    default:
      return false;  // bfloat16 among them
  }
}

}  // namespace

hipfftResult types_of(hipDataType in, hipDataType out, hipDataType exec, Types* types) {
  Element i, o, e;
  if (!element_of(in, &i) || !element_of(out, &o) || !element_of(exec, &e)) return HIPFFT_NOT_IMPLEMENTED;
  if (i.bytes != o.bytes || i.bytes != e.bytes || (!i.complex && !o.complex)) return HIPFFT_INVALID_VALUE;
  *types = {!i.complex ? Kind::r2c : !o.complex ? Kind::c2r : Kind::c2c, i.bytes};
  return HIPFFT_SUCCESS;
}

hipfftResult lay_out(const Problem& p, Plan* plan) {
  if (p.rank < 1 || p.rank > 3 || p.n == nullptr) return HIPFFT_INVALID_VALUE;
  if (p.batch <= 0) return HIPFFT_INVALID_SIZE;
  for (int i = 0; i < p.rank; ++i)
    if (p.n[i] <= 0) return HIPFFT_INVALID_SIZE;
  if ((p.inembed == nullptr) != (p.onembed == nullptr)) return HIPFFT_INVALID_VALUE;
  if (p.inembed && (p.istride <= 0 || p.ostride <= 0)) return HIPFFT_INVALID_VALUE;
  plan->types = p.types;
  plan->out_of_place = transform(p, false);
  plan->in_place = transform(p, true);
  plan->in_place_possible = walks_alike(plan->in_place, p.types.kind);
  plan->work_size = work_bytes(plan->out_of_place, p.types);
  return HIPFFT_SUCCESS;
}

static hipfftResult allocate(Plan* plan) {
  if (!plan->auto_allocate || plan->work_size == 0) return HIPFFT_SUCCESS;
  count(&Counters::allocations);
  plan->work = internal_alloc(plan->work_size);
  plan->own_work = plan->work != nullptr;
  return plan->work ? HIPFFT_SUCCESS : HIPFFT_ALLOC_FAILED;
}

hipfftResult make(hipfftHandle handle, const Problem& p, size_t* work_size) {
  if (handle == nullptr) return HIPFFT_INVALID_PLAN;
  Plan& plan = handle->plan;
  if (plan.planned) return HIPFFT_INVALID_PLAN;
  // tables are allocated, and copied on the legacy stream
  if (capture_in_progress() || internal_sync(nullptr) != hipSuccess) return HIPFFT_INTERNAL_ERROR;
  if (const hipfftResult e = lay_out(p, &plan)) return e;
  if (const hipfftResult e = allocate(&plan)) return e;
  plan.planned = true;
  if (work_size) *work_size = plan.work_size;
  return HIPFFT_SUCCESS;
}

}  // namespace sx::fft

using namespace sx::fft;

namespace {

void release_work(Plan* plan) {
  if (!plan->own_work) return;
  sx::count(&sx::Counters::frees);
  sx::internal_free(plan->work);
  plan->work = nullptr;
  plan->own_work = false;
}

hipfftResult make_typed(hipfftHandle handle, Problem p, hipfftType type, size_t* work_size) {
  if (const hipfftResult e = types_of(type, &p.types)) return e;
  return make(handle, p, work_size);
}

// hipFFT's size queries build a plan; only its size is asked for.
hipfftResult size_of(const Problem& p, size_t* work_size) {
  if (work_size == nullptr) return HIPFFT_INVALID_VALUE;
  Plan plan;
  if (const hipfftResult e = lay_out(p, &plan)) return e;
  *work_size = plan.work_size;
  return HIPFFT_SUCCESS;
}

hipfftResult size_typed(Problem p, hipfftType type, size_t* work_size) {
  if (const hipfftResult e = types_of(type, &p.types)) return e;
  return size_of(p, work_size);
}

// A problem of ints, widened.
struct Wide {
  long long n[3] = {}, inembed[3] = {}, onembed[3] = {};
  Problem p{};

  Wide(int rank, const int* lengths, const int* ie, long long is, long long id, const int* oe, long long os,
       long long od, long long batch) {
    const int used = rank < 0 ? 0 : rank > 3 ? 3 : rank;
    for (int i = 0; i < used; ++i) {
      if (lengths) n[i] = lengths[i];
      if (ie) inembed[i] = ie[i];
      if (oe) onembed[i] = oe[i];
    }
    p = {rank, lengths ? n : nullptr, ie ? inembed : nullptr, oe ? onembed : nullptr, is, id, os, od, batch, {}};
  }
  Wide(std::initializer_list<int> lengths, long long batch)
      : Wide(static_cast<int>(lengths.size()), lengths.begin(), nullptr, 1, 0, nullptr, 1, 0, batch) {}
};

template <class Make>
hipfftResult create_and(hipfftHandle* handle, Make make_it) {
  hipfftHandle made = nullptr;
  if (const hipfftResult e = hipfftCreate(&made)) return e;
  const hipfftResult e = make_it(made);
  if (e != HIPFFT_SUCCESS) {
    hipfftDestroy(made);
    return e;
  }
  *handle = made;
  return HIPFFT_SUCCESS;
}

}  // namespace

extern "C" {

hipfftResult hipfftCreate(hipfftHandle* plan) {
  if (plan == nullptr) return HIPFFT_INVALID_VALUE;
  auto* made = new (std::nothrow) hipfftHandle_t;
  if (made == nullptr) return HIPFFT_ALLOC_FAILED;
  made->plan.device = sx::current_device();
  *plan = made;
  return HIPFFT_SUCCESS;
}

hipfftResult hipfftDestroy(hipfftHandle plan) {
  if (plan == nullptr) return HIPFFT_SUCCESS;
  release_work(&plan->plan);
  delete plan;
  return HIPFFT_SUCCESS;
}

hipfftResult hipfftSetStream(hipfftHandle plan, hipStream_t stream) {
  if (plan == nullptr) return HIPFFT_INVALID_PLAN;
  plan->plan.stream = stream;
  return HIPFFT_SUCCESS;
}

hipfftResult hipfftSetAutoAllocation(hipfftHandle plan, int autoAllocate) {
  if (plan == nullptr) return HIPFFT_INVALID_PLAN;
  plan->plan.auto_allocate = autoAllocate != 0;
  return HIPFFT_SUCCESS;
}

hipfftResult hipfftSetWorkArea(hipfftHandle plan, void* workArea) {
  if (plan == nullptr) return HIPFFT_INVALID_PLAN;
  if (workArea == nullptr) return HIPFFT_SUCCESS;  // ignored
  release_work(&plan->plan);
  plan->plan.work = workArea;
  return HIPFFT_SUCCESS;
}

hipfftResult hipfftExtPlanScaleFactor(hipfftHandle plan, double scalefactor) {
  if (plan == nullptr) return HIPFFT_INVALID_PLAN;
  if (!__builtin_isfinite(scalefactor) || plan->plan.planned) return HIPFFT_INVALID_VALUE;
  plan->plan.scale = scalefactor;
  return HIPFFT_SUCCESS;
}

hipfftResult hipfftGetSize(hipfftHandle plan, size_t* workSize) {
  if (plan == nullptr) return HIPFFT_INVALID_PLAN;
  if (workSize == nullptr) return HIPFFT_INVALID_VALUE;
  *workSize = plan->plan.work_size;
  return HIPFFT_SUCCESS;
}

// ---- planning ----

hipfftResult hipfftMakePlan1d(hipfftHandle plan, int nx, hipfftType type, int batch, size_t* workSize) {
  return make_typed(plan, Wide({nx}, batch).p, type, workSize);
}
hipfftResult hipfftMakePlan2d(hipfftHandle plan, int nx, int ny, hipfftType type, size_t* workSize) {
  return make_typed(plan, Wide({nx, ny}, 1).p, type, workSize);
}
hipfftResult hipfftMakePlan3d(hipfftHandle plan, int nx, int ny, int nz, hipfftType type, size_t* workSize) {
  return make_typed(plan, Wide({nx, ny, nz}, 1).p, type, workSize);
}
hipfftResult hipfftMakePlanMany(hipfftHandle plan, int rank, int* n, int* inembed, int istride, int idist, int* onembed,
                                int ostride, int odist, hipfftType type, int batch, size_t* workSize) {
  const Wide w(rank, n, inembed, istride, idist, onembed, ostride, odist, batch);
  return make_typed(plan, w.p, type, workSize);
}
hipfftResult hipfftMakePlanMany64(hipfftHandle plan, int rank, long long* n, long long* inembed, long long istride,
                                  long long idist, long long* onembed, long long ostride, long long odist,
                                  hipfftType type, long long batch, size_t* workSize) {
  return make_typed(plan, {rank, n, inembed, onembed, istride, idist, ostride, odist, batch, {}}, type, workSize);
}
hipfftResult hipfftXtMakePlanMany(hipfftHandle plan, int rank, long long* n, long long* inembed, long long istride,
                                  long long idist, hipDataType inputType, long long* onembed, long long ostride,
                                  long long odist, hipDataType outputType, long long batch, size_t* workSize,
                                  hipDataType executionType) {
  Problem p = {rank, n, inembed, onembed, istride, idist, ostride, odist, batch, {}};
  if (const hipfftResult e = types_of(inputType, outputType, executionType, &p.types)) return e;
  return make(plan, p, workSize);
}

hipfftResult hipfftPlan1d(hipfftHandle* plan, int nx, hipfftType type, int batch) {
  return create_and(plan, [=](hipfftHandle h) { return hipfftMakePlan1d(h, nx, type, batch, nullptr); });
}
hipfftResult hipfftPlan2d(hipfftHandle* plan, int nx, int ny, hipfftType type) {
  return create_and(plan, [=](hipfftHandle h) { return hipfftMakePlan2d(h, nx, ny, type, nullptr); });
}
hipfftResult hipfftPlan3d(hipfftHandle* plan, int nx, int ny, int nz, hipfftType type) {
  return create_and(plan, [=](hipfftHandle h) { return hipfftMakePlan3d(h, nx, ny, nz, type, nullptr); });
}
hipfftResult hipfftPlanMany(hipfftHandle* plan, int rank, int* n, int* inembed, int istride, int idist, int* onembed,
                            int ostride, int odist, hipfftType type, int batch) {
  return create_and(plan, [=](hipfftHandle h) {
    return hipfftMakePlanMany(h, rank, n, inembed, istride, idist, onembed, ostride, odist, type, batch, nullptr);
  });
}

// ---- sizes ----

hipfftResult hipfftEstimate1d(int nx, hipfftType type, int batch, size_t* workSize) {
  return size_typed(Wide({nx}, batch).p, type, workSize);
}
hipfftResult hipfftEstimate2d(int nx, int ny, hipfftType type, size_t* workSize) {
  return size_typed(Wide({nx, ny}, 1).p, type, workSize);
}
hipfftResult hipfftEstimate3d(int nx, int ny, int nz, hipfftType type, size_t* workSize) {
  return size_typed(Wide({nx, ny, nz}, 1).p, type, workSize);
}
hipfftResult hipfftEstimateMany(int rank, int* n, int* inembed, int istride, int idist, int* onembed, int ostride,
                                int odist, hipfftType type, int batch, size_t* workSize) {
  const Wide w(rank, n, inembed, istride, idist, onembed, ostride, odist, batch);
  return size_typed(w.p, type, workSize);
}

hipfftResult hipfftGetSize1d(hipfftHandle plan, int nx, hipfftType type, int batch, size_t* workSize) {
  return plan ? hipfftEstimate1d(nx, type, batch, workSize) : HIPFFT_INVALID_PLAN;
}
hipfftResult hipfftGetSize2d(hipfftHandle plan, int nx, int ny, hipfftType type, size_t* workSize) {
  return plan ? hipfftEstimate2d(nx, ny, type, workSize) : HIPFFT_INVALID_PLAN;
}
hipfftResult hipfftGetSize3d(hipfftHandle plan, int nx, int ny, int nz, hipfftType type, size_t* workSize) {
  return plan ? hipfftEstimate3d(nx, ny, nz, type, workSize) : HIPFFT_INVALID_PLAN;
}
hipfftResult hipfftGetSizeMany(hipfftHandle plan, int rank, int* n, int* inembed, int istride, int idist, int* onembed,
                               int ostride, int odist, hipfftType type, int batch, size_t* workSize) {
  if (plan == nullptr) return HIPFFT_INVALID_PLAN;
  return hipfftEstimateMany(rank, n, inembed, istride, idist, onembed, ostride, odist, type, batch, workSize);
}
hipfftResult hipfftGetSizeMany64(hipfftHandle plan, int rank, long long* n, long long* inembed, long long istride,
                                 long long idist, long long* onembed, long long ostride, long long odist,
                                 hipfftType type, long long batch, size_t* workSize) {
  if (plan == nullptr) return HIPFFT_INVALID_PLAN;
  return size_typed({rank, n, inembed, onembed, istride, idist, ostride, odist, batch, {}}, type, workSize);
}
hipfftResult hipfftXtGetSizeMany(hipfftHandle plan, int rank, long long* n, long long* inembed, long long istride,
                                 long long idist, hipDataType inputType, long long* onembed, long long ostride,
                                 long long odist, hipDataType outputType, long long batch, size_t* workSize,
                                 hipDataType executionType) {
  if (plan == nullptr) return HIPFFT_INVALID_PLAN;
  Problem p = {rank, n, inembed, onembed, istride, idist, ostride, odist, batch, {}};
  if (const hipfftResult e = types_of(inputType, outputType, executionType, &p.types)) return e;
  return size_of(p, workSize);
}

}  // extern "C"
