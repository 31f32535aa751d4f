#include "workloads/lava/start.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "harness/base/error.hpp"
#include "workloads/core/state_cells.hpp"

namespace camber::lava {
namespace {

constexpr std::int64_t longest_side = 1 << 25;
constexpr double thickest = 4;    // m
constexpr double hottest = 1360;  // K
constexpr double cooler = 100;    // maximum difference from that, K

// Index of a cell in tile number `tile`; odd tiles are mirrored.
int mirrored(int cell, int tile, int length) {
    return tile % 2 == 0 ? cell : length - 1 - cell;
}

// Calls f(row, column, source) for all cells of the tiled board, row by row; `source` is the index
// of the cell in the original that it copies.
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

// Repeats each value for times x times cells.
template <class T>
std::vector<T> divided(const std::vector<T>& raster, Size size, int times) {
    std::vector<T> all;
    if (raster.empty()) return all;
    all.reserve(raster.size() * static_cast<std::size_t>(times) * times);
    for (int row = 0; row < size.rows * times; ++row)
        for (int column = 0; column < size.columns * times; ++column)
            all.push_back(
                raster[static_cast<std::size_t>(row / times) * size.columns + column / times]);
    return all;
}

// Altitude at the center of a refined cell, whose side is 1/times of the original side.
double altitude_between(const Event& event, int row, int column, int times) {
    const Size size = event.map.size;
    const auto at = [&](int r, int c) {
        return event.altitude[static_cast<std::size_t>(r) * size.columns + c];
    };
    // Position of the refined cell's center in units of original cells, relative to the first
    // center; clamped to the centers at the edge.
    const auto place = [times](int cell, int cells) {
        return std::clamp((cell + 0.5) / times - 0.5, 0.0, cells - 1.0);
    };
    const double y = place(row, size.rows);
    const double x = place(column, size.columns);
    const int r = std::min(static_cast<int>(y), std::max(0, size.rows - 2));
    const int c = std::min(static_cast<int>(x), std::max(0, size.columns - 2));
    const int r_next = std::min(r + 1, size.rows - 1);
    const int c_next = std::min(c + 1, size.columns - 1);
    const double corners[] = {at(r, c), at(r, c_next), at(r_next, c), at(r_next, c_next)};
    const double own = at(row / times, column / times);
    if (own < 0 || std::ranges::any_of(corners, [](double z) { return z < 0; })) return own;
    const double south = y - r;
    const double east = x - c;
    return (1 - south) * ((1 - east) * corners[0] + east * corners[1]) +
           south * ((1 - east) * corners[2] + east * corners[3]);
}

constexpr const char* refine_option = "refine";
constexpr const char* ground_option = "ground";

}  // namespace

std::vector<WorkloadOption> start_options() {
    return {{.name = tile_option,
             .type = OptionType::size,
             .usual = "1x1",
             .help = "Repeat the terrain of the input; each copy mirrors its neighbors",
             .changes_input = true},
            {.name = refine_option,
             .type = OptionType::number,
             .usual = "1",
             .help = "Divide each cell of the input into N x N and interpolate the terrain: 2 "
                     "turns 10 m cells into 5 m cells",
             .most = 16,
             .changes_input = true},
            {.name = ground_option,
             .type = OptionType::choice,
             .usual = "volcano",
             .help = "Terrain without --input; plane has a crater in the middle, and no lava "
                     "unless --density adds some",
             .choices = {"volcano", "plane"}}};
}

StartChoices start_choices(const OptionValues& options) {
    return {size_value(options, tile_option, {1, 1}), number_value(options, refine_option, 1),
            text_value(options, ground_option) == "plane"};
}

void check_choices(const InitialConditions& conditions) {
    const StartChoices choices = start_choices(conditions.options);
    const auto needs_input = [](const char* sentence) {
        return Error(ExitCode::usage,
                     fmt::format("{}: give an eruption's folder with --input", sentence));
    };
    if (!conditions.input && choices.refinement > 1)
        throw needs_input("--refine divides the cells of an eruption");
    if (!conditions.input && choices.tiles != Size{1, 1})
        throw needs_input("--tile repeats an eruption's ground");
    if (conditions.input && conditions.options.contains(ground_option))
        throw Error(ExitCode::usage,
                    fmt::format("--ground applies to a run without files, and {} brings its "
                                "ground: leave out one of the two",
                                conditions.input->string()));
}

std::string changes_note(const InitialConditions& conditions, double added_density) {
    const StartChoices choices = start_choices(conditions.options);
    std::string text;
    if (choices.tiles != Size{1, 1})
        text += fmt::format(" in {}x{} tiles", choices.tiles.columns, choices.tiles.rows);
    if (added_density > 0)
        text +=
            fmt::format(" with lava added, seed {}, density {}", conditions.seed, added_density);
    if (choices.refinement > 1)
        text += fmt::format(" in cells of 1/{} of the side", choices.refinement);
    return text;
}

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

Event refined(const Event& event, int times) {
    if (times == 1) return event;
    const Size size = event.map.size;
    Event fine = event;
    fine.map.size = size_of(size, {times, times});
    fine.map.cell_size = event.map.cell_size / times;
    if (event.map.origin == AsciiGridHeader::Origin::center) {
        const double shift = (event.map.cell_size - fine.map.cell_size) / 2;
        fine.map.x -= shift;
        fine.map.y -= shift;
    }
    fine.parameters["cell_side"] = fine.map.cell_size;
    fine.altitude.clear();
    fine.altitude.reserve(static_cast<std::size_t>(fine.map.size.cells()));
    for (int row = 0; row < fine.map.size.rows; ++row)
        for (int column = 0; column < fine.map.size.columns; ++column)
            fine.altitude.push_back(altitude_between(event, row, column, times));
    fine.thickness = divided(event.thickness, size, times);
    fine.temperature = divided(event.temperature, size, times);
    fine.solidified = divided(event.solidified, size, times);
    fine.real = divided(event.real, size, times);
    for (VentCell& vent : fine.vents) {
        vent.row = vent.row * times + times / 2;
        vent.column = vent.column * times + times / 2;
    }
    return fine;
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

namespace {

constexpr double foot = 500;     // m
constexpr double height = 2500;  // m, above the foot
constexpr double width = 800;    // cells; distance at which half of the height is left
constexpr double roughness = 2;  // m

bool inside(Size size, int row, int column) {
    return row > 0 && row + 1 < size.rows && column > 0 && column + 1 < size.columns;
}

}  // namespace

const EmissionRates& volcano_rates() {
    static const EmissionRates rates{
        86400,
        {{1, {3, 8, 7, 5.5, 4, 3, 2, 1.5, 1, 0.5}}, {2, {1.5, 4, 3.5, 3, 2, 1.5, 1, 0.5, 0, 0}}}};
    return rates;
}

Event volcano(Size size, std::uint64_t seed, double covered) {
    Event event;
    event.prefix = "volcano";
    event.map = {.size = size, .cell_size = 10, .no_data = -9999};
    event.rates = volcano_rates();
    const int summit_row = size.rows / 2;
    const int summit_column = size.columns / 2;
    for (const VentCell& vent :
         {VentCell{1, summit_row, summit_column},
          VentCell{2, summit_row + size.rows / 8, summit_column + 1 + size.columns / 8}})
        if (inside(size, vent.row, vent.column)) event.vents.push_back(vent);

    const auto cells = static_cast<std::size_t>(size.cells());
    event.altitude.resize(cells);
    for (std::size_t i = 0; i < cells; ++i) {
        const int row = static_cast<int>(i / size.columns);
        const int column = static_cast<int>(i % size.columns);
        const double south = row - summit_row;
        const double east = column - summit_column;
        const double distance = std::sqrt(south * south + east * east);
        event.altitude[i] =
            foot + height * width / (width + distance) + roughness * uniform(seed, i);
    }
    add_lava(event, seed, covered);
    return event;
}

Event plane(Size size, std::uint64_t seed, double covered) {
    Event event;
    event.prefix = "plane";
    event.map = {.size = size, .cell_size = 10, .no_data = -9999};
    event.rates = {86400, {{1, std::vector<double>(10, 3)}}};
    const VentCell crater{1, size.rows / 2, size.columns / 2};
    if (inside(size, crater.row, crater.column)) event.vents.push_back(crater);
    event.parameters["cell_side"] = event.map.cell_size;
    event.altitude.assign(static_cast<std::size_t>(size.cells()), 1000);
    add_lava(event, seed, covered);
    return event;
}

Event event_of(const InitialConditions& conditions) {
    const StartChoices choices = start_choices(conditions.options);
    if (choices.plane)
        return plane(conditions.size, conditions.seed, conditions.density.value_or(0));
    if (!conditions.input)
        return volcano(conditions.size, conditions.seed,
                       conditions.density.value_or(usual_density));
    const std::string folder = conditions.input->string();
    if (conditions.input_at)
        throw Error(ExitCode::usage, fmt::format("the eruption {} fills the board", folder),
                    Remedy::no_position);
    const Size tiles = choices.tiles;
    Event event = tiled(refined(read_event(*conditions.input), choices.refinement), tiles);
    const Size size = event.map.size;
    if (size != conditions.size)
        throw Error(ExitCode::usage,
                    fmt::format("the eruption {} has {}x{} cells{}, the board {}x{}", folder,
                                size.columns, size.rows,
                                tiles == Size{1, 1}
                                    ? ""
                                    : fmt::format(" in {}x{} tiles", tiles.columns, tiles.rows),
                                conditions.size.columns, conditions.size.rows),
                    Remedy::board_of_input);
    if (const double share = conditions.density.value_or(0); share > 0)
        add_lava(event, conditions.seed, share);
    return event;
}

}  // namespace camber::lava
