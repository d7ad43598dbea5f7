// Algorithms: classes of problems with settings. There is nothing to tune behind the settings, but programs enumerate,
// check, store and set them, so they answer as one of NVIDIA's algorithms does.
#include "algo.h"

#include <string.h>

#include "attributes.h"

namespace sx_lt {
namespace {

constexpr auto kFine = CUBLAS_STATUS_SUCCESS;
constexpr auto kBad = CUBLAS_STATUS_INVALID_VALUE;
constexpr auto kUnsupported = CUBLAS_STATUS_NOT_SUPPORTED;

constexpr int32_t kTiles[] = {11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23};
constexpr int32_t kStages = 31;
constexpr int32_t kReductions = CUBLASLT_REDUCTION_SCHEME_COMPUTE_TYPE;
constexpr int32_t kCustomOptions = 2;
constexpr int kIds = 100;  // of all algorithms of NVIDIA's, and some more

uint64_t numerics(const Algo& a) {
  switch (a.a) {
    case CUDA_R_64F:
    case CUDA_C_64F:
      return CUBLASLT_NUMERICAL_IMPL_FLAGS_FMA | CUBLASLT_NUMERICAL_IMPL_FLAGS_ACCUMULATOR_64F |
             CUBLASLT_NUMERICAL_IMPL_FLAGS_INPUT_64F;
    case CUDA_R_16F:
      return CUBLASLT_NUMERICAL_IMPL_FLAGS_HMMA | CUBLASLT_NUMERICAL_IMPL_FLAGS_ACCUMULATOR_32F |
             CUBLASLT_NUMERICAL_IMPL_FLAGS_INPUT_16F;
    case CUDA_R_16BF:
      return CUBLASLT_NUMERICAL_IMPL_FLAGS_HMMA | CUBLASLT_NUMERICAL_IMPL_FLAGS_ACCUMULATOR_32F |
             CUBLASLT_NUMERICAL_IMPL_FLAGS_INPUT_16BF;
    case CUDA_R_8I:
      return CUBLASLT_NUMERICAL_IMPL_FLAGS_IMMA | CUBLASLT_NUMERICAL_IMPL_FLAGS_ACCUMULATOR_32I |
             CUBLASLT_NUMERICAL_IMPL_FLAGS_INPUT_8I;
    default:
      return CUBLASLT_NUMERICAL_IMPL_FLAGS_FMA | CUBLASLT_NUMERICAL_IMPL_FLAGS_ACCUMULATOR_32F |
             CUBLASLT_NUMERICAL_IMPL_FLAGS_INPUT_32F;
  }
}

template <class T>
bool listed(const T& list, int32_t value) {
  for (const int32_t x : list) {
    if (x == value) return true;
  }
  return false;
}

// log2 of what a matrix's columns and pointer are aligned to, as far as its kernels care: at most 16 bytes.
int alignment(const MatrixLayout& x) {
  const uint64_t bytes = static_cast<uint64_t>(x.ld) * type_bytes(x.type) | 16;
  return __builtin_ctzll(bytes);
}

int alignment(const Call& call) {
  int least = 4;
  for (const MatrixLayout* x : {call.a, call.b, call.c, call.d}) {
    const int own = alignment(*x);
    if (own < least) least = own;
  }
  return least;
}

cublasStatus_t check_settings(const Algo& a) {
  if (a.custom < 0 || a.custom > kCustomOptions) return kBad;
  const bool fine = listed(kTiles, a.tile) && a.stages == kStages && (a.reduction & ~kReductions) == 0 &&
                    a.inner <= CUBLASLT_MATMUL_INNER_SHAPE_END && a.cluster < CUBLASLT_CLUSTER_SHAPE_END;
  return fine ? kFine : kUnsupported;
}

}  // namespace

Algo default_algo(int rank, int compute, int scale, int a, int b, int c, int d) {
  Algo s{};
  s.magic = kAlgoMagic;
  s.rank = static_cast<uint8_t>(rank);
  s.compute = static_cast<uint8_t>(compute);
  s.scale = static_cast<uint8_t>(scale);
  s.a = static_cast<uint8_t>(a);
  s.b = static_cast<uint8_t>(b);
  s.c = static_cast<uint8_t>(c);
  s.d = static_cast<uint8_t>(d);
  s.id = rank;
  s.tile = kTiles[0];
  s.split_k = 1;
  s.stages = kStages;
  s.ten = 1;
  return s;
}

Algo algo_for(const Call& call, int rank) {
  Algo a = default_algo(rank, call.desc->compute_type, call.desc->scale_type, call.a->type, call.b->type, call.c->type,
                        call.d->type);
  a.align = static_cast<uint8_t>(alignment(call));
  return a;
}

bool any_algorithm(const Algo& a) { return a.magic == ~0u && a.id == -1; }

cublasStatus_t check_algo(const Call& call, const Algo& a) {
  if (any_algorithm(a)) return kFine;
  if (a.magic != kAlgoMagic) return kUnsupported;
  const MatmulDesc& d = *call.desc;
  if (a.a != call.a->type || a.b != call.b->type || (a.c != call.c->type && call.c != call.d) || a.d != call.d->type ||
      a.compute != d.compute_type || a.scale != d.scale_type) {
    sx_lt_log(SX_LT_ERROR, call.function, "the algorithm is for other types: A %d, B %d, C %d, D %d", a.a, a.b, a.c,
              a.d);
    return kBad;
  }
  const cublasStatus_t settings = check_settings(a);
  if (settings != kFine) {
    sx_lt_log(SX_LT_ERROR, call.function, "a setting of the algorithm is impossible");
    return settings;
  }
  // NVIDIA's kernels for narrow types read whole vectors; these here do not
  if (sx_exact && type_bytes(call.a->type) <= 2 && alignment(call) < a.align) return kUnsupported;
  return kFine;
}

}  // namespace sx_lt

