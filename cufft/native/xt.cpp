// Plans of several devices. A descriptor's data is spread over the devices as NVIDIA documents: by the first dimension,
// after a transform by the second (batches are spread whole, a single line in contiguous parts). The transform itself
// is done on the first device: hipFFT's own functions for several devices are wrong for real data and know fewer
// formats.
#include <stdlib.h>

#include <initializer_list>
#include <new>

#include "fft.h"

namespace sx_fft_native {
namespace {

constexpr int kMostGpus = 16;
const char kMagic = 0;  // its address marks descriptors of ours

bool state_is(const sx_fft_slot* slot, int32_t state) {
  return __atomic_load_n(&slot->state, __ATOMIC_RELAXED) == state;
}

// ---- where a descriptor's parts lie in the whole array
// -----------------------------------------------------------------

// The whole array, in place: rows of ``row_bytes``; split by rows, or every row split in the same way.
struct Whole {
  size_t rows, row_bytes;  // of the natural split: the first dimension, or the batches
  size_t columns;          // into which a row is divided by the other split; 0: there is none
  size_t bytes() const { return rows * row_bytes; }
};

Whole whole_of(const sx_fft_slot* slot) {
  const sx_fft_key& k = slot->key;
  const int last = k.rank - 1;
  size_t bytes = 2 * size_t{slot->real_bytes};
  for (int i = k.rank - 1; i >= 1; --i) {
    const auto length = static_cast<size_t>(i == last && slot->kind != SX_FFT_C2C ? k.n[i] / 2 + 1 : k.n[i]);
    bytes *= length;
  }
  const auto first = static_cast<size_t>(last == 0 && slot->kind != SX_FFT_C2C ? k.n[0] / 2 + 1 : k.n[0]);
  if (k.batch > 1) return {static_cast<size_t>(k.batch), first * bytes, 0};
  if (k.rank == 1) return {first, bytes, 0};
  const auto second = static_cast<size_t>(last == 1 && slot->kind != SX_FFT_C2C ? k.n[1] / 2 + 1 : k.n[1]);
  return {first, bytes, second};
}

struct Part {
  size_t offset, width, height;  // in the whole array: ``height`` pieces of ``width`` bytes, a row apart
};

bool shuffled(int format) { return format == CUFFT_XT_FORMAT_INPLACE_SHUFFLED || format == CUFFT_XT_FORMAT_OUTPUT; }

Part part_of(const Whole& w, int format, int index, int count) {
  const bool across = shuffled(format) && w.columns != 0;
  const size_t n = across ? w.columns : w.rows, i = static_cast<size_t>(index), c = static_cast<size_t>(count);
  const size_t begin = i * (n / c) + (i < n % c ? i : n % c), length = n / c + (i < n % c ? 1 : 0);
  if (!across) return {begin * w.row_bytes, length * w.row_bytes, length == 0 ? size_t{0} : size_t{1}};
  const size_t column = w.row_bytes / w.columns;
  return {begin * column, length * column, length == 0 ? size_t{0} : w.rows};
}

// ---- copies
// -----------------------------------------------------------------------------------------------------------

class OnDevice {
 public:
  explicit OnDevice(int device) {
    if (sx_core.device_count <= 1 || !sx_rocm->hipGetDevice || sx_rocm->hipGetDevice(&before_) != hipSuccess) return;
    if (before_ != device) changed_ = sx_rocm->hipSetDevice(device) == hipSuccess;
  }
  ~OnDevice() {
    if (changed_) sx_rocm->hipSetDevice(before_);
  }
  OnDevice(const OnDevice&) = delete;
  OnDevice& operator=(const OnDevice&) = delete;

