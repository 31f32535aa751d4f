// Base of workloads that start from an image and save one. The initial image is read from a file or
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

// Sets each cell to uniform_float(seed, i) - offset, on all CPU threads; the result does not depend
// on the number of threads.
void fill_random(std::span<float> cells, std::uint64_t seed, float offset = 0);

// Reads the image conditions.input, or generates one by fill_random(conditions.seed). Throws
// Error(usage) if the file is no image, if its size differs from the board's, or if a position on
// the board is given.
void fill_source_image(std::span<float> cells, const InitialConditions& conditions);
// Same for a field of float or double cells, which have the same values.
void fill_source_image(HostField& field, const InitialConditions& conditions);

// Cell type of workloads in float and double: double if chosen.
inline ElementType real_cell(const InitialConditions& conditions) {
    return conditions.cell == ElementType::float64 ? ElementType::float64 : ElementType::float32;
}

// Writes a field of nonnegative float or double cells: 0 is black; 1, or the largest cell if that is above 1,
// is white.
void write_intensities(const HostField& field, const std::filesystem::path& path,
                       const std::string& comment);

// Writes a field of float cells of either sign: 0 is mid-gray; the largest magnitude is white, its
// negative black.
void write_differences(const HostField& field, const std::filesystem::path& path,
                       const std::string& comment);

// Returns the sum of all cells in double, added row by row, and the checksum of their bytes, the
// least significant byte first.
FinalState mass(const HostField& field);

// Base of workloads that start from an image and save one.
class ImageWorkload : public Workload {
  public:
    std::optional<Size> input_size(const std::filesystem::path& path,
                                   const OptionValues&) const final {
        return image_size(path);
    }
    void check_save_path(const std::filesystem::path& path, const OptionValues&) const final {
        check_image_suffix(path);
    }

  protected:
    // Adds the file format to the facts, and the cell type unless they have some.
    explicit ImageWorkload(WorkloadFacts facts) : Workload(completed(std::move(facts))) {}

  private:
    static WorkloadFacts completed(WorkloadFacts facts) {
        if (facts.cell_types.empty()) facts.cell_types = {ElementType::float32};
        facts.file_format = "PGM or PNG";
        return facts;
    }
};

}  // namespace camber