using namespace sx_lt;

cublasStatus_t sx_algo_ids(cublasLtHandle_t handle, cublasComputeType_t compute, cudaDataType_t scale, cudaDataType_t a,
                           cudaDataType_t b, cudaDataType_t c, cudaDataType_t d, int requested, int ids[], int* count) {
  if (!sx_slot_of(handle, SX_KIND_LT) && !sx_slot_of(handle, SX_KIND_BLAS)) return CUBLAS_STATUS_NOT_INITIALIZED;
  if (count == nullptr) return kBad;
  if (requested <= 0) {
    *count = 0;
    return kBad;
  }
  const cublasStatus_t types = supported_types(compute, scale, a, b, c, d);
  if (types == kBad) {  // measured: nothing for types that do not go together
    *count = 0;
    return kFine;
  }
  if (types != kFine) return types;
  if (ids == nullptr) return kBad;
  *count = requested < SX_LT_ALGOS ? requested : SX_LT_ALGOS;
  for (int i = 0; i < *count; ++i) ids[i] = i;
  return kFine;
}

// -1 is "any", as NVIDIA takes it.
cublasStatus_t sx_algo_init(cublasLtHandle_t handle, cublasComputeType_t compute, cudaDataType_t scale,
                            cudaDataType_t a, cudaDataType_t b, cudaDataType_t c, cudaDataType_t d, int id,
                            cublasLtMatmulAlgo_t* algo) {
  if (!sx_slot_of(handle, SX_KIND_LT) && !sx_slot_of(handle, SX_KIND_BLAS)) return CUBLAS_STATUS_NOT_INITIALIZED;
  if (algo == nullptr) return kBad;
  if (supported_types(compute, scale, a, b, c, d) != kFine) return kUnsupported;
  if (id < -1 || id >= kIds) return kBad;
  if (id >= SX_LT_ALGOS) return kUnsupported;
  const Algo made = default_algo(id < 0 ? 0 : id, compute, scale, a, b, c, d);
  memset(algo, 0, sizeof *algo);
  memcpy(algo, &made, sizeof made);
  return kFine;
}

