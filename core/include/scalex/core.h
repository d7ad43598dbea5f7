// What every emitted wrapper and native body sees of core: handles, borrowed rocBLAS handles, the ROCm table.
//
// All mutable state of scale-x lives behind this header, in libscalex_core.so.0, so that the libraries of several CUDA
// majors in one process share handles. Everything crossing the DSO boundary is plain C.
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "scalex/rocm_table.h"  // emitted: sx_rocm_table, ROCm's declarations

#define SX_LIKELY(x) __builtin_expect(!!(x), 1)
#define SX_UNLIKELY(x) __builtin_expect(!!(x), 0)
#define SX_EXPORT extern "C" __attribute__((visibility("default")))

extern "C" {

// ---- the provider's functions; never NULL (all members NULL until a provider is loaded) ----------------------------
extern const sx_rocm_table* sx_rocm;

// ---- per-soname facts, one hidden definition in each CUDA-X library (emitted) ---------------------------------------
struct sx_abi_info {
  int cuda_major;       // 11, 12, 13; the newest that the soname serves
  int library_version;  // what the library's GetVersion answers: 130100
  const char* soname;
};

// ---- handles
// ----------------------------------------------------------------------------------------------------------- A handle
// is the address of a slot in a slab that is reserved once and never unmapped; untouched slots read as zero.
enum : uint32_t {  // low bit: live
  SX_KIND_BLAS = 0x53580011,
  SX_KIND_SOLVER = 0x53580021,
  SX_KIND_LT = 0x53580031,
  SX_KIND_XT = 0x53580041,
};

// Modes packed in one word, so that a borrowed handle is compared with one load.
enum : uint64_t {
  SX_POINTER_MODE_MASK = 0x1,  // 0 host, 1 device
  SX_ATOMICS_MASK = 0x2,       // 0 not allowed, 2 allowed
  SX_MATH_SHIFT = 8,           // cublasMath_t as set, 16 bits
  SX_WORKSPACE_SHIFT = 32,     // generation of the user's workspace, 0: none
};

struct alignas(64) sx_blas_slot {
  // settings: written by setters (relaxed atomics), read by every call
  uint32_t state;  // SX_KIND_* when live
  int32_t device;
  hipStream_t stream;  // HIP's value; the CUDA value is kept in cuda_stream
  uint64_t modes;
  // the one-entry cache: read and written only by the thread whose thread pointer is ``owner``
  void* owner;
  rocblas_handle cached;
  hipStream_t cached_stream;
  uint64_t cached_modes;
  // cold
  void* cuda_stream;
  void* workspace;
  size_t workspace_bytes;
  void* cached_entry;  // core's entry behind ``cached``
  int32_t sm_count_target;
  int32_t emulation_strategy;
  uint64_t emulation_special_values;
  int32_t mantissa_control, mantissa_bit_offset, max_mantissa_bits;
  int32_t environment_mode;
  int32_t* mantissa_bit_count;  // the caller's
  uint8_t reserved[512 - 152 - 8];
  uint32_t links[2];  // core's own: the list of free slots
};
static_assert(sizeof(sx_blas_slot) == 512, "a slot is 512 bytes");

struct sx_core_state {
  uintptr_t slab;  // reserved at load; 0 in a forked child under ROCm
  size_t slab_bytes;
  int32_t device_count;  // of the provider; above 1, calls set and restore the current device
};
extern sx_core_state sx_core;

// Loads the provider if that has not happened; 0, or a hipError_t. Cheap when done. Handle creation and cudart call it.
int sx_provider_load(void);
extern int32_t sx_provider_loaded;  // non-zero after a successful load
static inline int sx_loaded(void) { return __atomic_load_n(&sx_provider_loaded, __ATOMIC_ACQUIRE) != 0; }

// Borrowing: the slow way (another thread's cache, changed settings, several devices).
struct sx_loan {
  rocblas_handle handle;
  void* entry;             // core's list entry when the loan is not the slot's cache
  int32_t restore_device;  // -1: nothing to restore
};
__attribute__((cold)) int sx_blas_borrow_slow(sx_blas_slot* slot, sx_loan* loan);  // 0 or a cublasStatus_t
__attribute__((cold)) void sx_blas_return_slow(sx_loan* loan);

// Scratch memory on the loan's device, ordered by its stream, valid until the loan is returned. Grown only outside a
// capture; NULL when there is not enough.
void* sx_blas_scratch(sx_blas_slot* slot, const sx_loan* loan, size_t bytes);

// Allocation of slots by kind; NULL when none is left. A freed slot stays readable and invalid, and is used again only
// after many others. Retiring makes a handle invalid: false when another thread did so before.
void* sx_slot_new(uint32_t kind);
bool sx_slot_retire(void* slot, uint32_t kind);
void sx_slot_free(void* slot);

// What the handle functions of cuBLAS do to the state; all but set_mode return 0 or a cublasStatus_t.
int sx_blas_create(sx_blas_slot** slot);
int sx_blas_destroy(sx_blas_slot* slot);
int sx_blas_set_stream(sx_blas_slot* slot, hipStream_t stream, void* cuda_stream);  // drops the user's workspace
int sx_blas_set_workspace(sx_blas_slot* slot, void* workspace, size_t bytes);
void sx_blas_set_mode(sx_blas_slot* slot, uint64_t mask, uint64_t bits);

// What a library keeps for the whole process, whichever of its sonames is asked.
struct sx_process_state {
  void* legacy_handle;   // cublasInit's, NULL before it
  int32_t legacy_error;  // what cublasGetError will answer
  void* nvblas;          // nvblas's configuration, once read
};
extern sx_process_state sx_process;

// To be called before a stream is destroyed, or a device reset: borrowed handles of it are let go.
void sx_stream_destroyed(hipStream_t stream);
void sx_device_reset(int device);

// ---- messages ------------------------------------------------------------------------------------------------------
void sx_xerbla(const char* routine, int number);                             // NVIDIA's message on stdout
void sx_stub(const char* symbol, const char* why);                           // says why once when logging is on
void sx_log(const char* format, ...) __attribute__((format(printf, 1, 2)));  // SCALE_X_LOG=1

extern void (*sx_logger_callback)(const char* message);  // cuBLAS's, one per process

// ---- CUDA runtime's error state (per thread) -----------------------------------------------------------------------
int sx_runtime_error_set(int error);  // records a non-zero error as the last one; returns its argument
int sx_runtime_error_get(bool clear);

}  // extern "C"

