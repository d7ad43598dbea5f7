// A product as cublasLtMatmul computes it, after all checks: everything but pointers.
#pragma once

#include <initializer_list>

#include "scalex/compat.h"
#include "state.h"

namespace sx_lt {

// A matrix as it lies in memory: column-major. What the program calls row-major is the transposed matrix here.
struct Operand {
  int32_t type;  // cudaDataType
  int32_t op;    // rocBLAS's operation
  int64_t rows, cols, ld, stride;
};

struct Problem {
  Operand a, b, c, d;  // D = op(A) op(B); for a row-major D the program's A and B have changed places
  int64_t m, n, k;     // of D in memory
  int32_t batch, batch_mode;
  int32_t compute, scale_type, acc;  // acc: the element type of products: R_32F, R_64F, R_32I, C_32F, C_64F
  int32_t pointer_mode;
  int32_t epilogue;  // one of the defined ones
  int32_t bias_type, aux_type;
  int32_t a_mode, b_mode;  // scale modes of a and b as they stand here
  int64_t bias_stride, aux_ld, aux_stride, alpha_stride;
  bool swapped, empty;
};

// What a refusal is: NVIDIA refuses early, before it looks for an algorithm, or late, when there is none; that shows in
// whether the heuristic writes its count.
struct Verdict {
  cublasStatus_t status;
  bool late;
};

// The structs of one call, complete: members that the program's smaller structs lack have their defaults.
struct Call {
  const char* function;
  const MatmulDesc* desc;
  const MatrixLayout *a, *b, *c, *d;
  MatmulDesc room;
};

// False when a struct is missing or was never initialised.
bool collect(Call* call, const char* function, const void* desc, const void* a, const void* b, const void* c,
             const void* d);

Verdict validate(const Call& call, Problem* out);
// What only cublasLtMatmul checks: pointers of bias and auxiliary matrices.
cublasStatus_t validate_pointers(const Call& call, const Problem& problem);

// Whether some algorithm of NVIDIA's has these types; the scale type that they want. 0: yes, 7 or 15: no.
cublasStatus_t supported_types(int compute, int scale, int a, int b, int c, int d);

size_t type_bytes(int type);  // 4-bit types: 1, which is half of one
inline bool is_fp8(int type) { return type == CUDA_R_8F_E4M3 || type == CUDA_R_8F_E5M2; }
inline bool is_complex(int type) { return type == CUDA_C_32F || type == CUDA_C_64F; }
inline bool has_bias(int e) { return e != 136 && e != 192 && e != 208 && e != 152 && (e & 4) != 0; }
inline bool has_gradient(int e) { return e == 152 || e == 208 || e == 256 || e == 512; }  // written to the bias
inline bool has_mask(int e) { return e == 130 || e == 134 || e == 136 || e == 152; }
inline bool has_aux(int e) { return (e & 128) != 0; }

}  // namespace sx_lt
