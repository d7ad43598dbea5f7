// The products, by the type that is computed in.
#include <vector>

#include "epilogue.h"
#include "rocblas/gemm_mixed.h"
#include "work.h"

namespace sx::lt {

namespace {

constexpr i64 strip_bytes = 1 << 20;  // of sums that are finished while they are in the second level cache

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

Floats floats(const Work& w, bool first, i64 b) {
  const Operand& x = first ? w.a : w.b;
  const bool transposed = (first ? w.ta : w.tb) != rocblas_operation_none;
  const bool along_k = first == transposed;  // of a stored column
  const i64 free = first ? w.m : w.n, rows = along_k ? w.k : free, columns = along_k ? free : w.k;
  const bool blocks = w.scale_mode == HIPBLASLT_MATMUL_MATRIX_SCALE_VEC32_UE8M0 && (first ? w.scale_a : w.scale_b);
  const int32_t through = rounded_to(w.compute, first);
  const bool lossy = through != HIP_R_32F && through != x.type && size_of(through) <= size_of(x.type);
  const bool xf32 = w.compute == HIPBLAS_COMPUTE_32F_FAST_TF32 && quirk(Quirk::lt_xf32_rounds) && arch_is("gfx942");
  Floats out;
  if (x.type == HIP_R_32F && !blocks && !lossy && !xf32) {
    out.data = static_cast<const float*>(x.at(b)), out.ld = x.ld;
    return out;
  }
  out.copy.resize(static_cast<size_t>(rows * columns));
  const auto* from = static_cast<const char*>(x.at(b));
  rb::split(columns, 65536 / (rows + 1) + 1, [&](i64 j, i64 end) {
    for (; j < end; ++j) {
      float* to = out.copy.data() + j * rows;
      widen(x.type, rows, from + j * x.ld * static_cast<i64>(size_of(x.type)), to);
      if (blocks) scale_blocks(w, first, j, 0, rows, along_k, to);
      if (lossy) round_through(through, rows, to);
      if (xf32) round_xf32(rows, to);
    }
  });
  out.data = out.copy.data(), out.ld = rows;
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

void finish_integers(const Work& w, i64 b, const int32_t* sums) {
  const int32_t alpha = scalar_of<int32_t>(w.alpha), beta = scalar_of<int32_t>(w.beta);
  const auto* rows = static_cast<const int32_t*>(w.alpha_rows);
  for (i64 j = 0; j < w.n; ++j)
    for (i64 i = 0; i < w.m; ++i) {
      uint32_t v = wrap(rows ? rows[i] : alpha) * wrap(sums[i + j * w.m]);
      if (beta != 0) v += wrap(beta) * wrap(stored_integer(w.c.at(b), w.c.type, i + j * w.c.ld));
      int32_t out = static_cast<int32_t>(v);
      if (w.epilogue.act == Act::relu) out = std::max(out, 0);
      if (w.d.type == HIP_R_32I)
        static_cast<int32_t*>(w.d.out(b))[i + j * w.d.ld] = out;
      else
        static_cast<int8_t*>(w.d.out(b))[i + j * w.d.ld] = static_cast<int8_t>(std::clamp(out, -128, 127));
    }
}

}  // namespace

void run_float(const Work& w) {
  const double cost = rb::product_cost<float>(w.m, w.n, w.k);
  rb::over_batch(w.batch, cost, [&](i64 b) {
    Finish finish(w, b);
    if (w.epilogue.bias && w.epilogue.bias_from != 'D' && b + 1 == w.batch) operand_gradient(w, b);
    Floats A, B;
    if (w.k > 0) A = floats(w, true, b), B = floats(w, false, b);
    rb::tiles(w.m, w.n, cost,
              [&](i64 r, i64 r_end, i64 c, i64 c_end) { float_tile(w, A, B, finish, b, r, r_end, c, c_end); });
    finish.done();
  });
}

void run_double(const Work& w) { run_uniform<double>(w); }

void run_complex(const Work& w) {
  if (w.d.type == HIP_C_32F) return run_uniform<rb::cfloat>(w);
  run_uniform<rb::cdouble>(w);
}

void run_integer(const Work& w) {
  rb::over_batch(w.batch, rb::product_cost<float>(w.m, w.n, w.k), [&](i64 b) {
    std::vector<int32_t> sums(static_cast<size_t>(w.m * w.n));
    rb::gemm_mixed<int8_t, int32_t, int32_t>(w.ta, w.tb, w.m, w.n, w.k, 1, static_cast<const int8_t*>(w.a.at(b)),
                                             w.a.ld, static_cast<const int8_t*>(w.b.at(b)), w.b.ld, 0, nullptr, 0,
                                             sums.data(), w.m);
    finish_integers(w, b, sums.data());
  });
}

}  // namespace sx::lt
