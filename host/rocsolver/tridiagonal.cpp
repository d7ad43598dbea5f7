// Eigenvalues and vectors of tridiagonal matrices, singular values and vectors of bidiagonal ones.
#include "eigen.h"

namespace sx::rs {

static bool is_evect(rocblas_evect e) {
  return e == rocblas_evect_none || e == rocblas_evect_tridiagonal || e == rocblas_evect_original;
}
static char letter(rocblas_evect e) {
  return e == rocblas_evect_none ? 'N' : e == rocblas_evect_tridiagonal ? 'I' : 'V';
}

template <class R>
static rocblas_status sterf(rocblas_handle h, i64 n, R* D, R* E, rocblas_int* info, i64) {
  SX_TRY(check(h, true, n >= 0, have(n, D) && have(n > 1, E) && info));
  return run(h, bytes_of<rocblas_int>(2 * n, 1), 1, 0,
             [=](i64) { *info = n ? static_cast<rocblas_int>(lapack::info<R>(lapack::sterf, n, D, E)) : 0; });
}

template <class T>
static rocblas_status steqr(rocblas_handle h, rocblas_evect evect, i64 n, real_t<T>* D, real_t<T>* E, Arr<T> C,
                            rocblas_int* info, i64) {
  const bool vectors = evect != rocblas_evect_none;
  SX_TRY(check(h, is_evect(evect), n >= 0 && (!vectors || C.ld >= n),
               have(n, D) && have(n > 1, E) && have(vectors && n, C) && info));
  return run(h, bytes_of<real_t<T>>(4 * n, 1), 1, 0, [=](i64 b) {
    *info = 0;
    if (!n) return;
    auto work = scratch<real_t<T>>(4 * n);
    *info = static_cast<rocblas_int>(
        lapack::info<T>(lapack::steqr, letter(evect), n, D, E, C.at(b), std::max<i64>(C.ld, 1), work.data()));
  });
}

template <class T>
static rocblas_status stedc(rocblas_handle h, rocblas_evect evect, i64 n, real_t<T>* D, real_t<T>* E, Arr<T> C,
                            rocblas_int* info, i64) {
  using R = real_t<T>;
  const bool vectors = evect != rocblas_evect_none;
  SX_TRY(check(h, is_evect(evect), n >= 0 && (!vectors || C.ld >= n),
               have(n, D) && have(n > 1, E) && have(vectors && n, C) && info));
  return run(h, bytes_of<R>(vectors ? 4 * n * n : 2 * n, 1), 1, 0, [=](i64 b) {
    *info = 0;
    if (!n) return;
    i64 log = 1;
    while ((i64{1} << log) < n) ++log;
    const i64 reals = 1 + 3 * n + 2 * n * log + 4 * n * n, integers = 6 + 6 * n + 5 * n * log, complexes = n * n;
    auto work = scratch<R>(reals);
    auto iwork = scratch<i64>(integers);
    const i64 ld = std::max<i64>(C.ld, 1);
    if constexpr (is_complex<T>) {
      auto cwork = scratch<T>(complexes);
      auto z = scratch<T>(vectors ? n * n : 1);  // LAPACK's complex stedc writes below row n of a longer column
      for (i64 j = 0; vectors && j < n; ++j) std::copy_n(C.at(b) + j * ld, n, z.data() + j * n);
      *info = static_cast<rocblas_int>(lapack::info<T>(lapack::stedc, letter(evect), n, D, E, z.data(), n, cwork.data(),
                                                       complexes, work.data(), reals, iwork.data(), integers));
      for (i64 j = 0; vectors && j < n; ++j) std::copy_n(z.data() + j * n, n, C.at(b) + j * ld);
    } else {
      *info = static_cast<rocblas_int>(lapack::info<T>(lapack::stedc, letter(evect), n, D, E, C.at(b), ld, work.data(),
                                                       reals, iwork.data(), integers));
    }
  });
}

template <class R>
static rocblas_status stebz(rocblas_handle h, rocblas_erange range, rocblas_eorder order, i64 n, R vl, R vu, i64 il,
                            i64 iu, R abstol, R* D, R* E, rocblas_int* nev, rocblas_int* nsplit, R* W,
                            rocblas_int* iblock, rocblas_int* isplit, rocblas_int* info, i64) {
  const bool value = range == rocblas_erange_value, index = range == rocblas_erange_index;
  SX_TRY(
      check(h,
            (value || index || range == rocblas_erange_all) &&
                (order == rocblas_eorder_blocks || order == rocblas_eorder_entire),
            n >= 0 && !(value && vl >= vu) && !(index && (iu > n || (n > 0 && il > iu) || il < 1 || iu < 0)),
            have(n, D) && have(n, W) && have(n, iblock) && have(n, isplit) && have(n > 1, E) && info && nev && nsplit));
  return run(h, bytes_of<R>(8 * n, 1), 1, 0, [=](i64) {
    *info = 0, *nev = 0, *nsplit = 0;
    if (!n) return;
    auto blocks = scratch<i64>(n), splits = scratch<i64>(n), iwork = scratch<i64>(3 * n);
    auto work = scratch<R>(4 * n);
    i64 found = 0, count = 0;
    *info = static_cast<rocblas_int>(lapack::info<R>(lapack::stebz,
                                                     value   ? 'V'
                                                     : index ? 'I'
                                                             : 'A',
                                                     order == rocblas_eorder_blocks ? 'B' : 'E', n, vl, vu, il, iu,
                                                     abstol, D, E, &found, &count, W, blocks.data(), splits.data(),
                                                     work.data(), iwork.data()));
    *nev = static_cast<rocblas_int>(found), *nsplit = static_cast<rocblas_int>(count);
    store_pivots(blocks, found, iblock);
    store_pivots(splits, count, isplit);
  });
}

// A part of the spectrum, ascending, by bisection and inverse iteration; tested by AMD, declared nowhere.
template <class T>
static rocblas_status stedcx(rocblas_handle h, rocblas_evect evect, rocblas_erange kind, i64 n, real_t<T> vl,
                             real_t<T> vu, i64 il, i64 iu, real_t<T>* D, real_t<T>* E, rocblas_int* nev, real_t<T>* W,
                             Arr<T> C, rocblas_int* info, i64) {
  using R = real_t<T>;
  SX_TRY(check(h, is_erange(kind) && is_evect(evect),
               n >= 0 && (evect == rocblas_evect_none || C.ld >= n) && range_fits(kind, n, vl, vu, il, iu),
               have(n, D) && have(n, W) && have(n, C) && have(n > 1, E) && info && nev));
  return run(h, bytes_of<R>(n * (n + 9), 1), 1, 0, [=](i64 b) {
    *nev = 0, *info = 0;
    if (!n) return;
    const bool vectors = evect != rocblas_evect_none;
    auto w = scratch<R>(n), work = scratch<R>(5 * n);
    auto blocks = scratch<i64>(n), splits = scratch<i64>(n), iwork = scratch<i64>(3 * n), failed = scratch<i64>(n);
    i64 found = 0, count = 0;
    const char range = Range<R>{kind, vl, vu, il, iu}.letter();
    *info = static_cast<rocblas_int>(lapack::info<R>(lapack::stebz, range, vectors ? 'B' : 'E', n, vl, vu, il, iu, R(0),
                                                     D, E, &found, &count, w.data(), blocks.data(), splits.data(),
                                                     work.data(), iwork.data()));
    *nev = static_cast<rocblas_int>(found);
    std::vector<i64> order(static_cast<size_t>(found));
    for (i64 i = 0; i < found; ++i) order[static_cast<size_t>(i)] = i;
    std::stable_sort(order.begin(), order.end(),
                     [&](i64 i, i64 j) { return w[static_cast<size_t>(i)] < w[static_cast<size_t>(j)]; });
    for (i64 i = 0; i < found; ++i) W[i] = w[static_cast<size_t>(order[static_cast<size_t>(i)])];
    if (*info || !vectors || !found) return;
    auto z = scratch<T>(n * found), sorted = scratch<T>(n * found);
    *info =
        static_cast<rocblas_int>(lapack::info<T>(lapack::stein, n, D, E, found, w.data(), blocks.data(), splits.data(),
                                                 z.data(), n, work.data(), iwork.data(), failed.data()));
    for (i64 i = 0; i < found; ++i)
      copy_matrix(n, 1, z.data() + order[static_cast<size_t>(i)] * n, n, sorted.data() + i * n, n);
    if (evect == rocblas_evect_original) {
      gemm_run(rocblas_operation_none, rocblas_operation_none, n, found, n, T(1), C.at(b), C.ld, sorted.data(), n, T(0),
               z.data(), n);
      std::swap(z, sorted);
    }
    copy_matrix(n, found, sorted.data(), n, C.at(b), C.ld);
  });
}

// Vectors by inverse iteration for eigenvalues as stebz orders them by block.
template <class T>
static rocblas_status stein(rocblas_handle h, i64 n, real_t<T>* D, real_t<T>* E, rocblas_int* nev, real_t<T>* W,
                            rocblas_int* iblock, rocblas_int* isplit, Arr<T> Z, rocblas_int* ifail, rocblas_int* info,
                            i64) {
  SX_TRY(check(h, true, n >= 0 && Z.ld >= n,
               have(n, D) && have(n, E) && nev && have(n, W) && have(n, iblock) && have(n, isplit) && have(n, Z) &&
                   have(n, ifail) && info));
  return run(h, bytes_of<real_t<T>>(5 * n, 1), 1, 0, [=](i64 b) {
    *info = 0;
    const i64 found = *nev;
    if (!n || !found) return;
    const auto blocks = load_pivots(iblock, found), splits = load_pivots(isplit, blocks.back());
    auto work = scratch<real_t<T>>(5 * n);
    auto iwork = scratch<i64>(n), failed = scratch<i64>(found);
    *info = static_cast<rocblas_int>(lapack::info<T>(lapack::stein, n, D, E, found, W, blocks.data(), splits.data(),
                                                     Z.at(b), Z.ld, work.data(), iwork.data(), failed.data()));
    store_pivots(failed, found, ifail);
  });
}

template <class T>
static rocblas_status bdsqr(rocblas_handle h, rocblas_fill uplo, i64 n, i64 nv, i64 nu, i64 nc, real_t<T>* D,
                            real_t<T>* E, Arr<T> V, Arr<T> U, Arr<T> C, rocblas_int* info, i64) {
  SX_TRY(check(h, is_fill(uplo),
               n >= 0 && nv >= 0 && nu >= 0 && nc >= 0 && U.ld >= nu && V.ld >= 1 && C.ld >= 1 &&
                   !(nv > 0 && V.ld < n) && !(nc > 0 && C.ld < n),
               have(n, D) && have(n > 1, E) && have(n && nv, V) && have(n && nu, U) && have(n && nc, C) && info));
  return run(h, bytes_of<real_t<T>>(n ? 4 * n + 2 : 0, 1), 1, 0, [=](i64 b) {
    *info = 0;
    if (!n) return;
    auto work = scratch<real_t<T>>(8 * n);
    *info =
        static_cast<rocblas_int>(lapack::info<T>(lapack::bdsqr, rs::letter(uplo), n, nv, nu, nc, D, E, V.at(b), V.ld,
                                                 U.at(b), std::max<i64>(U.ld, 1), C.at(b), C.ld, work.data()));
  });
}

// Singular values of a bidiagonal matrix, largest first: all, or those in [vl, vu). LAPACK errs when asked by index.
template <class R>
static i64 bidiagonal_values(rocblas_fill uplo, char range, i64 n, const R* D, const R* E, R vl, R vu, R* S,
                             i64* found) {
  std::vector<R> d(D, D + n), e(E, E + (n - 1)), work(static_cast<size_t>(14 * n)), none(2);
  e.resize(static_cast<size_t>(n + 1));
  auto iwork = scratch<i64>(12 * n);
  return lapack::info<R>(lapack::bdsvdx, rs::letter(uplo), 'N', range, n, d.data(), e.data(), vl, vu, i64{1}, n, found,
                         S, none.data(), i64{2}, work.data(), iwork.data());
}

// All singular vectors, u_k in column k of U, v_k in row k of V; those of LAPACK's bdsvdx lose orthogonality.
template <class R>
static i64 bidiagonal_vectors(rocblas_fill uplo, i64 n, const R* D, const R* E, R* U, R* V) {
  std::vector<R> d(D, D + n), e(E, E + (n - 1)), work(static_cast<size_t>(8 * n));
  e.push_back(R(0));
  for (i64 i = 0; i < n; ++i) U[i * (n + 1)] = V[i * (n + 1)] = R(1);
  return lapack::info<R>(lapack::bdsqr, rs::letter(uplo), n, n, n, i64{0}, d.data(), e.data(), V, n, U, n,
                         static_cast<R*>(nullptr), i64{1}, work.data());
}

// The singular values asked for, largest first, and their vectors, u above v, in the columns of Z.
template <class R>
static rocblas_status bdsvdx(rocblas_handle h, rocblas_fill uplo, rocblas_svect svect, rocblas_srange range, i64 n,
                             R* D, R* E, R vl, R vu, i64 il, i64 iu, rocblas_int* nsv, R* S, Arr<R> Z,
                             rocblas_int* ifail, rocblas_int* info, i64) {
  const bool value = range == rocblas_srange_value, index = range == rocblas_srange_index;
  const bool vectors = svect == rocblas_svect_singular;
  SX_TRY(check(
      h, is_fill(uplo) && (vectors || svect == rocblas_svect_none) && (value || index || range == rocblas_srange_all),
      n >= 0 && Z.ld >= (vectors ? 2 * n : 1) && !(value && (vl < 0 || vl >= vu)) &&
          !(index && (iu > n || (n > 0 && il > iu) || il < 1 || iu < 0)),
      have(n, D) && have(n, S) && have(n > 1, E) && info && nsv && have(vectors && n, Z) && have(vectors && n, ifail)));
  return run(h, bytes_of<R>(8 * n, 1), 1, 0, [=](i64 b) {
    *info = 0, *nsv = 0;
    if (!n) return;
    auto all = scratch<R>(n + 1), some = scratch<R>(n + 1);
    i64 found = 0, skipped = 0;
    *info = static_cast<rocblas_int>(bidiagonal_values(uplo, 'A', n, D, E, vl, vu, all.data(), &found));
    if (index) skipped = il - 1, found = iu - il + 1;
    if (value) {
      bidiagonal_values(uplo, 'V', n, D, E, vl, vu, some.data(), &found);
      const auto gap = [&](i64 i) { return std::abs(all[static_cast<size_t>(i)] - some[0]); };
      while (skipped + found < n && gap(skipped + 1) < gap(skipped)) ++skipped;
    }
    std::copy(all.begin() + skipped, all.begin() + skipped + found, S);
    *nsv = static_cast<rocblas_int>(found);
    if (!vectors || !found) return;
    auto u = scratch<R>(n * n), v = scratch<R>(n * n);
    *info = static_cast<rocblas_int>(bidiagonal_vectors(uplo, n, D, E, u.data(), v.data()));
    for (i64 k = 0; k < found; ++k) {
      for (i64 i = 0; i < n; ++i) {
        Z.at(b)[i + k * Z.ld] = u[static_cast<size_t>(i + (k + skipped) * n)];
        Z.at(b)[n + i + k * Z.ld] = v[static_cast<size_t>(k + skipped + i * n)];
      }
      ifail[k] = 0;
    }
  });
}

}  // namespace sx::rs

