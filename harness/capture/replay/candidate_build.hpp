// Compilation of candidates for a captured launch.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "harness/base/files.hpp"
#include "harness/capture/capture_folder.hpp"
#include "harness/capture/replay/worker_job.hpp"

namespace camber::capture {

// Choices for one variant of a candidate: "block=32x4", "grid=10x10", "shared=4096",
// "kernel=NAME", and macros, "UNROLL=4".
using Settings = std::vector<std::pair<std::string, std::string>>;

struct CandidateOrder {
    std::filesystem::path file;  // .cu, or a compiled .cubin
    Settings settings;           // take precedence over those in the file
    std::vector<std::string> definitions;  // NAME[=VALUE]
    std::vector<std::string> include_folders;
};

// Settings of a line "// camber: capture NAME=VALUE ..." in a source.
Settings settings_in(const std::string& source);

// "32x4" or "32x4x2"; throws Error(usage) that names `option`.
Dimensions parse_dimensions(const std::string& text, const std::string& option);

// Grid with which blocks of `block` threads cover as many threads as the captured launch.
Dimensions covering_grid(const CapturedLaunch& launch, const Dimensions& block);

// Compiles candidates by nvcc, or by NVRTC if nvcc is missing. Settings that do not change the code
// do not compile it again.
class CandidateBuilder {
  public:
    explicit CandidateBuilder(const Capture& capture)
        : capture_(capture), folder_("compile candidates") {}

    // Throws Error(usage) if the file does not compile or its kernel cannot be determined, and
    // Error(unavailable) if there is no compiler. The cubin exists as long as this object.
    CandidateCode build(const CandidateOrder& order);

  private:
    const std::string& cubin_of(const CandidateOrder& order,
                                const std::vector<std::string>& definitions);

    const Capture& capture_;
    TemporaryFolder folder_;
    std::map<std::string, std::string> cubins_;  // by file, its time, and definitions
};

}  // namespace camber::capture
