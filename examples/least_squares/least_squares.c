/* A linear least-squares fit by normal equations, as people write it against cuBLAS: host code only.
 *
 *   least_squares TABLE.csv RESPONSE
 *
 * TABLE.csv: numbers, one observation a line, no header. RESPONSE: the column (from 0) to explain by all the others and
 * a constant. Predictors are standardised. Prints one coefficient a line (constant first), then the residual norm.
 *
 * G = X'X (cublasDsyrk), g = X'y (cublasDgemm), G = R'R on the host, R'z = g and R b = z (cublasDtrsm),
 * r = y - X b (cublasDgemm), ||r|| (cublasDnrm2).
 */
#include <cublas_v2.h>
#include <cuda_runtime.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define CUDA(call)                                                                          \
  do {                                                                                      \
    cudaError_t e = (call);                                                                 \
    if (e != cudaSuccess) {                                                                 \
      fprintf(stderr, "%s:%d: %s: %s\n", __FILE__, __LINE__, #call, cudaGetErrorString(e)); \
      exit(1);                                                                              \
    }                                                                                       \
  } while (0)
#define CUBLAS(call)                                                                           \
  do {                                                                                         \
    cublasStatus_t s = (call);                                                                 \
    if (s != CUBLAS_STATUS_SUCCESS) {                                                          \
      fprintf(stderr, "%s:%d: %s: %s\n", __FILE__, __LINE__, #call, cublasGetStatusString(s)); \
      exit(1);                                                                                 \
    }                                                                                          \
  } while (0)

/* Reads all numbers of a CSV file; *columns from the first line. */
static double* read_table(const char* path, int* rows, int* columns) {
  FILE* f = fopen(path, "r");
  if (!f) {
    perror(path);
    exit(1);
  }
  size_t count = 0, capacity = 1024;
  double* values = malloc(capacity * sizeof *values);
  *columns = 0;
  int c = 0, first_line = 1;
  while (values && fscanf(f, "%lf", &values[count]) == 1) {
    if (++count == capacity) values = realloc(values, (capacity *= 2) * sizeof *values);
    if (first_line) ++*columns;
    c = fgetc(f);
    if (c == '\r') c = fgetc(f);
    if (c == '\n') first_line = 0;
  }
  fclose(f);
  if (!values || *columns < 2 || count % (size_t)*columns != 0) {
    fprintf(stderr, "%s: not a table of numbers\n", path);
    exit(1);
  }
  *rows = (int)(count / (size_t)*columns);
  return values;
}

/* Column-major X (constant, then standardised predictors) and y. */
static void build_design(const double* table, int rows, int columns, int response, double* X, double* y) {
  for (int i = 0; i < rows; ++i) {
    X[i] = 1.0;
    y[i] = table[(size_t)i * columns + response];
  }
  for (int j = 0, p = 1; j < columns; ++j) {
    if (j == response) continue;
    double mean = 0.0, variance = 0.0;
    for (int i = 0; i < rows; ++i) mean += table[(size_t)i * columns + j] / rows;
    for (int i = 0; i < rows; ++i) variance += pow(table[(size_t)i * columns + j] - mean, 2) / rows;
    for (int i = 0; i < rows; ++i) X[(size_t)p * rows + i] = (table[(size_t)i * columns + j] - mean) / sqrt(variance);
    ++p;
  }
}

/* Upper Cholesky factor of G in place; returns 0, or the order of the minor that is not positive definite. */
static int cholesky(double* G, int n) {
  for (int j = 0; j < n; ++j) {
    for (int i = 0; i <= j; ++i) {
      double s = G[(size_t)j * n + i];
      for (int k = 0; k < i; ++k) s -= G[(size_t)i * n + k] * G[(size_t)j * n + k];
      if (i == j && s <= 0.0) return j + 1;
      G[(size_t)j * n + i] = i == j ? sqrt(s) : s / G[(size_t)i * n + i];
    }
  }
  return 0;
}

int main(int argc, char** argv) {
  if (argc != 3) {
    fprintf(stderr, "usage: %s TABLE.csv RESPONSE\n", argv[0]);
    return 2;
  }
  int rows, columns;
  double* table = read_table(argv[1], &rows, &columns);
  const int response = atoi(argv[2]), n = columns; /* columns - 1 predictors and the constant */
  if (response < 0 || response >= columns) {
    fprintf(stderr, "RESPONSE must be in 0..%d\n", columns - 1);
    return 2;
  }
  double *X = malloc(sizeof(double) * rows * n), *y = malloc(sizeof(double) * rows);
  double *G = malloc(sizeof(double) * n * n), *b = malloc(sizeof(double) * n);
  build_design(table, rows, columns, response, X, y);

  double *dX, *dy, *dG, *db;
  CUDA(cudaMalloc((void**)&dX, sizeof(double) * rows * n));
  CUDA(cudaMalloc((void**)&dy, sizeof(double) * rows));
  CUDA(cudaMalloc((void**)&dG, sizeof(double) * n * n));
  CUDA(cudaMalloc((void**)&db, sizeof(double) * n));
  cublasHandle_t handle;
  CUBLAS(cublasCreate(&handle));
  CUBLAS(cublasSetMatrix(rows, n, sizeof(double), X, rows, dX, rows));
  CUBLAS(cublasSetVector(rows, sizeof(double), y, 1, dy, 1));

  const double one = 1.0, zero = 0.0, minus_one = -1.0;
  CUBLAS(cublasDsyrk(handle, CUBLAS_FILL_MODE_UPPER, CUBLAS_OP_T, n, rows, &one, dX, rows, &zero, dG, n));
  CUBLAS(cublasDgemm(handle, CUBLAS_OP_T, CUBLAS_OP_N, n, 1, rows, &one, dX, rows, dy, rows, &zero, db, n));
  CUBLAS(cublasGetMatrix(n, n, sizeof(double), dG, n, G, n));
  const int bad = cholesky(G, n);
  if (bad) {
    fprintf(stderr, "the predictors are linearly dependent (leading minor %d)\n", bad);
    return 1;
  }
  CUBLAS(cublasSetMatrix(n, n, sizeof(double), G, n, dG, n));
  CUBLAS(cublasDtrsm(handle, CUBLAS_SIDE_LEFT, CUBLAS_FILL_MODE_UPPER, CUBLAS_OP_T, CUBLAS_DIAG_NON_UNIT, n, 1, &one,
                     dG, n, db, n));
  CUBLAS(cublasDtrsm(handle, CUBLAS_SIDE_LEFT, CUBLAS_FILL_MODE_UPPER, CUBLAS_OP_N, CUBLAS_DIAG_NON_UNIT, n, 1, &one,
                     dG, n, db, n));
  CUBLAS(cublasDgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, rows, 1, n, &minus_one, dX, rows, db, n, &one, dy, rows));
  double norm;
  CUBLAS(cublasDnrm2(handle, rows, dy, 1, &norm));
  CUBLAS(cublasGetVector(n, sizeof(double), db, 1, b, 1));
  for (int j = 0; j < n; ++j) printf("%.17g\n", b[j]);
  printf("%.17g\n", norm);

  CUBLAS(cublasDestroy(handle));
  CUDA(cudaFree(dX));
  CUDA(cudaFree(dy));
  CUDA(cudaFree(dG));
  CUDA(cudaFree(db));
  free(table);
  free(X);
  free(y);
  free(G);
  free(b);
  return 0;
}
