// cusolverMg: matrices that lie in blocks of columns on several devices. A function gathers the part it works on onto
// the handle's first device, calls cusolverDn there, and scatters the result.
//
//   Job<T> job(handle, descr, compute);      // refused() tells what is wrong with them
//   if (auto e = job.begin(work, lwork, {{A...}, {B...}}, lwork_of_cusolverDn)) return e;
#pragma once

#include <cusolverMg.h>

#include <algorithm>
#include <initializer_list>
#include <utility>

#include <vector>

#include "objects_of.h"
#include "scalex/wrap.h"
#include "typed.h"

namespace sx_mg {

enum : uint32_t { KIND_HANDLE = 0x53580181, KIND_GRID = 0x53580191, KIND_DESC = 0x535801a1 };

struct Context {
  std::vector<int> devices;
  cusolverDnHandle_t solver = nullptr;  // on the first of them
};
struct Grid {
  std::vector<int> devices;
};
struct Desc {
  int64_t rows, cols, block;
  cudaDataType type;
  std::vector<int> devices;
};

inline Context* context_of(cusolverMgHandle_t handle) {
  auto* c = sx_sp_object<Context>(handle, KIND_HANDLE);
  return c && c->solver ? c : nullptr;
}
inline const Desc* desc_of(cudaLibMgMatrixDesc_t desc) {
  const auto* d = sx_sp_object<Desc>(desc, KIND_DESC);
  return d && d->block > 0 ? d : nullptr;
}

// The current device, restored at the end of the scope.
struct KeepDevice {
  int device = 0;
  KeepDevice() { sx_rocm->hipGetDevice(&device); }
  ~KeepDevice() { sx_rocm->hipSetDevice(device); }
};

// Columns [first, first + count) of a distributed matrix whose parts lie at ``parts``; 0-based.
struct Columns {
  const Desc* desc;
  void* const* parts;
  int64_t rows;  // of the parts' columns: the matrix's, or 1 for pivots
  int64_t first, count;
  size_t size;  // of an element
  size_t bytes() const { return static_cast<size_t>(rows * count) * size; }
};

enum class Way { gather, scatter };

// Queued on the legacy stream of ``device``, to or from contiguous columns at ``whole``.
inline hipError_t move(const Columns& c, char* whole, int device, Way way) {
  const int64_t parts = static_cast<int64_t>(c.desc->devices.size());
  for (int64_t j = 0; j < c.count;) {
    const int64_t global = c.first + j, block = global / c.desc->block, within = global % c.desc->block;
    const int64_t run = std::min(c.desc->block - within, c.count - j);
    const auto part = static_cast<size_t>(block % parts);
    const auto pitch = static_cast<size_t>(c.rows) * c.size;
    char* const there =
        static_cast<char*>(c.parts[part]) + static_cast<size_t>(block / parts * c.desc->block + within) * pitch;
    char* const here = whole + static_cast<size_t>(j) * pitch;
    const size_t bytes = static_cast<size_t>(run) * pitch;
    const int owner = c.desc->devices[part];
    const hipError_t error = way == Way::gather
                                 ? sx_rocm->hipMemcpyPeerAsync(here, device, there, owner, bytes, nullptr)
                                 : sx_rocm->hipMemcpyPeerAsync(there, owner, here, device, bytes, nullptr);
    if (error != hipSuccess) return error;
    j += run;
  }
  return hipSuccess;
}

inline size_t rounded(size_t bytes) { return (bytes + 255) / 256 * 256; }

// A call's memory on the first device: the program's buffer there when it suffices, else memory of the call's own.
class Room {
 public:
  Room() = default;
  ~Room() {
    if (own_) sx_rocm->hipFree(own_);
  }
  Room(const Room&) = delete;
  Room& operator=(const Room&) = delete;

  bool take(void* const* work, size_t given, size_t need) {
    next_ = work && work[0] && given >= need && sx_aligned(work[0], 256) ? static_cast<char*>(work[0]) : nullptr;
    if (next_) return true;
    if (sx_rocm->hipMalloc(&own_, need) != hipSuccess) return false;
    next_ = static_cast<char*>(own_);
    return true;
  }
  template <class T>
  T* piece(size_t bytes) {
    char* const p = next_;
    next_ += rounded(bytes);
    return reinterpret_cast<T*>(p);
  }

