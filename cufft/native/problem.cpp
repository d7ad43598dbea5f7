// NVIDIA's checks of a plan's arguments, in its measured order, and what follows from them.
#include "fft.h"
#include "scalex/compat.h"

namespace sx_fft_native {
namespace {

struct Element {
  int real_bytes;  // 0: no type of a transform
  bool complex, bfloat16;
};

Element element_of(cudaDataType type) {
  switch (static_cast<int>(type)) {
    case CUDA_R_16F:
      return {2, false, false};
    case CUDA_C_16F:
      return {2, true, false};
    case CUDA_R_16BF:
      return {2, false, true};
    case CUDA_C_16BF:
      return {2, true, true};
    case CUDA_R_32F:
      return {4, false, false};
    case CUDA_C_32F:
      return {4, true, false};
    case CUDA_R_64F:
      return {8, false, false};
    case CUDA_C_64F:
      return {8, true, false};
    default:
      return {0, false, false};
  }
}

bool power_of_two(int64_t n) { return (n & (n - 1)) == 0; }

}  // namespace

cufftResult types_of(cufftType type, Problem* p) {
  const auto set = [&](uint8_t kind, uint8_t bytes, cudaDataType in, cudaDataType out, cudaDataType exec) {
    p->kind = kind;
    p->real_bytes = bytes;
    p->bfloat16 = false;
    p->key.types[0] = in;
    p->key.types[1] = out;
    p->key.types[2] = exec;
    return CUFFT_SUCCESS;
  };
  switch (static_cast<int>(type)) {
    case CUFFT_C2C:
      return set(SX_FFT_C2C, 4, CUDA_C_32F, CUDA_C_32F, CUDA_C_32F);
    case CUFFT_R2C:
      return set(SX_FFT_R2C, 4, CUDA_R_32F, CUDA_C_32F, CUDA_C_32F);
    case CUFFT_C2R:
      return set(SX_FFT_C2R, 4, CUDA_C_32F, CUDA_R_32F, CUDA_C_32F);
    case CUFFT_Z2Z:
      return set(SX_FFT_C2C, 8, CUDA_C_64F, CUDA_C_64F, CUDA_C_64F);
    case CUFFT_D2Z:
      return set(SX_FFT_R2C, 8, CUDA_R_64F, CUDA_C_64F, CUDA_C_64F);
    case CUFFT_Z2D:
      return set(SX_FFT_C2R, 8, CUDA_C_64F, CUDA_R_64F, CUDA_C_64F);
    default:
      return CUFFT_INVALID_TYPE;
  }
}

// The execution type may be real or complex; all three are of one precision.
cufftResult types_of(cudaDataType in, cudaDataType out, cudaDataType exec, Problem* p) {
  const Element i = element_of(in), o = element_of(out), e = element_of(exec);
  if (i.real_bytes == 0 || i.real_bytes != o.real_bytes || i.real_bytes != e.real_bytes) return CUFFT_INVALID_TYPE;
  if (i.bfloat16 != o.bfloat16 || i.bfloat16 != e.bfloat16 || (!i.complex && !o.complex)) return CUFFT_INVALID_TYPE;
  p->kind = !i.complex ? SX_FFT_R2C : !o.complex ? SX_FFT_C2R : SX_FFT_C2C;
  p->real_bytes = static_cast<uint8_t>(i.real_bytes);
  p->bfloat16 = i.bfloat16;
  p->key.types[0] = in;
  p->key.types[1] = out;
  p->key.types[2] = i.real_bytes == 8   ? CUDA_C_64F
                    : i.real_bytes == 4 ? CUDA_C_32F
                    : i.bfloat16        ? CUDA_C_16BF
                                        : CUDA_C_16F;
  return CUFFT_SUCCESS;
}

cufftResult lay_out(Problem* p, int rank, const long long* n, const long long* inembed, long long istride,
                    long long idist, const long long* onembed, long long ostride, long long odist, long long batch) {
  if (rank < 1 || rank > 3 || n == nullptr) return CUFFT_INVALID_VALUE;
  if (n[0] <= 0 || batch <= 0) return CUFFT_INVALID_SIZE;
  if ((inembed == nullptr) != (onembed == nullptr)) return CUFFT_INVALID_VALUE;
  if (inembed && (istride <= 0 || ostride <= 0 || idist <= 0 || odist <= 0)) return CUFFT_INVALID_VALUE;
  sx_fft_key& key = p->key;
  key.rank = rank;
  key.batch = batch;
  key.embedded = inembed != nullptr;
  for (int i = 0; i < rank; ++i) key.n[i] = n[i] > 0 ? n[i] : 1;  // measured: the first length only is checked
  if (key.embedded) {
    key.istride = istride, key.idist = idist, key.ostride = ostride, key.odist = odist;
    for (int i = 1; i < rank; ++i) key.inembed[i] = inembed[i], key.onembed[i] = onembed[i];
    key.inembed[0] = key.onembed[0] = key.n[0];  // not looked at
  }
  if (p->real_bytes == 2 && sx_exact) {  // NVIDIA plans no other lengths
    for (int i = 0; i < rank; ++i)
      if (!power_of_two(key.n[i])) return CUFFT_NOT_SUPPORTED;
  }
  return CUFFT_SUCCESS;
}

size_t span(const Problem& p, bool input) {
  const sx_fft_key& k = p.key;
  const int last = k.rank - 1;
  const bool halved = p.kind == (input ? SX_FFT_C2R : SX_FFT_R2C);
  const int64_t* embed = input ? k.inembed : k.onembed;
  int64_t step = k.embedded ? (input ? k.istride : k.ostride) : 1, top = 0;
  for (int i = last; i >= 0; --i) {
    const int64_t length = halved && i == last ? k.n[i] / 2 + 1 : k.n[i];
    top = sx_add(top, sx_mul(length - 1, step));
    step = sx_mul(step, k.embedded ? embed[i] : length);
  }
  const int64_t dist = k.embedded ? (input ? k.idist : k.odist) : step;
  return static_cast<size_t>(sx_add(sx_add(top, sx_mul(k.batch - 1, dist)), 1));
}

}  // namespace sx_fft_native
