// Eruptions of SCIARA-fv2 for launches on parts of the board.
#pragma once

#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "tests/variants/lava/active/scene.hpp"
#include "tests/workloads/lava/sciara_fv2/cases.hpp"

namespace camber::launch_sets {

inline Scene sciara_fv2_scene(const std::string& name, State initial, const ParameterSet& set) {
    return {name, "sciara_fv2", ElementType::float64, std::move(initial), set};
}

// Lava beside the frame, from another side and from the middle, in turns; it leaves the board, and
// solidifies in between. A vent on the frame adds nothing.
inline Scene sciara_fv2_far_vents() {
    constexpr Size size{81, 43};
    constexpr double slot = 960;  // 8 steps
    const lava::EmissionRates rates{slot,
                                    {{1, {20, 20, 0, 0, 10, 0, 20, 30, 0, 0, 20, 0, 20, 0, 9, 0}},
                                     {2, {0, 30, 0, 0, 0, 20, 0, 0, 0, 10, 0, 30, 0, 0, 30, 0}},
                                     {3, {9, 0, 12, 0, 20, 0, 0, 0, 20, 20, 0, 0, 0, 0, 20, 0}},
                                     {4, {5}}}};
    std::vector<double> altitude;
    for (int row = 0; row < size.rows; ++row)
        for (int column = 0; column < size.columns; ++column)
            altitude.push_back(1500 - 7 * row - 0.5 * column + (row * 31 + column * 17) % 13 * 0.1);
    return sciara_fv2_scene(
        "far vents of SCIARA-fv2",
        sciara_fv2::bare_state(size, altitude, {{1, 1, 1}, {2, 20, 79}, {3, 16, 30}, {4, 30, 0}},
                               rates),
        sciara_fv2::changed(sciara_fv2::etna_2006(rates), {{"cooling", 3000}}));
}

inline Scene sciara_fv2_diagonal() {
    constexpr Size size{57, 57};
    const lava::EmissionRates rates{86400, {{1, {9}}}};
    std::vector<double> altitude;
    for (int row = 0; row < size.rows; ++row)
        for (int column = 0; column < size.columns; ++column)
            altitude.push_back(2000 - 6 * (row + column) + 12 * std::abs(row - column));
    return sciara_fv2_scene("diagonal of SCIARA-fv2",
                            sciara_fv2::bare_state(size, altitude, {{1, 3, 3}}, rates),
                            sciara_fv2::etna_2006(rates));
}

// Initial lava without a vent. The frame is not at rest.
inline Scene sciara_fv2_pile() {
    constexpr Size size{40, 33};
    std::vector<double> altitude;
    for (int row = 0; row < size.rows; ++row)
        for (int column = 0; column < size.columns; ++column) altitude.push_back(1000 - 3.0 * row);
    State state = sciara_fv2::bare_state(size, altitude, {}, {});
    const auto thickness = state.field("thickness").cells<double>();
    const auto temperature = state.field("temperature").cells<double>();
    for (int row = 5; row < 12; ++row)
        for (int column = 11; column < 20; ++column) {
            thickness[static_cast<std::size_t>(row) * size.columns + column] = 2 + column % 3;
            temperature[static_cast<std::size_t>(row) * size.columns + column] = 1300;
        }
    thickness[7] = 1;                         // in row 0
    temperature[7] = temperature[20] = 1200;  // one of them without lava
    return sciara_fv2_scene("pile of SCIARA-fv2", std::move(state), sciara_fv2::etna_2006());
}

struct SciaraFv2 {
    // Field that one kernel of a step writes in every computed cell.
    static constexpr const char* field = "flow_n";
    static constexpr int far_steps = 30;
    static Scene far_vents() { return sciara_fv2_far_vents(); }
    static Scene diagonal() { return sciara_fv2_diagonal(); }
    static Scene gully() { return diagonal(); }
    static Scene raced() { return far_vents(); }
    static constexpr int start_steps = 24;
    static std::vector<Scene> starts() { return {sciara_fv2_pile()}; }
};

}  // namespace camber::launch_sets
