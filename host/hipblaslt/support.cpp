#include "support.h"

namespace sx::lt {

namespace {

// Orientations of A and B.
enum : unsigned { nn = 1, nt = 2, tn = 4, tt = 8, any = 15 };

// Types by letter: S f32, D f64, H f16, B bf16, I i8, J i32, F e4m3 and G e5m2 (of the chip: FNUZ on gfx942, OCP on
// later ones), C and Z complex. ``compute``: s 32F, x TF32, d 64F, i 32I, h 16F, f through 8-bit types, b through bf16.
struct Kernels {
  const char* chips;
  int since, removed;
  const char *a, *b, *d;
  char compute;
  unsigned features;
  const char* bias;
  unsigned orientations;
};

constexpr unsigned forward = has_bias | has_act | has_rows;
constexpr unsigned aux_all = forward | has_aux | has_aux_bias;
constexpr unsigned fp8_out = forward | has_scale | has_cd;

// The problem types in the names of TensileLite's logic files: releases 6.0 to 6.3 from their tags of ROCm/hipBLASLt,
// 7.0 and later from ROCm/rocm-libraries and the changelogs; where a later release is not known to have lost or won
// anything, the newest known one goes on.
const Kernels kernels[] = {
    // gfx90a (aldebaran)
    {"gfx90a", 0, 0, "S", "S", "S", 's', forward, "S", any},
    {"gfx90a", 0, 0, "D", "D", "D", 'd', 0, "", any},
    {"gfx90a", 0, 0, "H", "H", "H", 's', forward, "SH", any},
    {"gfx90a", 0, 0, "H", "H", "H", 's', aux_all, "SH", any},
    {"gfx90a", 0, 0, "H", "H", "H", 's', forward | has_grad, "SH", any},
    {"gfx90a", 0, 0, "H", "H", "H", 's', has_bias | has_rows | has_from_a, "SH", any},
    {"gfx90a", 0, 0, "H", "H", "H", 's', has_bias | has_rows | has_from_b, "SH", any},
    {"gfx90a", 0, 0, "H", "H", "S", 's', forward, "S", any},
    {"gfx90a", 0, 0, "B", "B", "B", 's', forward, "SB", any},
    {"gfx90a", 700, 0, "B", "B", "S", 's', has_bias | has_act, "S", any},
    {"gfx90a", 604, 0, "H", "H", "H", 'h', forward, "SH", any},
    {"gfx90a", 602, 0, "H", "H", "H", 'b', forward, "SH", any},
    {"gfx90a", 0, 602, "I", "I", "J", 'i', 0, "", any},
    {"gfx90a", 602, 0, "I", "I", "J", 'i', has_act | has_rows, "", any},
    {"gfx90a", 603, 0, "I", "I", "I", 'i', 0, "", any},
    // gfx942 (aquavanjaram): 32-bit, 64-bit, integers, complex
    {"gfx942", 0, 0, "S", "S", "S", 's', forward, "S", any},
    {"gfx942", 0, 0, "S", "S", "S", 's', forward | has_aux, "S", any},
    {"gfx942 gfx950", 700, 0, "S", "S", "S", 's', aux_all, "S", any},
    {"gfx942", 0, 0, "S", "S", "S", 's', forward | has_grad, "S", any},
    {"gfx942", 0, 0, "S", "S", "S", 's', has_bias | has_rows | has_from_b, "S", any},
    {"gfx942", 0, 0, "S", "S", "S", 'x', forward, "S", any},
    {"gfx942", 0, 0, "D", "D", "D", 'd', 0, "", any},
    {"gfx942", 0, 0, "I", "I", "J", 'i', has_act | has_rows, "", any},
    {"gfx942", 603, 0, "I", "I", "I", 'i', has_act | has_rows, "", any},
    {"gfx942 gfx950", 1000, 0, "C", "C", "C", 's', 0, "", any},
    {"gfx942 gfx950", 1000, 0, "Z", "Z", "Z", 'd', 0, "", any},
    // gfx942: 16-bit
    {"gfx942", 0, 0, "H", "H", "H", 's', forward, "SH", any},
    {"gfx942", 0, 700, "H", "H", "H", 's', forward | has_aux, "SH", any},
    {"gfx942", 700, 0, "HB", "HB", "HB", 's', aux_all, "SHB", any},
    {"gfx942", 0, 700, "H", "H", "H", 's', forward | has_grad, "SH", any},
    {"gfx942", 700, 0, "HB", "HB", "HB", 's', forward | has_grad, "SHB", any},
    {"gfx942", 0, 0, "H", "H", "H", 's', has_bias | has_rows | has_from_a, "SH", any},
    {"gfx942", 0, 0, "H", "H", "H", 's', has_bias | has_rows | has_from_b, "SH", any},
    {"gfx942", 700, 0, "B", "B", "B", 's', has_bias | has_rows | has_from_b, "SB", any},
    {"gfx942", 604, 0, "H", "H", "H", 'h', forward, "SH", any},
    {"gfx942", 0, 601, "H", "H", "S", 's', forward, "S", nn},
    {"gfx942", 601, 0, "H", "H", "S", 's', forward, "S", any},
    {"gfx942", 0, 0, "B", "B", "B", 's', forward, "SB", any},
    {"gfx942", 602, 700, "B", "B", "B", 's', forward | has_aux, "SB", tn},
    {"gfx942", 602, 700, "B", "B", "B", 's', forward | has_grad, "SB", nn},
    {"gfx942", 602, 700, "B", "B", "B", 's', has_bias | has_rows | has_from_b, "SB", nt},
    {"gfx942", 601, 700, "B", "B", "S", 's', forward, "S", nn | nt | tn},
    {"gfx942", 700, 0, "B", "B", "S", 's', forward, "S", any},
    {"gfx942", 602, 0, "H", "H", "H", 'f', forward, "SH", any},
    // gfx942: 8-bit, alone and beside f16
    {"gfx942", 0, 602, "FG", "FG", "HS", 's', forward | has_scale, "SHB", tn},
    {"gfx942", 0, 602, "FG", "FG", "S", 's', has_bias | has_rows | has_from_b | has_scale, "SB", tn},
    {"gfx942", 601, 602, "F", "F", "F", 's', fp8_out, "SH", nn | nt | tn},
    {"gfx942", 602, 0, "FG", "FG", "HS", 's', forward | has_scale, "SHB", any},
    {"gfx942", 602, 0, "FG", "FG", "B", 's', forward | has_scale, "SB", any},
    {"gfx942", 602, 0, "FG", "FG", "S", 's', has_bias | has_rows | has_from_b | has_scale, "SB", any},
    {"gfx942", 602, 0, "FG", "FG", "FG", 's', fp8_out | has_amax, "SHB", any},
    {"gfx942", 603, 0, "F", "F", "B", 's', forward | has_outer, "SB", tn},
    {"gfx942", 700, 0, "F", "F", "HB", 's', forward | has_outer, "SHB", any},
    {"gfx942", 0, 0, "F", "H", "HS", 's', forward | has_scale, "SH", any},
    {"gfx942", 0, 0, "H", "F", "HS", 's', forward | has_scale, "SH", any},
    {"gfx942", 0, 0, "F", "H", "F", 's', fp8_out, "SH", any},
    {"gfx942", 0, 0, "H", "F", "F", 's', fp8_out, "SH", any},
    // gfx950: as gfx942 with OCP types, blocks of scales, no XF32 unit (32F does it), FAST_16BF of f32
    {"gfx950", 700, 0, "S", "S", "S", 's', forward | has_grad, "S", any},
    {"gfx950", 700, 0, "S", "S", "S", 's', has_bias | has_rows | has_from_b, "S", any},
    {"gfx950", 700, 0, "S", "S", "S", 'b', forward, "S", any},
    {"gfx950", 700, 0, "D", "D", "D", 'd', 0, "", any},
    {"gfx950", 700, 0, "I", "I", "JI", 'i', has_act | has_rows, "", any},
    {"gfx950", 700, 0, "H", "H", "H", 's', aux_all | has_grad, "SH", any},
    {"gfx950", 700, 0, "H", "H", "H", 'h', forward, "SH", any},
    {"gfx950", 700, 0, "B", "B", "B", 's', aux_all | has_grad, "SB", any},
    {"gfx950", 700, 0, "H", "H", "H", 's', has_bias | has_rows | has_from_b, "SH", any},
    {"gfx950", 700, 0, "B", "B", "B", 's', has_bias | has_rows | has_from_b, "SB", any},
    {"gfx950", 700, 0, "HB", "HB", "S", 's', forward, "S", any},
    {"gfx950", 700, 0, "FG", "FG", "HBS", 's', forward | has_scale, "SHB", any},
    {"gfx950", 700, 0, "FG", "FG", "S", 's', has_bias | has_rows | has_from_b | has_scale, "SB", any},
    {"gfx950", 700, 0, "FG", "FG", "FG", 's', fp8_out | has_amax, "SHB", any},
    {"gfx950", 700, 0, "F", "F", "HB", 's', forward | has_outer, "SHB", any},
    {"gfx950", 700, 0, "FG", "FG", "HBS", 's', forward | has_blocks, "SHB", tn},
    // gfx1100 (navi31)
    {"gfx1100", 0, 602, "H", "H", "S", 's', has_bias | has_act, "S", nn | nt | tn},
    {"gfx1100", 0, 602, "B", "B", "S", 's', has_bias | has_act, "S", nn | nt | tn},
    {"gfx1100", 602, 0, "H", "H", "S", 's', forward, "S", nn | nt | tn},
    {"gfx1100", 602, 0, "B", "B", "S", 's', forward, "S", nn | nt | tn},
    {"gfx1100", 602, 0, "HB", "HB", "S", 's', has_act | has_rows, "", tt},
    {"gfx1100", 602, 0, "H", "H", "H", 's', aux_all, "SH", any},
    {"gfx1100", 602, 0, "B", "B", "B", 's', aux_all, "SB", any},
    {"gfx1100", 602, 0, "I", "I", "IJ", 'i', has_act | has_rows, "", any},
    {"gfx1100", 603, 0, "S", "S", "S", 's', forward, "S", any},
    {"gfx1100", 603, 0, "D", "D", "D", 'd', 0, "", any},
    // gfx1201
    {"gfx1201", 604, 0, "S", "S", "S", 's', forward, "S", any},
    {"gfx1201", 604, 0, "D", "D", "D", 'd', 0, "", any},
    {"gfx1201", 604, 0, "H", "H", "H", 's', aux_all, "SH", any},
    {"gfx1201", 604, 0, "B", "B", "B", 's', forward, "SB", any},
    {"gfx1201", 604, 0, "HB", "HB", "S", 's', forward, "S", any},
    {"gfx1201", 604, 0, "I", "I", "IJ", 'i', has_act | has_rows, "", any},
    {"gfx1201", 604, 0, "FG", "FG", "FGHBS", 's', forward | has_scale, "SHB", any},
};

char letter(int32_t type) {
  const bool fnuz = arch_is("gfx942");
  switch (type) {
    case HIP_R_32F:
      return 'S';
    case HIP_R_64F:
      return 'D';
    case HIP_R_16F:
      return 'H';
    case HIP_R_16BF:
      return 'B';
    case HIP_R_8I:
      return 'I';
    case HIP_R_32I:
      return 'J';
    case HIP_C_32F:
      return 'C';
    case HIP_C_64F:
      return 'Z';
    case HIP_R_8F_E4M3_FNUZ:
      return fnuz ? 'F' : '?';
    case HIP_R_8F_E5M2_FNUZ:
      return fnuz ? 'G' : '?';
    case HIP_R_8F_E4M3:
      return fnuz ? '?' : 'F';
    case HIP_R_8F_E5M2:
      return fnuz ? '?' : 'G';
  }
  return '?';
}

bool among(int32_t type, const char* letters) { return strchr(letters, letter(type)) != nullptr; }

char compute_letter(const Work& w) {
  switch (w.compute) {
    case HIPBLAS_COMPUTE_16F:
      return 'h';
    case HIPBLAS_COMPUTE_32F:
      return 's';
    case HIPBLAS_COMPUTE_32F_FAST_16F:
      return w.a.type == HIP_R_16F && w.b.type == HIP_R_16F ? 's' : '?';
    case HIPBLAS_COMPUTE_32F_FAST_16BF:
      return w.a.type == HIP_R_16BF && w.b.type == HIP_R_16BF ? 's' : 'b';
    case HIPBLAS_COMPUTE_32F_FAST_TF32:
      return 'x';
    case HIPBLAS_COMPUTE_64F:
      return 'd';
    case HIPBLAS_COMPUTE_32I:
      return 'i';
  }
  const bool fnuz = w.compute >= 100 && w.compute <= 103, ocp = w.compute >= 104 && w.compute <= 107;
  return (fnuz && arch_is("gfx942")) || (ocp && !arch_is("gfx942")) ? 'f' : '?';
}

unsigned needed(const Work& w) {
  const Epilogue& e = w.epilogue;
  unsigned f = 0;
  if (e.bias) f |= e.bias_from == 'A' ? has_bias | has_from_a : e.bias_from == 'B' ? has_bias | has_from_b : has_bias;
  if (e.act != Act::none) f |= has_act;
  if (e.aux) f |= e.gradient ? has_grad : has_aux;
  if (e.aux && e.bias && !e.gradient) f |= has_aux_bias;
  if (w.alpha_rows) f |= has_rows;
  if (w.scale_a || w.scale_b)
    f |= w.scale_mode == HIPBLASLT_MATMUL_MATRIX_SCALE_OUTER_VEC_32F ? has_outer
         : w.scale_mode == HIPBLASLT_MATMUL_MATRIX_SCALE_VEC32_UE8M0 ? has_blocks
                                                                     : has_scale;
  if (w.scale_c || w.scale_d || w.scale_aux) f |= has_cd;
  if (w.amax_d) f |= has_amax;
  return f;
}

// The values of ReLU and of its gradient by the auxiliary matrix: f16 and bf16 of gfx942.
bool activation_exists(const Work& w) {
  const bool by_relu = w.epilogue.act == Act::drelu || (w.epilogue.act == Act::relu && w.epilogue.aux);
  if (by_relu) return arch_is("gfx942") && (w.d.type == HIP_R_16F || w.d.type == HIP_R_16BF);
  const bool integer = w.compute == HIPBLAS_COMPUTE_32I;
  return !integer || w.epilogue.act == Act::none || w.epilogue.act == Act::relu;
}

bool fits(const Kernels& row, const Work& w, char compute) {
  if (release() < row.since || (row.removed != 0 && release() >= row.removed) || !strstr(row.chips, arch()))
    return false;
  const bool na = w.ta == rocblas_operation_none, nb = w.tb == rocblas_operation_none;
  const unsigned orientation = na ? (nb ? nn : nt) : (nb ? tn : tt);
  if (row.compute != compute || !(row.orientations & orientation)) return false;
  if (!among(w.a.type, row.a) || !among(w.b.type, row.b) || !among(w.d.type, row.d)) return false;
  const bool two_of_16 = row.a[0] == 'H' && row.a[1] == 'B';  // a row for f16 and bf16 does not mix them
  if (two_of_16 && (w.a.type != w.b.type || (row.d[0] == 'H' && w.d.type != w.a.type))) return false;
  const unsigned wanted = needed(w);
  if ((wanted & ~row.features) != 0) return false;
  if ((wanted & has_bias) && !among(w.bias_type, row.bias)) return false;
  if (w.epilogue.aux && w.aux.type != w.d.type) return false;
  return activation_exists(w);
}

}  // namespace

bool library_exists() {
  for (const Kernels& row : kernels)
    if (strstr(row.chips, arch()) && release() >= row.since) return true;
  return false;
}

int kernel_count() { return static_cast<int>(sizeof kernels / sizeof kernels[0]); }

// Where no kernel multiplies in XF32, the plain ones do.
int32_t kernel_for(const Work& w) {
  const char compute = compute_letter(w);
  for (const char c : {compute, compute == 'x' ? 's' : '\0'})
    for (int i = 0; i < kernel_count(); ++i)
      if (c != '\0' && fits(kernels[i], w, c)) return i;
  return no_kernel;
}

bool kernel_can(int32_t index, const Work& w) {
  if (index < 0 || index >= kernel_count()) return false;
  const char compute = compute_letter(w);
  return fits(kernels[index], w, compute) || (compute == 'x' && fits(kernels[index], w, 's'));
}

bool epilogue_exists(int32_t epilogue) {
  switch (epilogue) {
    case HIPBLASLT_EPILOGUE_SWISH_EXT:
    case HIPBLASLT_EPILOGUE_SWISH_BIAS_EXT:
      return release() >= 700;
    case HIPBLASLT_EPILOGUE_RELU_AUX:
    case HIPBLASLT_EPILOGUE_RELU_AUX_BIAS:
    case HIPBLASLT_EPILOGUE_CLAMP_EXT:
    case HIPBLASLT_EPILOGUE_CLAMP_BIAS_EXT:
    case HIPBLASLT_EPILOGUE_CLAMP_AUX_EXT:
    case HIPBLASLT_EPILOGUE_CLAMP_AUX_BIAS_EXT:
      return release() >= 701;
    case HIPBLASLT_EPILOGUE_SIGMOID_EXT:
    case HIPBLASLT_EPILOGUE_SIGMOID_BIAS_EXT:
      return release() >= 702 && release() < 1000;
    case HIPBLASLT_EPILOGUE_DRELU:
    case HIPBLASLT_EPILOGUE_DRELU_BGRAD:
    case HIPBLASLT_EPILOGUE_SIGMOID:
      return release() >= 1000;
  }
  return parts(epilogue).known;
}

Epilogue parts(int32_t epilogue) {
  const auto forward_of = [](Act act, bool bias, bool aux) { return Epilogue{true, act, bias, aux, false, 'D'}; };
  const auto gradient_of = [](Act act, bool bias, bool aux, char from) {
    return Epilogue{true, act, bias, aux, true, from};
  };
  switch (epilogue) {
    case HIPBLASLT_EPILOGUE_DEFAULT:
      return forward_of(Act::none, false, false);
    case HIPBLASLT_EPILOGUE_BIAS:
      return forward_of(Act::none, true, false);
    case HIPBLASLT_EPILOGUE_RELU:
    case HIPBLASLT_EPILOGUE_RELU_BIAS:
      return forward_of(Act::relu, epilogue == HIPBLASLT_EPILOGUE_RELU_BIAS, false);
    case HIPBLASLT_EPILOGUE_RELU_AUX:
    case HIPBLASLT_EPILOGUE_RELU_AUX_BIAS:
      return forward_of(Act::relu, epilogue == HIPBLASLT_EPILOGUE_RELU_AUX_BIAS, true);
    case HIPBLASLT_EPILOGUE_GELU:
    case HIPBLASLT_EPILOGUE_GELU_BIAS:
      return forward_of(Act::gelu, epilogue == HIPBLASLT_EPILOGUE_GELU_BIAS, false);
    case HIPBLASLT_EPILOGUE_GELU_AUX:
    case HIPBLASLT_EPILOGUE_GELU_AUX_BIAS:
      return forward_of(Act::gelu, epilogue == HIPBLASLT_EPILOGUE_GELU_AUX_BIAS, true);
    case HIPBLASLT_EPILOGUE_SWISH_EXT:
    case HIPBLASLT_EPILOGUE_SWISH_BIAS_EXT:
      return forward_of(Act::swish, epilogue == HIPBLASLT_EPILOGUE_SWISH_BIAS_EXT, false);
    case HIPBLASLT_EPILOGUE_CLAMP_EXT:
    case HIPBLASLT_EPILOGUE_CLAMP_BIAS_EXT:
      return forward_of(Act::clamp, epilogue == HIPBLASLT_EPILOGUE_CLAMP_BIAS_EXT, false);
    case HIPBLASLT_EPILOGUE_CLAMP_AUX_EXT:
    case HIPBLASLT_EPILOGUE_CLAMP_AUX_BIAS_EXT:
      return forward_of(Act::clamp, epilogue == HIPBLASLT_EPILOGUE_CLAMP_AUX_BIAS_EXT, true);
    case HIPBLASLT_EPILOGUE_SIGMOID:
    case HIPBLASLT_EPILOGUE_SIGMOID_EXT:
    case HIPBLASLT_EPILOGUE_SIGMOID_BIAS_EXT:
      return forward_of(Act::sigmoid, epilogue == HIPBLASLT_EPILOGUE_SIGMOID_BIAS_EXT, false);
    case HIPBLASLT_EPILOGUE_DGELU:
    case HIPBLASLT_EPILOGUE_DGELU_BGRAD:
      return gradient_of(Act::dgelu, epilogue == HIPBLASLT_EPILOGUE_DGELU_BGRAD, true, 'D');
    case HIPBLASLT_EPILOGUE_DRELU:
    case HIPBLASLT_EPILOGUE_DRELU_BGRAD:
      return gradient_of(Act::drelu, epilogue == HIPBLASLT_EPILOGUE_DRELU_BGRAD, true, 'D');
    case HIPBLASLT_EPILOGUE_BGRADA:
      return gradient_of(Act::none, true, false, 'A');
    case HIPBLASLT_EPILOGUE_BGRADB:
      return gradient_of(Act::none, true, false, 'B');
  }
  return {};
}

}  // namespace sx::lt
