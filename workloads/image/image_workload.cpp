#include "workloads/image/image_workload.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>

#include "harness/base/error.hpp"
#include "workloads/core/state_cells.hpp"

namespace camber {

namespace {

// Largest magnitude of all finite cells; 0 if there is none.
float largest_magnitude(std::span<const float> cells) {
    float largest = 0;
    for (const float cell : cells)
        if (std::isfinite(cell)) largest = std::max(largest, std::abs(cell));
    return largest;
}

void write_floats(const HostField& field, const std::filesystem::path& path, GreyScale scale,
                  const std::string& comment) {
    const auto cells = field.cells<float>();
    const std::size_t columns = static_cast<std::size_t>(field.size().columns);
    write_image(
        path, field.size(),
        [&](int row, std::span<float> values) {
            std::ranges::copy(cells.subspan(static_cast<std::size_t>(row) * columns, columns),
                              values.begin());
        },
        scale, comment);
}

}  // namespace

void fill_random(std::span<float> cells, std::uint64_t seed, float offset) {
    const std::int64_t count = static_cast<std::int64_t>(cells.size());
#pragma omp parallel for schedule(static)
    for (std::int64_t i = 0; i < count; ++i)
        cells[static_cast<std::size_t>(i)] =
            uniform_float(seed, static_cast<std::uint64_t>(i)) - offset;
}

void fill_source_image(std::span<float> cells, const InitialConditions& conditions) {
    if (!conditions.input) return fill_random(cells, conditions.seed);
    const Size board = conditions.size;
    const Size size = image_size(*conditions.input);
    if (size != board)
        throw Error(ExitCode::usage,
                    fmt::format("image {} has {}x{} pixels, but the board has {}x{} cells",
                                conditions.input->string(), size.columns, size.rows, board.columns,
                                board.rows),
                    Remedy::board_of_input, fmt::format("{}x{}", size.columns, size.rows));
    if (conditions.input_at)
        throw Error(ExitCode::usage,
                    fmt::format("image {} fills the board, so that it cannot be placed at {},{}",
                                conditions.input->string(), conditions.input_at->first,
                                conditions.input_at->second),
                    Remedy::no_position);
    std::ranges::copy(read_image(*conditions.input).pixels, cells.begin());
}

void write_intensities(const HostField& field, const std::filesystem::path& path,
                       const std::string& comment) {
    const double white = std::max(1.0f, largest_magnitude(field.cells<float>()));
    write_floats(field, path, {0, white}, comment);
}

void write_differences(const HostField& field, const std::filesystem::path& path,
                       const std::string& comment) {
    const double largest = largest_magnitude(field.cells<float>());
    const double white = largest > 0 ? largest : 1;
    write_floats(field, path, {-white, white}, comment);
}

FinalState mass(const HostField& field) {
    FinalState final{"mass", 0, 0};
    Checksum checksum;
    for (const float cell : field.cells<float>()) {
        final.amount += cell;
        checksum.add_word(std::bit_cast<std::uint32_t>(cell));
    }
    final.checksum = checksum.value();
    return final;
}

}  // namespace camber
