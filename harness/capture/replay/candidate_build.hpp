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
#include "harness/own/source/settings.hpp"

namespace camber::capture {

struct CandidateOrder {
    std::filesystem::path file;  // .cu, or a compiled .cubin
    // "block=32x4", "grid=10x10", "shared=4096", "kernel=NAME", and macros, "UNROLL=4". They take
    // precedence over those in the file.
    Settings settings;
    std::vector<std::string> definitions;  // NAME[=VALUE]
    std::vector<std::string> include_folders;
};

// Settings of a line "// camber: capture NAME=VALUE ..." in a source.
Settings settings_in(const std::string& source);

// "32x4" or "32x4x2"; throws Error(usage) that names `option`.
Dimensions parse_dimensions(const std::string& text, const std::string& option);

// Grid with which blocks of `block` threads cover as many threads as the captured launch.
Dimensions covering_grid(const CapturedLaunch& launch, const Dimensions& block);

// Launch of a candidate, by its file's line and the settings.
struct CandidateLaunchShape {
    std::string kernel;  // "": determined by the names in the file
    Dimensions grid{}, block{};
    bool has_own_grid = false;   // named by the file or the settings
    bool has_own_block = false;  // the same
    std::uint64_t shared_bytes = 0;
    Settings macros;
};
CandidateLaunchShape launch_shape(const CandidateOrder& order, const CapturedLaunch& launch);

// Name of a function without its parameters, template arguments and namespaces.
std::string plain_function(const std::string& symbol);

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