// clang-format off
#define STERF(V, MAT, SMAT, VEC, EACH, I, J, T, R) V(I, n) V(R*, D) V(R*, E) V(J*, info)
SX_SOLVER_SD(SX_SOLVER_1, sterf, sterf, STERF)
#define STEQR(V, MAT, SMAT, VEC, EACH, I, J, T, R) \
  V(rocblas_evect, evect) V(I, n) V(R*, D) V(R*, E) MAT(I, T, C, ldc) V(J*, info)
SX_SOLVER_ALL(SX_SOLVER_1, steqr, steqr, STEQR)
SX_SOLVER_ALL(SX_SOLVER_1, stedc, stedc, STEQR)
SX_SOLVER_ALL(SX_SOLVER_1, stedcj, stedc, STEQR)
#define STEDCX(V, MAT, SMAT, VEC, EACH, I, J, T, R) \
  V(rocblas_evect, evect) V(rocblas_erange, erange) V(I, n) V(R, vl) V(R, vu) V(I, il) V(I, iu) V(R*, D) V(R*, E) \
  V(J*, nev) V(R*, W) MAT(I, T, C, ldc) V(J*, info)
SX_SOLVER_ALL(SX_SOLVER_1, stedcx, stedcx, STEDCX)
#define STEBZ(V, MAT, SMAT, VEC, EACH, I, J, T, R) \
  V(rocblas_erange, erange) V(rocblas_eorder, eorder) V(I, n) V(T, vl) V(T, vu) V(I, il) V(I, iu) V(T, abstol) \
  V(T*, D) V(T*, E) V(J*, nev) V(J*, nsplit) V(T*, W) V(J*, iblock) V(J*, isplit) V(J*, info)
