// cuFFT's functions that make, measure, set and destroy plans: the handle first, then the type, then values and sizes.
#include "fft.h"

using namespace sx_fft_native;

namespace {

// An array of ints, widened; NULL stays NULL. Only ranks that can be planned are read.
struct Wide {
  long long values[3] = {};
  const long long* p = nullptr;

  Wide(const int* from, int rank) {
    if (from == nullptr) return;
    for (int i = 0; i < rank && rank <= 3; ++i) values[i] = from[i];
    p = values;
  }
  Wide(const long long* from, int) : p(from) {}
};

template <class I>
struct Layout {
  int rank;
  const I* n;
  const I* inembed;
  long long istride, idist;
  const I* onembed;
  long long ostride, odist, batch;
};

// Types, then what they are types of. NULL for the size comes between the two.
template <class I, class... Types>
cufftResult problem(Problem* p, const Layout<I>& l, const size_t* work_size, Types... types) {
  memset(p, 0, sizeof *p);
  if (const cufftResult e = types_of(types..., p)) return e;
  if (work_size == nullptr) return CUFFT_INVALID_VALUE;
  const Wide n(l.n, l.rank), in(l.inembed, l.rank), out(l.onembed, l.rank);
  return lay_out(p, l.rank, n.p, in.p, l.istride, l.idist, out.p, l.ostride, l.odist, l.batch);
}

template <class I, class... Types>
cufftResult make_plan(cufftHandle handle, const Layout<I>& l, size_t* work_size, Types... types) {
  const sx_fft_slot* slot = sx_fft_find(handle);
  if (slot == nullptr || __atomic_load_n(&slot->state, __ATOMIC_RELAXED) != SX_FFT_CREATED) return CUFFT_INVALID_PLAN;
  Problem p;
  if (const cufftResult e = problem(&p, l, work_size, types...)) return e;
  return make(handle, p, work_size);
}

template <class I, class... Types>
cufftResult estimate(const Layout<I>& l, size_t* work_size, Types... types) {
  Problem p;
  if (const cufftResult e = problem(&p, l, work_size, types...)) return e;
  return size_of(p, work_size);
}

template <class I, class... Types>
cufftResult get_size(cufftHandle handle, const Layout<I>& l, size_t* work_size, Types... types) {
  return sx_fft_find(handle) ? estimate(l, work_size, types...) : CUFFT_INVALID_PLAN;
}

cufftResult create(cufftHandle* handle) {
  if (handle == nullptr) return CUFFT_INVALID_VALUE;
  if (SX_UNLIKELY(!sx_loaded()) && sx_provider_load() != 0) return CUFFT_SETUP_FAILED;
  sx_fft_slot* slot = sx_fft_create();
  if (slot == nullptr) return CUFFT_ALLOC_FAILED;
  *handle = static_cast<cufftHandle>(slot->number);
  return CUFFT_SUCCESS;
}

cufftResult destroy(cufftHandle handle) {
  sx_fft_slot* slot = sx_fft_find(handle);
  if (slot == nullptr || !sx_fft_retire(slot)) return CUFFT_INVALID_PLAN;
  release(slot);
  sx_fft_free(slot);
  return CUFFT_SUCCESS;
}

// A failed cufftPlan* leaves 0, and no handle.
template <class I>
cufftResult plan(cufftHandle* handle, const Layout<I>& l, cufftType type) {
  if (handle == nullptr) return CUFFT_INVALID_VALUE;
  size_t work_size = 0;
  Problem p;
  cufftResult status = problem(&p, l, &work_size, type);
  cufftHandle made = 0;
  if (status == CUFFT_SUCCESS) status = create(&made);
  if (status == CUFFT_SUCCESS) {
    status = make(made, p, &work_size);
    if (status != CUFFT_SUCCESS) destroy(made);
  }
  *handle = status == CUFFT_SUCCESS ? made : 0;
  return status;
}

template <class... N>
struct Basic {
  int n[sizeof...(N)];
  Layout<int> layout;
  explicit Basic(long long batch, N... lengths)
      : n{lengths...}, layout{static_cast<int>(sizeof...(N)), n, nullptr, 1, 0, nullptr, 1, 0, batch} {}
};

}  // namespace

cufftResult sx_cufftCreate(cufftHandle* handle) { return create(handle); }

// -1 is what programs keep where they have no plan; NVIDIA's library takes it in silence (measured).
cufftResult sx_cufftDestroy(cufftHandle handle) { return handle == -1 ? CUFFT_SUCCESS : destroy(handle); }

// ---- planning -------------------------------------------------------------------------------------------------------

cufftResult sx_cufftPlan1d(cufftHandle* h, int nx, cufftType type, int batch) {
  return plan(h, Basic<int>(batch, nx).layout, type);
}
cufftResult sx_cufftPlan2d(cufftHandle* h, int nx, int ny, cufftType type) {
  return plan(h, Basic<int, int>(1, nx, ny).layout, type);
}
cufftResult sx_cufftPlan3d(cufftHandle* h, int nx, int ny, int nz, cufftType type) {
  return plan(h, Basic<int, int, int>(1, nx, ny, nz).layout, type);
}
cufftResult sx_cufftPlanMany(cufftHandle* h, int rank, int* n, int* inembed, int istride, int idist, int* onembed,
                             int ostride, int odist, cufftType type, int batch) {
  return plan(h, Layout<int>{rank, n, inembed, istride, idist, onembed, ostride, odist, batch}, type);
}

