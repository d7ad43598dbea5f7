// The arguments of the project's own device kernels: plain structs, passed by value, the same for every compiler.
//
// Matrices are column-major. Types are cudaDataType numbers (HIP's are the same up to 33; 1000 and 1001 are the FNUZ
// forms of e4m3 and e5m2). Leading dimensions and strides count elements; those of a bit mask count bits.
// Every pointer is a device pointer unless it says otherwise; NULL means "not there".
#pragma once

typedef long long sx_i64;
typedef unsigned long long sx_u64;
typedef unsigned int sx_u32;
typedef unsigned short sx_u16;
typedef unsigned char sx_u8;

enum sx_type : int {
  SX_R_32F = 0,
  SX_R_64F = 1,
  SX_R_16F = 2,
  SX_R_8I = 3,
  SX_C_32F = 4,
  SX_C_64F = 5,
  SX_C_16F = 6,
  SX_C_8I = 7,
  SX_R_8U = 8,
  SX_R_32I = 10,
  SX_R_32U = 12,
  SX_R_16BF = 14,
  SX_C_16BF = 15,
  SX_R_16I = 20,
  SX_R_16U = 22,
  SX_R_64I = 24,
  SX_R_64U = 26,
  SX_R_E4M3 = 28,
  SX_R_E5M2 = 29,
  SX_R_UE8M0 = 30,
  SX_R_E2M1 = 33,
  SX_R_E4M3_FNUZ = 1000,
  SX_R_E5M2_FNUZ = 1001,
};

// One matrix, or a batch of them.
struct sx_operand {
  void* data;     // the first matrix; or, when ``indirect``, an array of ``batch`` pointers to them
  sx_i64 ld;      // 0: one column for all
  sx_i64 stride;  // from one matrix of the batch to the next; 0: one matrix for all
  int type;       // sx_type; two E2M1 share a byte, the even row in its low half
  int indirect;
};

enum sx_factor_mode : int { SX_FACTOR_HOST = 0, SX_FACTOR_DEVICE = 1, SX_FACTOR_VECTOR = 2 };

// A factor: in ``value`` itself, or behind ``device`` (one, or one per row of D). Of the type ``type``.
struct sx_factor {
  alignas(8) unsigned char value[16];
  const void* device;
  sx_i64 stride;  // of ``device``, between batches
  int type;       // f32, f64, f16, bf16, s32; c32, c64 when the compute type is complex
  int mode;       // sx_factor_mode
};

// ---- epilogue: D = d_scale * act(alpha * a_scale * b_scale * row_scale[i] * column_scale[j] * acc
//                                  + beta * c_scale * C + bias) ------------------------------------------------------
// One launch, every (i, j, batch) once; D, C and acc may be the same memory with the same leading dimension.

enum sx_activation : int { SX_ACT_NONE = 0, SX_ACT_RELU = 1, SX_ACT_GELU = 2 };

enum sx_aux : int {
  SX_AUX_NONE = 0,
  SX_AUX_RELU_MASK = 1,  // out: bit i % 8 of byte (j * ld + i) / 8 is x >= 0 of the pre-activation x; ld % 8 == 0.
                         // Bits of rows m.. of the last byte are cleared.
  SX_AUX_GELU = 2,       // out: aux_scale * pre-activation, in aux.type
  SX_AUX_DRELU = 3,      // in: the factor of D is the mask's bit; NaN under a zero bit becomes 0
  SX_AUX_DGELU = 4,      // in: D is multiplied by the derivative of GELU at aux
};

enum sx_epilogue_flags : int {
  SX_EPI_BY_COLUMN = 1,     // bias, alpha and beta vectors belong to columns (the caller swapped operands)
  SX_EPI_NAN_MASK_ONE = 2,  // a NaN's bit in the ReLU mask is 1 (NVIDIA: f32, f64), else 0 (f16, bf16)
};

