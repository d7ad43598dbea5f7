// Streams and device-wide synchronisation.
#include "api.h"

using sx::finish;

namespace sx {

hipError_t stream_synchronize(hipStream_t stream) {
  count(&Counters::syncs);
  return internal_sync(stream);
}

}  // namespace sx

namespace {

sx::Stream* stream_of(hipStream_t s) { return reinterpret_cast<sx::Stream*>(s); }
bool is_default(hipStream_t s) { return reinterpret_cast<uintptr_t>(s) <= 2; }

hipError_t create(hipStream_t* stream, unsigned flags, int priority) {
  if (stream == nullptr || (flags & ~unsigned{hipStreamNonBlocking}) != 0) return hipErrorInvalidValue;
  const int bounded = priority < -1 ? -1 : priority > 1 ? 1 : priority;
  sx::Stream* const s = sx::stream_new(flags, bounded);
  if (s == nullptr) return hipErrorOutOfMemory;
  *stream = reinterpret_cast<hipStream_t>(s);
  return hipSuccess;
}

}  // namespace

extern "C" {

hipError_t hipStreamCreate(hipStream_t* stream) { return finish(create(stream, hipStreamDefault, 0)); }
hipError_t hipStreamCreateWithFlags(hipStream_t* stream, unsigned flags) { return finish(create(stream, flags, 0)); }
hipError_t hipStreamCreateWithPriority(hipStream_t* stream, unsigned flags, int priority) {
  return finish(create(stream, flags, priority));
}

hipError_t hipStreamDestroy(hipStream_t stream) {
  SX_REQUIRE(!is_default(stream), hipErrorInvalidResourceHandle);
  SX_REQUIRE(sx::stream_valid(stream), hipErrorContextIsDestroyed);
  return finish(sx::stream_destroy(stream_of(stream)));
}

hipError_t hipStreamGetFlags(hipStream_t stream, unsigned* flags) {
  SX_REQUIRE(flags != nullptr, hipErrorInvalidValue);
  SX_REQUIRE(sx::stream_valid(stream), hipErrorContextIsDestroyed);
  *flags = sx::queue_of(stream)->flags;
  return finish(hipSuccess);
}

hipError_t hipStreamGetPriority(hipStream_t stream, int* priority) {
  SX_REQUIRE(priority != nullptr, hipErrorInvalidValue);
  SX_REQUIRE(sx::stream_valid(stream), hipErrorContextIsDestroyed);
  *priority = sx::queue_of(stream)->priority;
  return finish(hipSuccess);
}

hipError_t hipStreamGetDevice(hipStream_t stream, hipDevice_t* device) {
  SX_REQUIRE(device != nullptr, hipErrorInvalidValue);
  SX_REQUIRE(sx::stream_valid(stream), hipErrorContextIsDestroyed);
  *device = sx::stream_device(stream);
  return finish(hipSuccess);
}

int hipGetStreamDeviceId(hipStream_t stream) { return sx::stream_valid(stream) ? sx::stream_device(stream) : -1; }

hipError_t hipStreamGetId(hipStream_t stream, unsigned long long* id) {
  SX_REQUIRE(id != nullptr, hipErrorInvalidValue);
  SX_REQUIRE(sx::stream_valid(stream), hipErrorContextIsDestroyed);
  *id = sx::queue_of(stream)->id;
  return finish(hipSuccess);
}

hipError_t hipStreamSynchronize(hipStream_t stream) { return finish(sx::stream_synchronize(stream)); }

hipError_t hipStreamQuery(hipStream_t stream) {
  SX_TRY(sx::stream_check(stream));
  if (SX_LIKELY(sx::slow_mode == 0)) return finish(hipSuccess);
  sx::Locked held(sx::lock);
  const auto q = sx::queue_of(stream, held);
  if (q->capture != nullptr) {
    sx::invalidate(q.get());
    return finish(hipErrorStreamCaptureUnsupported);
  }
  SX_TRY(sx::refuse_implicit(*q, held));
  if (q->done == q->tail) return finish(hipSuccess);
  sx::step(q, held);
  return hipErrorNotReady;  // not an error that hipGetLastError keeps
}

hipError_t hipStreamWaitEvent(hipStream_t stream, hipEvent_t event, unsigned flags) {
  SX_REQUIRE(event != nullptr, hipErrorInvalidHandle);
  SX_REQUIRE(flags == 0, hipErrorInvalidValue);
  SX_REQUIRE(sx::event_valid(event), hipErrorInvalidHandle);
  return finish(sx::stream_wait(stream, sx::state_of(event)));
}

hipError_t hipDeviceSynchronize(void) {
  SX_TRY(sx::refuse_in_capture());
  SX_TRY(sx::stream_check(nullptr));
  sx::count(&sx::Counters::syncs);
  sx::wait_device(sx::thread_state.device);
  return finish(hipSuccess);
}

hipError_t hipCtxSynchronize(void) { return hipDeviceSynchronize(); }

hipError_t hipDeviceReset(void) {
  SX_TRY(sx::refuse_in_capture());
  sx::wait_device(sx::thread_state.device);
  sx::free_everything();
  sx::faults.sticky = hipSuccess;
  sx::set_slow(sx::slow_fault, sx::faults.fail_next_call > 0);
  return finish(hipSuccess);
}

hipError_t hipLaunchHostFunc(hipStream_t stream, hipHostFn_t function, void* data) {
  SX_REQUIRE(function != nullptr, hipErrorInvalidValue);
  return finish(sx::enqueue(
      stream, [=] { function(data); }, sx::Op::host));
}

hipError_t hipStreamAddCallback(hipStream_t stream, hipStreamCallback_t function, void* data, unsigned flags) {
  SX_REQUIRE(function != nullptr && flags == 0, hipErrorInvalidValue);
  return finish(sx::enqueue(
      stream, [=] { function(stream, hipSuccess, data); }, sx::Op::host));
}

}  // extern "C"
