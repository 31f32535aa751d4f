// The user's own kernels as given on the command line: files and their settings.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "harness/cli/common/run_options.hpp"
#include "harness/registry/registry.hpp"
#include "workloads/core/workload.hpp"

namespace camber {

// Returns `path` itself, or every file NAME.cu of a folder, sorted by name. Throws Error(usage) for
// a folder without such a file.
std::vector<std::filesystem::path> kernel_files(const std::string& path);

// Kind of a file, determined by its name.
enum class FileKind {
    kernel,     // NAME.cu, and any other name
    technique,  // NAME.hpp
    library,    // NAME.so
};
FileKind kind_of(const std::filesystem::path& file);

// Problem that a file declares; members are empty if it does not declare them.
struct SaidProblem {
    std::string workload = "";
    std::string reference = "";               // path of the kernel that defines correct results
    std::optional<Size> size = std::nullopt;  // the only supported board
    bool takes_any_size = false;              // all kernels in the file declare overhang=yes
    std::vector<std::string> outputs = {};    // "out=zeros", as the kernels' lines have it
    // Why only a GPU can run the file's kernels; "" if the executor can, too.
    std::string device_only = "";
};
// Throws Error(usage) for errors in the file that do not depend on the workload.
SaidProblem problem_said_by(const std::filesystem::path& file,
                            const std::vector<std::pair<std::string, std::string>>& settings = {});

// One configuration of a file: "blur.cu with block=64x4 UNROLL=2".
struct CandidatePoint {
    std::filesystem::path file;
    std::vector<std::pair<std::string, std::string>> settings;
    std::string origin;
};

// Every file of options.candidates with every combination of options.sweeps, except those in
// options.left_out.
std::vector<CandidatePoint> candidate_points(const RunOptions& options);

// Compute capability for which candidates must be compiled immediately: 10 * major + minor of the
// device that the options choose; 0 for the executor.
int device_capability(const RunOptions& options, Backend backend);

// Returns the options with this point as the only candidate and no other variants.
RunOptions only(const CandidatePoint& point, RunOptions options);

// Variants of a point for a backend: one for a kernel file or a library, several for a file with
// techniques. Throws Error(usage) for errors in the file, and for a backend that it does not
// support.
std::vector<Variant> variants_of(const CandidatePoint& point, const RunOptions& options,
                                 const Workload& workload, ElementType cell, Backend backend);

// Names of a point's registered variants for a backend; registers them if necessary. Throws the
// same errors as variants_of(), and Error(usage) if variants of two files have the same name.
std::vector<std::string> register_candidate(const CandidatePoint& point, const RunOptions& options,
                                            const Workload& workload, ElementType cell,
                                            Backend backend);

// Registers the variants of every point for a backend and returns their names.
std::vector<std::string> register_candidates(const RunOptions& options, const Workload& workload,
                                             ElementType cell, Backend backend);

// Same for the workload and cell type in the options, after loading the workload's kernels. Kernel
// files are compiled only for the executor until a study uses them.
std::vector<std::string> candidate_names(const RunOptions& options);

}  // namespace camber

// register_candidates() under an unmangled name, for loading from a library. Adds the variants'
// names to `names`.
extern "C" void camber_register_candidates(const camber::RunOptions& options,
                                           const camber::Workload& workload,
                                           camber::ElementType cell, camber::Backend backend,
                                           std::vector<std::string>& names);
