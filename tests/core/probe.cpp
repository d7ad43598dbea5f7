// Core, driven as wrappers drive it, over the null ROCm: one subcommand per property.
#include "probe.h"

#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <thread>
#include <vector>

// The compiler must not see which handle it is: it would warn about garbage.
static sx_blas_slot* blas(const void* handle) {
  const void* volatile hidden = handle;
  return sx_slot_of(hidden, SX_KIND_BLAS);
}

static void slab() {
  CHECK(blas(nullptr) == nullptr);
  CHECK(blas(reinterpret_cast<void*>(0x200)) == nullptr);
  std::vector<sx_blas_slot*> slots;
  for (int i = 0; i < 100; ++i) slots.push_back(create());
  for (auto* s : slots) CHECK(blas(s) == s);
  auto* first = reinterpret_cast<char*>(slots[0]);
  for (int offset : {1, 8, 64, 256}) CHECK(blas(first + offset) == nullptr);
  CHECK(sx_slot_of(first, SX_KIND_SOLVER) == nullptr);
  CHECK(blas(reinterpret_cast<void*>(sx_core.slab + sx_core.slab_bytes)) == nullptr);
  CHECK(blas(reinterpret_cast<void*>(sx_core.slab + sx_core.slab_bytes - 512)) == nullptr);
  static char zeros[65536], ones[65536];
  memset(ones, 0xff, sizeof ones);
  for (uintptr_t garbage : {reinterpret_cast<uintptr_t>(zeros), reinterpret_cast<uintptr_t>(ones), ~uintptr_t{0},
                            ~uintptr_t{0} & ~uintptr_t{511}, uintptr_t{1} << 47, uintptr_t{1} << 63}) {
    CHECK(blas(reinterpret_cast<void*>(garbage)) == nullptr);
  }
  for (auto* s : slots) CHECK(sx_blas_destroy(s) == 0);
  for (auto* s : slots) CHECK(blas(s) == nullptr);
  CHECK(sx_blas_destroy(slots[5]) == 1);
  // a destroyed handle stays invalid while many others come and go
  for (int i = 0; i < 900; ++i) {
    auto* s = create();
    for (auto* old : slots) CHECK(s != old);
    CHECK(sx_blas_destroy(s) == 0);
  }
  // and slots are used again in the end: more creations than the slab has slots
  for (int i = 0; i < 200000; ++i) {
    void* s = sx_slot_new(SX_KIND_LT);
    CHECK(s != nullptr);
    CHECK(sx_slot_retire(s, SX_KIND_LT));
    CHECK(!sx_slot_retire(s, SX_KIND_LT));
    sx_slot_free(s);
  }
}

static void full() {
  std::vector<void*> all;
  while (void* s = sx_slot_new(SX_KIND_LT)) all.push_back(s);
  CHECK(all.size() == sx_core.slab_bytes / 512);
  sx_blas_slot* slot = nullptr;
  CHECK(sx_blas_create(&slot) == 3 && slot == nullptr);
  CHECK(sx_slot_retire(all[7], SX_KIND_LT));
  sx_slot_free(all[7]);
  CHECK(create() == all[7]);
}

static void settings() {
  auto* slot = create();
  NullHandle seen = call(slot);
  CHECK(seen.pointer_mode == 0 && seen.atomics_mode == 0 && seen.math_mode == 0 && seen.stream == nullptr);
  const int64_t before = counters().settings;
  for (int i = 0; i < 10; ++i) call(slot);
  CHECK(counters().settings == before);  // nothing is set again
  sx_blas_set_mode(slot, SX_POINTER_MODE_MASK, 1);
  CHECK(call(slot).pointer_mode == 1 && counters().settings == before + 1);
  sx_blas_set_mode(slot, SX_ATOMICS_MASK, SX_ATOMICS_MASK);
  CHECK(call(slot).atomics_mode == 1 && counters().settings == before + 2);
  sx_blas_set_mode(slot, uint64_t{0xffff} << SX_MATH_SHIFT, uint64_t{3} << SX_MATH_SHIFT);
  CHECK(call(slot).math_mode == 1);  // TF32, on gfx942
  sx_blas_set_mode(slot, uint64_t{0xffff} << SX_MATH_SHIFT, uint64_t{2} << SX_MATH_SHIFT);
  CHECK(call(slot).math_mode == 0);
  sx_blas_set_stream(slot, stream(0x7000), nullptr);
  seen = call(slot);
  CHECK(seen.stream == stream(0x7000) && seen.pointer_mode == 1 && seen.atomics_mode == 1);
  // another handle gets its own settings, whatever the borrowed handle had before
  auto* other = create();
  sx_blas_destroy(slot);
  sx_blas_set_stream(other, stream(0x7000), nullptr);
  seen = call(other);
  CHECK(seen.stream == stream(0x7000) && seen.pointer_mode == 0 && seen.atomics_mode == 0);
}