cublasStatus_t sx_algo_config_get(const cublasLtMatmulAlgo_t* algo, cublasLtMatmulAlgoConfigAttributes_t attr,
                                  void* buf, size_t size, size_t* written) {
  if (algo == nullptr) return kBad;
  return get_attribute(Kind::Algo, algo, sizeof(Algo), nullptr, attr, buf, size, written);
}

cublasStatus_t sx_algo_config_set(cublasLtMatmulAlgo_t* algo, cublasLtMatmulAlgoConfigAttributes_t attr,
                                  const void* buf, size_t size) {
  if (algo == nullptr || attr == CUBLASLT_ALGO_CONFIG_ID) return kBad;
  return set_attribute(Kind::Algo, algo, sizeof(Algo), attr, buf, size);
}

cublasStatus_t sx_algo_cap(const cublasLtMatmulAlgo_t* algo, cublasLtMatmulAlgoCapAttributes_t attr, void* buf,
                           size_t size, size_t* written) {
  if (algo == nullptr) return kBad;
  const Algo& a = *state_of(algo);
  const auto number = [&](int32_t value) { return give(&value, sizeof value, false, buf, size, written); };
  switch (static_cast<int>(attr)) {
    case CUBLASLT_ALGO_CAP_SPLITK_SUPPORT:
    case CUBLASLT_ALGO_CAP_CTA_SWIZZLING_SUPPORT:
    case CUBLASLT_ALGO_CAP_STRIDED_BATCH_SUPPORT:
    case CUBLASLT_ALGO_CAP_OUT_OF_PLACE_RESULT_SUPPORT:
    case CUBLASLT_ALGO_CAP_POINTER_ARRAY_BATCH_SUPPORT:
    case CUBLASLT_ALGO_CAP_POINTER_ARRAY_GROUPED_SUPPORT:
      return number(1);
    case CUBLASLT_ALGO_CAP_REDUCTION_SCHEME_MASK:
      return number(kReductions);
    case CUBLASLT_ALGO_CAP_UPLO_SUPPORT:
    case CUBLASLT_ALGO_CAP_CUSTOM_MEMORY_ORDER:
    case CUBLASLT_ALGO_CAP_LD_NEGATIVE:
    case CUBLASLT_ALGO_CAP_FLOATING_POINT_EMULATION_SUPPORT:
      return number(0);
    case CUBLASLT_ALGO_CAP_TILE_IDS:
      return give(kTiles, sizeof kTiles, true, buf, size, written);
    case CUBLASLT_ALGO_CAP_STAGES_IDS:
      return give(&kStages, sizeof kStages, true, buf, size, written);
    case CUBLASLT_ALGO_CAP_CUSTOM_OPTION_MAX:
      return number(kCustomOptions);
    case CUBLASLT_ALGO_CAP_POINTER_MODE_MASK:
      return number(CUBLASLT_POINTER_MODE_MASK_HOST | CUBLASLT_POINTER_MODE_MASK_DEVICE);
    case CUBLASLT_ALGO_CAP_EPILOGUE_MASK:
      return number(is_complex(a.d) || a.d == CUDA_R_32I ? CUBLASLT_EPILOGUE_DEFAULT : 0x3ff);
    case CUBLASLT_ALGO_CAP_NUMERICAL_IMPL_FLAGS: {
      const uint64_t flags = numerics(a);
      return give(&flags, sizeof flags, false, buf, size, written);
    }
    case CUBLASLT_ALGO_CAP_MIN_ALIGNMENT_A_BYTES:
      return number(static_cast<int32_t>(type_bytes(a.a)));
    case CUBLASLT_ALGO_CAP_MIN_ALIGNMENT_B_BYTES:
      return number(static_cast<int32_t>(type_bytes(a.b)));
    case CUBLASLT_ALGO_CAP_MIN_ALIGNMENT_C_BYTES:
      return number(static_cast<int32_t>(type_bytes(a.c)));
    case CUBLASLT_ALGO_CAP_MIN_ALIGNMENT_D_BYTES:
      return number(static_cast<int32_t>(type_bytes(a.d)));
    default:
      return kBad;
  }
}
