// Eruptions of MAGFLOW for launches on parts of the board.
#pragma once

#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "tests/variants/lava/active/scene.hpp"
#include "tests/workloads/lava/magflow/cases.hpp"

namespace camber::launch_sets {

// Scene with high rates: the fastest lava limits steps, which seldom exceed a second.
inline Scene magflow_scene(const std::string& name, const lava::Event& event, ElementType cell,
                           const std::vector<std::pair<const char*, double>>& values = {}) {
    return {name, "magflow", cell, magflow::initial_state(event, cell, magflow::capacity),
            magflow::changed(magflow::etna(event.rates), values)};
}

// Lava from the first cell of the board, from another edge and from the middle, in turns, over
// partly unknown ground.
inline Scene magflow_far_vents(ElementType cell) {
    lava::Event event;
    event.map.size = {81, 43};
    event.map.cell_size = 10;
    event.vents = {{1, 0, 0}, {2, 20, 80}, {3, 16, 30}};
    event.rates = {15, {{1, {900, 900, 0, 400}}, {2, {0, 300, 300}}, {3, {600, 0, 900}}}};
    for (int row = 0; row < 43; ++row)
        for (int column = 0; column < 81; ++column)
            event.altitude.push_back(row > 10 && column < 4
                                         ? -1
                                         : 1500 - 7 * row - 0.5 * column +
                                               (row * 31 + column * 17) % 13 * 0.1);
    return magflow_scene("far vents of MAGFLOW", event, cell);
}

inline Scene magflow_diagonal(ElementType cell) {
    lava::Event event;
    event.map.size = {57, 57};
    event.map.cell_size = 10;
    event.vents = {{1, 3, 3}};
    event.rates = {86400, {{1, {400}}}};
    for (int row = 0; row < 57; ++row)
        for (int column = 0; column < 57; ++column)
            event.altitude.push_back(2000 - 8 * (row + column) + 16 * std::abs(row - column));
    return magflow_scene("diagonal of MAGFLOW", event, cell, {{"kahan", 0}});
}

// Fluid and solid lava at the start, and no vent: some cells have solid lava only.
inline Scene magflow_pile(ElementType cell) {
    lava::Event event;
    event.map.size = {40, 33};
    event.map.cell_size = 10;
    event.rates = {86400, {{1, {0}}}};
    for (int row = 0; row < 33; ++row)
        for (int column = 0; column < 40; ++column) {
            const bool fluid = std::abs(row - 8) + std::abs(column - 15) < 5;
            event.altitude.push_back(1000 - 3.0 * row);
            event.thickness.push_back(fluid ? 2 + column % 3 : 0);
            event.temperature.push_back(fluid ? 1300 : 0);
            event.solidified.push_back(column > 15 && column < 30 && row < 10 ? 0.5 : 0);
        }
    return magflow_scene("pile of MAGFLOW", event, cell);
}

struct Magflow {
    // Field that one kernel of a step writes in every computed cell.
    static constexpr const char* field = "volume_flux";
    static constexpr int far_steps = 30;
    static Scene far_vents() { return magflow_far_vents(ElementType::float32); }
    static Scene diagonal() { return magflow_diagonal(ElementType::float64); }
    static Scene gully() { return magflow_diagonal(ElementType::float32); }
    static Scene raced() { return far_vents(); }
    static constexpr int start_steps = 12;
    static std::vector<Scene> starts() {
        return {magflow_pile(ElementType::float32), magflow_pile(ElementType::float64)};
    }
};

}  // namespace camber::launch_sets