static void workspace() {
  auto* slot = create();
  auto* const big = reinterpret_cast<void*>(0x100000);
  sx_blas_set_workspace(slot, big, size_t{1} << 20);  // less than rocBLAS needs: not passed on
  CHECK(call(slot).workspace == nullptr);
  sx_blas_set_workspace(slot, static_cast<char*>(big) + 16, size_t{64} << 20);  // not aligned
  CHECK(call(slot).workspace == nullptr);
  sx_blas_set_workspace(slot, big, size_t{64} << 20);
  CHECK(call(slot).workspace == big && call(slot).workspace_bytes == size_t{64} << 20);
  sx_blas_set_stream(slot, nullptr, nullptr);  // even the same stream drops it
  CHECK(call(slot).workspace == nullptr);
  sx_blas_set_workspace(slot, big, size_t{64} << 20);
  CHECK(call(slot).workspace == big);
  sx_blas_set_workspace(slot, nullptr, 1024);
  CHECK(call(slot).workspace == nullptr);
  sx_blas_set_workspace(slot, big, size_t{64} << 20);
  CHECK(call(slot).workspace == big);
  sx_blas_destroy(slot);
  CHECK(call(create()).workspace == nullptr);  // a program's memory does not outlive its handle
}

static void one_handle() {
  auto* slot = create();
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([=] {
      for (int i = 0; i < 20000; ++i) call(slot);
    });
  }
  for (auto& t : threads) t.join();
  CHECK(counters().calls == 80000);
  CHECK(counters().clashes == 0);
  CHECK(counters().handles_created - counters().handles_destroyed <= 8);
}

// Threads x handles x streams, settings changed meanwhile, streams destroyed meanwhile.
static void everything() {
  std::vector<sx_blas_slot*> slots;
  for (int i = 0; i < 6; ++i) slots.push_back(create());
  std::vector<std::thread> threads;
  for (unsigned t = 0; t < 4; ++t) {
    threads.emplace_back([=] {
      unsigned seed = t + 1;
      for (int i = 0; i < 10000; ++i) {
        auto* slot = slots[static_cast<unsigned>(rand_r(&seed)) % 6];
        const int what = rand_r(&seed) % 16;
        if (what == 0) sx_blas_set_stream(slot, stream(0x1000u * (static_cast<unsigned>(rand_r(&seed)) % 5)), nullptr);
        if (what == 1) sx_blas_set_mode(slot, SX_POINTER_MODE_MASK, static_cast<unsigned>(rand_r(&seed)) & 1u);
        if (what == 2) sx_stream_destroyed(stream(0x1000u * (static_cast<unsigned>(rand_r(&seed)) % 5)));
        if (what == 3) {
          auto* own = create();
          sx_blas_set_stream(own, stream(0x2000), nullptr);
          CHECK(call(own).stream == stream(0x2000));
          sx_blas_destroy(own);
        }
        call(slot);
      }
    });
  }
  for (auto& t : threads) t.join();
  for (auto* s : slots) CHECK(sx_blas_destroy(s) == 0);
  CHECK(counters().clashes == 0);
  CHECK(counters().handles_created - counters().handles_destroyed <= 64);
}

