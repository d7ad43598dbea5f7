// A ROCm library by name, whose functions jump to the host engine's. For foreign programs only (AMD's own tests);
// scale-x itself never opens one. The including file says of which release, which functions, and what a missing one
// answers:
//
//   #define SX_FORWARD_RELEASE 702
//   #define SX_FORWARD_FUNCTIONS(X) X(hipFree, 801) X(hipMalloc, 801) ...
//   #include "forward.h"
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <dlfcn.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef void (*sx_function)(void);
struct sx_host_entry {
  const char* name;
  void* fn;
};

static long sx_missing(const char* name, char* said, long answer) {
  if (!*said) fprintf(stderr, "scale-x: %s is not in the host engine\n", name);
  *said = 1;
  return answer;
}

// One slot per function, and what fills it when the engine has no such function.
#define SX_SLOT(name, answer)                \
  static long sx_missing_##name(void) {      \
    static char said;                        \
    return sx_missing(#name, &said, answer); \
  }                                          \
  __attribute__((visibility("hidden"))) sx_function sx_slot_##name = (sx_function)sx_missing_##name;
SX_FORWARD_FUNCTIONS(SX_SLOT)

#if defined(__x86_64__)
#define SX_JUMP(name, answer)                                  \
  __asm__(".pushsection .text\n.globl " #name "\n.type " #name \
          ", @function\n"                                      \
          ".p2align 4\n" #name ":\n  jmp *sx_slot_" #name "(%rip)\n.size " #name ", .-" #name "\n.popsection\n");
#elif defined(__aarch64__)
#define SX_JUMP(name, answer)                                                                            \
  __asm__(".pushsection .text\n.globl " #name "\n.type " #name                                           \
          ", %function\n"                                                                                \
          ".p2align 4\n" #name ":\n  adrp x16, sx_slot_" #name "\n  ldr x16, [x16, :lo12:sx_slot_" #name \
          "]\n  br x16\n.size " #name ", .-" #name "\n.popsection\n");
#else
#error "no jump for this processor"
#endif
SX_FORWARD_FUNCTIONS(SX_JUMP)

static const struct {
  const char* name;
  sx_function* slot;
} sx_slots[] = {
#define SX_ENTRY(name, answer) {#name, &sx_slot_##name},
    SX_FORWARD_FUNCTIONS(SX_ENTRY)};

static void* sx_open_engine(void) {
  const char* const given = secure_getenv("SCALE_X_HOST_ENGINE");
  if (given != NULL && given[0] == '/') return dlopen(given, RTLD_NOW | RTLD_LOCAL);
  Dl_info own;
  if (dladdr((void*)sx_slots, &own) == 0 || own.dli_fname == NULL) return NULL;
  const char* const slash = strrchr(own.dli_fname, '/');
  const int length = slash != NULL ? (int)(slash - own.dli_fname) : 0;
  const char* const below[] = {"", "/..", "/../.."};  // beside it, or in a directory of its release
  for (size_t i = 0; i < sizeof below / sizeof below[0]; ++i) {
    char path[4096];
    snprintf(path, sizeof path, "%.*s%s/libscalex_host.so.0", length, own.dli_fname, below[i]);
    void* const engine = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (engine != NULL) return engine;
  }
  return NULL;
}

__attribute__((constructor)) static void sx_connect(void) {
  void* const engine = sx_open_engine();
  if (engine == NULL) {
    fprintf(stderr, "scale-x: the host engine was not found beside its forwarders: %s\n", dlerror());
    return;
  }
  const struct sx_host_entry* (*table)(int, const char*, size_t*);
  *(void**)&table = dlsym(engine, "sx_host_table");
  size_t count = 0;
  const struct sx_host_entry* const entries = table != NULL ? table(SX_FORWARD_RELEASE, NULL, &count) : NULL;
  size_t at = 0;  // both lists are sorted by name
  for (size_t i = 0; i < sizeof sx_slots / sizeof sx_slots[0]; ++i) {
    while (at < count && strcmp(entries[at].name, sx_slots[i].name) < 0) ++at;
    if (at < count && strcmp(entries[at].name, sx_slots[i].name) == 0) *(void**)sx_slots[i].slot = entries[at].fn;
  }
}