cufftResult sx_cufftMakePlan1d(cufftHandle h, int nx, cufftType type, int batch, size_t* workSize) {
  return make_plan(h, Basic<int>(batch, nx).layout, workSize, type);
}
cufftResult sx_cufftMakePlan2d(cufftHandle h, int nx, int ny, cufftType type, size_t* workSize) {
  return make_plan(h, Basic<int, int>(1, nx, ny).layout, workSize, type);
}
cufftResult sx_cufftMakePlan3d(cufftHandle h, int nx, int ny, int nz, cufftType type, size_t* workSize) {
  return make_plan(h, Basic<int, int, int>(1, nx, ny, nz).layout, workSize, type);
}
cufftResult sx_cufftMakePlanMany(cufftHandle h, int rank, int* n, int* inembed, int istride, int idist, int* onembed,
                                 int ostride, int odist, cufftType type, int batch, size_t* workSize) {
  const Layout<int> l{rank, n, inembed, istride, idist, onembed, ostride, odist, batch};
  return make_plan(h, l, workSize, type);
}
cufftResult sx_cufftMakePlanMany64(cufftHandle h, int rank, long long* n, long long* inembed, long long istride,
                                   long long idist, long long* onembed, long long ostride, long long odist,
                                   cufftType type, long long batch, size_t* workSize) {
  const Layout<long long> l{rank, n, inembed, istride, idist, onembed, ostride, odist, batch};
  return make_plan(h, l, workSize, type);
}
cufftResult sx_cufftXtMakePlanMany(cufftHandle h, int rank, long long* n, long long* inembed, long long istride,
                                   long long idist, cudaDataType inputtype, long long* onembed, long long ostride,
                                   long long odist, cudaDataType outputtype, long long batch, size_t* workSize,
                                   cudaDataType executiontype) {
  const Layout<long long> l{rank, n, inembed, istride, idist, onembed, ostride, odist, batch};
  return make_plan(h, l, workSize, inputtype, outputtype, executiontype);
}

// ---- sizes ----------------------------------------------------------------------------------------------------------

cufftResult sx_cufftEstimate1d(int nx, cufftType type, int batch, size_t* workSize) {
  return estimate(Basic<int>(batch, nx).layout, workSize, type);
}
cufftResult sx_cufftEstimate2d(int nx, int ny, cufftType type, size_t* workSize) {
  return estimate(Basic<int, int>(1, nx, ny).layout, workSize, type);
}
cufftResult sx_cufftEstimate3d(int nx, int ny, int nz, cufftType type, size_t* workSize) {
  return estimate(Basic<int, int, int>(1, nx, ny, nz).layout, workSize, type);
}
cufftResult sx_cufftEstimateMany(int rank, int* n, int* inembed, int istride, int idist, int* onembed, int ostride,
                                 int odist, cufftType type, int batch, size_t* workSize) {
  const Layout<int> l{rank, n, inembed, istride, idist, onembed, ostride, odist, batch};
  return estimate(l, workSize, type);
}
cufftResult sx_cufftGetSize1d(cufftHandle h, int nx, cufftType type, int batch, size_t* workSize) {
  return get_size(h, Basic<int>(batch, nx).layout, workSize, type);
}
cufftResult sx_cufftGetSize2d(cufftHandle h, int nx, int ny, cufftType type, size_t* workSize) {
  return get_size(h, Basic<int, int>(1, nx, ny).layout, workSize, type);
}
cufftResult sx_cufftGetSize3d(cufftHandle h, int nx, int ny, int nz, cufftType type, size_t* workSize) {
  return get_size(h, Basic<int, int, int>(1, nx, ny, nz).layout, workSize, type);
}
cufftResult sx_cufftGetSizeMany(cufftHandle h, int rank, int* n, int* inembed, int istride, int idist, int* onembed,
                                int ostride, int odist, cufftType type, int batch, size_t* workSize) {
  const Layout<int> l{rank, n, inembed, istride, idist, onembed, ostride, odist, batch};
  return get_size(h, l, workSize, type);
}
cufftResult sx_cufftGetSizeMany64(cufftHandle h, int rank, long long* n, long long* inembed, long long istride,
                                  long long idist, long long* onembed, long long ostride, long long odist,
                                  cufftType type, long long batch, size_t* workSize) {
  const Layout<long long> l{rank, n, inembed, istride, idist, onembed, ostride, odist, batch};
  return get_size(h, l, workSize, type);
}
cufftResult sx_cufftXtGetSizeMany(cufftHandle h, int rank, long long* n, long long* inembed, long long istride,
                                  long long idist, cudaDataType inputtype, long long* onembed, long long ostride,
                                  long long odist, cudaDataType outputtype, long long batch, size_t* workSize,
                                  cudaDataType executiontype) {
  const Layout<long long> l{rank, n, inembed, istride, idist, onembed, ostride, odist, batch};
  return get_size(h, l, workSize, inputtype, outputtype, executiontype);
}
