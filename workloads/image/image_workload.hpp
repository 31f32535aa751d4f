// Base of workloads that start from an image and save one: the initial image is read from a file or
// random.
#pragma once

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <utility>

#include "workloads/core/workload.hpp"
#include "workloads/image/image.hpp"

namespace camber {

// Initial image of the image workloads: read from a file, or random.

// uniform_float(seed, i) - offset, on all CPU threads: the same on any number of them.
void fill_random(std::span<float> cells, std::uint64_t seed, float offset = 0);

// Cells of conditions.input, or of fill_random(conditions.seed). Throws Error(usage) if the file is
// no image, if its size differs from the board's, or if a position on the board is given.
void fill_source_image(std::span<float> cells, const InitialConditions& conditions);

// Writes a field of float cells that are not negative: 0 is black, 1 white, or the largest cell if
// that is above 1.
void write_intensities(const HostField& field, const std::filesystem::path& path,
                       const std::string& comment);

// Writes a field of float cells of either sign: 0 is mid-gray; the largest magnitude is white, its
// negative black.
void write_differences(const HostField& field, const std::filesystem::path& path,
                       const std::string& comment);

// The sum of float cells in double, row by row, and the checksum over their bytes, the least
// significant first.
FinalState mass(const HostField& field);

// Base of workloads that start from an image and save one.
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