 private:
  int before_ = 0;
  bool changed_ = false;
};

cufftResult copy(void* to, size_t to_pitch, const void* from_, size_t from_pitch, size_t width, size_t height,
                 hipMemcpyKind kind) {
  if (width == 0 || height == 0) return CUFFT_SUCCESS;
  const hipError_t e = height == 1 ? sx_rocm->hipMemcpy(to, from_, width, kind)
                                   : sx_rocm->hipMemcpy2D(to, to_pitch, from_, from_pitch, width, height, kind);
  return e == hipSuccess ? CUFFT_SUCCESS : CUFFT_INTERNAL_ERROR;
}

// Between the whole array, on the host or on a device, and the parts of a descriptor.
cufftResult spread(const sx_fft_slot* slot, const cudaLibXtDesc* desc, void* all, bool to_parts, hipMemcpyKind kind) {
  const Whole w = whole_of(slot);
  const cudaXtDesc& d = *desc->descriptor;
  for (int i = 0; i < d.nGPUs; ++i) {
    const Part p = part_of(w, desc->subFormat, i, d.nGPUs);
    char* const there = static_cast<char*>(all) + p.offset;
    const OnDevice device(d.GPUs[i]);
    const cufftResult e = to_parts ? copy(d.data[i], p.width, there, w.row_bytes, p.width, p.height, kind)
                                   : copy(there, w.row_bytes, d.data[i], p.width, p.width, p.height, kind);
    if (e) return e;
  }
  return CUFFT_SUCCESS;
}

cufftResult wait(const cudaXtDesc& d) {
  for (int i = 0; i < d.nGPUs; ++i) {
    const OnDevice device(d.GPUs[i]);
    if (sx_rocm->hipDeviceSynchronize() != hipSuccess) return CUFFT_INTERNAL_ERROR;
  }
  return CUFFT_SUCCESS;
}

bool ours(const cudaLibXtDesc* desc) {
  return desc != nullptr && desc->library == LIB_FORMAT_CUFFT && desc->libDescriptor == &kMagic && desc->descriptor;
}

// A descriptor for this plan: as many parts, of its size.
bool fits(const sx_fft_slot* slot, const cudaLibXtDesc* desc) {
  const int count = slot->gpu_count > 1 ? slot->gpu_count : 1;
  return ours(desc) && desc->descriptor->nGPUs == count;
}

bool can_copy() {
  return sx_rocm->hipMemcpy && sx_rocm->hipMemcpy2D && sx_rocm->hipDeviceSynchronize && sx_rocm->hipMalloc &&
         sx_rocm->hipFree;
}

// Whole arrays on the first device, for a conversion between two formats.
cufftResult convert(const sx_fft_slot* slot, const cudaLibXtDesc* to, const cudaLibXtDesc* from_) {
  const OnDevice device(from_->descriptor->GPUs[0]);
  void* all = nullptr;
  if (sx_rocm->hipMalloc(&all, whole_of(slot).bytes()) != hipSuccess) return CUFFT_ALLOC_FAILED;
  cufftResult e = spread(slot, from_, all, false, hipMemcpyDefault);
  if (e == CUFFT_SUCCESS) e = spread(slot, to, all, true, hipMemcpyDefault);
  sx_rocm->hipFree(all);
  return e;
}

// Executes on several devices: gather, transform in place, spread in the other format.
cufftResult execute_parts(sx_fft_slot* slot, cudaLibXtDesc* in, cudaLibXtDesc* out, int direction) {
  const OnDevice device(slot->gpus[0]);
  if (slot->work == nullptr) return CUFFT_NO_WORKSPACE;
  if (const cufftResult e = wait(*in->descriptor)) return e;
  if (const cufftResult e = spread(slot, in, slot->work, false, hipMemcpyDefault)) return e;
  if (const cufftResult e = execute(slot, slot->work, slot->work, direction)) return e;
  if (const cufftResult e = wait(*in->descriptor)) return e;
  if (in == out) {
    const bool was = shuffled(in->subFormat);
    out->subFormat = was ? CUFFT_XT_FORMAT_INPLACE : CUFFT_XT_FORMAT_INPLACE_SHUFFLED;
  }
  return spread(slot, out, slot->work, true, hipMemcpyDefault);
}

cufftResult execute_descriptor(cufftHandle plan, cudaLibXtDesc* in, cudaLibXtDesc* out, int direction) {
  sx_fft_slot* slot = sx_fft_find(plan);
  if (slot == nullptr || !state_is(slot, SX_FFT_PLANNED)) return CUFFT_INVALID_PLAN;
  if (direction != CUFFT_FORWARD && direction != CUFFT_INVERSE) return CUFFT_INVALID_VALUE;
  if (slot->kind != SX_FFT_C2C && direction != (slot->kind == SX_FFT_R2C ? CUFFT_FORWARD : CUFFT_INVERSE))
    return CUFFT_INVALID_VALUE;
  if (!fits(slot, in) || !fits(slot, out)) return CUFFT_INVALID_VALUE;
  if (!can_copy()) return CUFFT_NOT_SUPPORTED;
  if (slot->gpu_count > 1) return execute_parts(slot, in, out, direction);
  if (slot->work == nullptr && slot->work_bytes != 0) return CUFFT_NO_WORKSPACE;
  return execute(slot, in->descriptor->data[0], out->descriptor->data[0], direction);
}

void free_descriptor(cudaLibXtDesc* desc) {
  cudaXtDesc& d = *desc->descriptor;
  for (int i = 0; i < d.nGPUs; ++i) {
    if (!d.data[i]) continue;
    const OnDevice device(d.GPUs[i]);
    sx_rocm->hipFree(d.data[i]);
  }
  desc->libDescriptor = nullptr;
  free(desc->descriptor);
  free(desc);
}

// Room for either format, so that a transform in place can change it.
size_t part_bytes(const Whole& w, int index, int count) {
  const Part a = part_of(w, CUFFT_XT_FORMAT_INPLACE, index, count);
  const Part b = part_of(w, CUFFT_XT_FORMAT_INPLACE_SHUFFLED, index, count);
  const size_t natural = a.width * a.height, other = b.width * b.height;
  return natural > other ? natural : other;
}

cufftResult fill_descriptor(const sx_fft_slot* slot, cudaLibXtDesc* desc, int format) {
  cudaXtDesc& d = *desc->descriptor;
  d.version = desc->version = CUDA_XT_DESCRIPTOR_VERSION;
  desc->library = LIB_FORMAT_CUFFT;
  desc->subFormat = format;
  desc->libDescriptor = const_cast<char*>(&kMagic);
  const int count = slot->gpu_count > 1 ? slot->gpu_count : 1;
  const Whole w = whole_of(slot);
  for (int i = 0; i < count; ++i) {
    d.GPUs[i] = count > 1 ? slot->gpus[i] : slot->device;
    d.nGPUs = i + 1;
    const Part p = part_of(w, format, i, count);
    d.size[i] = p.width * p.height;
    const OnDevice device(d.GPUs[i]);
    const size_t bytes = part_bytes(w, i, count);
    if (sx_rocm->hipMalloc(&d.data[i], bytes ? bytes : 1) != hipSuccess) return CUFFT_ALLOC_FAILED;
  }
  return CUFFT_SUCCESS;
}

bool packed(const sx_fft_key& k, uint8_t kind) {
  if (!k.embedded) return true;
  if (kind != SX_FFT_C2C || k.istride != 1 || k.ostride != 1) return false;
  int64_t size = k.n[0];
  for (int i = 1; i < k.rank; ++i) {
    if (k.inembed[i] != k.n[i] || k.onembed[i] != k.n[i]) return false;
    size *= k.n[i];
  }
  return k.batch == 1 || (k.idist == size && k.odist == size);
}

}  // namespace

cufftResult make_on_several(sx_fft_slot* slot, const Problem& given, size_t* work_sizes) {
  if (given.real_bytes == 2) return CUFFT_NOT_SUPPORTED;
  if (!packed(given.key, given.kind)) return CUFFT_INVALID_VALUE;
  Problem p = given;
  p.key.embedded = 0;
  p.key.istride = p.key.idist = p.key.ostride = p.key.odist = 0;
  memset(p.key.inembed, 0, sizeof p.key.inembed);
  memset(p.key.onembed, 0, sizeof p.key.onembed);
  const OnDevice device(slot->gpus[0]);
  slot->key = p.key;
  slot->kind = p.kind;
  slot->real_bytes = p.real_bytes;
  slot->special = p.kind == SX_FFT_C2R && p.key.rank == 1;
  const size_t whole = (whole_of(slot).bytes() + 255) & ~size_t{255};
  for (int i = 1; i < slot->gpu_count; ++i) work_sizes[i] = 0;
  return fill(slot, p, whole, &work_sizes[0]);
}

}  // namespace sx_fft_native