static void cached_elsewhere() {
  auto* slot = create();
  std::thread([=] { call(slot); }).join();  // cached for a thread that is gone
  CHECK(call(slot).live == kNullLive);
  CHECK(sx_blas_destroy(slot) == 0);
  CHECK(sx_slot_of(slot, SX_KIND_BLAS) == nullptr);
  const int64_t alive = counters().handles_created - counters().handles_destroyed;
  for (int i = 0; i < 50; ++i) {
    auto* s = create();
    std::thread([=] { call(s); }).join();
    sx_blas_destroy(s);
  }
  CHECK(counters().handles_created - counters().handles_destroyed == alive);  // nothing leaks
}

static void bounds() {
  auto* slot = create();
  for (uintptr_t i = 1; i <= 500; ++i) {
    sx_blas_set_stream(slot, stream(i * 0x1000), nullptr);
    call(slot);
  }
  CHECK(counters().handles_created - counters().handles_destroyed <= 65);
  std::vector<sx_loan> loans(40);
  for (auto& loan : loans) {  // many at once on one stream, then all given back
    auto* s = create();
    CHECK(sx_blas_borrow_slow(s, &loan) == 0);
  }
  sx_device_reset(0);
  CHECK(call(slot).live == kNullLive);
}

static void streams() {
  auto* slot = create();
  sx_blas_set_stream(slot, stream(0x9000), nullptr);
  call(slot);
  sx_blas_set_stream(slot, stream(0xa000), nullptr);
  call(slot);  // the entry of 0x9000 is idle now
  int64_t destroyed = counters().handles_destroyed;
  sx_stream_destroyed(stream(0x9000));
  CHECK(counters().handles_destroyed == destroyed + 1);
  sx_stream_destroyed(stream(0xa000));  // cached by the slot: let go at the next change
  CHECK(counters().handles_destroyed == destroyed + 1);
  sx_blas_set_stream(slot, nullptr, nullptr);
  call(slot);
  CHECK(counters().handles_destroyed == destroyed + 2);
  // a capturing stream gets its handle at the first call, not in SetStream
  const int64_t created = counters().handles_created;
  sx_blas_set_stream(slot, stream(0xb010), nullptr);
  CHECK(counters().handles_created == created);
  sx_blas_set_stream(slot, stream(0xc000), nullptr);
  CHECK(counters().handles_created == created + 1);
  call(slot);
  CHECK(counters().handles_created == created + 1);
}

static void per_thread_stream() {
  auto* a = create();
  sx_blas_set_stream(a, stream(2), nullptr);
  sx_loan mine;
  CHECK(sx_blas_borrow_slow(a, &mine) == 0);
  sx_blas_end(&mine);
  std::thread([&] {
    auto* b = create();
    sx_blas_set_stream(b, stream(2), nullptr);
    sx_loan theirs;
    CHECK(sx_blas_borrow_slow(b, &theirs) == 0);
    CHECK(theirs.handle != mine.handle);
    sx_blas_end(&theirs);
    CHECK(sx_blas_borrow_slow(a, &theirs) == 0);  // the handle is another thread's, so is the stream
    CHECK(theirs.handle != mine.handle);
    sx_blas_end(&theirs);
  }).join();
}

static void devices() {
  CHECK(sx_provider_load() == 0);
  CHECK(sx_core.device_count == 3);
  CHECK(sx_rocm->hipSetDevice(2) == hipSuccess);
  auto* slot = create();
  CHECK(slot->device == 2);
  sx_rocm->hipSetDevice(1);
  for (int i = 0; i < 3; ++i) {
    sx_loan loan;
    CHECK(sx_blas_begin(slot, &loan) == 0);
    int current = -1;
    sx_rocm->hipGetDevice(&current);
    CHECK(current == 2);
    sx_blas_end(&loan);
    sx_rocm->hipGetDevice(&current);
    CHECK(current == 1);
  }
}

