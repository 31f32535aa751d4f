// Kernels of a file for the executor: compiled by the C++ compiler, with a call at every load,
// store and branch (-fsanitize=thread and -fsanitize-coverage=trace-pc, without their runtimes).
#pragma once

#include <filesystem>
#include <string>

#include "harness/own/source/build_cache.hpp"
#include "harness/own/source/source.hpp"

namespace camber {

// The shared library, as bytes. Not optimised, so that every access of the source is one of the
// machine code. Throws Error(unavailable) where there is no compiler, and as run_compiler().
std::string compile_for_host(const CandidateSource& source, const BuildCache& cache);

// GCC, that of the environment variable CXX or one on PATH. Throws Error(unavailable) where there
// is none.
std::filesystem::path find_gcc();

}  // namespace camber
