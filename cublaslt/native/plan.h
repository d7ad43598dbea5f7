// How a product is computed, decided once per problem and thread, with the native objects that it needs.
#pragma once

#include "native.h"
#include "problem.h"

namespace sx_lt {

// Ways, best first:
//   Native   one hipBLASLt call; a ReLU, whose NaN and whose bit mask differ from NVIDIA's, or the mask's derivative
//            follows in place
//   Rocblas  rocBLAS's product into D, scalars included; what an epilogue does follows in place
//   Scratch  rocBLAS's plain product into scratch memory of the accumulator's type, then one kernel from there to D
enum class Way : int32_t { Native, Rocblas, Scratch };

struct Route {
  Problem problem;
  Way way;
  int32_t native_epilogue;
  bool post;   // a kernel of the epilogue follows
  bool sums;   // a bias gradient follows
  bool widen;  // operands of 8 or 4 bits are converted to wide_type first, block scales included
  bool plain;  // nothing but the one native call in host pointer mode
  int32_t wide_type;
};
static_assert(sizeof(Route) <= sizeof sx_lt_plan::plan, "fits the plan");

inline Route& route_of(sx_lt_plan* plan) { return *reinterpret_cast<Route*>(plan->plan); }

// The pointers of a call, as the program gave them.
struct Data {
  const void *alpha, *beta, *a, *b, *c;
  void* d;
  hipStream_t stream;
  int device;
};

// The algorithm and the workspace of a call, as the program gave them.
struct Chosen {
  const Algo* algo;
  void* workspace;
  size_t bytes;
};

// One product, checks included. The handle's device is the current one.
cublasStatus_t multiply(const Call& call, Data data, const Chosen& chosen);

// A product for each group: CUBLASLT_BATCH_MODE_GROUPED.
bool is_grouped(const Call& call);
Verdict check_groups(const Call& call);  // all but what stands on the device
cublasStatus_t run_groups(const Call& call, const Data& data, const Chosen& chosen);

// The plan of a call that passed its checks; nullptr with *status set when it is refused.
sx_lt_plan* make_plan(sx_lt_thread* thread, const Call& call, uint64_t hash, int device, hipStream_t stream,
                      uint64_t workspace, Verdict* verdict);
// The native algorithms that need no more workspace than ``limit``; false: none, or no handle.
bool find_algorithms(sx_lt_thread* thread, sx_lt_plan* plan, int device, hipStream_t stream, uint64_t limit);
void set_pointers(sx_lt_plan* plan, const MatmulDesc& desc);

cublasStatus_t run(sx_lt_thread* thread, sx_lt_plan* plan, const MatmulDesc& desc, const Data& data,
                   const hipblasLtMatmulAlgo_t* algo, void* workspace, size_t workspace_bytes);
cublasStatus_t run_composed(const Route& route, const MatmulDesc& desc, const Data& data);
cublasStatus_t run_post(const Route& route, const MatmulDesc& desc, const Data& data);

// ---- what a plan is looked up by
// --------------------------------------------------------------------------------------

constexpr size_t kFirst = kPlainEnd - kPlainBegin, kSecond = kPlain2End - kPlain2Begin;
constexpr size_t kLayout = kLayoutSmall - sizeof(Head);
static_assert(kFirst + kSecond + 4 * kLayout + 16 <= SX_LT_KEY_BYTES, "fits the key");

inline uint32_t presence(const MatmulDesc& d) {
  const auto bit = [](const void* p, int n) { return p != nullptr ? 1u << n : 0u; };
  return bit(d.bias, 0) | bit(d.aux, 1) | bit(d.a_scale, 2) | bit(d.b_scale, 3) | bit(d.c_scale, 4) |
         bit(d.d_scale, 5) | bit(d.amax_d, 6) | bit(d.aux_scale, 7) | bit(d.aux_amax, 8) | bit(d.d_out_scale, 9);
}

inline uint64_t hash_of(const Call& c, int device) {
  uint64_t h = c.desc->head.hash ^ (uint64_t{presence(*c.desc)} << 40) ^ (static_cast<uint64_t>(device) << 56);
  for (const MatrixLayout* x : {c.a, c.b, c.c, c.d}) h = (h ^ x->head.hash) * 0x9e3779b97f4a7c15u;
  return h ^ (h >> 31);
}

inline bool has_key(const sx_lt_plan& plan, const Call& c, int device) {
  const auto* key = reinterpret_cast<const char*>(plan.key);
  const auto* desc = reinterpret_cast<const char*>(c.desc);
  const auto same = [&](const void* p, size_t n) {
    const bool equal = memcmp(key, p, n) == 0;
    key += n;
    return equal;
  };
  const auto layout = [](const MatrixLayout* x) { return reinterpret_cast<const char*>(x) + sizeof(Head); };
  const uint32_t present = presence(*c.desc);
  return same(desc + kPlainBegin, kFirst) && same(desc + kPlain2Begin, kSecond) && same(layout(c.a), kLayout) &&
         same(layout(c.b), kLayout) && same(layout(c.c), kLayout) && same(layout(c.d), kLayout) && same(&present, 4) &&
         plan.device == device;
}

}  // namespace sx_lt
