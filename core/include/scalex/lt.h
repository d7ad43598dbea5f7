// What cuBLASLt keeps in core: hipBLASLt handles on loan, native objects of recent problems per thread, logging.
//
// A hipBLASLt handle must not serve two streams or two threads at once. So handles are lent as rocBLAS's are: from a
// bounded list by device and stream; the last one stays with its thread, which finds it again without a lock.
#pragma once

#include "scalex/core.h"

extern "C" {

// ---- settings of the process ----------------------------------------------------------------------------------------
struct sx_lt_state {
  int32_t log_mask;         // CUBLASLT_LOG_MASK: bits of enum sx_lt_level; 0: silent
  int32_t log_dead;         // after LoggerForceDisable
  int32_t capability;       // the compute capability that is claimed: 90
  uint64_t cache_capacity;  // of HeuristicsCacheSetCapacity, kept
  void (*log_callback)(int level, const char* function, const char* message);
};
extern sx_lt_state sx_lt_process;

enum sx_lt_level : int { SX_LT_ERROR = 1, SX_LT_TRACE = 2, SX_LT_HINT = 4, SX_LT_INFO = 8, SX_LT_API = 16 };
void sx_lt_log(int level, const char* function, const char* format, ...) __attribute__((format(printf, 3, 4), cold));
bool sx_lt_log_open(const char* path);  // false: cannot be written; NULL: standard output
void sx_lt_log_file(void* file);        // a FILE*, NULL: standard output
void sx_lt_log_level(int level);        // 0..5: everything up to it
bool sx_lt_logging(int level);          // also when SCALE_X_LOG is on

// ---- native objects of a problem
// -------------------------------------------------------------------------------------
enum { SX_LT_POINTERS = 8, SX_LT_ALGOS = 8, SX_LT_KEY_BYTES = 416, SX_LT_PLANS = 64 };

// One problem, but for its pointers. ``key`` and ``plan`` are the library's; core destroys the native objects.
struct sx_lt_plan {
  uint64_t hash;
  uint64_t key[SX_LT_KEY_BYTES / 8];
  int32_t device;
  int32_t status;  // a cublasStatus_t: what every call with this key is answered
  hipblasLtMatmulDesc_t desc;
  hipblasLtMatrixLayout_t a, b, c, d;
  const void* pointers[SX_LT_POINTERS];  // attributes of desc, as set
  int32_t algo_count;
  int32_t flags;
  uint64_t limit;  // of workspace, for which ``algos`` were found
  hipblasLtMatmulHeuristicResult_t algos[SX_LT_ALGOS];
  uint64_t plan[56];  // how it is computed
};

struct sx_lt_thread {
  hipblasLtHandle_t handle;  // kept by this thread; NULL: none
  hipStream_t stream;
  int32_t device;
  int32_t busy;  // lent out
  void* entry;
  uint64_t hits, misses;
  sx_lt_plan* plans[SX_LT_PLANS];  // by hash; one that comes later takes the place
};

// This thread's, made at the first use; NULL when there is no memory.
sx_lt_thread* sx_lt_this_thread(void);
// An empty plan at its place in the thread's table, what was there destroyed; NULL when there is no memory.
sx_lt_plan* sx_lt_plan_new(sx_lt_thread* thread, uint64_t hash);
void sx_lt_plan_clear(sx_lt_plan* plan);  // destroys the native objects

// A hipBLASLt handle for a call on the current device; 0 or a cublasStatus_t. While a stream is being captured no
// handle can be made (hipBLASLt ends the process): one that was made before is taken, or NOT_SUPPORTED is answered.
int sx_lt_borrow_slow(sx_lt_thread* thread, int device, hipStream_t stream);
int sx_lt_warm(int device);  // a handle for later, made now
bool sx_lt_capturing(hipStream_t stream);

}  // extern "C"

// Makes ``thread->handle`` one for this device and stream.
static inline int sx_lt_borrow(sx_lt_thread* thread, int device, hipStream_t stream) {
  if (SX_LIKELY(thread->handle != nullptr && thread->stream == stream && thread->device == device)) return 0;
  return sx_lt_borrow_slow(thread, device, stream);
}
