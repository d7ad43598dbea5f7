// Environment, impersonated release and chip, quirks, counters, injected faults and the two exported functions.
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <mutex>

#include "engine.h"

extern "C" void scipy_openblas_set_num_threads64_(int threads);

namespace sx::rb::dot {
long choose(long way);  // rocblas/dot_product.h
}

namespace sx {

int32_t slow_mode = 0;
Faults faults{};
thread_local Thread thread_state __attribute__((tls_model("initial-exec"))){};

namespace {

Counters counters_{};
std::mutex settings_lock;

struct QuirkFacts {
  const char* name;
  int since, removed;
};
constexpr QuirkFacts quirk_facts[] = {
#define SX_QUIRK(name, since, removed, source, text) {#name, since, removed},
#include "../quirks.def"
#undef SX_QUIRK
};

constexpr int oldest_release = 600, newest_release = 1001;
const char* const arches[] = {"gfx90a", "gfx942", "gfx950", "gfx1030", "gfx1100", "gfx1201"};

bool flag(const char* name) {
  const char* text = secure_getenv(name);
  return text != nullptr && text[0] != '\0' && strcmp(text, "0") != 0;
}

int affinity_count() {
  cpu_set_t set;
  CPU_ZERO(&set);
  if (sched_getaffinity(0, sizeof set, &set) == 0 && CPU_COUNT(&set) > 0) return CPU_COUNT(&set);
  const long online = sysconf(_SC_NPROCESSORS_ONLN);
  return online > 0 ? static_cast<int>(online) : 1;
}

int bounded(const char* name, int otherwise, int most) {
  const char* text = secure_getenv(name);
  if (text == nullptr || text[0] == '\0') return otherwise;
  const long value = strtol(text, nullptr, 10);
  return value < 1 ? 1 : value > most ? most : static_cast<int>(value);
}

int parse_release(const char* text) {
  char* end = nullptr;
  const long major = strtol(text, &end, 10);
  const long minor = *end == '.' ? strtol(end + 1, nullptr, 10) : 0;
  return major > 0 && major < 100 && minor >= 0 && minor < 100 ? static_cast<int>(100 * major + minor) : 0;
}

bool set_arch(Settings& s, const char* name) {
  for (const char* known : arches) {
    if (strcmp(known, name) != 0) continue;
    snprintf(s.arch, sizeof s.arch, "%s", name);
    return true;
  }
  return false;
}

// fork: hold the engine's locks so that the child gets them free, then give it a pool and workers of its own.
void fork_prepare() {
  lock.lock();
  memory_fork(0);
}
void fork_parent() {
  memory_fork(1);
  lock.unlock();
}
void fork_child() {
  memory_fork(2);
  lock.unlock();
  pool_fork_child();
  streams_fork_child();
}

void read_environment(Settings& s) {
  s.hostile = flag("SCALE_X_HOST_HOSTILE");
  s.strict = flag("SCALE_X_HOST_STRICT");
  s.devices = bounded("SCALE_X_HOST_DEVICES", 1, 16);
  s.threads = bounded("SCALE_X_HOST_THREADS", affinity_count(), 1024);
  if (const char* text = secure_getenv("SCALE_X_HOST_STREAMS")) {
    if (strcmp(text, "async") == 0) s.mode = StreamMode::async;
    if (strcmp(text, "deferred") == 0) s.mode = StreamMode::deferred;
  }
  if (const char* text = secure_getenv("SCALE_X_HOST_ROCM")) {
    if (const int release = parse_release(text)) s.release = release;
  }
  if (const char* text = secure_getenv("SCALE_X_HOST_ARCH")) set_arch(s, text);
}

Settings* make_settings() {
  static Settings s;
  read_environment(s);
  scipy_openblas_set_num_threads64_(1);  // the engine's pool is the only source of parallelism
  if (s.mode != StreamMode::run_inline) set_slow(slow_streams, true);
  if (s.strict) strict_start();
  pthread_atfork(fork_prepare, fork_parent, fork_child);
  return &s;
}

}  // namespace

Settings& settings() {
  static Settings* const s = make_settings();
  return *s;
}

int release() { return settings().release; }
const char* arch() { return settings().arch; }
bool arch_is(const char* name) { return strcmp(settings().arch, name) == 0; }
bool hostile() { return settings().hostile; }

bool quirk(Quirk which) {
  const Settings& s = settings();
  if (!s.hostile) return false;
  const QuirkFacts& q = quirk_facts[static_cast<int>(which)];
  return s.release >= q.since && (q.removed == 0 || s.release < q.removed);
}

Counters& counters() { return counters_; }

void poison(void* memory, size_t bytes) {
  if (quirk(Quirk::workspace_poison) && memory != nullptr) fill_bytes(memory, 0xff, bytes);
}

void set_slow(int32_t bit, bool on) {
  if (on) {
    __atomic_fetch_or(&slow_mode, bit, __ATOMIC_SEQ_CST);
  } else {
    __atomic_fetch_and(&slow_mode, ~bit, __ATOMIC_SEQ_CST);
  }
}

hipError_t finish(hipError_t error) {
  if (error != hipSuccess || release() < 700) thread_state.last_error = error;
  return error;
}

void flush_last_error() { thread_state.last_error = hipSuccess; }

bool fault_on_malloc() {
  std::lock_guard<std::mutex> held(settings_lock);
  if (faults.fail_malloc_after <= 0) return false;
  return --faults.fail_malloc_after == 0;
}

// False, and nothing changed, for a release or an architecture that the engine cannot stand for.
bool set_target(int wanted_release, const char* wanted_arch) {
  Settings& s = settings();
  if (wanted_release != 0 && (wanted_release < oldest_release || wanted_release > newest_release)) return false;
  if (wanted_arch != nullptr && !set_arch(s, wanted_arch)) return false;
  if (wanted_release != 0) s.release = wanted_release;
  return true;
}

namespace {

struct Command {
  const char* name;
  long (*run)(long);
};

long reset(long) {
  counters_ = Counters{};
  faults = Faults{};
  set_slow(slow_fault, false);
  return 0;
}

long set_sticky(long error) {
  faults.sticky = static_cast<hipError_t>(error);
  set_slow(slow_fault, error != 0 || faults.fail_next_call > 0);
  return 0;
}

long set_fail_call(long count) {
  faults.fail_next_call = count;
  set_slow(slow_fault, count > 0 || faults.sticky != hipSuccess);
  return 0;
}

const Command commands[] = {
    {"allocations", [](long) { return counters_.allocations; }},
    {"frees", [](long) { return counters_.frees; }},
    {"copies", [](long) { return counters_.copies; }},
    {"memsets", [](long) { return counters_.memsets; }},
    {"syncs", [](long) { return counters_.syncs; }},
    {"launches", [](long) { return counters_.launches; }},
    {"calls", [](long) { return counters_.calls; }},
    {"leaks", [](long print) { return static_cast<long>(leak_report(print != 0)); }},
    {"threads", [](long) { return static_cast<long>(pool_threads()); }},
    {"release", [](long) { return static_cast<long>(release()); }},
    {"hostile", [](long) { return static_cast<long>(hostile()); }},
    {"fail_next_malloc", [](long n) { return faults.fail_malloc_after = n > 0 ? n : 1, 0L; }},
    {"sticky_error", set_sticky},
    {"fail_next_call", set_fail_call},
    {"dot_products", [](long way) { return rb::dot::choose(way); }},
    {"reset", reset},
};

}  // namespace
}  // namespace sx

#define SX_HOST_EXPORT extern "C" __attribute__((visibility("default")))

// For tests: reads a counter or injects a fault; -1 for an unknown command.
SX_HOST_EXPORT long sx_host_control(const char* command, long argument) {
  sx::settings();
  for (const auto& c : sx::commands) {
    if (command != nullptr && strcmp(command, c.name) == 0) return c.run(argument);
  }
  return -1;
}