using namespace sx_fft_native;

cufftResult sx_cufftXtSetGPUs(cufftHandle handle, int nGPUs, int* whichGPUs) {
  sx_fft_slot* slot = sx_fft_find(handle);
  if (slot == nullptr || !state_is(slot, SX_FFT_CREATED)) return CUFFT_INVALID_PLAN;
  if (nGPUs < 2 || nGPUs > kMostGpus || whichGPUs == nullptr) return CUFFT_INVALID_VALUE;
  int present = 0;
  if (!sx_rocm->hipGetDeviceCount || sx_rocm->hipGetDeviceCount(&present) != hipSuccess) return CUFFT_INVALID_DEVICE;
  for (int i = 0; i < nGPUs; ++i)
    if (whichGPUs[i] < 0 || whichGPUs[i] >= present) return CUFFT_INVALID_DEVICE;
  for (int i = 0; i < nGPUs; ++i) slot->gpus[i] = static_cast<int16_t>(whichGPUs[i]);
  slot->gpu_count = nGPUs;
  return CUFFT_SUCCESS;
}

cufftResult sx_cufftXtMalloc(cufftHandle plan, cudaLibXtDesc** descriptor, cufftXtSubFormat format) {
  sx_fft_slot* slot = sx_fft_find(plan);
  if (slot == nullptr || !state_is(slot, SX_FFT_PLANNED)) return CUFFT_INVALID_PLAN;
  const int number = static_cast<int>(format);
  if (descriptor == nullptr || number < CUFFT_XT_FORMAT_INPUT || number > CUFFT_XT_FORMAT_1D_INPUT_SHUFFLED)
    return CUFFT_INVALID_VALUE;
  if (!can_copy()) return CUFFT_NOT_SUPPORTED;
  auto* desc = static_cast<cudaLibXtDesc*>(calloc(1, sizeof(cudaLibXtDesc)));
  auto* parts = static_cast<cudaXtDesc*>(calloc(1, sizeof(cudaXtDesc)));
  if (desc == nullptr || parts == nullptr) {
    free(desc);
    free(parts);
    return CUFFT_ALLOC_FAILED;
  }
  desc->descriptor = parts;
  const cufftResult status = fill_descriptor(slot, desc, number);
  if (status != CUFFT_SUCCESS) {
    free_descriptor(desc);
    return status;
  }
  *descriptor = desc;
  return CUFFT_SUCCESS;
}

