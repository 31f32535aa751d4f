#include "workloads/lava/volcano.hpp"

#include <cmath>

#include "workloads/core/random.hpp"
#include "workloads/lava/tiles.hpp"

namespace camber::lava {
namespace {

constexpr double foot = 500;     // m
constexpr double height = 2500;  // m, above the foot
constexpr double width = 800;    // cells in which half of it is lost
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

}  // namespace camber::lava
