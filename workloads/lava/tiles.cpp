#include "workloads/lava/tiles.hpp"

#include <fmt/format.h>

#include <cstddef>

#include "harness/base/error.hpp"
#include "workloads/random.hpp"

namespace camber::lava {
namespace {

constexpr std::int64_t longest_side = 1 << 25;
constexpr double thickest = 4;    // m
constexpr double hottest = 1360;  // K
constexpr double cooler = 100;    // K at most below that

// The place of a cell in copy number `tile`, counted within that copy.
int mirrored(int cell, int tile, int length) {
    return tile % 2 == 0 ? cell : length - 1 - cell;
}

// Calls f(row, column, source) for all cells, row by row: a cell of the whole, and the index of the
// one in the original that it copies.
template <class F>
void each_copy(Size size, Size tiles, const F& f) {
    for (int row = 0; row < size.rows * tiles.rows; ++row) {
        const int source_row = mirrored(row % size.rows, row / size.rows, size.rows);
        for (int column = 0; column < size.columns * tiles.columns; ++column) {
            const int source_column =
                mirrored(column % size.columns, column / size.columns, size.columns);
            f(row, column, static_cast<std::size_t>(source_row) * size.columns + source_column);
        }
    }
}

template <class T>
std::vector<T> copies(const std::vector<T>& raster, Size size, Size tiles) {
    std::vector<T> all;
    if (raster.empty()) return all;
    all.reserve(raster.size() * static_cast<std::size_t>(tiles.cells()));
    each_copy(size, tiles, [&](int, int, std::size_t source) { all.push_back(raster[source]); });
    return all;
}

}  // namespace

Size size_of(Size one, Size tiles) {
    const std::int64_t columns = std::int64_t{one.columns} * tiles.columns;
    const std::int64_t rows = std::int64_t{one.rows} * tiles.rows;
    if (columns > longest_side || rows > longest_side)
        throw Error(ExitCode::usage,
                    fmt::format("{}x{} tiles of {}x{} cells are too many: a board's sides have at "
                                "most {} cells",
                                tiles.columns, tiles.rows, one.columns, one.rows, longest_side));
    return {static_cast<int>(columns), static_cast<int>(rows)};
}

Event tiled(const Event& event, Size tiles) {
    if (tiles == Size{1, 1}) return event;
    const Size size = event.map.size;
    Event all = event;
    all.map.size = size_of(size, tiles);
    all.altitude = copies(event.altitude, size, tiles);
    all.thickness = copies(event.thickness, size, tiles);
    all.temperature = copies(event.temperature, size, tiles);
    all.solidified = copies(event.solidified, size, tiles);
    all.real = copies(event.real, size, tiles);
    all.vents.clear();
    for (int y = 0; y < tiles.rows; ++y)
        for (int x = 0; x < tiles.columns; ++x)
            for (const VentCell& vent : event.vents)
                all.vents.push_back({vent.id, y * size.rows + mirrored(vent.row, y, size.rows),
                                     x * size.columns + mirrored(vent.column, x, size.columns)});
    return all;
}

void add_lava(Event& event, std::uint64_t seed, double share) {
    const Size size = event.map.size;
    const auto cells = static_cast<std::size_t>(size.cells());
    event.thickness.resize(cells);
    event.temperature.resize(cells);
    for (int row = 1; row + 1 < size.rows; ++row)
        for (int column = 1; column + 1 < size.columns; ++column) {
            const std::size_t i = static_cast<std::size_t>(row) * size.columns + column;
            if (event.altitude[i] < 0 || event.thickness[i] > 0 || uniform(seed + 1, i) >= share)
                continue;
            event.thickness[i] = thickest * (1 - uniform(seed + 2, i));
            event.temperature[i] = hottest - cooler * uniform(seed + 3, i);
        }
}

}  // namespace camber::lava
