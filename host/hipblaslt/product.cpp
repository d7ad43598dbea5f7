// The products, by the type that is computed in.
#include <vector>

#include "epilogue.h"
#include "rocblas/gemm_mixed.h"
#include "work.h"

namespace sx::lt {

namespace {

constexpr i64 strip_bytes = 1 << 24;  // of sums that are finished while they are in the second level cache

// What a fast compute type does to inputs of a wider type; 0: nothing.
int32_t rounded_to(int32_t compute, bool first) {
  switch (compute) {
    case HIPBLAS_COMPUTE_32F_FAST_16F:
    case HIPBLAS_COMPUTE_16F:
      return HIP_R_16F;
    case HIPBLAS_COMPUTE_32F_FAST_16BF:
      return HIP_R_16BF;
    case 100:
    case 102:
      return first || compute == 100 ? HIP_R_8F_E4M3_FNUZ : HIP_R_8F_E5M2_FNUZ;
    case 101:
    case 103:
      return first || compute == 101 ? HIP_R_8F_E5M2_FNUZ : HIP_R_8F_E4M3_FNUZ;
    case 104:
    case 106:
      return first || compute == 104 ? HIP_R_8F_E4M3 : HIP_R_8F_E5M2;
    case 105:
    case 107:
      return first || compute == 105 ? HIP_R_8F_E5M2 : HIP_R_8F_E4M3;
  }
  return HIP_R_32F;
}

// An operand as floats: as stored where it is one already, else a contiguous copy.
struct Floats {
  const float* data = nullptr;
  i64 ld = 0;
  std::vector<float> copy;
};

// Scales of 32 elements along k: one byte each, the blocks of one row of op(A) or column of op(B) together.
void scale_blocks(const Work& w, bool first, i64 line, i64 begin, i64 length, bool along_k, float* x) {
  const auto* scales = reinterpret_cast<const uint8_t*>(first ? w.scale_a : w.scale_b);
  const i64 blocks = (w.k + 31) / 32;
  for (i64 i = 0; i < length; ++i) {
    const i64 free = along_k ? line : begin + i, k = along_k ? begin + i : line;
    x[i] *= decode_e8m0(scales[free * blocks + k / 32]);
  }
}

struct Stored {
  i64 rows, columns;
  bool along_k;  // a stored column runs along k
};
Stored stored(const Work& w, bool first) {
  const bool transposed = (first ? w.ta : w.tb) != rocblas_operation_none, along_k = first == transposed;
  const i64 free = first ? w.m : w.n;
  return {along_k ? w.k : free, along_k ? free : w.k, along_k};
}

// Whether the compute type is narrower than the operand.
bool lossy(const Work& w, bool first) {
  const int32_t through = rounded_to(w.compute, first), type = first ? w.a.type : w.b.type;
  return through != HIP_R_32F && through != type && size_of(through) <= size_of(type);
}

Floats floats(const Work& w, bool first, i64 b) {
  const Operand& x = first ? w.a : w.b;
  const Stored s = stored(w, first);
  const bool blocks = w.scale_mode == HIPBLASLT_MATMUL_MATRIX_SCALE_VEC32_UE8M0 && (first ? w.scale_a : w.scale_b);
  const int32_t through = rounded_to(w.compute, first);
  const bool narrower = lossy(w, first);
  const bool xf32 = w.compute == HIPBLAS_COMPUTE_32F_FAST_TF32 && quirk(Quirk::lt_xf32_rounds) && arch_is("gfx942");
  Floats out;
  if (x.type == HIP_R_32F && !blocks && !narrower && !xf32) {
    out.data = static_cast<const float*>(x.at(b)), out.ld = x.ld;
    return out;
  }
  out.copy.resize(static_cast<size_t>(s.rows * s.columns));
  const auto* from = static_cast<const char*>(x.at(b));
  rb::split(s.columns, 65536 / (s.rows + 1) + 1, [&](i64 j, i64 end) {
    for (; j < end; ++j) {
      float* to = out.copy.data() + j * s.rows;
      widen(x.type, s.rows, from + j * x.ld * static_cast<i64>(size_of(x.type)), to);
      if (blocks) scale_blocks(w, first, j, 0, s.rows, s.along_k, to);
      if (narrower) round_through(through, s.rows, to);
      if (xf32) round_xf32(s.rows, to);
    }
  });
  out.data = out.copy.data(), out.ld = s.rows;
  return out;
}

// One part of D, by strips of columns that stay in cache.
void float_tile(const Work& w, const Floats& A, const Floats& B, Finish& finish, i64 b, i64 r, i64 r_end, i64 c,
                i64 c_end) {
  const i64 rows = r_end - r;
  const bool in_float = w.d.type == HIP_R_32F, same = w.c.at(b) == w.d.at(b);
  auto* D = static_cast<float*>(in_float ? w.d.out(b) : nullptr);
  // Alpha goes into the product unless rows or columns have factors of their own; so does beta where C is D.
  const bool factors = finish.factors();
  const bool fold_beta = in_float && same && w.c.ld == w.d.ld && finish.beta() != 0 && !factors;
  const bool in_place = in_float && (finish.beta() == 0 || !same || fold_beta);
  const bool scaled = fold_beta || (in_place && finish.beta() == 0 && !factors);
  const bool ready = scaled && finish.plain();
  const i64 width = ready ? c_end - c : std::max<i64>(64, strip_bytes / (4 * rows + 1) / 16 * 16);
  std::vector<float> sums;
  for (i64 j = c; j < c_end; j += width) {
    const i64 columns = std::min(width, c_end - j);
    if (!in_place) sums.resize(static_cast<size_t>(rows * columns));
    float* target = in_place ? D + r + j * w.d.ld : sums.data();
    const i64 ld = in_place ? w.d.ld : rows;
    const float beta = scaled ? finish.beta() : 0.0f;
    if (w.k > 0)
      rb::blas::gemm(w.ta, w.tb, rows, columns, w.k, scaled ? finish.alpha() : 1.0f,
                     rb::at(w.ta, A.data, A.ld, r, i64{0}), A.ld, rb::at(w.tb, B.data, B.ld, i64{0}, j), B.ld, beta,
                     target, ld);
    else
      for (i64 q = 0; q < columns; ++q)
        for (i64 i = 0; i < rows; ++i) target[i + q * ld] = beta == 0 ? 0.0f : beta * target[i + q * ld];
    if (!ready) finish.block(r, rows, j, columns, target, ld, scaled);
  }
}

template <class T>
void copy_matrix(const Work& w, i64 b) {
  if (w.c.at(b) == w.d.at(b)) return;
  for (i64 j = 0; j < w.n; ++j)
    memcpy(static_cast<T*>(w.d.out(b)) + j * w.d.ld, static_cast<const T*>(w.c.at(b)) + j * w.c.ld,
           static_cast<size_t>(w.m) * sizeof(T));
}

template <class T>
void run_uniform(const Work& w) {
  const T alpha = scalar_of<T>(w.alpha), beta = scalar_of<T>(w.beta);
  rb::over_batch(w.batch, rb::product_cost<T>(w.m, w.n, w.k), [&](i64 b) {
    if (beta != T(0)) copy_matrix<T>(w, b);
    rb::gemm_run(w.ta, w.tb, w.m, w.n, w.k, alpha, static_cast<const T*>(w.a.at(b)), w.a.ld,
                 static_cast<const T*>(w.b.at(b)), w.b.ld, beta, static_cast<T*>(w.d.out(b)), w.d.ld);
  });
}

uint32_t wrap(int32_t v) { return static_cast<uint32_t>(v); }

int32_t stored_integer(const void* p, int32_t type, i64 i) {
  return type == HIP_R_32I ? static_cast<const int32_t*>(p)[i] : static_cast<const int8_t*>(p)[i];
}

// Rows [r, r + rows) of columns [c, c + columns); wraps, and saturates where D is of 8 bits.
void finish_integers(const Work& w, i64 b, i64 r, i64 rows, i64 c, i64 columns, const int32_t* sums) {
  const int32_t alpha = scalar_of<int32_t>(w.alpha), beta = scalar_of<int32_t>(w.beta);
  const auto* factors = static_cast<const int32_t*>(w.alpha_rows);
  const void *C = w.c.at(b), *D = w.d.at(b);
  for (i64 j = c; j < c + columns; ++j)
    for (i64 i = r; i < r + rows; ++i) {
      uint32_t v = wrap(factors ? factors[i] : alpha) * wrap(sums[i - r + (j - c) * rows]);
      if (beta != 0) v += wrap(beta) * wrap(stored_integer(C, w.c.type, i + j * w.c.ld));
      int32_t out = static_cast<int32_t>(v);
      if (w.epilogue.act == Act::relu) out = std::max(out, 0);
      if (w.d.type == HIP_R_32I)
        static_cast<int32_t*>(const_cast<void*>(D))[i + j * w.d.ld] = out;
      else
        static_cast<int8_t*>(const_cast<void*>(D))[i + j * w.d.ld] = static_cast<int8_t>(std::clamp(out, -128, 127));
    }
}

// A contiguous copy in bfloat16, which holds every 8-bit number.
std::vector<rb::bfloat16> in_bfloat16(const Work& w, bool first, i64 b) {
  const Operand& x = first ? w.a : w.b;
  const Stored s = stored(w, first);
  std::vector<rb::bfloat16> out(static_cast<size_t>(s.rows * s.columns));
  const auto* from = static_cast<const char*>(x.at(b));
  rb::split(s.columns, 65536 / (s.rows + 1) + 1, [&](i64 j, i64 end) {
    float line[rb::block];
    for (; j < end; ++j)
      for (i64 i = 0; i < s.rows; i += rb::block) {
        const i64 length = std::min(rb::block, s.rows - i);
        widen(x.type, length, from + (i + j * x.ld) * static_cast<i64>(size_of(x.type)), line);
        rb::narrow(length, line, out.data() + i + j * s.rows);
      }
  });
  return out;
}

// Two operands of one 16-bit type, or of 8-bit ones, multiplied as the processor does best.
template <class T>
void multiply_as(const Work& w, const T* A, i64 lda, const T* B, i64 ldb, Finish& finish) {
  rb::products(w.ta, w.tb, w.m, w.n, w.k, A, lda, B, ldb, [&](i64 row, i64 rows, i64 col, i64 cols, const float* sums) {
    finish.block(row, rows, col, cols, sums, rows, false);
  });
}

bool multiply_narrow(const Work& w, i64 b, Finish& finish) {
  if (w.scale_mode == HIPBLASLT_MATMUL_MATRIX_SCALE_VEC32_UE8M0) return false;
  if (lossy(w, true) || lossy(w, false)) return false;
  const void *A = w.a.at(b), *B = w.b.at(b);
  if (w.a.type == HIP_R_16BF && w.b.type == HIP_R_16BF) {
    multiply_as(w, static_cast<const rb::bfloat16*>(A), w.a.ld, static_cast<const rb::bfloat16*>(B), w.b.ld, finish);
  } else if (w.a.type == HIP_R_16F && w.b.type == HIP_R_16F) {
    multiply_as(w, static_cast<const rb::half*>(A), w.a.ld, static_cast<const rb::half*>(B), w.b.ld, finish);
  } else if (is_fp8(w.a.type) && is_fp8(w.b.type)) {
    std::vector<rb::bfloat16> first, second;
    if (w.k > 0) first = in_bfloat16(w, true, b), second = in_bfloat16(w, false, b);
    multiply_as(w, first.data(), stored(w, true).rows, second.data(), stored(w, false).rows, finish);
  } else {
    return false;
  }
  return true;
}

void multiply_wide(const Work& w, i64 b, double cost, Finish& finish) {
  Floats A, B;
  if (w.k > 0) A = floats(w, true, b), B = floats(w, false, b);
  rb::tiles(w.m, w.n, cost,
            [&](i64 r, i64 r_end, i64 c, i64 c_end) { float_tile(w, A, B, finish, b, r, r_end, c, c_end); });
}

}  // namespace

void run_float(const Work& w) {
  const double cost = rb::product_cost<float>(w.m, w.n, w.k);
  rb::over_batch(w.batch, cost, [&](i64 b) {
    Finish finish(w, b);
    if (w.epilogue.bias && w.epilogue.bias_from != 'D' && b + 1 == w.batch) operand_gradient(w, b);
    if (!multiply_narrow(w, b, finish)) multiply_wide(w, b, cost, finish);
    finish.done();
  });
}

void run_double(const Work& w) { run_uniform<double>(w); }

void run_complex(const Work& w) {
  if (w.d.type == HIP_C_32F) return run_uniform<rb::cfloat>(w);
  run_uniform<rb::cdouble>(w);
}

void run_integer(const Work& w) {
  rb::over_batch(w.batch, rb::product_cost<float>(w.m, w.n, w.k) / 4, [&](i64 b) {
    rb::products(w.ta, w.tb, w.m, w.n, w.k, static_cast<const int8_t*>(w.a.at(b)), w.a.ld,
                 static_cast<const int8_t*>(w.b.at(b)), w.b.ld,
                 [&](i64 row, i64 rows, i64 col, i64 cols, const int32_t* sums) {
                   finish_integers(w, b, row, rows, col, cols, sums);
                 });
  });
}

}  // namespace sx::lt
