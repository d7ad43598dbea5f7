// cublasXt: matrices anywhere, cut into square tiles that travel to lanes of the selected devices.
//
// A lane is a stream, a cuBLAS handle on it and room for a few tiles. Work is cut into groups, each a list of tiles of
// the result; a group stays on one lane, whose stream keeps its steps in order, and groups go round the lanes. Two
// lanes per device let one copy while the other computes. Everything in here calls scale-x's own cuBLAS and HIP's
// copies; a copy of kind "default" takes host and device pointers alike.
#pragma once

#include <pthread.h>

#include "native.h"

namespace sx_xt {

constexpr int kLanesPerDevice = 2;
constexpr int kMaxDevices = 64;
constexpr int kTiles = 5;  // per lane: two of A, two of B, one of C
constexpr int kDefaultBlock = 2048;

struct Lane {
  int device;
  hipStream_t stream;
  cublasHandle_t blas;
  char* room;  // device memory, kept between calls
  size_t room_bytes;
};

struct Context {
  pthread_mutex_t mutex;  // one call at a time: lanes are shared
  int lane_count;
  Lane lanes[kMaxDevices * kLanesPerDevice];
  int block;
  cublasXtPinnedMemMode_t pinning;
  void* cpu_routine[CUBLASXT_ROUTINE_MAX][4];
  float cpu_ratio[CUBLASXT_ROUTINE_MAX][4];
};

// What a handle's slot in core holds.
struct Slot {
  uint32_t state;
  Context* context;
};

inline Context* context_of(cublasXtHandle_t handle) { return reinterpret_cast<Slot*>(handle)->context; }

// Read once per call: another thread may set it meanwhile.
inline size_t block_of(cublasXtHandle_t handle) {
  return static_cast<size_t>(__atomic_load_n(&context_of(handle)->block, __ATOMIC_RELAXED));
}

struct Lock {
  explicit Lock(Context* c) : mutex(&c->mutex) { pthread_mutex_lock(mutex); }
  ~Lock() { pthread_mutex_unlock(mutex); }
  Lock(const Lock&) = delete;
  Lock& operator=(const Lock&) = delete;
  pthread_mutex_t* mutex;
};

// The program's current device comes back at the end of the scope.
struct KeepDevice {
  KeepDevice() {
    if (sx_rocm->hipGetDevice == nullptr || sx_rocm->hipGetDevice(&device) != hipSuccess) device = -1;
  }
  ~KeepDevice() {
    if (device >= 0) sx_rocm->hipSetDevice(device);
  }
  KeepDevice(const KeepDevice&) = delete;
  KeepDevice& operator=(const KeepDevice&) = delete;
  int device = -1;
};

// ---- numbers
// -----------------------------------------------------------------------------------------------------------

template <class T>
struct Numbers {
  using Real = T;
  static T from(double v) { return static_cast<T>(v); }
  static T conj(T v) { return v; }
};
template <>
struct Numbers<cuComplex> {
  using Real = float;
  static cuComplex from(double v) { return {static_cast<float>(v), 0.0f}; }
  static cuComplex conj(cuComplex v) { return {v.x, -v.y}; }
};
template <>
struct Numbers<cuDoubleComplex> {
  using Real = double;
  static cuDoubleComplex from(double v) { return {v, 0.0}; }
  static cuDoubleComplex conj(cuDoubleComplex v) { return {v.x, -v.y}; }
};
template <class T>
using Real = typename Numbers<T>::Real;

// ---- tiles
// -------------------------------------------------------------------------------------------------------------

// Rows or columns of a tile.
struct Range {
  size_t from;
  int count;
};

// How one dimension is cut.
struct Cut {
  size_t size;
  size_t block;
  size_t count() const { return (size + block - 1) / block; }
  Range operator[](size_t i) const {
    const size_t from = i * block;
    return {from, static_cast<int>(size - from < block ? size - from : block)};
  }
};

// A stored matrix, dense or one packed triangle of it.
template <class T>
struct Stored {
  const T* p;
  size_t ld;
  bool packed = false;
  bool upper = false;
  size_t order = 0;
};

// op(A), tile by tile.
template <class T>
struct Operand {
  Stored<T> a;
  cublasOperation_t op;
};

inline cublasOperation_t flip(cublasOperation_t op, cublasOperation_t transpose) {
  return op == CUBLAS_OP_N ? transpose : CUBLAS_OP_N;
}

// A tile on a lane.
template <class T>
struct Tile {
  T* p;
  int ld;
};

// One lane at work. The first error stops everything after it.
template <class T>
class Worker {
 public:
  Worker(Context* context, cublasStatus_t* status, size_t edge, size_t group)
      : lane_(context->lanes[lane_index(context, group)]), status_(status), edge_(edge) {
    if (ok() && sx_rocm->hipSetDevice(lane_.device) != hipSuccess) *status_ = CUBLAS_STATUS_EXECUTION_FAILED;
  }

