// Medians of interleaved runs: a wrapper and what it wraps.
#pragma once

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include <algorithm>
#include <vector>

constexpr int kCalls = 20000, kRuns = 101;
inline int refused = 0;

inline double now() {
  timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return 1e9 * static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_nsec);
}

template <class F>
F function(const char* library, const char* name) {
  void* opened = dlopen(library, RTLD_NOW);
  void* found = opened ? dlsym(opened, name) : nullptr;
  if (found == nullptr) {
    fprintf(stderr, "%s: %s\n", name, dlerror());
    exit(1);
  }
  return reinterpret_cast<F>(found);
}

template <class Call>
double per_call(Call call) {
  const double start = now();
  for (int i = 0; i < kCalls; ++i) refused += call() != 0;
  return (now() - start) / kCalls;
}

inline double median(std::vector<double> v) {
  std::nth_element(v.begin(), v.begin() + kRuns / 2, v.end());
  return v[kRuns / 2];
}

template <class Wrapper, class Direct>
void measure(const char* name, Wrapper wrapper, Direct direct) {
  std::vector<double> w, d, difference;
  for (int i = 0; i < kRuns; ++i) {
    w.push_back(per_call(wrapper));
    d.push_back(per_call(direct));
    difference.push_back(w.back() - d.back());
  }
  printf("%s %.2f %.2f %.2f\n", name, median(w), median(d), median(difference));
}
