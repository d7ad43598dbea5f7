// The FFTW interface: 35 functions in two precisions.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmath>

#include "plan.h"

using namespace sx_fftw;

namespace {

Plan* plan_of(const void* plan) { return static_cast<Plan*>(const_cast<void*>(plan)); }

// An array's strides as FFTW's advanced interface gives them; ``embed`` NULL: packed, with ``stride`` between elements.
void stride(std::vector<Dim>* dims, const int* embed, int stride, bool input) {
  if (embed == nullptr) {
    for (Dim& d : *dims) (input ? d.is : d.os) *= stride;
    return;
  }
  ptrdiff_t step = stride;
  for (size_t i = dims->size(); i-- > 0;) {
    (input ? (*dims)[i].is : (*dims)[i].os) = step;
    step *= embed[i];
  }
}

Plan* many(size_t bytes, uint8_t kind, int sign, int rank, const int* n, int batch, const void* in, const int* inembed,
           int istride, int idist, const void* out, const int* onembed, int ostride, int odist) {
  std::vector<Dim> dims = packed(rank, n, kind, in == out);
  if (dims.empty()) return nullptr;
  stride(&dims, inembed, istride, true);
  stride(&dims, onembed, ostride, false);
  return make({bytes, kind, sign, std::move(dims), {{batch, idist, odist}}, in, out});
}

Plan* basic(size_t bytes, uint8_t kind, int sign, int rank, const int* n, const void* in, const void* out) {
  return make({bytes, kind, sign, packed(rank, n, kind, in == out), {}, in, out});
}

template <class IoDim>
Plan* guru(size_t bytes, uint8_t kind, int sign, int rank, const IoDim* dims, int batch_rank, const IoDim* batches,
           const void* in, const void* out) {
  if (rank < 1 || rank > 3 || dims == nullptr || batch_rank < 0 || (batch_rank > 0 && batches == nullptr))
    return nullptr;
  Request r{bytes, kind, sign, {}, {}, in, out};
  for (int i = 0; i < rank; ++i) r.dims.push_back({dims[i].n, dims[i].is, dims[i].os});
  for (int i = 0; i < batch_rank; ++i) r.batches.push_back({batches[i].n, batches[i].is, batches[i].os});
  return make(std::move(r));
}

// Operations of a radix-2 transform, as is usual to count them.
double operations(const void* plan) {
  const Plan* p = plan_of(plan);
  if (p == nullptr) return 0;
  double n = 1, batch = 1;
  for (const Dim& d : p->dims) n *= static_cast<double>(d.n);
  for (const Dim& d : p->batches) batch *= static_cast<double>(d.n);
  return (p->kind == SX_FFT_C2C ? 5 : 2.5) * batch * n * std::log2(n);
}

void flops(const void* plan, double* add, double* mul, double* fma) {
  const double all = operations(plan);
  if (add) *add = all * 0.6;
  if (mul) *mul = all * 0.4;
  if (fma) *fma = 0;
}

void print(const void* plan) {
  const Plan* p = plan_of(plan);
  if (p == nullptr) return;
  static const char* const kinds[] = {"c2c", "r2c", "c2r"};
  printf("(cufftw-%s-%s", p->real_bytes == 8 ? "double" : "float", kinds[p->kind]);
  for (const Dim& d : p->dims) printf(" %td:%td:%td", d.n, d.is, d.os);
  for (const Dim& d : p->batches) printf(" x %td:%td:%td", d.n, d.is, d.os);
  printf(")");
}

void* allocate(size_t n) {
  void* p = nullptr;
  return posix_memalign(&p, 64, n) == 0 ? p : nullptr;
}

}  // namespace

