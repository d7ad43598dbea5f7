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
  void* workspace;
  size_t bytes;
};

// The algorithm and the workspace of a call, as the program gave them.
struct Chosen {
  const Algo* algo;
  void* workspace;
  size_t bytes;
};

// One product, checks included. The handle's device is the current one.
cublasStatus_t multiply(const Call& call, Data* data, const Chosen& chosen);

void trace(const Call& call, const Route& route, const Data& data, const Chosen& chosen);  // into the log

// A product for each group: CUBLASLT_BATCH_MODE_GROUPED.
inline bool is_grouped(const Call& call) {
  constexpr int32_t mode = CUBLASLT_BATCH_MODE_GROUPED;
  return SX_UNLIKELY(call.d->batch_mode == mode) && call.a->batch_mode == mode && call.b->batch_mode == mode &&
         call.c->batch_mode == mode;
}
Verdict check_groups(const Call& call);  // all but what stands on the device
cublasStatus_t run_groups(const Call& call, const Data& data, const Chosen& chosen);

// The plan of a call that passed its checks; nullptr with *status set when it is refused.
sx_lt_plan* make_plan(sx_lt_thread* thread, const Call& call, uint64_t hash, int device, hipStream_t stream,
                      uint64_t workspace, Verdict* verdict);
// The native algorithms that need no more workspace than ``limit``; false: none, or no handle.
bool find_algorithms(sx_lt_thread* thread, sx_lt_plan* plan, int device, hipStream_t stream, uint64_t limit);
// Memory that a product without hipBLASLt needs beside its matrices: in the program's workspace where it is large
// enough, else scratch memory of the stream, which cannot grow while the stream is being captured.
size_t scratch_bytes(const Route& route);
// Loads the kernels that the product needs, so that a capture may follow.
void prepare_kernels(const Route& route, hipStream_t stream);
// The same product without hipBLASLt, for a call whose workspace suffices for none of its algorithms.
Route composed(const Route& native);
void set_pointers(sx_lt_plan* plan, const MatmulDesc& desc);

cublasStatus_t run(sx_lt_thread* thread, sx_lt_plan* plan, const MatmulDesc& desc, const Data& data,
                   const hipblasLtMatmulAlgo_t* algo, void* workspace, size_t workspace_bytes);
cublasStatus_t run_composed(const Route& route, const MatmulDesc& desc, const Data& data);
cublasStatus_t run_post(const Route& route, const MatmulDesc& desc, const Data& data);

// ---- what a plan is looked up by
// --------------------------------------------------------------------------------------

constexpr size_t kFirst = kPlainEnd - kPlainBegin, kSecond = kPlain2End - kPlain2Begin;
constexpr size_t kLayout = kLayoutSmall - sizeof(Head);
static_assert(kFirst + kSecond + 4 * kLayout <= SX_LT_KEY_BYTES, "fits the key");

inline uint64_t hash_of(const Call& c, int device) {
  const uint64_t h = c.desc->head.hash + c.a->head.hash * 0x9e3779b97f4a7c15u + c.b->head.hash * 0xff51afd7ed558ccdu +
                     c.c->head.hash * 0xc4ceb9fe1a85ec53u + c.d->head.hash * 0x87c37b91114253d5u +
                     static_cast<uint64_t>(device) * 0x4cf5ad432745937fu;
  return h ^ (h >> 31);
}

// Bits that differ in N bytes, a multiple of 4. Comparing is most of what a problem seen before costs: no calls, no
// loops.
template <size_t N>
__attribute__((always_inline)) inline uint64_t difference(const char* x, const char* y) {
  if constexpr (N >= 8) {
    return (sx_load<uint64_t>(x) ^ sx_load<uint64_t>(y)) | difference<N - 8>(x + 8, y + 8);
  } else if constexpr (N == 4) {
    return sx_load<uint32_t>(x) ^ sx_load<uint32_t>(y);
  } else {
    static_assert(N == 0, "whole words");
    return 0;
  }
}

inline bool has_key(const sx_lt_plan& plan, const Call& c, int device) {
  const auto* const key = reinterpret_cast<const char*>(plan.key);
  const auto* const desc = reinterpret_cast<const char*>(c.desc);
  constexpr size_t kLayouts = kFirst + kSecond;
  const auto layout = [&](const MatrixLayout* x, size_t i) {
    return difference<kLayout>(key + kLayouts + i * kLayout, reinterpret_cast<const char*>(x) + sizeof(Head));
  };
  const uint64_t differ = difference<kFirst>(key, desc + kPlainBegin) |
                          difference<kSecond>(key + kFirst, desc + kPlain2Begin) | layout(c.a, 0) | layout(c.b, 1) |
                          layout(c.c, 2) | layout(c.d, 3);
  return differ == 0 && plan.device == device;
}

}  // namespace sx_lt
