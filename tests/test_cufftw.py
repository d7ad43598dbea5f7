# ruff: noqa: E501
"""FFTW's interface: a C program compiled against cufftw.h of each CUDA major, against a direct DFT."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

SONAMES = {"11": "10", "12": "11", "13": "12"}

PROGRAM = r"""
#include <complex.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cufftw.h>

static int failures = 0;
#define TRUE(x) do { if (!(x)) { fprintf(stderr, "line %d: not %s\n", __LINE__, #x); ++failures; } } while (0)
typedef long double complex wide;

/* The DFT of n0 x n1 x n2 by its definition; sign -1 is forward. */
static void dft(const wide* x, wide* y, const int* n, int sign) {
  const long double pi = 3.141592653589793238462643383279502884L;
  for (int a = 0; a < n[0]; ++a) for (int b = 0; b < n[1]; ++b) for (int c = 0; c < n[2]; ++c) {
    wide s = 0;
    for (int i = 0; i < n[0]; ++i) for (int j = 0; j < n[1]; ++j) for (int k = 0; k < n[2]; ++k)
      s += x[(i * n[1] + j) * n[2] + k] *
           cexpl(sign * 2 * pi * I * ((long double)a * i / n[0] + (long double)b * j / n[1] + (long double)c * k / n[2]));
    y[(a * n[1] + b) * n[2] + c] = s;
  }
}
static double noise(void) { return (double)rand() / RAND_MAX - 0.5; }

