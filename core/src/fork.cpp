// fork: locks are held across it, so that the child finds the state whole. The host engine goes on in the child; a
// child of a process that uses ROCm cannot, and its handles become invalid.
#include "internal.h"
#include "lt.h"

namespace sx {
namespace {

void before() {
  pthread_mutex_lock(&provider_mutex);
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
  pthread_mutex_unlock(&provider_mutex);
}

void in_child() {
  const bool dead = provider_dies_in_child();
  slab_forked(!dead);
  fft_forked(!dead);
  if (dead) provider_forked();
  // the recursive one belongs to a thread id that the child does not have: made anew rather than unlocked
  pool_mutex = slab_mutex = lt_mutex = PTHREAD_MUTEX_INITIALIZER;
  provider_mutex = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
}

__attribute__((constructor)) void watch_fork() { pthread_atfork(before, release, in_child); }

}  // namespace
}  // namespace sx
