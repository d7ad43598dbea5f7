// What cuBLASLt's log says of a product: level Trace, NVIDIA's form; level Hint, how it is computed here.
#include <stdio.h>

#include "plan.h"

namespace sx_lt {
namespace {

const char* name_of(int type) {
  switch (type) {
    case CUDA_R_32F:
      return "R_32F";
    case CUDA_R_64F:
      return "R_64F";
    case CUDA_R_16F:
      return "R_16F";
    case CUDA_R_16BF:
      return "R_16BF";
    case CUDA_R_8I:
      return "R_8I";
    case CUDA_R_32I:
      return "R_32I";
    case CUDA_C_32F:
      return "C_32F";
    case CUDA_C_64F:
      return "C_64F";
    case CUDA_R_8F_E4M3:
      return "R_8F_E4M3";
    case CUDA_R_8F_E5M2:
      return "R_8F_E5M2";
    case CUDA_R_4F_E2M1:
      return "R_4F_E2M1";
    default:
      return "?";
  }
}

// A layout as text; what has its default is not named.
class Text {
 public:
  explicit Text(const MatrixLayout& x) {
    int n = snprintf(text, sizeof text, "[type=%s rows=%llu cols=%llu ld=%lld", name_of(x.type),
                     static_cast<unsigned long long>(x.rows), static_cast<unsigned long long>(x.cols),
                     static_cast<long long>(x.ld));
    if (x.order != CUBLASLT_ORDER_COL) n += snprintf(text + n, sizeof text - n, " order=%d", x.order);
    if (x.batch != 1)
      n += snprintf(text + n, sizeof text - n, " batchCount=%d stridedBatchOffset=%lld batchMode=%d", x.batch,
                    static_cast<long long>(x.stride), x.batch_mode);
    snprintf(text + n, sizeof text - n, "]");
  }
  char text[224];
};

const char* way_of(const Route& r) {
  switch (r.way) {
    case Way::Native:
      return r.post || r.sums ? "hipBLASLt, then a kernel" : "hipBLASLt";
    case Way::Rocblas:
      return r.post || r.sums ? "rocBLAS, then a kernel" : "rocBLAS";
    default:
      return r.widen ? "operands widened, rocBLAS, then a kernel" : "rocBLAS into scratch memory, then a kernel";
  }
}

}  // namespace

void trace(const Call& call, const Route& r, const Data& x, const Chosen& chosen) {
  const MatmulDesc& d = *call.desc;
  const Text a(*call.a), b(*call.b), c(*call.c), out(*call.d);
  sx_lt_log(SX_LT_TRACE, call.function,
            "A=%p Adesc=%s B=%p Bdesc=%s C=%p Cdesc=%s D=%p Ddesc=%s computeDesc=[computeType=%d scaleType=%s "
            "transa=%d transb=%d epilogue=%d pointerMode=%d] algo=%p workSpace=%p workSpaceSizeInBytes=%zu stream=%p",
            x.a, a.text, x.b, b.text, x.c, c.text, x.d, out.text, d.compute_type, name_of(d.scale_type), d.transa,
            d.transb, d.epilogue, d.pointer_mode, static_cast<const void*>(chosen.algo), chosen.workspace, chosen.bytes,
            static_cast<const void*>(x.stream));
  sx_lt_log(SX_LT_HINT, call.function, "computed by %s", way_of(r));
}

}  // namespace sx_lt
