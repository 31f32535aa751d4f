// Eruptions of SCIARA-fv3 for launches on parts of the board.
#pragma once

#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "tests/variants/lava/active/scene.hpp"
#include "tests/workloads/lava/sciara_fv3/cases.hpp"

namespace camber::launch_sets {

inline Scene sciara_fv3_scene(const std::string& name, State initial, const ParameterSet& set) {
    const ElementType cell = initial.field("thickness").element();
    return {name, "sciara_fv3", cell, std::move(initial), set};
}

// A steep slope, lava from the board's first cell, from another edge and from the middle, in turns.
inline Scene sciara_fv3_far_vents(ElementType cell) {
    constexpr Size size{83, 46};
    const lava::EmissionRates rates{60, {{1, {90, 90, 0, 40}}, {2, {0, 30, 30}}, {3, {60, 0, 90}}}};
    auto altitude = sciara_fv3::plane(size, 9);
    for (std::size_t i = 0; i < altitude.size(); ++i)
        altitude[i] += 2 * sciara_fv3::hashed(i) - 0.5 * static_cast<double>(i % size.columns);
    return sciara_fv3_scene(
        "far vents of SCIARA-fv3",
        sciara_fv3::bare_state(size, cell, altitude, {{1, 0, 0}, {2, 20, 82}, {3, 16, 30}}, rates),
        sciara_fv3::etna_2006(rates));
}

// A gully from corner to corner: the worst case for a box.
inline Scene sciara_fv3_diagonal(ElementType cell) {
    constexpr Size size{57, 57};
    const lava::EmissionRates rates{1e9, {{1, {70}}}};
    std::vector<double> altitude;
    for (int row = 0; row < size.rows; ++row)
        for (int column = 0; column < size.columns; ++column)
            altitude.push_back(2000 - 6 * (row + column) + 12 * std::abs(row - column));
    return sciara_fv3_scene("diagonal of SCIARA-fv3",
                            sciara_fv3::bare_state(size, cell, altitude, {{1, 3, 3}}, rates),
                            sciara_fv3::etna_2006(rates));
}

// Initial lava without a vent.
inline Scene sciara_fv3_disc(ElementType cell) {
    return sciara_fv3_scene("disc of SCIARA-fv3", sciara_fv3::disc({40, 37}, cell, 4),
                            sciara_fv3::etna_2006(sciara_fv3::constant_rate(0)));
}

struct SciaraFv3 {
    // Field that one kernel of a step writes in every computed cell.
    static constexpr const char* field = "flow_n";
    static constexpr int far_steps = 40;
    static Scene far_vents() { return sciara_fv3_far_vents(ElementType::float32); }
    static Scene diagonal() { return sciara_fv3_diagonal(ElementType::float64); }
    static Scene gully() { return diagonal(); }
    static Scene raced() { return sciara_fv3_far_vents(ElementType::float64); }
    static constexpr int start_steps = 12;
    static std::vector<Scene> starts() {
        return {sciara_fv3_disc(ElementType::float64), sciara_fv3_disc(ElementType::float32)};
    }
};

}  // namespace camber::launch_sets
