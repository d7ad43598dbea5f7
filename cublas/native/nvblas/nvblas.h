// nvblas: Fortran BLAS-3 names that send large problems to cublasXt and the rest to a CPU BLAS.
//
// The configuration is read at the first call, once per process: the file that NVBLAS_CONFIG_FILE names, else
// nvblas.conf in the current directory when it belongs to the user. The CPU's library is opened by its absolute path,
// or by a bare name that the dynamic linker looks up; never relative to the current directory. It is opened so that its
// own calls of BLAS names stay inside it, and its functions are refused when they turn out to be nvblas's: nvblas never
// calls itself.
#pragma once

#include <stdio.h>

#include "native.h"

namespace sx_nv {

enum Type { kFloat, kDouble, kComplex, kDoubleComplex, kTypes };
constexpr int kRoutines = CUBLASXT_ROUTINE_MAX;

// Letters and routine names, by cublasXtBlasOp_t; what Fortran BLAS lacks has none.
extern const char kLetters[kTypes + 1];
extern const char* const kNames[kRoutines];

struct State {
  cublasXtHandle_t xt;  // nullptr when no device answers
  void* cpu[kRoutines][kTypes];
  bool cpu_only[kRoutines][kTypes];
  bool trace;
  FILE* log;
};

// What the configuration file says.
struct Config {
  char cpu_library[4096];
  char log_file[4096];
  int devices[64];
  int device_count;  // -1: all
  int tile;
  bool pin;
  bool trace;
  bool cpu_only[kRoutines][kTypes];
  float cpu_ratio[kRoutines][kTypes];
};

void read_config(Config* config);
bool find_routine(const char* name, int* routine, int* type);  // "SGEMM"
State* state();
void say(const State* s, const char* format, ...) __attribute__((format(printf, 2, 3)));

// Whether a problem of ``work`` multiplications is worth its way to a device when a CPU could have it.
constexpr double kWorthwhile = 128.0 * 128.0 * 128.0;

bool goes_to_device(const State* s, int routine, int type, double work);
// After a device's answer: whether the CPU has to do it. Nothing has been written then.
bool falls_back(const State* s, int routine, int type, cublasStatus_t status);
void* cpu_routine(const State* s, int routine, int type);

}  // namespace sx_nv
