// cublasLtMatmul, and the questions about it: heuristics and checks of algorithms.
#include <string.h>

#include <utility>

#include "algo.h"

namespace sx_lt {
namespace {

constexpr auto kFine = CUBLAS_STATUS_SUCCESS;
constexpr auto kBad = CUBLAS_STATUS_INVALID_VALUE;
constexpr auto kUnsupported = CUBLAS_STATUS_NOT_SUPPORTED;

// A handle of cuBLASLt or of cuBLAS.
sx_blas_slot* slot_of(const void* handle) {
  sx_blas_slot* const slot = sx_slot_of(handle, SX_KIND_LT);
  return SX_LIKELY(slot != nullptr) ? slot : sx_slot_of(handle, SX_KIND_BLAS);
}

// The handle's device is the current one while this lives.
class OnDevice {
 public:
  explicit OnDevice(int device) {
    if (SX_LIKELY(sx_core.device_count <= 1)) return;
    int now = -1;
    if (sx_rocm->hipGetDevice(&now) == hipSuccess && now != device && sx_rocm->hipSetDevice(device) == hipSuccess)
      before_ = now;
  }
  ~OnDevice() {
    if (SX_UNLIKELY(before_ >= 0)) sx_rocm->hipSetDevice(before_);
  }
  OnDevice(const OnDevice&) = delete;
  OnDevice& operator=(const OnDevice&) = delete;