cufftResult sx_cufftXtFree(cudaLibXtDesc* descriptor) {
  if (!ours(descriptor)) return CUFFT_INVALID_VALUE;
  free_descriptor(descriptor);
  return CUFFT_SUCCESS;
}

cufftResult sx_cufftXtMemcpy(cufftHandle plan, void* dstPointer, void* srcPointer, cufftXtCopyType type) {
  sx_fft_slot* slot = sx_fft_find(plan);
  if (slot == nullptr || !state_is(slot, SX_FFT_PLANNED)) return CUFFT_INVALID_PLAN;
  if (dstPointer == nullptr || srcPointer == nullptr) return CUFFT_INVALID_VALUE;
  if (!can_copy()) return CUFFT_NOT_SUPPORTED;
  auto* const to = static_cast<cudaLibXtDesc*>(dstPointer);
  auto* const from_ = static_cast<cudaLibXtDesc*>(srcPointer);
  switch (static_cast<int>(type)) {
    case CUFFT_COPY_HOST_TO_DEVICE:
      return fits(slot, to) ? spread(slot, to, srcPointer, true, hipMemcpyHostToDevice) : CUFFT_INVALID_VALUE;
    case CUFFT_COPY_DEVICE_TO_HOST: {
      if (!fits(slot, from_)) return CUFFT_INVALID_VALUE;
      if (const cufftResult e = wait(*from_->descriptor)) return e;
      return spread(slot, from_, dstPointer, false, hipMemcpyDeviceToHost);
    }
    case CUFFT_COPY_DEVICE_TO_DEVICE: {
      if (!fits(slot, to) || !fits(slot, from_)) return CUFFT_INVALID_VALUE;
      if (const cufftResult e = wait(*from_->descriptor)) return e;
      return convert(slot, to, from_);
    }
    default:
      return CUFFT_INVALID_VALUE;
  }
}

