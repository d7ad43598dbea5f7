// LAPACK of scipy-openblas64 through its Fortran entry points (LAPACKE would search inputs for NaN), with 64-bit
// integers.
//
// lapack::info<T>(lapack::getrf, m, n, A, lda, ipiv) calls sgetrf, dgetrf, cgetrf or zgetrf: values are passed by
// address, the hidden lengths of characters are added, and the answer is INFO, the last argument. lapack::call is for
// those without.
#pragma once

#include "../rocblas/rb.h"

namespace sx::rs::lapack {

using rb::cdouble;
using rb::cfloat;
using rb::i64;

using Entry = void (*)();
struct Routine {
  Entry s, d, c, z;
};

template <class T>
Entry entry(const Routine& r) {
  if constexpr (std::is_same_v<T, float>)
    return r.s;
  else if constexpr (std::is_same_v<T, double>)
    return r.d;
  else if constexpr (std::is_same_v<T, cfloat>)
    return r.c;
  else
    return r.z;
}

// Fortran's view of an argument: pointers as they are, values by address.
template <class V>
struct Passed {
  static_assert(!std::is_integral_v<V> || sizeof(V) == 8 || sizeof(V) == 1, "an integer that is not LAPACK's");
  using type = const V*;
  static type of(const V& v) { return &v; }
};
template <class V>
struct Passed<V*> {
  using type = V*;
  static type of(V* p) { return p; }
};
template <size_t>
using Length = size_t;

template <class... A>
constexpr size_t characters() {
  return (size_t{0} + ... + size_t{std::is_same_v<A, char>});
}

template <size_t... I, class... A>
void invoke(Entry entry, std::index_sequence<I...>, const A&... a) {
  using F = void (*)(typename Passed<A>::type..., Length<I>...);
  // Declared without parameters: a compiler that sees through the pointer drops the arguments.
  __asm__("" : "+r"(entry));
  reinterpret_cast<F>(entry)(Passed<A>::of(a)..., (static_cast<void>(I), size_t{1})...);
}

template <class T, class... A>
void call(const Routine& r, const A&... a) {
  invoke(entry<T>(r), std::make_index_sequence<characters<A...>()>(), a...);
}
template <class T, class... A>
i64 info(const Routine& r, const A&... a) {
  i64 result = 0;
  call<T>(r, a..., &result);
  return result;
}

#define SX_LAPACK(name, real, complex)                                                            \
  extern "C" void scipy_s##real##_64_();                                                          \
  extern "C" void scipy_d##real##_64_();                                                          \
  extern "C" void scipy_c##complex##_64_();                                                       \
  extern "C" void scipy_z##complex##_64_();                                                       \
  inline constexpr Routine name{scipy_s##real##_64_, scipy_d##real##_64_, scipy_c##complex##_64_, \
                                scipy_z##complex##_64_};

SX_LAPACK(getrf, getrf, getrf)
SX_LAPACK(getrs, getrs, getrs)
SX_LAPACK(getri, getri, getri)
SX_LAPACK(laswp, laswp, laswp)
SX_LAPACK(geqrf, geqrf, geqrf)
SX_LAPACK(gelqf, gelqf, gelqf)
SX_LAPACK(geqlf, geqlf, geqlf)
SX_LAPACK(gerqf, gerqf, gerqf)
SX_LAPACK(trtri, trtri, trtri)
SX_LAPACK(potrf, potrf, potrf)
SX_LAPACK(potrs, potrs, potrs)
SX_LAPACK(potri, potri, potri)
SX_LAPACK(lauum, lauum, lauum)
SX_LAPACK(larfg, larfg, larfg)
SX_LAPACK(larf, larf, larf)
SX_LAPACK(larft, larft, larft)
SX_LAPACK(larfb, larfb, larfb)
SX_LAPACK(lasr, lasr, lasr)
SX_LAPACK(gebrd, gebrd, gebrd)
SX_LAPACK(labrd, labrd, labrd)
SX_LAPACK(latrd, latrd, latrd)
SX_LAPACK(lasyf, lasyf, lasyf)
SX_LAPACK(sytrf, sytrf, sytrf)
SX_LAPACK(bdsqr, bdsqr, bdsqr)
SX_LAPACK(steqr, steqr, steqr)
SX_LAPACK(stedc, stedc, stedc)
SX_LAPACK(stein, stein, stein)
SX_LAPACK(gesvd, gesvd, gesvd)
SX_LAPACK(gesdd, gesdd, gesdd)
SX_LAPACK(orgqr, orgqr, ungqr)
SX_LAPACK(orglq, orglq, unglq)
SX_LAPACK(orgql, orgql, ungql)
SX_LAPACK(ormqr, ormqr, unmqr)
SX_LAPACK(ormlq, ormlq, unmlq)
SX_LAPACK(ormql, ormql, unmql)
SX_LAPACK(orgbr, orgbr, ungbr)
SX_LAPACK(ormbr, ormbr, unmbr)
SX_LAPACK(orgtr, orgtr, ungtr)
SX_LAPACK(ormtr, ormtr, unmtr)
SX_LAPACK(sytrd, sytrd, hetrd)
SX_LAPACK(syev, syev, heev)
SX_LAPACK(syevd, syevd, heevd)
SX_LAPACK(syevr, syevr, heevr)
SX_LAPACK(syevx, syevx, heevx)
SX_LAPACK(sygst, sygst, hegst)

#define SX_LAPACK_REAL(name)             \
  extern "C" void scipy_s##name##_64_(); \
  extern "C" void scipy_d##name##_64_(); \
  inline constexpr Routine name{scipy_s##name##_64_, scipy_d##name##_64_, nullptr, nullptr};

SX_LAPACK_REAL(sterf)
SX_LAPACK_REAL(stebz)
SX_LAPACK_REAL(bdsvdx)

#undef SX_LAPACK_REAL
#undef SX_LAPACK

}  // namespace sx::rs::lapack