 private:
  void* own_ = nullptr;
  char* next_ = nullptr;
};

// Whether every device has finished what it was given before; false while one of its streams is being captured.
inline bool settled(const std::vector<int>& devices) {
  for (const int device : devices) {
    if (sx_rocm->hipSetDevice(device) != hipSuccess || sx_rocm->hipDeviceSynchronize() != hipSuccess) return false;
  }
  return true;
}

// Columns gathered for a call, then what it makes of them scattered. ``solve(room)`` is cusolverDn's call.
class Call {
 public:
  explicit Call(Context* context) : context_(context) {}

  cusolverStatus_t begin(const std::vector<Columns>& inputs, size_t extra, void* const* work, size_t given) {
    if (!sx_rocm->hipMemcpyPeerAsync || !sx_rocm->hipMemcpy || !sx_rocm->hipDeviceSynchronize)
      return CUSOLVER_STATUS_NOT_SUPPORTED;
    size_t need = rounded(sizeof(int)) + rounded(extra);
    for (const Columns& c : inputs) {
      need += rounded(c.bytes());
      for (size_t i = 0; i < c.desc->devices.size(); ++i)
        if (c.parts[i] == nullptr && c.count > static_cast<int64_t>(i) * c.desc->block)
          return CUSOLVER_STATUS_INVALID_VALUE;
      if (!settled(c.desc->devices)) return CUSOLVER_STATUS_INTERNAL_ERROR;
    }
    if (!settled({first()})) return CUSOLVER_STATUS_INTERNAL_ERROR;  // and is the current device from here on
    if (!room_.take(work, given, need)) return CUSOLVER_STATUS_ALLOC_FAILED;
    info_ = room_.piece<int>(sizeof(int));
    for (const Columns& c : inputs) {
      whole_.push_back(room_.piece<char>(c.bytes()));
      if (move(c, whole_.back(), first(), Way::gather) != hipSuccess) return CUSOLVER_STATUS_EXECUTION_FAILED;
    }
    return CUSOLVER_STATUS_SUCCESS;
  }
  template <class T>
  T* input(size_t i, int64_t row = 0) const {
    return reinterpret_cast<T*>(whole_[i]) + row;
  }
  template <class T>
  T* extra(size_t bytes) {
    return room_.piece<T>(bytes);
  }
  int* device_info() const { return info_; }

  // Reads the info and scatters ``c``, gathered as ``i``.
  cusolverStatus_t finish(cusolverStatus_t solved, const std::vector<std::pair<Columns, size_t>>& outputs, int* info) {
    if (solved != CUSOLVER_STATUS_SUCCESS) return solved;
    if (!settled({first()})) return CUSOLVER_STATUS_EXECUTION_FAILED;
    if (info && sx_rocm->hipMemcpy(info, info_, sizeof(int), hipMemcpyDeviceToHost) != hipSuccess)
      return CUSOLVER_STATUS_EXECUTION_FAILED;
    for (const auto& [c, i] : outputs) {
      if (move(c, whole_[i], first(), Way::scatter) != hipSuccess) return CUSOLVER_STATUS_EXECUTION_FAILED;
    }
    return settled({first()}) ? CUSOLVER_STATUS_SUCCESS : CUSOLVER_STATUS_EXECUTION_FAILED;
  }

 private:
  int first() const { return context_->devices[0]; }
  KeepDevice keep_;
  Context* context_;
  Room room_;
  int* info_ = nullptr;
  std::vector<char*> whole_;
};

// Runs ``body``; nothing thrown gets out.
template <class Body>
cusolverStatus_t guarded(const Body& body) {
  try {
    return body();
  } catch (const std::bad_alloc&) {
    return CUSOLVER_STATUS_ALLOC_FAILED;
  }
}

// An argument is refused: its number, counted without the handle, and the status.
inline cusolverStatus_t refuse(int* info, int number) {
  *info = -number;
  return CUSOLVER_STATUS_INVALID_VALUE;
}

// Elements of ``size`` bytes that a buffer needs for columns of ``bytes`` and for ``extra`` bytes beside them.
inline int64_t elements(std::initializer_list<size_t> pieces, size_t size) {
  size_t sum = rounded(sizeof(int));
  for (const size_t bytes : pieces) sum += rounded(bytes);
  return static_cast<int64_t>((sum + size - 1) / size);
}

inline bool inside(const Desc* d, int64_t rows, int64_t cols, int ia, int ja) {
  return d->rows >= rows + ia - 1 && d->cols >= cols + ja - 1;
}

}  // namespace sx_mg
