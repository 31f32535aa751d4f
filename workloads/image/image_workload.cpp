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
double largest_magnitude(const HostField& field) {
    return with_real_cells(field, [](const auto cells) {
        double largest = 0;
        for (const double cell : cells)
            if (std::isfinite(cell)) largest = std::max(largest, std::abs(cell));
        return largest;
    });
}

void write_floats(const HostField& field, const std::filesystem::path& path, GreyScale scale,
                  const std::string& comment) {
    const std::size_t columns = static_cast<std::size_t>(field.size().columns);
    with_real_cells(field, [&](const auto cells) {
        write_image(
            path, field.size(),
            [&](int row, std::span<float> values) {
                std::ranges::transform(
                    cells.subspan(static_cast<std::size_t>(row) * columns, columns), values.begin(),
                    [](auto cell) { return static_cast<float>(cell); });
            },
            scale, comment);
    });
}

}  // namespace

void fill_random(std::span<float> cells, std::uint64_t seed, float offset) {
    const std::int64_t count = static_cast<std::int64_t>(cells.size());
#pragma omp parallel for schedule(static) if (count >= 1 << 20)
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

void fill_source_image(HostField& field, const InitialConditions& conditions) {
    if (field.element() == ElementType::float32)
        return fill_source_image(field.cells<float>(), conditions);
    const auto cells = field.cells<double>();
    std::vector<float> values(cells.size());
    fill_source_image(values, conditions);
    std::ranges::copy(values, cells.begin());
}

void write_intensities(const HostField& field, const std::filesystem::path& path,
                       const std::string& comment) {
    const double white = std::max(1.0, largest_magnitude(field));
    write_floats(field, path, {0, white}, comment);
}

void write_differences(const HostField& field, const std::filesystem::path& path,
                       const std::string& comment) {
    const double largest = largest_magnitude(field);
    const double white = largest > 0 ? largest : 1;
    write_floats(field, path, {-white, white}, comment);
}

FinalState mass(const HostField& field) {
    return with_real_cells(field, [](const auto cells) {
        FinalState final{"mass", 0, 0};
        Checksum checksum;
        for (const auto cell : cells) {
            final.amount += cell;
            checksum.add(std::as_bytes(std::span(&cell, 1)));
        }
        final.checksum = checksum.value();
        return final;
    });
}

}  // namespace camber
