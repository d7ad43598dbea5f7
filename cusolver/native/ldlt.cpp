// Indefinite factors that rocSOLVER does not make or take: without pivots, and their inverse. On the host, after which
// the stream is waited for; refused in captures.
#include <complex>

#include "onhost.h"
#include "solver.h"

namespace {

template <class T>
struct Host;
#define SX_HOST(cuda_type, host_type, number) \
  template <>                                 \
  struct Host<cuda_type> {                    \
    using type = host_type;                   \
    static constexpr int32_t id = number;     \
  }
SX_HOST(float, float, SX_HM_S);
SX_HOST(double, double, SX_HM_D);
SX_HOST(cuComplex, std::complex<float>, SX_HM_C);
SX_HOST(cuDoubleComplex, std::complex<double>, SX_HM_Z);
#undef SX_HOST

// A = L D L^T in the lower triangle; the place of the first zero in D, behind which it goes on with a column of zeros.
template <class T>
int without_pivots(T* a, int64_t n) {
  int info = 0;
  for (int64_t j = 0; j < n; ++j) {
    T* const column = a + j * n;
    const T d = column[j];
    if (d == T(0)) {
      if (info == 0) info = static_cast<int>(j + 1);
      std::fill(column + j + 1, column + n, T(0));
      continue;
    }
    for (int64_t k = j + 1; k < n; ++k) {
      const T factor = column[k] / d;
      T* const to = a + k * n;
      for (int64_t i = k; i < n; ++i) to[i] -= column[i] * factor;
    }
    for (int64_t i = j + 1; i < n; ++i) column[i] /= d;
  }
  return info;
}

// One triangle onto the other.
template <class T>
void mirror(T* a, int64_t n, bool from_upper) {
  for (int64_t j = 0; j < n; ++j) {
    for (int64_t i = j + 1; i < n; ++i)
      (from_upper ? a[i + j * n] : a[j + i * n]) = a[from_upper ? j + i * n : i + j * n];
  }
}

// Upper factors stand in both triangles, as NVIDIA leaves them: U is L^T.
template <class T>
cusolverStatus_t factorise(cusolverDnHandle_t handle, cublasFillMode_t uplo, int n, T* A, int lda, int* info) {
  sx_onhost work(sx_solver_slot(handle));
  auto matrix = work.read(A, n, n, lda);
  if (!work.ready()) return work.status();
  auto* const a = reinterpret_cast<typename Host<T>::type*>(matrix.get());
  const bool upper = uplo == CUBLAS_FILL_MODE_UPPER;
  if (upper) mirror(a, n, true);
  const int told = without_pivots(a, n);
  if (upper) mirror(a, n, false);
  work.write(A, lda, matrix.get(), n, n);
  work.write(info, &told, 1);
  return work.finish();
}

// LAPACK follows pivots without looking at them.
bool good(const int* from, int64_t* to, int64_t n) {
  for (int64_t i = 0; i < n; ++i) {
    const int64_t p = to[i] = from[i];
    if (p == 0 || p > n || p < -n) return false;
  }
  for (int64_t i = 0; i < n; ++i) {
    if (to[i] < 0 && (++i == n || to[i] >= 0)) return false;
  }
  return true;
}

template <class T>
cusolverStatus_t invert(cusolverDnHandle_t handle, cublasFillMode_t uplo, int n, T* A, int lda, const int* ipiv,
                        int* info) {
  sx_onhost work(sx_solver_slot(handle));
  auto a = work.read(A, n, n, lda);
  auto narrow = work.read(ipiv, ipiv == nullptr ? 0 : n);
  auto pivots = work.template room<int64_t>(n);
  if (!work.ready()) return work.status();
  if (ipiv != nullptr && !good(narrow.get(), pivots.get(), n)) return CUSOLVER_STATUS_INVALID_VALUE;
  const bool upper = uplo == CUBLAS_FILL_MODE_UPPER && ipiv != nullptr;  // unpivoted factors are L's in both triangles
  const int64_t result =
      sx_hostmath()->sytri(Host<T>::id, 0, upper ? 'U' : 'L', n, a.get(), n, ipiv == nullptr ? nullptr : pivots.get());
  if (result == SX_HM_NO_MEMORY) return CUSOLVER_STATUS_ALLOC_FAILED;
  if (ipiv == nullptr && uplo == CUBLAS_FILL_MODE_UPPER) mirror(a.get(), n, false);
  const int told = static_cast<int>(result);
  work.write(A, lda, a.get(), n, n);
  work.write(info, &told, 1);
  return work.finish();
}

}  // namespace

#define SX_LDLT_BODIES(T, t)                                                                                        \
  cusolverStatus_t sx_##t##sytrf_unpivoted(cusolverDnHandle_t handle, cublasFillMode_t uplo, int n, T* A, int lda,  \
                                           int*, T*, int, int* info) {                                              \
    return factorise<T>(handle, uplo, n, A, lda, info);                                                             \
  }                                                                                                                 \
  cusolverStatus_t sx_##t##sytri_size(cusolverDnHandle_t, cublasFillMode_t, int, T*, int, const int*, int* lwork) { \
    *lwork = 1;                                                                                                     \
    return CUSOLVER_STATUS_SUCCESS;                                                                                 \
  }                                                                                                                 \
  cusolverStatus_t sx_##t##sytri(cusolverDnHandle_t handle, cublasFillMode_t uplo, int n, T* A, int lda,            \
                                 const int* ipiv, T*, int, int* info) {                                             \
    return invert<T>(handle, uplo, n, A, lda, ipiv, info);                                                          \
  }
SX_LDLT_BODIES(float, s)
SX_LDLT_BODIES(double, d)
SX_LDLT_BODIES(cuComplex, c)
SX_LDLT_BODIES(cuDoubleComplex, z)
#undef SX_LDLT_BODIES
