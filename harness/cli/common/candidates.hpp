// Kernels of the user's own, as typed: files, and what is set of them.
#pragma once

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "harness/cli/common/run_options.hpp"
#include "harness/registry/registry.hpp"
#include "workloads/workload.hpp"

namespace camber {

// A file, or every file NAME.cu of a folder, by name. Throws Error(usage) for a folder without one.
std::vector<std::filesystem::path> kernel_files(const std::string& path);

// One way to build a file: "blur.cu with block=64x4 UNROLL=2".
struct CandidatePoint {
    std::filesystem::path file;
    std::vector<std::pair<std::string, std::string>> settings;
    std::string origin;
};

// Every file of options.candidates with every combination of options.sweeps, without those of
// options.left_out.
std::vector<CandidatePoint> candidate_points(const RunOptions& options);

// What a candidate has to be compiled for at once: 10 * major + minor of the device that the
// options choose; 0 for the executor.
int device_capability(const RunOptions& options, Backend backend);

// The options with this point as the only candidate, and no other variants.
RunOptions only(const CandidatePoint& point, RunOptions options);

// The variant of a point, for a backend. Throws Error(usage) for what is wrong with the file, and
// for a backend without kernels.
Variant candidate_of(const CandidatePoint& point, const RunOptions& options,
                     const Workload& workload, ElementType cell, Backend backend);

// The variant of a point in the registry, for a backend; made and added where there is none. Throws
// as candidate_of(), and Error(usage) for two files of one name.
const Variant& register_candidate(const CandidatePoint& point, const RunOptions& options,
                                  const Workload& workload, ElementType cell, Backend backend);

// Sees to it that the registry has a variant for every point, for a backend; their names.
std::vector<std::string> register_candidates(const RunOptions& options, const Workload& workload,
                                             ElementType cell, Backend backend);

// The same for the workload and the cells that the options name, compiled for the executor alone
// until a study is made of them; with the kernels of the workload.
std::vector<std::string> candidate_names(const RunOptions& options);

}  // namespace camber
