// LAPACK of scipy-openblas64 (64-bit integers), its Fortran entry points as overloads on the element type. Characters
// are passed by value; workspaces are the caller's.
#pragma once

#include <stddef.h>
#include <stdint.h>

#include <complex>
#include <memory>
#include <new>
#include <type_traits>

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

// The pieces of a dense QR and LU.
#define SX_DENSE(T, x, un)                                                                                            \
  extern "C" void scipy_##x##geqrf_64_(const i64*, const i64*, T*, const i64*, T*, T*, const i64*, i64*);             \
  extern "C" void scipy_##x##un##mqr_64_(const char*, const char*, const i64*, const i64*, const i64*, const T*,      \
                                         const i64*, const T*, T*, const i64*, T*, const i64*, i64*, size_t, size_t); \
  extern "C" void scipy_##x##trtrs_64_(const char*, const char*, const char*, const i64*, const i64*, const T*,       \
                                       const i64*, T*, const i64*, i64*, size_t, size_t, size_t);                     \
  extern "C" void scipy_##x##getrf_64_(const i64*, const i64*, T*, const i64*, i64*, i64*);                           \
  extern "C" void scipy_##x##getrs_64_(const char*, const i64*, const i64*, const T*, const i64*, const i64*, T*,     \
                                       const i64*, i64*, size_t);                                                     \
  inline void getrs(i64 n, const T* a, const i64* ipiv, T* b) {                                                       \
    i64 info = 0;                                                                                                     \
    const i64 one = 1;                                                                                                \
    scipy_##x##getrs_64_("N", &n, &one, a, &n, ipiv, b, &n, &info, 1);                                                \
  }                                                                                                                   \
  inline void geqrf(i64 m, i64 n, T* a, T* tau, T* work, i64 lwork) {                                                 \
    i64 info = 0;                                                                                                     \
    scipy_##x##geqrf_64_(&m, &n, a, &m, tau, work, &lwork, &info);                                                    \
  }                                                                                                                   \
  inline void apply_q(char trans, i64 m, i64 nrhs, i64 k, const T* a, const T* tau, T* c, T* work, i64 lwork) {       \
    i64 info = 0;                                                                                                     \
    scipy_##x##un##mqr_64_("L", &trans, &m, &nrhs, &k, a, &m, tau, c, &m, work, &lwork, &info, 1, 1);                 \
  }                                                                                                                   \
  inline i64 solve_r(i64 n, const T* a, i64 lda, T* b) {                                                              \
    i64 info = 0, one = 1, ldb = n > 0 ? n : 1;                                                                       \
    scipy_##x##trtrs_64_("U", "N", "N", &n, &one, a, &lda, b, &ldb, &info, 1, 1, 1);                                  \
    return info;                                                                                                      \
  }                                                                                                                   \
  inline void getrf(i64 n, T* a, i64* ipiv) {                                                                         \
    i64 info = 0;                                                                                                     \
    scipy_##x##getrf_64_(&n, &n, a, &n, ipiv, &info);                                                                 \
  }
SX_DENSE(float, s, or)
SX_DENSE(double, d, or)
SX_DENSE(cfloat, c, un)
SX_DENSE(cdouble, z, un)
#undef SX_DENSE

#define SX_GEQP3(T, x, ...)                                                                        \
  inline void geqp3(i64 m, i64 n, T* a, i64* jpvt, T* tau, T* work, i64 lwork, real_t<T>* rwork) { \
    i64 info = 0;                                                                                  \
    static_cast<void>(rwork);                                                                      \
    scipy_##x##geqp3_64_(&m, &n, a, &m, jpvt, tau, work, &lwork __VA_ARGS__, &info);               \
  }
extern "C" void scipy_sgeqp3_64_(const i64*, const i64*, float*, const i64*, i64*, float*, float*, const i64*, i64*);
extern "C" void scipy_dgeqp3_64_(const i64*, const i64*, double*, const i64*, i64*, double*, double*, const i64*, i64*);
extern "C" void scipy_cgeqp3_64_(const i64*, const i64*, cfloat*, const i64*, i64*, cfloat*, cfloat*, const i64*,
                                 float*, i64*);
extern "C" void scipy_zgeqp3_64_(const i64*, const i64*, cdouble*, const i64*, i64*, cdouble*, cdouble*, const i64*,
                                 double*, i64*);
SX_GEQP3(float, s)
SX_GEQP3(double, d)
SX_GEQP3(cfloat, c, , rwork)
SX_GEQP3(cdouble, z, , rwork)
#undef SX_GEQP3

}  // namespace sx::hm
