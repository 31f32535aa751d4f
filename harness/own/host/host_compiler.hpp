// Compilation of a candidate's file for the executor, with a call at every load, store and branch.
// run_compiler(), which the device compilers use too, distinguishes a faulty file from a machine
// that cannot compile.
#pragma once

#include <chrono>
#include <filesystem>
#include <string>
#include <vector>

#include "harness/base/files.hpp"
#include "harness/own/source/build_cache.hpp"
#include "harness/own/source/source.hpp"

namespace camber {

// Runs a compiler on a candidate's file, and tells a faulty file from a machine that cannot
// compile.
struct Compilation {
    std::filesystem::path compiler;
    std::filesystem::path file;  // of the user's own
    bool for_device = false;
    std::chrono::milliseconds usual_limit;  // if --timeout is not given
};

// Arguments that limit the number of error messages: a file with thousands of errors would take
// minutes.
inline constexpr const char* few_errors = "-fmax-errors=20";
inline constexpr const char* few_host_errors_of_nvcc = "-Xcompiler=-fmax-errors=20";

// Returns what the compiler printed. `folder` takes the compiler's own temporary files. Throws
// Error(usage) with the first messages if the file does not compile, Error(wrong_result) if the
// time limit ends the compiler, and Error(unavailable) if the compiler cannot be started or lacks
// disk space or memory.
std::string run_compiler(const Compilation& compilation, const std::vector<std::string>& arguments,
                         const TemporaryFolder& folder, bool inside_folder = false);

// Writes empty stand-ins for the headers of NVIDIA's samples, which only host code needs, and
// returns their folder. The compiler searches it last, so that headers of these names in other
// folders win.
std::filesystem::path write_sample_headers(const TemporaryFolder& folder);

// The first lines of what a compiler said, those with errors before all others.
std::string first_messages(const std::string& output);

// Kernels of a file for the executor: compiled by the C++ compiler, with a call at every load,
// store and branch (-fsanitize=thread and -fsanitize-coverage=trace-pc, without their runtimes).

// The shared library, as bytes. Not optimised, so that every access of the source is one of the
// machine code. Throws Error(unavailable) where there is no compiler, and as run_compiler().
std::string compile_for_host(const CandidateSource& source, const BuildCache& cache);

// GCC, that of the environment variable CXX or one on PATH. Throws Error(unavailable) where there
// is none.
std::filesystem::path find_gcc();

}  // namespace camber
