// Kernel files for tests: their folder, and variants made from them without a cache.
#pragma once

#include <filesystem>
#include <fstream>
#include <string>

#include "harness/base/files.hpp"
#include "harness/own/candidate_variant.hpp"
#include "workloads/list/workloads.hpp"

namespace camber {

inline std::filesystem::path kernel_file(const std::string& name) {
    return std::filesystem::path(CAMBER_SOURCE_DIR) / "tests/harness/own/kernels" / name;
}

inline CandidateOptions uncached(double limit = 20) {
    CandidateOptions options;
    options.cache = CacheFolder(std::filesystem::path());
    options.limit = std::chrono::duration<double>(limit);
    return options;
}

// A file with this text in a temporary folder, which the destructor removes.
class KernelText {
  public:
    explicit KernelText(const std::string& text, const std::string& name = "kernel.cu")
        : folder_("test a kernel"), path_(folder_.path() / name) {
        std::ofstream(path_) << text;
    }
    const std::filesystem::path& path() const { return path_; }

    Variant variant(const std::string& workload = "life",
                    ElementType cell = ElementType::uint32) const {
        return candidate_variant(path_, *find_workload(workload), cell, uncached());
    }

  private:
    TemporaryFolder folder_;
    std::filesystem::path path_;
};

}  // namespace camber
