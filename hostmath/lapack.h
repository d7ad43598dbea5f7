// LAPACK of scipy-openblas64 (64-bit integers), its Fortran entry points as overloads on the element type. Characters
// are passed by value; workspaces are the caller's.
#pragma once

#include <stddef.h>
#include <stdint.h>

#include <complex>
#include <memory>
#include <new>

namespace sx::hm {

using i64 = int64_t;
using cfloat = std::complex<float>;
using cdouble = std::complex<double>;

template <class T>
struct Real {
  using type = T;
};
template <class R>
struct Real<std::complex<R>> {
  using type = R;
};
template <class T>
using real_t = typename Real<T>::type;
template <class T>
constexpr bool is_complex = !std::is_same_v<T, real_t<T>>;

// An uninitialised array, at least one element long; throws std::bad_alloc.
template <class T>
std::unique_ptr<T[]> array(i64 n) {
  return std::unique_ptr<T[]>(new T[static_cast<size_t>(n > 0 ? n : 1)]);
}

#define SX_FACTOR(T, x, name)                                                                                         \
  extern "C" void scipy_##x##name##trf_64_(const char*, const i64*, T*, const i64*, i64*, T*, const i64*, i64*,       \
                                           size_t);                                                                   \
  extern "C" void scipy_##x##name##trs_64_(const char*, const i64*, const i64*, const T*, const i64*, const i64*, T*, \
                                           const i64*, i64*, size_t);                                                 \
  extern "C" void scipy_##x##name##tri_64_(const char*, const i64*, T*, const i64*, const i64*, T*, i64*, size_t);    \
  inline i64 name##trf(char uplo, i64 n, T* a, i64 lda, i64* ipiv, T* work, i64 lwork) {                              \
    i64 info = 0;                                                                                                     \
    scipy_##x##name##trf_64_(&uplo, &n, a, &lda, ipiv, work, &lwork, &info, 1);                                       \
    return info;                                                                                                      \
  }                                                                                                                   \
  inline i64 name##trs(char uplo, i64 n, i64 nrhs, const T* a, i64 lda, const i64* ipiv, T* b, i64 ldb) {             \
    i64 info = 0;                                                                                                     \
    scipy_##x##name##trs_64_(&uplo, &n, &nrhs, a, &lda, ipiv, b, &ldb, &info, 1);                                     \
    return info;                                                                                                      \
  }                                                                                                                   \
  inline i64 name##tri(char uplo, i64 n, T* a, i64 lda, const i64* ipiv, T* work) {                                   \
    i64 info = 0;                                                                                                     \
    scipy_##x##name##tri_64_(&uplo, &n, a, &lda, ipiv, work, &info, 1);                                               \
    return info;                                                                                                      \
  }
SX_FACTOR(float, s, sy)
SX_FACTOR(double, d, sy)
SX_FACTOR(cfloat, c, sy)
SX_FACTOR(cdouble, z, sy)
SX_FACTOR(cfloat, c, he)
SX_FACTOR(cdouble, z, he)
#undef SX_FACTOR

#define SX_GEEV_REAL(T, x)                                                                                          \
  extern "C" void scipy_##x##geev_64_(const char*, const char*, const i64*, T*, const i64*, T*, T*, T*, const i64*, \
                                      T*, const i64*, T*, const i64*, i64*, size_t, size_t);                        \
  inline i64 geev(char jobvl, char jobvr, i64 n, T* a, i64 lda, T* wr, T* wi, T* vl, i64 ldvl, T* vr, i64 ldvr,     \
                  T* work, i64 lwork, T*) {                                                                         \
    i64 info = 0;                                                                                                   \
    scipy_##x##geev_64_(&jobvl, &jobvr, &n, a, &lda, wr, wi, vl, &ldvl, vr, &ldvr, work, &lwork, &info, 1, 1);      \
    return info;                                                                                                    \
  }
#define SX_GEEV_COMPLEX(T, x)                                                                                        \
  extern "C" void scipy_##x##geev_64_(const char*, const char*, const i64*, T*, const i64*, T*, T*, const i64*, T*,  \
                                      const i64*, T*, const i64*, real_t<T>*, i64*, size_t, size_t);                 \
  inline i64 geev(char jobvl, char jobvr, i64 n, T* a, i64 lda, T* w, T*, T* vl, i64 ldvl, T* vr, i64 ldvr, T* work, \
                  i64 lwork, real_t<T>* rwork) {                                                                     \
    i64 info = 0;                                                                                                    \
    scipy_##x##geev_64_(&jobvl, &jobvr, &n, a, &lda, w, vl, &ldvl, vr, &ldvr, work, &lwork, rwork, &info, 1, 1);     \
    return info;                                                                                                     \
  }
SX_GEEV_REAL(float, s)
SX_GEEV_REAL(double, d)
SX_GEEV_COMPLEX(cfloat, c)
SX_GEEV_COMPLEX(cdouble, z)
#undef SX_GEEV_REAL
#undef SX_GEEV_COMPLEX

}  // namespace sx::hm