static void failures() {
  sx_blas_slot* slot = nullptr;
  CHECK(sx_blas_create(&slot) == 3 && slot == nullptr);  // NULLROCM_FAIL=rocblas_create_handle
  unsetenv("NULLROCM_FAIL");
  slot = create();
  setenv("NULLROCM_FAIL", "rocblas_set_stream", 1);
  sx_blas_set_stream(slot, stream(0xd000), nullptr);
  sx_loan loan;
  CHECK(sx_blas_begin(slot, &loan) == 13);
  unsetenv("NULLROCM_FAIL");
  CHECK(call(slot).stream == stream(0xd000));
  // the first call of a handle fails, and so does the second: nothing half made is used
  slot = create();
  sx_stream_destroyed(nullptr);  // no idle handle is left
  setenv("NULLROCM_FAIL", "rocblas_create_handle", 1);
  for (int i = 0; i < 2; ++i) CHECK(sx_blas_begin(slot, &loan) == 3);
  unsetenv("NULLROCM_FAIL");
  CHECK(call(slot).live == kNullLive);
}

static void scratch() {
  auto* slot = create();
  sx_loan loan;
  CHECK(sx_blas_begin(slot, &loan) == 0);
  auto* p = static_cast<char*>(sx_blas_scratch(slot, &loan, 1000));
  CHECK(p != nullptr);
  CHECK(sx_blas_scratch(slot, &loan, 1u << 20) == p);
  char* q = static_cast<char*>(sx_blas_scratch(slot, &loan, 5u << 20));
  CHECK(q != nullptr);
  memset(q, 1, 5u << 20);
  CHECK(sx_blas_scratch(slot, &loan, 10) == q);
  sx_blas_end(&loan);
  sx_blas_set_stream(slot, stream(0xe010), nullptr);  // capturing: nothing may be allocated
  CHECK(sx_blas_begin(slot, &loan) == 0);
  CHECK(sx_blas_scratch(slot, &loan, 1000) == nullptr);
  sx_blas_end(&loan);
}

// Under ROCm a child has no handles; its parent goes on.
static void forked() {
  auto* slot = create();
  call(slot);
  const pid_t child = fork();
  if (child == 0) {
    bool good = blas(slot) == nullptr && sx_provider_load() == hipErrorInitializationError;
    sx_blas_slot* fresh = nullptr;
    good = good && sx_blas_create(&fresh) == 1 && sx_rocm->hipMalloc == nullptr;
    _exit(good ? 0 : 1);
  }
  int status = -1;
  CHECK(waitpid(child, &status, 0) == child && status == 0);
  CHECK(blas(slot) == slot && call(slot).live == kNullLive);
}

static void load() {
  const int error = sx_provider_load();
  CHECK(sx_provider_load() == error);
  printf("%d %d %s %d\n", error, sx_rocm->version, sx_rocm->arch, sx_core.device_count);
}

static void errors() {
  CHECK(sx_runtime_error_set(0) == 0 && sx_runtime_error_get(false) == 0);
  CHECK(sx_runtime_error_set(700) == 700);
  CHECK(sx_runtime_error_set(0) == 0 && sx_runtime_error_get(false) == 700);
  std::thread([] { CHECK(sx_runtime_error_get(true) == 0); }).join();
  CHECK(sx_runtime_error_get(true) == 700 && sx_runtime_error_get(true) == 0);
  sx_xerbla("SGEMM", 8);
  sx_xerbla("SBATCHED_GETRF", -3);
  sx_stub("cublasX", "no reason");
  sx_stub("cublasX", "no reason");
  sx_log("%s", std::string(5000, 'x').c_str());
}

int main(int argc, char** argv) {
  const struct {
    const char* name;
    void (*run)();
  } all[] = {{"slab", slab},
             {"full", full},
             {"settings", settings},
             {"workspace", workspace},
             {"one_handle", one_handle},
             {"everything", everything},
             {"cached_elsewhere", cached_elsewhere},
             {"bounds", bounds},
             {"streams", streams},
             {"per_thread_stream", per_thread_stream},
             {"devices", devices},
             {"failures", failures},
             {"scratch", scratch},
             {"forked", forked},
             {"load", load},
             {"errors", errors}};
  for (const auto& one : all) {
    if (argc == 2 && strcmp(argv[1], one.name) == 0) return one.run(), 0;
  }
  fprintf(stderr, "no such property\n");
  return 2;
}