// One precision: X is fftw or fftwf.
#define SX_FFTW(X, real)                                                                                               \
  X##_plan sx_##X##_plan_dft(int rank, const int* n, X##_complex* in, X##_complex* out, int sign, unsigned) {          \
    return basic(sizeof(real), SX_FFT_C2C, sign, rank, n, in, out);                                                    \
  }                                                                                                                    \
  X##_plan sx_##X##_plan_dft_1d(int n, X##_complex* in, X##_complex* out, int sign, unsigned) {                        \
    return basic(sizeof(real), SX_FFT_C2C, sign, 1, &n, in, out);                                                      \
  }                                                                                                                    \
  X##_plan sx_##X##_plan_dft_2d(int n0, int n1, X##_complex* in, X##_complex* out, int sign, unsigned) {               \
    const int n[] = {n0, n1};                                                                                          \
    return basic(sizeof(real), SX_FFT_C2C, sign, 2, n, in, out);                                                       \
  }                                                                                                                    \
  X##_plan sx_##X##_plan_dft_3d(int n0, int n1, int n2, X##_complex* in, X##_complex* out, int sign, unsigned) {       \
    const int n[] = {n0, n1, n2};                                                                                      \
    return basic(sizeof(real), SX_FFT_C2C, sign, 3, n, in, out);                                                       \
  }                                                                                                                    \
  X##_plan sx_##X##_plan_dft_r2c(int rank, const int* n, real* in, X##_complex* out, unsigned) {                       \
    return basic(sizeof(real), SX_FFT_R2C, -1, rank, n, in, out);                                                      \
  }                                                                                                                    \
  X##_plan sx_##X##_plan_dft_r2c_1d(int n, real* in, X##_complex* out, unsigned) {                                     \
    return basic(sizeof(real), SX_FFT_R2C, -1, 1, &n, in, out);                                                        \
  }                                                                                                                    \
  X##_plan sx_##X##_plan_dft_r2c_2d(int n0, int n1, real* in, X##_complex* out, unsigned) {                            \
    const int n[] = {n0, n1};                                                                                          \
    return basic(sizeof(real), SX_FFT_R2C, -1, 2, n, in, out);                                                         \
  }                                                                                                                    \
  X##_plan sx_##X##_plan_dft_r2c_3d(int n0, int n1, int n2, real* in, X##_complex* out, unsigned) {                    \
    const int n[] = {n0, n1, n2};                                                                                      \
    return basic(sizeof(real), SX_FFT_R2C, -1, 3, n, in, out);                                                         \
  }                                                                                                                    \
  X##_plan sx_##X##_plan_dft_c2r(int rank, const int* n, X##_complex* in, real* out, unsigned) {                       \
    return basic(sizeof(real), SX_FFT_C2R, 1, rank, n, in, out);                                                       \
  }                                                                                                                    \
  X##_plan sx_##X##_plan_dft_c2r_1d(int n, X##_complex* in, real* out, unsigned) {                                     \
    return basic(sizeof(real), SX_FFT_C2R, 1, 1, &n, in, out);                                                         \
  }                                                                                                                    \
  X##_plan sx_##X##_plan_dft_c2r_2d(int n0, int n1, X##_complex* in, real* out, unsigned) {                            \
    const int n[] = {n0, n1};                                                                                          \
    return basic(sizeof(real), SX_FFT_C2R, 1, 2, n, in, out);                                                          \
  }                                                                                                                    \
  X##_plan sx_##X##_plan_dft_c2r_3d(int n0, int n1, int n2, X##_complex* in, real* out, unsigned) {                    \
    const int n[] = {n0, n1, n2};                                                                                      \
    return basic(sizeof(real), SX_FFT_C2R, 1, 3, n, in, out);                                                          \
  }                                                                                                                    \
  X##_plan sx_##X##_plan_many_dft(int rank, const int* n, int batch, X##_complex* in, const int* inembed, int is,      \
                                  int id, X##_complex* out, const int* onembed, int os, int od, int sign, unsigned) {  \
    return many(sizeof(real), SX_FFT_C2C, sign, rank, n, batch, in, inembed, is, id, out, onembed, os, od);            \
  }                                                                                                                    \
  X##_plan sx_##X##_plan_many_dft_r2c(int rank, const int* n, int batch, real* in, const int* inembed, int is, int id, \
                                      X##_complex* out, const int* onembed, int os, int od, unsigned) {                \
    return many(sizeof(real), SX_FFT_R2C, -1, rank, n, batch, in, inembed, is, id, out, onembed, os, od);              \
  }                                                                                                                    \
  X##_plan sx_##X##_plan_many_dft_c2r(int rank, const int* n, int batch, X##_complex* in, const int* inembed, int is,  \
                                      int id, real* out, const int* onembed, int os, int od, unsigned) {               \
    return many(sizeof(real), SX_FFT_C2R, 1, rank, n, batch, in, inembed, is, id, out, onembed, os, od);               \
  }                                                                                                                    \
  SX_FFTW_GURU(X, real, guru, X##_iodim)                                                                               \
  SX_FFTW_GURU(X, real, guru64, X##_iodim64)                                                                           \
  void sx_##X##_execute_dft(const X##_plan p, X##_complex* in, X##_complex* out) { execute(plan_of(p), in, out); }     \
  void sx_##X##_execute_dft_r2c(const X##_plan p, real* in, X##_complex* out) { execute(plan_of(p), in, out); }        \
  void sx_##X##_execute_dft_c2r(const X##_plan p, X##_complex* in, real* out) { execute(plan_of(p), in, out); }        \
  void sx_##X##_destroy_plan(X##_plan p) { destroy(plan_of(p)); }                                                      \
  void sx_##X##_execute(const fftw_plan p) {                                                                           \
    if (p) execute(plan_of(p), plan_of(p)->in, plan_of(p)->out);                                                       \
  }                                                                                                                    \
  double sx_##X##_cost(const fftw_plan p) { return operations(p); }                                                    \
  void sx_##X##_flops(const fftw_plan p, double* add, double* mul, double* fma) { flops(p, add, mul, fma); }           \
  void sx_##X##_print_plan(const fftw_plan p) { print(p); }                                                            \
  void* sx_##X##_malloc(size_t n) { return allocate(n); }                                                              \
  void sx_##X##_free(void* p) { free(p); }                                                                             \
  void sx_##X##_cleanup() {}                                                                                           \
  void sx_##X##_set_timelimit(double) {}                                                                               \
  void sx_##X##_export_wisdom_to_file(FILE*) {}                                                                        \
  int sx_##X##_import_wisdom_from_file(FILE*) { return 0; }

#define SX_FFTW_GURU(X, real, guru_name, dim)                                                                 \
  X##_plan sx_##X##_plan_##guru_name##_dft(int rank, const dim* dims, int batch_rank, const dim* batches,     \
                                           X##_complex* in, X##_complex* out, int sign, unsigned) {           \
    return guru(sizeof(real), SX_FFT_C2C, sign, rank, dims, batch_rank, batches, in, out);                    \
  }                                                                                                           \
  X##_plan sx_##X##_plan_##guru_name##_dft_r2c(int rank, const dim* dims, int batch_rank, const dim* batches, \
                                               real* in, X##_complex* out, unsigned) {                        \
    return guru(sizeof(real), SX_FFT_R2C, -1, rank, dims, batch_rank, batches, in, out);                      \
  }                                                                                                           \
  X##_plan sx_##X##_plan_##guru_name##_dft_c2r(int rank, const dim* dims, int batch_rank, const dim* batches, \
                                               X##_complex* in, real* out, unsigned) {                        \
    return guru(sizeof(real), SX_FFT_C2R, 1, rank, dims, batch_rank, batches, in, out);                       \
  }

SX_FFTW(fftw, double)
SX_FFTW(fftwf, float)
