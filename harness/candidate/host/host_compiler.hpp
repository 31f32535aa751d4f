// Kernels of a file for the executor: compiled by the C++ compiler, with a call at every load,
// store and branch (-fsanitize=thread and -fsanitize-coverage=trace-pc, without their runtimes).
#pragma once

#include <filesystem>
#include <string>

#include "harness/candidate/source/build_cache.hpp"
#include "harness/candidate/source/source.hpp"

namespace camber {

// The shared library, as bytes. Not optimised, so that every access of the source is one of the
// machine code. Throws Error(usage) with the compiler's messages where the file does not compile,
// Error(unavailable) where there is no compiler.
std::string compile_for_host(const CandidateSource& source, const BuildCache& cache);

// GCC, that of the environment variable CXX or one on PATH. Throws Error(unavailable) where there
// is none.
std::filesystem::path find_gcc();

// The first lines of what a compiler said, those with errors before all others.
std::string first_messages(const std::string& output);

}  // namespace camber
