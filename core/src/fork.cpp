// fork: locks are held across it, so that the child finds the state whole. The host engine goes on in the child; a
// child of a process that uses ROCm cannot, and its handles become invalid.
#include "internal.h"
#include "lt.h"

namespace sx {
namespace {

void before_loading() { pthread_mutex_lock(&provider_mutex); }
void after_loading() { pthread_mutex_unlock(&provider_mutex); }
void loading_in_child() {
  if (provider_dies_in_child()) provider_forked();
  // it belongs to a thread id that the child does not have: made anew rather than unlocked
  provider_mutex = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
}

void before() {
  pthread_mutex_lock(&pool_mutex);
  pthread_mutex_lock(&slab_mutex);
  pthread_mutex_lock(&fft_mutex);
  pthread_mutex_lock(&lt_mutex);
}

void release() {
  pthread_mutex_unlock(&lt_mutex);
  pthread_mutex_unlock(&fft_mutex);
  pthread_mutex_unlock(&slab_mutex);
  pthread_mutex_unlock(&pool_mutex);
}

void in_child() {
  const bool usable = !provider_dies_in_child();
  slab_forked(usable);
  fft_forked(usable);
  pool_mutex = slab_mutex = lt_mutex = PTHREAD_MUTEX_INITIALIZER;
}

__attribute__((constructor)) void watch_loading() { pthread_atfork(before_loading, after_loading, loading_in_child); }

}  // namespace

// fork asks the newest handler first. Calls take core's locks before the engine's, so core registers after the engine
// has; the loader's own lock is not held while the engine's are taken, and is kept from the start.
void watch_fork() { pthread_atfork(before, release, in_child); }

}  // namespace sx
