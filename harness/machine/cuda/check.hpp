// Checks return codes of the CUDA runtime; all calls are checked here.
#pragma once

#include <cuda_runtime_api.h>

#include <string_view>

namespace camber::cuda {

// Throws Error(unavailable) with what was tried and CUDA's own words.
void check(cudaError_t result, std::string_view action);

}  // namespace camber::cuda