  bool ok() const { return *status_ == CUBLAS_STATUS_SUCCESS; }
  cublasHandle_t blas() const { return lane_.blas; }
  void did(cublasStatus_t status) {
    if (ok()) *status_ = status;
  }

  // Brings the tile of a stored matrix to place ``which``.
  Tile<T> load(int which, const Stored<T>& a, Range rows, Range cols) {
    const Tile<T> tile = place(which, rows.count);
    if (!ok()) return tile;
    if (a.packed) {
      load_packed(tile, a, rows, cols);
    } else {
      copy(tile.p, tile.ld, a.p + rows.from + cols.from * a.ld, a.ld, rows.count, cols.count);
    }
    return tile;
  }
  void store(const Tile<T>& tile, T* c, size_t ldc, Range rows, Range cols) {
    if (ok()) copy(c + rows.from + cols.from * ldc, ldc, tile.p, static_cast<size_t>(tile.ld), rows.count, cols.count);
  }
  Tile<T> place(int which, int rows) const {
    return {reinterpret_cast<T*>(lane_.room) + edge_ * edge_ * static_cast<size_t>(which), rows};
  }

 private:
  static size_t lane_index(const Context* context, size_t group) {
    // neighbours go to different devices; lanes of one device are apart by the number of devices
    return group % static_cast<size_t>(context->lane_count);
  }
  void copy(T* to, size_t to_ld, const T* from, size_t from_ld, int rows, int cols) {
    const hipError_t error = sx_rocm->hipMemcpy2DAsync(to, to_ld * sizeof(T), from, from_ld * sizeof(T),
                                                       static_cast<size_t>(rows) * sizeof(T), static_cast<size_t>(cols),
                                                       hipMemcpyDefault, lane_.stream);
    if (error != hipSuccess) *status_ = CUBLAS_STATUS_EXECUTION_FAILED;
  }
  // Column by column, what of it lies in the stored triangle.
  void load_packed(const Tile<T>& tile, const Stored<T>& a, Range rows, Range cols) {
    for (int j = 0; j < cols.count && ok(); ++j) {
      const size_t c = cols.from + static_cast<size_t>(j), end = rows.from + static_cast<size_t>(rows.count);
      const size_t first = a.upper ? rows.from : (rows.from > c ? rows.from : c);
      const size_t last = a.upper ? (end < c + 1 ? end : c + 1) : end;
      if (first >= last) continue;
      const size_t offset = a.upper ? c * (c + 1) / 2 + first : c * (2 * a.order - c - 1) / 2 + first;
      const auto count = static_cast<int>(last - first);
      copy(tile.p + static_cast<size_t>(tile.ld) * static_cast<size_t>(j) + (first - rows.from), last - first,
           a.p + offset, last - first, count, 1);
    }
  }

  Lane& lane_;
  cublasStatus_t* status_;
  size_t edge_;
};

// ---- a call
// ------------------------------------------------------------------------------------------------------------

// A matrix to pin while a call runs, when the handle says so.
struct Extent {
  const void* p;
  size_t bytes;
};
template <class T>
Extent extent(const T* p, size_t rows, size_t cols, size_t ld) {
  return {p, cols == 0 || rows == 0 ? 0 : (ld * (cols - 1) + rows) * sizeof(T)};
}

// Room for tiles on every lane, and the matrices pinned; the end of the scope waits for the lanes.
class Call {
 public:
  Call(Context* context, size_t tile_bytes, const Extent* matrices, int count);
  ~Call();
  Call(const Call&) = delete;
  Call& operator=(const Call&) = delete;
  void wait();
  cublasStatus_t status;

 private:
  void make_room(size_t bytes);

  KeepDevice keep_;
  Context* context_;
  void* pinned_[4] = {nullptr, nullptr, nullptr, nullptr};
};

// Runs ``body(worker, group)`` for every group; ``longest`` is the longest side of a matrix.
template <class T, int count, class Body>
cublasStatus_t run(cublasXtHandle_t handle, size_t block, size_t longest, size_t groups,
                   const Extent (&matrices)[count], const Body& body) {
  Context* const context = context_of(handle);
  Lock lock(context);
  if (context->lane_count == 0) return CUBLAS_STATUS_NOT_INITIALIZED;
  const size_t edge = longest < block ? longest : block;
  Call call(context, edge * edge * sizeof(T), matrices, count);
  for (size_t g = 0; g < groups && call.status == CUBLAS_STATUS_SUCCESS; ++g) {
    Worker<T> worker(context, &call.status, edge, g);
    body(worker, g);
  }
  call.wait();
  return call.status;
}

inline size_t longest_of(size_t a, size_t b, size_t c = 0) {
  const size_t ab = a > b ? a : b;
  return ab > c ? ab : c;
}

}  // namespace sx_xt
