// Kernels of the user's own, as typed: files, and what is set of them.
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

// A file, or every file NAME.cu of a folder, by name. Throws Error(usage) for a folder without one.
std::vector<std::filesystem::path> kernel_files(const std::string& path);

// What a file is, by its name.
enum class FileKind {
    kernel,     // NAME.cu, and any other
    technique,  // NAME.hpp
    library,    // NAME.so
};
FileKind kind_of(const std::filesystem::path& file);

// The problem that a file says it is for, as far as it does.
struct SaidProblem {
    std::string workload = "";
    std::string reference = "";               // path of the kernel's file that says what is right
    std::optional<Size> size = std::nullopt;  // the only board
    bool takes_any_size = false;              // all of its kernels say overhang=yes
    std::vector<std::string> outputs = {};    // "out=zeros", as the kernels' lines have it
};
// Throws Error(usage) for what is wrong with the file, whichever workload it is for.
SaidProblem problem_said_by(const std::filesystem::path& file,
                            const std::vector<std::pair<std::string, std::string>>& settings = {});

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

// The variants of a point, for a backend: one of a kernel's file or a library, several of a file
// with techniques. Throws Error(usage) for what is wrong with the file, and for a backend that it
// cannot run on.
std::vector<Variant> variants_of(const CandidatePoint& point, const RunOptions& options,
                                 const Workload& workload, ElementType cell, Backend backend);

// The names of a point's variants in the registry, for a backend; made and added where there are
// none. Throws as variants_of(), and Error(usage) for two files whose variants have one name.
std::vector<std::string> register_candidate(const CandidatePoint& point, const RunOptions& options,
                                            const Workload& workload, ElementType cell,
                                            Backend backend);

// Sees to it that the registry has the variants of every point, for a backend; their names.
std::vector<std::string> register_candidates(const RunOptions& options, const Workload& workload,
                                             ElementType cell, Backend backend);

// The same for the workload and the cells that the options name, with the kernels of the workload;
// kernels' files are compiled for the executor alone until a study is made of them.
std::vector<std::string> candidate_names(const RunOptions& options);

}  // namespace camber
