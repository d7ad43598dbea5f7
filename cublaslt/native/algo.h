// Algorithms: what programs see of them.
#pragma once

#include "plan.h"

namespace sx_lt {

// The settings that every algorithm has at first.
Algo default_algo(int rank, int compute, int scale, int a, int b, int c, int d);
Algo algo_for(const Call& call, int rank);
bool any_algorithm(const Algo& a);  // all bits set

// How an algorithm goes with a call: 0, 7 for other types or an impossible setting, 15 for one that is not supported.
cublasStatus_t check_algo(const Call& call, const Algo& a);

inline const Algo* state_of(const cublasLtMatmulAlgo_t* p) { return reinterpret_cast<const Algo*>(p); }
inline Algo* state_of(cublasLtMatmulAlgo_t* p) { return reinterpret_cast<Algo*>(p); }

}  // namespace sx_lt