#define SUITE(X, real, cplx, tolerance)                                                                            \
static void X##_suite(void) {                                                                                      \
  const int n[3] = {4, 3, 6}, all = 72, halves = 4 * 3 * 4;                                                        \
  wide in[72], out[72];                                                                                            \
  cplx* a = X##_malloc(sizeof(cplx) * all * 3); cplx* b = X##_malloc(sizeof(cplx) * all * 3);                      \
  real* r = X##_malloc(sizeof(real) * all * 3);                                                                    \
  TRUE(a && b && r && (size_t)a % 16 == 0);                                                                        \
  for (int sign = -1; sign <= 1; sign += 2) {                                                                      \
    for (int i = 0; i < all; ++i) { a[i] = noise() + noise() * I; in[i] = a[i]; }                                  \
    X##_plan p = X##_plan_dft_3d(n[0], n[1], n[2], (void*)a, (void*)b, sign, FFTW_ESTIMATE);                       \
    TRUE(p); X##_execute(p); dft(in, out, n, sign);                                                                \
    for (int i = 0; i < all; ++i) TRUE(cabsl(b[i] - out[i]) < tolerance && a[i] == (cplx)in[i]);                   \
    X##_execute_dft(p, (void*)a, (void*)a);                                                                        \
    for (int i = 0; i < all; ++i) TRUE(cabsl(a[i] - out[i]) < tolerance);                                          \
    double add, mul, fma; X##_flops(p, &add, &mul, &fma); TRUE(add > 0 && mul > 0 && fma >= 0);                    \
    TRUE(X##_cost(p) > 0); X##_destroy_plan(p);                                                                    \
  }                                                                                                                \
  /* real and back, every rank, out of place and padded in place */                                                \
  for (int rank = 1; rank <= 3; ++rank) for (int place = 0; place < 2; ++place) {                                  \
    const int* m = n + 3 - rank; int size = 1; for (int i = 0; i < rank; ++i) size *= m[i];                        \
    const int last = m[rank - 1], half = last / 2 + 1, pad = place ? 2 * half : last, rows = size / last;          \
    int full[3] = {1, 1, 1}; for (int i = 0; i < rank; ++i) full[3 - rank + i] = m[i];                             \
    real* x = place ? (real*)b : r;                                                                                \
    for (int i = 0; i < rows; ++i) for (int k = 0; k < last; ++k) in[i * last + k] = x[i * pad + k] = (real)noise(); \
    X##_plan p = X##_plan_dft_r2c(rank, m, x, (void*)b, FFTW_MEASURE);                                             \
    X##_plan q = X##_plan_dft_c2r(rank, m, (void*)b, x, FFTW_MEASURE);                                             \
    TRUE(p && q); X##_execute(p); dft(in, out, full, -1);                                                          \
    for (int i = 0; i < rows; ++i) for (int k = 0; k < half; ++k)                                                  \
      TRUE(cabsl(b[i * half + k] - out[i * last + k]) < tolerance);                                                \
    X##_execute_dft_c2r(q, (void*)b, x);                                                                           \
    for (int i = 0; i < rows; ++i) for (int k = 0; k < last; ++k)                                                  \
      TRUE(fabsl(x[i * pad + k] / size - creall(in[i * last + k])) < tolerance);                                   \
    X##_destroy_plan(p); X##_destroy_plan(q);                                                                      \
  }                                                                                                                \
  /* three interleaved transforms of length 6 by the advanced interface, and the same by the guru ones */          \
  const int six[] = {6}, line[3] = {1, 1, 6};                                                                      \
  X##_iodim d = {6, 3, 1}, t = {3, 1, 6}; X##_iodim64 d64 = {6, 3, 1}, t64 = {3, 1, 6};                            \
  X##_plan ways[3] = {                                                                                             \
    X##_plan_many_dft(1, six, 3, (void*)a, six, 3, 1, (void*)b, six, 1, 6, FFTW_FORWARD, 0),                       \
    X##_plan_guru_dft(1, &d, 1, &t, (void*)a, (void*)b, FFTW_FORWARD, 0),                                          \
    X##_plan_guru64_dft(1, &d64, 1, &t64, (void*)a, (void*)b, FFTW_FORWARD, 0)};                                   \
  for (int w = 0; w < 3; ++w) {                                                                                    \
    for (int i = 0; i < 18; ++i) { a[i] = noise() + noise() * I; b[i] = 99; }                                      \
    b[18] = 99; TRUE(ways[w]); X##_execute(ways[w]); TRUE(b[18] == 99);                                            \
    for (int v = 0; v < 3; ++v) {                                                                                  \
      for (int i = 0; i < 6; ++i) in[i] = a[3 * i + v];                                                            \
      dft(in, out, line, -1);                                                                                      \
      for (int i = 0; i < 6; ++i) TRUE(cabsl(b[6 * v + i] - out[i]) < tolerance);                                  \
    }                                                                                                              \
    X##_destroy_plan(ways[w]);                                                                                     \
  }                                                                                                                \
  /* guru, real, rows of a wider array */                                                                          \
  X##_iodim rows = {4, 9, 5}, cols = {6, 1, 1}; X##_iodim both[2] = {rows, cols};                                  \
  for (int i = 0; i < 36; ++i) r[i] = (real)noise();                                                               \
  X##_plan g = X##_plan_guru_dft_r2c(2, both, 0, NULL, r, (void*)b, 0); TRUE(g); X##_execute(g);                   \
  const int flat[3] = {1, 4, 6};                                                                                   \
  for (int i = 0; i < 4; ++i) for (int k = 0; k < 6; ++k) in[i * 6 + k] = r[i * 9 + k];                            \
  dft(in, out, flat, -1);                                                                                          \
  for (int i = 0; i < 4; ++i) for (int k = 0; k < 4; ++k) TRUE(cabsl(b[i * 5 + k] - out[i * 6 + k]) < tolerance);  \
  X##_destroy_plan(g);                                                                                             \
  /* no such plan */                                                                                               \
  const int bad[] = {0}; const int many[] = {2, 2, 2, 2};                                                          \
  TRUE(!X##_plan_dft_1d(0, (void*)a, (void*)b, -1, 0)); TRUE(!X##_plan_dft_1d(-3, (void*)a, (void*)b, -1, 0));     \
  TRUE(!X##_plan_dft_1d(8, NULL, (void*)b, -1, 0)); TRUE(!X##_plan_dft_1d(8, (void*)a, (void*)b, 7, 0));           \
  TRUE(!X##_plan_dft(0, bad, (void*)a, (void*)b, -1, 0)); TRUE(!X##_plan_dft(4, many, (void*)a, (void*)b, -1, 0)); \
  TRUE(!X##_plan_many_dft(1, six, 0, (void*)a, NULL, 1, 6, (void*)b, NULL, 1, 6, -1, 0));                          \
  X##_execute(NULL); X##_destroy_plan(NULL);                                                                       \
  X##_set_timelimit(1); X##_export_wisdom_to_file(stderr); X##_import_wisdom_from_file(stdin); X##_cleanup();      \
  X##_free(a); X##_free(b); X##_free(r); (void)halves;                                                             \
}
SUITE(fftw, double, double complex, 1e-13)
SUITE(fftwf, float, float complex, 1e-4)

int main(void) {
  srand(1);
  fftw_suite();
  fftwf_suite();
  return failures != 0;
}
"""


@pytest.mark.parametrize("major", list(SONAMES))
def test_program(
    major: str, cc: Callable[..., Path], lib_dir: Path, include_dir: Path, engine_env: dict[str, str]
) -> None:
    library = lib_dir / f"libcufftw.so.{SONAMES[major]}"
    built = cc(PROGRAM, f"-I{include_dir / major}", str(library), "-lm", f"-Wl,-rpath,{lib_dir}")
    done = subprocess.run([built], env=engine_env, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