struct sx_epilogue_args {
  sx_i64 m, n;
  int batch;
  int compute;  // f32, f64, s32, c32, c64: what everything is calculated in; the last three without act, bias, aux;
                // in f64 every matrix and the bias are f64
  int activation;
  int aux_mode;
  int flags;
  int bias_type;              // f32, f16, bf16
  sx_operand acc, c, d, aux;  // c.data NULL: no C, beta is not read
  const void* bias;           // m elements (n by column)
  sx_i64 bias_stride;         // between batches
  sx_factor alpha, beta;      // a beta of exactly 0 never reads C; an alpha of exactly 0 never reads acc
  const float *a_scale, *b_scale, *c_scale, *d_scale, *aux_scale;  // one float each
  const float *row_scale, *column_scale;                           // m and n floats (scale mode OUTER_VEC)
  float *d_amax,
      *aux_amax;  // maximum of |.| before d_scale and aux_scale, NaN ignored; joined to what is there: zero it
};

// ---- sums: out[i] = sum over j of in(i, j), or out[j] = sum over i
// ----------------------------------------------------- Deterministic. ``parts`` > 1 splits the sum: out is then a
// matrix (length, parts) of f32 or f64 for a second launch.
struct sx_sums_args {
  sx_i64 m, n;
  int batch;
  int by_column;  // 0: one sum per row; 1: one per column
  sx_operand in;
  void* out;
  sx_i64 out_stride;  // between batches
  int out_type;
  int parts;           // 0 is 1
  sx_i64 part_stride;  // from one part of the sums to the next
};

// ---- convert: dst(i, j) = alpha * scale(i, j) * src(i, j), rounded to nearest even, once
// ------------------------------- Integer to integer is exact (alpha must be 1, scales absent; saturating). Complex:
// pass twice the rows of the real type.

enum sx_scale_mode : int {   // cublasLtMatmulMatrixScale_t
  SX_SCALE_SCALAR = 0,       // one float
  SX_SCALE_VEC16_UE4M3 = 1,  // per 16 of the inner dimension, CUDA's tiles of 128 x 4
  SX_SCALE_VEC32_UE8M0 = 2,  // per 32 of the inner dimension, CUDA's tiles of 128 x 4
  SX_SCALE_OUTER_VEC = 3,    // a float per outer index
  SX_SCALE_VEC128 = 4,       // float s[outer + outers * (inner / 128)]
  SX_SCALE_BLK128 = 5,       // float s[inner / 128 + ld * (outer / 128)], ld = ceil(inners / 128) rounded up to 4
};

enum sx_convert_flags : int {
  SX_CONVERT_INNER_IS_COLUMN = 1,  // the inner (k) dimension of the scales runs along columns; else along rows
  SX_CONVERT_NO_SATURATE = 2,      // overflow of e4m3/e5m2/e2m1 gives NaN or infinity in place of the largest value
};

struct sx_convert_args {
  sx_i64 m, n;
  int batch;
  int scale_mode;
  int flags;
  int reserved;
  sx_operand src, dst;  // src.data NULL: every element is 1, so that alpha is what is written
  sx_factor alpha;      // HOST or DEVICE
  const void* scale;    // NULL: 1
  sx_i64 scale_stride;  // between batches, in elements
};

// ---- transform: C = alpha * op(A) + beta * op(B) between storage orders
// -------------------------------------------------

enum sx_order : int {  // cublasLtOrder_t
  SX_ORDER_COL = 0,
  SX_ORDER_ROW = 1,
  SX_ORDER_COL32 = 2,
  SX_ORDER_COL4_4R2_8C = 3,
  SX_ORDER_COL32_2R_4R4 = 4,
};

struct sx_transform_args {
  sx_i64 m, n;  // of C
  int batch;
  int compute;                    // f32, f64, s32, c32, c64
  int op_a, op_b;                 // cublasOperation_t: 0 N, 1 T, 2 C
  int order_a, order_b, order_c;  // sx_order
  int reserved;
  sx_operand a, b, c;     // a.data, b.data NULL: not there
  sx_factor alpha, beta;  // HOST or DEVICE
};

// ---- codes: info arrays that one library numbers otherwise than another, in the order of the stream
// ---------------------- 0 < code <= upto becomes ``becomes``; else a code above ``above`` > 0 becomes code - above;
// all others stay.
struct sx_codes_args {
  int* codes;
  sx_i64 count;
  int upto, becomes, above, reserved;
};
