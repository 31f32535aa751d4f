// Base of workloads that start from an image and save one.
#pragma once

#include <filesystem>
#include <optional>
#include <utility>

#include "workloads/core/workload.hpp"
#include "workloads/image/image.hpp"

namespace camber {

class ImageWorkload : public Workload {
  public:
    std::optional<Size> input_size(const std::filesystem::path& path) const final {
        return image_size(path);
    }
    void check_save_path(const std::filesystem::path& path) const final {
        check_image_suffix(path);
    }

  protected:
    // Completes the facts by cell type and file format.
    explicit ImageWorkload(WorkloadFacts facts) : Workload(completed(std::move(facts))) {}

  private:
    static WorkloadFacts completed(WorkloadFacts facts) {
        facts.cell_types = {ElementType::float32};
        facts.file_format = "PGM or PNG";
        return facts;
    }
};

}  // namespace camber