// ---- inline fast paths ---------------------------------------------------------------------------------------------

// The slot behind a handle, or nullptr for NULL, destroyed, foreign or garbage handles.
static inline sx_blas_slot* sx_slot_of(const void* handle, uint32_t kind) {
  const uintptr_t offset = reinterpret_cast<uintptr_t>(handle) - sx_core.slab;
  if (SX_UNLIKELY(offset >= sx_core.slab_bytes || (offset & 511u) != 0)) return nullptr;
  auto* slot = static_cast<sx_blas_slot*>(const_cast<void*>(handle));
  if (slot == nullptr) __builtin_unreachable();  // the slab is not at address 0
  return SX_LIKELY(__atomic_load_n(&slot->state, __ATOMIC_RELAXED) == kind) ? slot : nullptr;
}

// Whether the slot's cached handle is this thread's and carries the slot's settings.
static inline bool sx_blas_cached(const sx_blas_slot* slot) {
  return __atomic_load_n(&slot->owner, __ATOMIC_RELAXED) == __builtin_thread_pointer() &&
         __atomic_load_n(&slot->cached_stream, __ATOMIC_RELAXED) == __atomic_load_n(&slot->stream, __ATOMIC_RELAXED) &&
         __atomic_load_n(&slot->cached_modes, __ATOMIC_RELAXED) == __atomic_load_n(&slot->modes, __ATOMIC_RELAXED);
}

// Borrow the rocBLAS handle that carries the slot's settings. 0 or a cublasStatus_t.
static inline int sx_blas_begin(sx_blas_slot* slot, sx_loan* loan) {
  loan->entry = nullptr;
  loan->restore_device = -1;
  if (SX_LIKELY(sx_blas_cached(slot) && sx_core.device_count <= 1)) {
    loan->handle = slot->cached;
    return 0;
  }
  return sx_blas_borrow_slow(slot, loan);
}

static inline void sx_blas_end(sx_loan* loan) {
  if (SX_UNLIKELY(loan->entry != nullptr || loan->restore_device >= 0)) sx_blas_return_slow(loan);
}

static inline bool sx_host_mode(const sx_blas_slot* slot) {
  return (__atomic_load_n(&slot->modes, __ATOMIC_RELAXED) & SX_POINTER_MODE_MASK) == 0;
}

// A scalar at any alignment.
template <class T>
static inline T sx_load(const void* p) {
  T v;
  memcpy(&v, p, sizeof v);
  return v;
}