SX_SOLVER_SD(SX_SOLVER_1, stebz, stebz, STEBZ)
#define STEIN(V, MAT, SMAT, VEC, EACH, I, J, T, R) \
  V(I, n) V(R*, D) V(R*, E) V(J*, nev) V(R*, W) V(J*, iblock) V(J*, isplit) MAT(I, T, Z, ldz) V(J*, ifail) \
  V(J*, info)
SX_SOLVER_ALL(SX_SOLVER_1, stein, stein, STEIN)
#define BDSQR(V, MAT, SMAT, VEC, EACH, I, J, T, R) \
  V(rocblas_fill, uplo) V(I, n) V(I, nv) V(I, nu) V(I, nc) V(R*, D) V(R*, E) MAT(I, T, v, ldv) MAT(I, T, U, ldu) \
  MAT(I, T, C, ldc) V(J*, info)
SX_SOLVER_ALL(SX_SOLVER_1, bdsqr, bdsqr, BDSQR)
#define BDSVDX(V, MAT, SMAT, VEC, EACH, I, J, T, R) \
  V(rocblas_fill, uplo) V(rocblas_svect, svect) V(rocblas_srange, srange) V(I, n) V(T*, D) V(T*, E) V(T, vl) \
  V(T, vu) V(I, il) V(I, iu) V(J*, nsv) V(T*, S) MAT(I, T, Z, ldz) V(J*, ifail) V(J*, info)
SX_SOLVER_SD(SX_SOLVER_1, bdsvdx, bdsvdx, BDSVDX)
// clang-format on
