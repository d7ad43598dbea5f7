// Device memory is one reserved range of addresses, so that "is this a device pointer" is one comparison. Blocks are
// handed out best-fit; freed neighbours merge. Host memory that HIP allocates or registers is only recorded.
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include <map>
#include <set>
#include <unordered_map>

#include "engine.h"

#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/asan_interface.h>
#endif

namespace sx {
namespace {

constexpr size_t alignment = 256;
constexpr size_t page = 4096;
constexpr size_t huge_page = size_t{2} << 20;
constexpr size_t commit_step = size_t{64} << 20;
constexpr size_t keep_resident = size_t{512} << 20;  // freed memory that stays with the process

struct Record {
  Allocation what;
  size_t span;   // of the block, guards included
  char* block;   // where the block begins
  bool program;  // counted, and a leak when it lives at exit
};

struct Arena {
  std::mutex mutex;
  char* base = nullptr;
  size_t size = 0;
  size_t committed = 0;             // bytes from base that are readable (not in strict mode)
  size_t top = 0;                   // bytes from base ever handed out
  std::map<char*, size_t> free_at;  // by address, to merge
  std::set<std::pair<size_t, char*>> free_by_size;
  size_t free_resident = 0;
  std::map<char*, Record> records;       // every allocation and registration by its first byte
  std::unordered_map<int, size_t> used;  // by device
};
Arena& arena() {
  static auto* a = new Arena;  // never destroyed: programs free memory in their own destructors
  return *a;
}

size_t round_up(size_t n, size_t to) { return (n + to - 1) / to * to; }

// AddressSanitizer sees the arena as one mapping: it is told which bytes belong to a block, and blocks stand apart.
#ifdef __SANITIZE_ADDRESS__
constexpr size_t redzone = alignment;
void forbid(const void* p, size_t bytes) { ASAN_POISON_MEMORY_REGION(p, bytes); }
void permit(const void* p, size_t bytes) { ASAN_UNPOISON_MEMORY_REGION(p, bytes); }
#else
constexpr size_t redzone = 0;
void forbid(const void*, size_t) {}
void permit(const void*, size_t) {}
#endif

bool reserve(Arena& a) {
  for (size_t size = size_t{1} << 42; size >= size_t{1} << 30; size >>= 1) {
    void* p = mmap(nullptr, size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (p == MAP_FAILED) continue;
    a.base = static_cast<char*>(p);
    __atomic_store_n(&a.size, size, __ATOMIC_RELEASE);
    return true;
  }
  return false;
}

bool commit(Arena& a, size_t upto) {
  if (upto <= a.committed) return true;
  const size_t goal = round_up(upto, commit_step) < a.size ? round_up(upto, commit_step) : a.size;
  if (mprotect(a.base + a.committed, goal - a.committed, PROT_READ | PROT_WRITE) != 0) return false;
  forbid(a.base + a.committed, goal - a.committed);
  a.committed = goal;
  return true;
}

void insert_free(Arena& a, char* p, size_t n) {
  a.free_at.emplace(p, n);
  a.free_by_size.emplace(n, p);
}

void erase_free(Arena& a, std::map<char*, size_t>::iterator it) {
  a.free_by_size.erase({it->second, it->first});
  a.free_at.erase(it);
}

char* take(Arena& a, size_t span, size_t align) {
  for (auto it = a.free_by_size.lower_bound({span, nullptr}); it != a.free_by_size.end(); ++it) {
    char* const start = it->second;
    const size_t have = it->first;
    char* const at = reinterpret_cast<char*>(round_up(reinterpret_cast<uintptr_t>(start), align));
    const size_t skip = static_cast<size_t>(at - start);
    if (skip + span > have) continue;
    erase_free(a, a.free_at.find(start));
    if (skip != 0) insert_free(a, start, skip);
    if (skip + span < have) insert_free(a, at + span, have - skip - span);
    a.free_resident -= span < a.free_resident ? span : a.free_resident;
    return at;
  }
  const size_t begin = round_up(a.top, align);
  if (begin + span > a.size || begin + span < span) return nullptr;
  if (!settings().strict && !commit(a, begin + span)) return nullptr;
  if (begin > a.top) insert_free(a, a.base + a.top, begin - a.top);
  a.top = begin + span;
  return a.base + begin;
}

void give_back(Arena& a, char* p, size_t span) {
  forbid(p, span);
  a.free_resident += span;
  const bool discard = settings().strict || (span >= huge_page && a.free_resident > keep_resident);
  if (discard && span >= page) {
    char* const first = reinterpret_cast<char*>(round_up(reinterpret_cast<uintptr_t>(p), page));
    const size_t whole = (static_cast<size_t>(p + span - first)) / page * page;
    if (first < p + span) madvise(first, whole, MADV_DONTNEED);
    a.free_resident -= span;
  }
  auto next = a.free_at.lower_bound(p);
  if (next != a.free_at.end() && next->first == p + span) {
    span += next->second;
    erase_free(a, next);
  }
  auto before = a.free_at.lower_bound(p);
  if (before != a.free_at.begin() && std::prev(before)->first + std::prev(before)->second == p) {
    before = std::prev(before);
    p = before->first;
    span += before->second;
    erase_free(a, before);
  }
  insert_free(a, p, span);
}

size_t physical_memory() {
  const long pages = sysconf(_SC_PHYS_PAGES), size = sysconf(_SC_PAGESIZE);
  return pages > 0 && size > 0 ? static_cast<size_t>(pages) * static_cast<size_t>(size) : size_t{8} << 30;
}

std::map<char*, Record>::iterator containing(Arena& a, const void* p) {
  char* const address = const_cast<char*>(static_cast<const char*>(p));
  auto it = a.records.upper_bound(address);
  if (it == a.records.begin()) return a.records.end();
  --it;
  return address < it->first + it->second.what.bytes ? it : a.records.end();
}

// Strict mode: whole pages, the block's end against an inaccessible page, so that reading past it is caught at once.
char* place(Arena& a, size_t bytes, Record& r) {
  const bool strict = settings().strict;
  const size_t rounded = round_up(bytes, alignment);
  const size_t body = strict ? round_up(rounded, page) : rounded + redzone;
  r.span = strict ? body + 2 * page : body;
  const size_t align = strict ? page : rounded >= huge_page ? huge_page : rounded >= 4 * page ? page : alignment;
  r.block = take(a, r.span, align);
  if (r.block == nullptr) return nullptr;
  if (!strict) {
    if (rounded >= 4 * huge_page) madvise(r.block, r.span, MADV_HUGEPAGE);
    return r.block;
  }
  char* const first = r.block + page;
  if (mprotect(first, body, PROT_READ | PROT_WRITE) != 0) return nullptr;
  return first + body - rounded;
}

void close_strict(char* p, size_t bytes) {
  if (!settings().strict || thread_state.access_depth > 0) return;
  char* const first = reinterpret_cast<char*>(reinterpret_cast<uintptr_t>(p) / page * page);
  mprotect(first, static_cast<size_t>(p + round_up(bytes, alignment) - first), PROT_NONE);
}

}  // namespace

// What a device has: the machine's memory, or SCALE_X_HOST_MEMORY mebibytes.
size_t device_total() {
  static const size_t total = [] {
    const char* const text = secure_getenv("SCALE_X_HOST_MEMORY");
    const long long given = text != nullptr ? strtoll(text, nullptr, 10) : 0;
    return given > 0 ? static_cast<size_t>(given) << 20 : physical_memory();
  }();
  return total;
}

bool is_device_ptr(const void* p) {
  const Arena& a = arena();
  return static_cast<size_t>(static_cast<const char*>(p) - a.base) < __atomic_load_n(&a.size, __ATOMIC_ACQUIRE);
}

bool find_allocation(const void* p, Allocation* out) {
  Arena& a = arena();
  std::lock_guard<std::mutex> held(a.mutex);
  auto it = containing(a, p);
  if (it == a.records.end()) return false;
  if (out != nullptr) *out = it->second.what;
  return true;
}

bool is_device_accessible(const void* p) { return is_device_ptr(p) || find_allocation(p, nullptr); }

void* device_alloc(size_t bytes, int device, Allocation::Kind kind, unsigned flags, bool program, hipError_t* error) {
  *error = hipErrorOutOfMemory;
  if (program && fault_on_malloc()) return nullptr;
  Arena& a = arena();
  char* p = nullptr;
  {
    std::lock_guard<std::mutex> held(a.mutex);
    if (a.base == nullptr && !reserve(a)) return nullptr;
    size_t& used = a.used[device];
    if (bytes > device_total() || used > device_total() - bytes) return nullptr;
    Record r{};
    p = place(a, bytes, r);
    if (p == nullptr) return nullptr;
    used += bytes;
    r.what = {p, bytes, kind, device, flags};
    r.program = program;
    a.records.emplace(p, r);
    permit(p, bytes);
  }
  const bool strict = settings().strict;
  if (program && (strict || quirk(Quirk::fresh_memory_poison))) fill_bytes(p, 0xff, bytes);
  if (kind == Allocation::Kind::device) close_strict(p, bytes);
  if (program) count(&Counters::allocations);
  *error = hipSuccess;
  return p;
}

hipError_t device_free(void* p, bool program) {
  Arena& a = arena();
  std::lock_guard<std::mutex> held(a.mutex);
  auto it = a.records.find(static_cast<char*>(p));
  if (it == a.records.end()) return hipErrorInvalidValue;
  const Record r = it->second;
  if (r.what.kind != Allocation::Kind::device && r.what.kind != Allocation::Kind::managed) return hipErrorInvalidValue;
  if (r.program != program) return hipErrorInvalidValue;
  a.records.erase(it);
  a.used[r.what.device] -= r.what.bytes;
  if (settings().strict) mprotect(r.block, r.span, PROT_NONE);
  give_back(a, r.block, r.span);
  if (program) count(&Counters::frees);
  return hipSuccess;
}

void* host_alloc(size_t bytes, int device, unsigned flags, hipError_t* error) {
  *error = hipErrorOutOfMemory;
  void* p = nullptr;
  if (fault_on_malloc() || bytes > device_total() || posix_memalign(&p, page, bytes) != 0) return nullptr;
  if (settings().strict || quirk(Quirk::fresh_memory_poison)) fill_bytes(p, 0xff, bytes);
  Arena& a = arena();
  std::lock_guard<std::mutex> held(a.mutex);
  char* const at = static_cast<char*>(p);
  a.records.emplace(at, Record{{at, bytes, Allocation::Kind::host, device, flags}, bytes, at, true});
  count(&Counters::allocations);
  *error = hipSuccess;
  return p;
}

hipError_t host_free(void* p) {
  Arena& a = arena();
  std::lock_guard<std::mutex> held(a.mutex);
  auto it = a.records.find(static_cast<char*>(p));
  if (it == a.records.end() || it->second.what.kind != Allocation::Kind::host) return hipErrorInvalidValue;
  a.records.erase(it);
  free(p);
  count(&Counters::frees);
  return hipSuccess;
}

hipError_t host_register(void* p, size_t bytes, unsigned flags) {
  Arena& a = arena();
  std::lock_guard<std::mutex> held(a.mutex);
  if (containing(a, p) != a.records.end()) return hipErrorHostMemoryAlreadyRegistered;
  char* const at = static_cast<char*>(p);
  const Allocation what{at, bytes, Allocation::Kind::registered, thread_state.device, flags};
  a.records.emplace(at, Record{what, bytes, at, false});
  return hipSuccess;
}

hipError_t host_unregister(void* p) {
  Arena& a = arena();
  std::lock_guard<std::mutex> held(a.mutex);
  auto it = a.records.find(static_cast<char*>(p));
  if (it == a.records.end() || it->second.what.kind != Allocation::Kind::registered) {
    return hipErrorHostMemoryNotRegistered;
  }
  a.records.erase(it);
  return hipSuccess;
}

void* internal_alloc(size_t bytes) {
  hipError_t error;
  void* p = device_alloc(bytes == 0 ? 1 : bytes, thread_state.device, Allocation::Kind::device, 0, false, &error);
  return p;
}

void internal_free(void* p) {
  if (p != nullptr) device_free(p, false);
}

void memory_info(int device, size_t* free_bytes, size_t* total) {
  Arena& a = arena();
  std::lock_guard<std::mutex> held(a.mutex);
  const size_t used = a.used[device];
  *total = device_total();
  *free_bytes = used < *total ? *total - used : 0;
}

void memory_fork(int phase) {
  if (phase == 0) {
    arena().mutex.lock();
  } else {
    arena().mutex.unlock();
  }
}

void free_everything() {
  Arena& a = arena();
  std::vector<void*> doomed;
  {
    std::lock_guard<std::mutex> held(a.mutex);
    for (const auto& [p, r] : a.records) {
      const bool mine = r.what.kind == Allocation::Kind::device || r.what.kind == Allocation::Kind::managed;
      if (r.program && mine && r.what.device == thread_state.device) doomed.push_back(p);
    }
  }
  for (void* p : doomed) device_free(p, true);
}

size_t leak_report(bool print) {
  Arena& a = arena();
  std::lock_guard<std::mutex> held(a.mutex);
  size_t leaks = 0;
  for (const auto& [p, r] : a.records) {
    if (!r.program) continue;
    ++leaks;
    if (print) {
      fprintf(stderr, "scale-x: leak: %zu bytes of %s memory at %p, device %d\n", r.what.bytes,
              r.what.kind == Allocation::Kind::host ? "host" : "device", static_cast<void*>(p), r.what.device);
    }
  }
  return leaks;
}

// ---- moving bytes ---------------------------------------------------------------------------------------------------

namespace {
constexpr size_t parallel_bytes = size_t{4} << 20;
}

void copy_bytes(void* dst, const void* src, size_t bytes) {
  char* const d = static_cast<char*>(dst);
  const char* const s = static_cast<const char*>(src);
  const bool apart = d + bytes <= s || s + bytes <= d;
  if (bytes < parallel_bytes || !apart) {
    memmove(d, s, bytes);
    return;
  }
  parallel_for(bytes, parallel_bytes / 2, [=](size_t begin, size_t end) { memcpy(d + begin, s + begin, end - begin); });
}

void fill_bytes(void* dst, int value, size_t bytes) {
  char* const d = static_cast<char*>(dst);
  parallel_for(bytes, parallel_bytes / 2, [=](size_t begin, size_t end) { memset(d + begin, value, end - begin); });
}

// ---- strict mode ----------------------------------------------------------------------------------------------------

namespace {
std::mutex access_lock;
int access_count = 0;

void protect_all(int protection) {
  Arena& a = arena();
  std::lock_guard<std::mutex> held(a.mutex);
  for (const auto& [p, r] : a.records) {
    if (r.what.kind == Allocation::Kind::device) mprotect(r.block + page, r.span - 2 * page, protection);
  }
}
}  // namespace

void access_open() {
  if (thread_state.access_depth++ > 0) return;
  std::lock_guard<std::mutex> held(access_lock);
  if (access_count++ == 0) protect_all(PROT_READ | PROT_WRITE);
}

void access_close() {
  if (--thread_state.access_depth > 0) return;
  std::lock_guard<std::mutex> held(access_lock);
  if (--access_count == 0) protect_all(PROT_NONE);
}

}  // namespace sx