// A single line stays in natural order here, so the factors describe a permutation that moves nothing.
cufftResult sx_cufftXtQueryPlan(cufftHandle plan, void* queryStruct, cufftXtQueryType queryType) {
  const sx_fft_slot* slot = sx_fft_find(plan);
  if (slot == nullptr) return CUFFT_INVALID_PLAN;
  if (queryType != CUFFT_QUERY_1D_FACTORS || queryStruct == nullptr) return CUFFT_INVALID_VALUE;
  if (!state_is(slot, SX_FFT_PLANNED) || slot->gpu_count < 2 || slot->key.rank != 1) return CUFFT_INVALID_PLAN;
  const long long n = slot->key.n[0];
  cufftXt1dFactors factors{};
  factors.size = n;
  factors.stringCount = slot->gpu_count;
  factors.stringLength = n / slot->gpu_count;
  factors.substringLength = 1;
  factors.factor1 = n;
  factors.factor2 = 1;
  factors.stringMask = factors.stringLength - 1;
  factors.factor1Mask = n - 1;
  memcpy(queryStruct, &factors, sizeof factors);
  return CUFFT_SUCCESS;
}

cufftResult sx_cufftXtSetWorkArea(cufftHandle plan, void** workArea) {
  const sx_fft_slot* slot = sx_fft_find(plan);
  if (slot == nullptr) return CUFFT_INVALID_PLAN;
  return workArea == nullptr ? CUFFT_INVALID_VALUE : sx_cufftSetWorkArea(plan, workArea[0]);
}

// As measured: the smallest work area cannot be had, the others are refused on one device.
cufftResult sx_cufftXtSetWorkAreaPolicy(cufftHandle plan, cufftXtWorkAreaPolicy policy, size_t*) {
  const sx_fft_slot* slot = sx_fft_find(plan);
  if (slot == nullptr || !state_is(slot, SX_FFT_PLANNED)) return CUFFT_INVALID_PLAN;
  switch (static_cast<int>(policy)) {
    case CUFFT_WORKAREA_MINIMAL:
      return CUFFT_INVALID_SIZE;
    case CUFFT_WORKAREA_USER:
    case CUFFT_WORKAREA_PERFORMANCE:
      return slot->gpu_count > 1 ? CUFFT_SUCCESS : CUFFT_INVALID_PLAN;
    default:
      return CUFFT_SUCCESS;
  }
}

// ---- execution
// --------------------------------------------------------------------------------------------------------

cufftResult sx_cufftXtExecDescriptor(cufftHandle plan, cudaLibXtDesc* in, cudaLibXtDesc* out, int direction) {
  return execute_descriptor(plan, in, out, direction);
}
cufftResult sx_cufftXtExecDescriptorC2C(cufftHandle plan, cudaLibXtDesc* in, cudaLibXtDesc* out, int direction) {
  return execute_descriptor(plan, in, out, direction);
}
cufftResult sx_cufftXtExecDescriptorZ2Z(cufftHandle plan, cudaLibXtDesc* in, cudaLibXtDesc* out, int direction) {
  return execute_descriptor(plan, in, out, direction);
}
cufftResult sx_cufftXtExecDescriptorR2C(cufftHandle plan, cudaLibXtDesc* in, cudaLibXtDesc* out) {
  return execute_descriptor(plan, in, out, CUFFT_FORWARD);
}
cufftResult sx_cufftXtExecDescriptorD2Z(cufftHandle plan, cudaLibXtDesc* in, cudaLibXtDesc* out) {
  return execute_descriptor(plan, in, out, CUFFT_FORWARD);
}
cufftResult sx_cufftXtExecDescriptorC2R(cufftHandle plan, cudaLibXtDesc* in, cudaLibXtDesc* out) {
  return execute_descriptor(plan, in, out, CUFFT_INVERSE);
}
cufftResult sx_cufftXtExecDescriptorZ2D(cufftHandle plan, cudaLibXtDesc* in, cudaLibXtDesc* out) {
  return execute_descriptor(plan, in, out, CUFFT_INVERSE);
}
