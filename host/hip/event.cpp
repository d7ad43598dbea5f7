// Events.
#include "api.h"

using sx::finish;

extern "C" {

hipError_t hipEventCreateWithFlags(hipEvent_t* event, unsigned flags) {
  const unsigned known = hipEventBlockingSync | hipEventDisableTiming | hipEventInterprocess |
                         hipEventDisableSystemFence | hipEventReleaseToDevice | hipEventReleaseToSystem;
  SX_REQUIRE(event != nullptr && (flags & ~known) == 0, hipErrorInvalidValue);
  const bool timed_ipc = (flags & hipEventInterprocess) != 0 && (flags & hipEventDisableTiming) == 0;
  SX_REQUIRE(!timed_ipc, hipErrorInvalidValue);
  sx::Event* const e = sx::event_new(flags);
  SX_REQUIRE(e != nullptr, hipErrorOutOfMemory);
  *event = reinterpret_cast<hipEvent_t>(e);
  return finish(hipSuccess);
}

hipError_t hipEventCreate(hipEvent_t* event) { return hipEventCreateWithFlags(event, hipEventDefault); }

hipError_t hipEventDestroy(hipEvent_t event) {
  SX_REQUIRE(sx::event_valid(event), hipErrorInvalidHandle);
  sx::event_free(reinterpret_cast<sx::Event*>(event));
  return finish(hipSuccess);
}

hipError_t hipEventRecord(hipEvent_t event, hipStream_t stream) {
  SX_REQUIRE(sx::event_valid(event), hipErrorInvalidHandle);
  return finish(sx::event_record(sx::state_of(event), stream));
}

hipError_t hipEventRecordWithFlags(hipEvent_t event, hipStream_t stream, unsigned flags) {
  SX_REQUIRE(flags <= hipEventRecordExternal, hipErrorInvalidValue);
  return hipEventRecord(event, stream);
}

hipError_t hipEventQuery(hipEvent_t event) {
  SX_REQUIRE(sx::event_valid(event), hipErrorInvalidHandle);
  SX_TRY(sx::faults.sticky);
  return sx::event_done(sx::state_of(event), true) ? finish(hipSuccess) : hipErrorNotReady;
}

hipError_t hipEventSynchronize(hipEvent_t event) {
  SX_REQUIRE(sx::event_valid(event), hipErrorInvalidHandle);
  SX_TRY(sx::stream_check(nullptr));
  sx::count(&sx::Counters::syncs);
  return finish(sx::event_wait(sx::state_of(event)));
}

hipError_t hipEventElapsedTime(float* ms, hipEvent_t start, hipEvent_t stop) {
  SX_REQUIRE(ms != nullptr, hipErrorInvalidValue);
  SX_REQUIRE(sx::event_valid(start) && sx::event_valid(stop), hipErrorInvalidHandle);
  sx::EventState *a = sx::state_of(start), *b = sx::state_of(stop);
  SX_REQUIRE(((a->flags | b->flags) & hipEventDisableTiming) == 0, hipErrorInvalidHandle);
  SX_REQUIRE(a->recorded && b->recorded, hipErrorInvalidHandle);
  if (!sx::event_done(a, false) || !sx::event_done(b, false)) return hipErrorNotReady;
  *ms = static_cast<float>(*b->when - *a->when);
  return finish(hipSuccess);
}

}  // extern "C"