 private:
  int before_ = -1;
};

sx_lt_plan* find_plan(sx_lt_thread* thread, const Call& call, int device, hipStream_t stream, uint64_t workspace,
                      Verdict* verdict) {
  const uint64_t hash = hash_of(call, device);
  sx_lt_plan* const plan = thread->plans[hash % SX_LT_PLANS];
  if (SX_LIKELY(plan != nullptr && plan->hash == hash && has_key(*plan, call, device))) {
    ++thread->hits;
    *verdict = {kFine, false};
    return plan;
  }
  ++thread->misses;
  return make_plan(thread, call, hash, device, stream, workspace, verdict);
}

bool is_zero(const void* scalar, int32_t type) {
  static constexpr unsigned char zeros[16] = {};
  unsigned char value[16];
  const size_t bytes = sx_data_bytes(type);
  memcpy(value, scalar, bytes);
  for (size_t at = type == CUDA_R_32I ? bytes : (is_complex(type) ? bytes / 2 : bytes); at >= 2; at += bytes / 2) {
    if (type != CUDA_R_32I) value[at - 1] &= 0x7f;  // minus zero is zero
    if (at >= bytes) break;
  }
  return memcmp(value, zeros, bytes) == 0;
}

cublasStatus_t check_data(const Call& call, const Problem& p, Data* data, const void* workspace, size_t bytes) {
  const auto refuse = [&](const char* what) {
    sx_lt_log(SX_LT_ERROR, call.function, "%s", what);
    return kBad;
  };
  if (data->a == nullptr || data->b == nullptr || data->d == nullptr) return refuse("A, B or D is NULL");
  if (data->alpha == nullptr) return refuse("alpha is NULL");
  const bool beta_zero_mode = p.pointer_mode == CUBLASLT_POINTER_MODE_ALPHA_DEVICE_VECTOR_BETA_ZERO;
  if (data->beta == nullptr && !beta_zero_mode) return refuse("beta is NULL");
  if (data->c == nullptr) {
    const bool host = p.pointer_mode != CUBLASLT_POINTER_MODE_DEVICE;
    if (host && !is_zero(data->beta, p.scale_type)) return refuse("C is NULL, and beta is not 0");
    data->c = data->d;
  }
  if (bytes == 0) return kFine;
  if (workspace == nullptr) return refuse("the workspace is NULL, and its size is not 0");
  if (reinterpret_cast<uintptr_t>(workspace) % 256 != 0) return refuse("the workspace is not aligned to 256 bytes");
  return kFine;
}

// The native algorithm of a call; nullptr: none that fits. ``given`` means the same one wherever it is used again on
// its problem; on another problem, or without one, the best that fits is taken.
const hipblasLtMatmulAlgo_t* choose(sx_lt_thread* thread, sx_lt_plan* plan, const Algo* given, const Data& data,
                                    size_t bytes) {
  const bool own = given != nullptr && given->magic == kAlgoMagic;
  const int rank = own ? given->rank : 0;
  const auto fits = [&](bool same) {
    if (rank >= plan->algo_count) return false;
    const size_t need = plan->algos[rank].workspaceSize;
    return need <= bytes && (!same || need == given->workspace);
  };
  if (SX_LIKELY(fits(own))) return &plan->algos[rank].algo;
  if (own && plan->limit != given->limit && find_algorithms(thread, plan, data.device, data.stream, given->limit) &&
      fits(false))
    return &plan->algos[rank].algo;
  for (int i = 0; i < plan->algo_count; ++i) {
    if (plan->algos[i].workspaceSize <= bytes) return &plan->algos[i].algo;
  }
  return find_algorithms(thread, plan, data.device, data.stream, bytes) ? &plan->algos[0].algo : nullptr;
}

cublasStatus_t check_chosen(const Call& call, const Algo* algo, size_t bytes, const Data& data) {
  const cublasStatus_t status = check_algo(call, *algo);
  if (status != kFine) {  // measured: another type is 7 from the check, 15 from the product
    return algo->magic == kAlgoMagic && algo->custom <= 2 && algo->custom >= 0 ? kUnsupported : status;
  }
  if (algo->magic != kAlgoMagic) return kFine;
  if (algo->workspace > bytes) {
    sx_lt_log(SX_LT_ERROR, call.function, "the algorithm needs a workspace of %llu bytes",
              static_cast<unsigned long long>(algo->workspace));
    return kBad;
  }
  if (!sx_exact || type_bytes(call.a->type) != 2) return kFine;
  const uintptr_t all =
      reinterpret_cast<uintptr_t>(data.a) | reinterpret_cast<uintptr_t>(data.b) | reinterpret_cast<uintptr_t>(data.d);
  return all % (uintptr_t{1} << algo->align) == 0 ? kFine : kUnsupported;
}

uint32_t milli_waves(const Problem& p) {
  const int64_t tiles = ((p.m + 127) / 128) * ((p.n + 127) / 128) * (p.batch > 0 ? p.batch : 1);
  return static_cast<uint32_t>(tiles * 1000 / 304);
}

void fill(cublasLtMatmulHeuristicResult_t* result, const Algo* algo, uint64_t workspace, cublasStatus_t state,
          float waves) {
  memset(static_cast<void*>(result), 0, sizeof *result);
  if (algo != nullptr) memcpy(&result->algo, algo, sizeof *algo);
  result->workspaceSize = workspace;
  result->state = state;
  result->wavesCount = waves;
}

cublasStatus_t heuristic(sx_blas_slot* slot, const Call& call, const Preference& preference, int requested,
                         cublasLtMatmulHeuristicResult_t results[], int* count, hipStream_t stream) {
  sx_lt_thread* const thread = sx_lt_this_thread();
  if (thread == nullptr) return CUBLAS_STATUS_ALLOC_FAILED;
  const OnDevice on(slot->device);
  Algo given{};
  if (preference.search == CUBLASLT_SEARCH_LIMITED_BY_ALGO_ID) {
    memcpy(static_cast<void*>(&given), &results[0].algo, sizeof given);
    if (given.magic != kAlgoMagic || check_algo(call, given) != kFine) {
      results[0].state = CUBLAS_STATUS_NOT_INITIALIZED;
      return kBad;
    }
  }
  Verdict verdict{};
  const bool grouped = is_grouped(call);
  if (grouped) verdict = check_groups(call);
  sx_lt_plan* const plan =
      grouped ? nullptr : find_plan(thread, call, slot->device, stream, preference.workspace, &verdict);
  const uint32_t aligns[] = {preference.align_a, preference.align_b, preference.align_c, preference.align_d};
  const MatrixLayout* const layouts[] = {call.a, call.b, call.c, call.d};
  for (int i = 0; plan != nullptr && i < 4; ++i) {
    if (aligns[i] < type_bytes(layouts[i]->type)) verdict = {kUnsupported, true};
  }
  if (verdict.status != kFine) {
    if (!verdict.late) return verdict.status;
    *count = 0;
    for (int i = 0; i < requested; ++i) fill(&results[i], nullptr, 0, CUBLAS_STATUS_NOT_INITIALIZED, 0);
    return verdict.status;
  }
  int found = 0;
  const float waves = plan != nullptr ? static_cast<float>(milli_waves(route_of(plan).problem)) / 1000 : 1;
  const bool limited = given.magic == kAlgoMagic;
  const bool native = plan != nullptr && route_of(plan).way == Way::Native;
  if (native && (plan->limit == preference.workspace ||
                 find_algorithms(thread, plan, slot->device, stream, preference.workspace))) {
    for (int rank = 0; rank < plan->algo_count && found < requested; ++rank) {
      const uint64_t need = plan->algos[rank].workspaceSize;
      if (need > preference.workspace || (limited && rank != given.rank)) continue;
      Algo a = limited ? given : algo_for(call, rank);
      a.workspace = need;
      a.limit = preference.workspace;
      fill(&results[found++], &a, need, kFine, waves);
    }
  }
  if (plan != nullptr) prepare_kernels(route_of(plan), stream);
  if (found == 0) {  // computed without a native algorithm, or one that makes do with the workspace of the call
    Algo a = limited ? given : algo_for(call, 0);
    const size_t need = plan != nullptr ? scratch_bytes(route_of(plan)) : 0;
    a.workspace = need <= preference.workspace ? need : 0;
    fill(&results[found++], &a, a.workspace, kFine, waves);
  }
  *count = found;
  for (int i = found; i < requested; ++i) fill(&results[i], nullptr, 0, CUBLAS_STATUS_NOT_INITIALIZED, 0);
  return kFine;
}

cublasStatus_t ask_heuristic(const char* function, cublasLtHandle_t handle, cublasLtMatmulDesc_t desc,
                             cublasLtMatrixLayout_t a, cublasLtMatrixLayout_t b, cublasLtMatrixLayout_t c,
                             cublasLtMatrixLayout_t d, cublasLtMatmulPreference_t preference, int requested,
                             cublasLtMatmulHeuristicResult_t results[], int* count, hipStream_t stream) {
  sx_blas_slot* const slot = slot_of(handle);
  if (slot == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;
  if (requested <= 0 || results == nullptr || count == nullptr || !good(state_of(preference))) {
    sx_lt_log(SX_LT_ERROR, function, "%d results requested, preference %p, results %p, count %p", requested,
              static_cast<void*>(preference), static_cast<void*>(results), static_cast<void*>(count));
    return kBad;
  }
  Call call;
  if (!collect(&call, function, desc, a, b, c, d)) return kBad;
  const Preference* const given = state_of(preference);
  if (SX_LIKELY(given->head.size == sizeof *given))
    return heuristic(slot, call, *given, requested, results, count, stream);
  Preference full;
  init(&full, sizeof full);
  memcpy(static_cast<void*>(&full), given, given->head.size);
  return heuristic(slot, call, full, requested, results, count, stream);
}

cublasStatus_t ask_check(const char* function, cublasLtHandle_t handle, cublasLtMatmulDesc_t desc,
                         cublasLtMatrixLayout_t a, cublasLtMatrixLayout_t b, cublasLtMatrixLayout_t c,
                         cublasLtMatrixLayout_t d, const cublasLtMatmulAlgo_t* algo,
                         cublasLtMatmulHeuristicResult_t* result, hipStream_t stream) {
  sx_blas_slot* const slot = slot_of(handle);
  if (slot == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;
  if (algo == nullptr || result == nullptr) return kBad;
  Call call;
  if (!collect(&call, function, desc, a, b, c, d)) return kBad;
  sx_lt_thread* const thread = sx_lt_this_thread();
  if (thread == nullptr) return CUBLAS_STATUS_ALLOC_FAILED;
  const OnDevice on(slot->device);
  const Algo& mine = *state_of(algo);
  cublasStatus_t status = mine.magic == kAlgoMagic || any_algorithm(mine) ? check_algo(call, mine) : kUnsupported;
  const bool types = status == kBad && mine.custom >= 0 && mine.custom <= 2;
  if (types) return status;  // measured: the result is untouched
  Verdict verdict{};
  sx_lt_plan* plan = nullptr;
  if (status == kFine && is_grouped(call)) {
    status = check_groups(call).status;
  } else if (status == kFine) {
    plan = find_plan(thread, call, slot->device, stream, mine.workspace, &verdict);
    status = verdict.status;
  }
  Algo filled = mine;
  if (any_algorithm(mine)) filled = algo_for(call, 0);
  const float waves = plan != nullptr ? static_cast<float>(milli_waves(route_of(plan).problem)) / 1000 : 0;
  fill(result, &filled, filled.workspace, status, waves);
  return status;
}

}  // namespace

cublasStatus_t multiply(const Call& call, Data* data, const Chosen& chosen) {
  sx_lt_thread* const thread = sx_lt_this_thread();
  if (SX_UNLIKELY(thread == nullptr)) return CUBLAS_STATUS_ALLOC_FAILED;
  Verdict verdict;
  sx_lt_plan* const plan = find_plan(thread, call, data->device, data->stream, chosen.bytes, &verdict);
  if (SX_UNLIKELY(plan == nullptr)) return verdict.status;
  const Route& r = route_of(plan);
  cublasStatus_t status = check_data(call, r.problem, data, chosen.workspace, chosen.bytes);
  if (SX_UNLIKELY(status != kFine)) return status;
  status = validate_pointers(call, r.problem);
  if (SX_UNLIKELY(status != kFine)) return status;
  const Algo* const algo = chosen.algo;
  if (algo != nullptr) {
    status = check_chosen(call, algo, chosen.bytes, *data);
    if (SX_UNLIKELY(status != kFine)) return status;
  }
  if (SX_UNLIKELY(r.problem.empty)) {  // measured
    sx_lt_log(SX_LT_ERROR, call.function, "there is nothing to compute: rows, columns or BATCH_COUNT of D are 0");
    return CUBLAS_STATUS_EXECUTION_FAILED;
  }
  if (SX_UNLIKELY((sx_lt_process.log_mask & (SX_LT_TRACE | SX_LT_HINT)) != 0)) trace(call, r, *data, chosen);
  if (r.problem.swapped) std::swap(data->a, data->b);
  const hipblasLtMatmulAlgo_t* native = nullptr;
  if (SX_LIKELY(r.way == Way::Native)) {
    native = choose(thread, plan, algo, *data, chosen.bytes);
    if (SX_UNLIKELY(native == nullptr)) return run_composed(composed(r), *call.desc, *data);
  }
  return run(thread, plan, *call.desc, *data, native, chosen.workspace, chosen.bytes);
}

}  // namespace sx_lt

using namespace sx_lt;

cublasStatus_t sx_matmul(cublasLtHandle_t handle, cublasLtMatmulDesc_t desc, const void* alpha, const void* A,
                         cublasLtMatrixLayout_t Adesc, const void* B, cublasLtMatrixLayout_t Bdesc, const void* beta,
                         const void* C, cublasLtMatrixLayout_t Cdesc, void* D, cublasLtMatrixLayout_t Ddesc,
                         const cublasLtMatmulAlgo_t* algo, void* workspace, size_t bytes, cudaStream_t stream) {
  sx_blas_slot* const slot = slot_of(handle);
  if (SX_UNLIKELY(slot == nullptr)) return CUBLAS_STATUS_NOT_INITIALIZED;
  Call call;
  if (!collect(&call, "cublasLtMatmul", desc, Adesc, Bdesc, Cdesc, Ddesc)) return kBad;
  const OnDevice on(slot->device);
  Data data{alpha, beta, A, B, C, D, sx_to_hip_stream(stream), slot->device, workspace, bytes};
  const Chosen chosen{algo != nullptr ? state_of(algo) : nullptr, workspace, bytes};
  if (SX_UNLIKELY(is_grouped(call))) return run_groups(call, data, chosen);
  return multiply(call, &data, chosen);
}

cublasStatus_t sx_heuristic(cublasLtHandle_t handle, cublasLtMatmulDesc_t desc, cublasLtMatrixLayout_t a,
                            cublasLtMatrixLayout_t b, cublasLtMatrixLayout_t c, cublasLtMatrixLayout_t d,
                            cublasLtMatmulPreference_t preference, int requested,
                            cublasLtMatmulHeuristicResult_t results[], int* count) {
  return ask_heuristic("cublasLtMatmulAlgoGetHeuristic", handle, desc, a, b, c, d, preference, requested, results,
                       count, nullptr);
}

cublasStatus_t sx_heuristic(cublasLtHandle_t handle, cublasLtMatmulDesc_t desc, cublasLtMatrixLayout_t a,
                            cublasLtMatrixLayout_t b, cublasLtMatrixLayout_t c, cublasLtMatrixLayout_t d,
                            cublasLtMatmulPreference_t preference, int requested,
                            cublasLtMatmulHeuristicResult_t results[], int* count, cudaStream_t stream) {
  return ask_heuristic("cublasLtMatmulAlgoGetHeuristicForStream", handle, desc, a, b, c, d, preference, requested,
                       results, count, sx_to_hip_stream(stream));
}

cublasStatus_t sx_algo_check(cublasLtHandle_t handle, cublasLtMatmulDesc_t desc, cublasLtMatrixLayout_t a,
                             cublasLtMatrixLayout_t b, cublasLtMatrixLayout_t c, cublasLtMatrixLayout_t d,
                             const cublasLtMatmulAlgo_t* algo, cublasLtMatmulHeuristicResult_t* result) {
  return ask_check("cublasLtMatmulAlgoCheck", handle, desc, a, b, c, d, algo, result, nullptr);
}

cublasStatus_t sx_algo_check(cublasLtHandle_t handle, cublasLtMatmulDesc_t desc, cublasLtMatrixLayout_t a,
                             cublasLtMatrixLayout_t b, cublasLtMatrixLayout_t c, cublasLtMatrixLayout_t d,
                             const cublasLtMatmulAlgo_t* algo, cublasLtMatmulHeuristicResult_t* result,
                             cudaStream_t stream) {
  return ask_check("cublasLtMatmulAlgoCheckForStream", handle, desc, a, b, c, d, algo, result,
                   sx_to_hip_stream(stream));
}
