// Compilation of a candidate's file for the executor, with an instrumentation call at every load,
// store and branch. run_compiler(), which the device compilers also use, distinguishes a faulty
// file from a machine that cannot compile.
#pragma once

#include <chrono>
#include <filesystem>
#include <string>
#include <vector>

#include "harness/base/files.hpp"
#include "harness/own/source/build_cache.hpp"
#include "harness/own/source/source.hpp"

namespace camber {

// One compiler run on a candidate's file.
struct Compilation {
    std::filesystem::path compiler;
    std::filesystem::path file;  // the user's file
    bool for_device = false;
    std::chrono::milliseconds usual_limit;  // time limit if --timeout is not given
};

// Arguments that limit the number of error messages: a file with thousands of errors would take
// minutes.
inline constexpr const char* few_errors = "-fmax-errors=20";
inline constexpr const char* few_host_errors_of_nvcc = "-Xcompiler=-fmax-errors=20";

// Returns the compiler's output. The compiler's temporary files are written to `folder`. Throws
// Error(usage) with the first messages if the file does not compile, Error(wrong_result) if the
// compiler exceeds the time limit, and Error(unavailable) if the compiler cannot be started or the
// machine lacks disk space or memory.
std::string run_compiler(const Compilation& compilation, const std::vector<std::string>& arguments,
                         const TemporaryFolder& folder, bool inside_folder = false);

struct CompilerRun {
    std::string messages;
    std::vector<std::string> absent;  // included headers that were not found
};
// The same, but a header that is not found is replaced by an empty file in empty_headers(): host
// code, which is left out, includes most of them. If the file does not compile without the header
// either, the exception reports the first missing one.
CompilerRun run_with_empty_headers(const Compilation& compilation,
                                   const std::vector<std::string>& arguments,
                                   const TemporaryFolder& folder, bool inside_folder = false);
// Folder for run_with_empty_headers(), which the arguments must name last in the search path.
std::filesystem::path empty_headers(const TemporaryFolder& folder);

// Writes empty substitutes for the headers of NVIDIA's samples, which only host code needs, and
// returns their folder. It must be last in the search path, so that real headers take precedence.
std::filesystem::path write_sample_headers(const TemporaryFolder& folder);

// The first lines of a compiler's output, lines with errors first.
std::string first_messages(const std::string& output);

// Instrumentation uses -fsanitize=thread and -fsanitize-coverage=trace-pc without their runtimes.

// Compiles kernels with the C++ compiler; returns the bytes of the shared library. Not optimized,
// so that the machine code contains every access of the source. Throws Error(unavailable) if there
// is no compiler, and the exceptions of run_compiler().
std::string compile_for_host(const CandidateSource& source, const BuildCache& cache);

// Finds GCC, from the environment variable CXX or on PATH. Throws Error(unavailable) if there is
// none.
std::filesystem::path find_gcc();

}  // namespace camber
