// How a plain loop is compiled for several instruction sets, of which the processor's is taken at load time.
#pragma once

#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)
#define SX_HOT __attribute__((optimize("O3"), target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#else
#define SX_HOT
#endif
