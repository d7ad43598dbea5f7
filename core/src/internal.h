// What the parts of core see of each other.
#pragma once

#include <pthread.h>

#include <string>

#include "scalex/core.h"

namespace sx {

// cublasStatus_t, as far as core answers it
enum : int { kSuccess = 0, kNotInitialized = 1, kAllocFailed = 3, kExecutionFailed = 13 };

class Lock {
 public:
  explicit Lock(pthread_mutex_t& m) : m_(m) { pthread_mutex_lock(&m_); }
  ~Lock() { pthread_mutex_unlock(&m_); }
  Lock(const Lock&) = delete;
  Lock& operator=(const Lock&) = delete;

 private:
  pthread_mutex_t& m_;
};

// Calls that a capture in global mode forbids to every thread (allocation) are fine in relaxed mode.
class RelaxedCapture {
 public:
  RelaxedCapture() { exchange(); }
  ~RelaxedCapture() { exchange(); }
  RelaxedCapture(const RelaxedCapture&) = delete;
  RelaxedCapture& operator=(const RelaxedCapture&) = delete;

 private:
  void exchange() {
    if (sx_rocm->hipThreadExchangeStreamCaptureMode) sx_rocm->hipThreadExchangeStreamCaptureMode(&mode_);
  }
  hipStreamCaptureMode mode_ = hipStreamCaptureModeRelaxed;
};

extern pthread_mutex_t slab_mutex, pool_mutex, provider_mutex, fft_mutex;

// A line on stderr, always: "scale-x: ..."
void say(const char* format, ...) __attribute__((format(printf, 1, 2)));
bool logging();

// Directory of this library, without a slash at the end; "" when unknown.
std::string own_directory();

// Whether the provider of this process was ROCm when it forked: a child cannot use it.
bool provider_dies_in_child();
void provider_forked();  // in the child
void watch_fork();       // once, when the provider has been loaded
void slab_forked(bool usable);
void fft_forked(bool usable);
void fft_device_reset(int device);
void kernels_device_reset(int device);

}  // namespace sx
