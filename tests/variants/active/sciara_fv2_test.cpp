// SCIARA-fv2 launched on parts of the board: every bit as the reference has it.
#include <algorithm>
#include <cmath>

#include "tests/variants/active/scene.hpp"
#include "tests/workloads/sciara_fv2/cases.hpp"

namespace camber::launch_sets {
namespace {

Scene scene_of(const std::string& name, State initial, const ParameterSet& set) {
    return {name, "sciara_fv2", ElementType::float64, std::move(initial), set};
}

// Lava beside the frame, from another side and from the middle, in turns; it goes over the edge,
// and solidifies in between. A vent on the frame gives nothing.
Scene far_vents() {
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
    return scene_of("far vents of SCIARA-fv2",
                    sciara_fv2::bare_state(
                        size, altitude, {{1, 1, 1}, {2, 20, 79}, {3, 16, 30}, {4, 30, 0}}, rates),
                    sciara_fv2::changed(sciara_fv2::etna_2006(rates), {{"cooling", 3000}}));
}

Scene diagonal() {
    constexpr Size size{57, 57};
    const lava::EmissionRates rates{86400, {{1, {9}}}};
    std::vector<double> altitude;
    for (int row = 0; row < size.rows; ++row)
        for (int column = 0; column < size.columns; ++column)
            altitude.push_back(2000 - 6 * (row + column) + 12 * std::abs(row - column));
    return scene_of("diagonal of SCIARA-fv2",
                    sciara_fv2::bare_state(size, altitude, {{1, 3, 3}}, rates),
                    sciara_fv2::etna_2006(rates));
}

// Lava at the start, and no vent. The frame is not at rest.
Scene pile() {
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
    temperature[7] = temperature[20] = 1200;  // of which one has no lava
    return scene_of("pile of SCIARA-fv2", std::move(state), sciara_fv2::etna_2006());
}

// Single cells of lava on a plane, the thicker the farther east, which solidify one after another:
// in a step of 120 s a cell of 1 cm loses some 20 K.
Scene thin_lava() {
    constexpr Size size{83, 20};
    State state = sciara_fv2::bare_state(
        size, std::vector<double>(static_cast<std::size_t>(size.cells()), 1000.0), {}, {});
    for (int row = 3; row < size.rows - 1; row += 5)
        for (int column = 1; column < size.columns - 1; ++column) {
            const auto i = static_cast<std::size_t>(row) * size.columns + column;
            state.field("thickness").cells<double>()[i] = 0.0004 * column;
            state.field("temperature").cells<double>()[i] = 1360;
        }
    return scene_of("thin lava of SCIARA-fv2", std::move(state), sciara_fv2::etna_2006());
}

// Lava here and there all over a board of 330 blocks of 64x4 cells.
Scene scattered_lava() {
    constexpr Size size{600, 130};
    std::vector<double> altitude;
    for (int row = 0; row < size.rows; ++row)
        for (int column = 0; column < size.columns; ++column)
            altitude.push_back(3000 - 3.0 * row - (row * 31 + column * 17) % 13 * 0.1);
    State state = sciara_fv2::bare_state(size, altitude, {}, {});
    for (int row = 1; row < size.rows - 1; ++row)
        for (int column = 1; column < size.columns - 1; ++column) {
            if ((3 * row + column) % 7 != 0) continue;
            const auto i = static_cast<std::size_t>(row) * size.columns + column;
            state.field("thickness").cells<double>()[i] = 2 + column % 3;
            state.field("temperature").cells<double>()[i] = 1350;
        }
    return scene_of("scattered lava of SCIARA-fv2", std::move(state), sciara_fv2::etna_2006());
}

}  // namespace

TEST_CASE("fewer blocks than a set of SCIARA-fv2 needs go through it in turns",
          "[launch_sets][sciara_fv2]") {
    const Scene scene = scattered_lava();
    compare_with_reference(scene, 2, {.runs = {{2}}, .only = "/b256/"});
    for (const char* name :
         {"bounding_box/device/64x4/from32/b256/align128", "active_list/256x1/b256/align128"}) {
        CAPTURE(name);
        Watched run(scene, name, "flow_n");
        const std::vector<int> cells = run.step();
        CHECK(cells.size() > 256 * 256);
        CHECK(std::set<int>(cells.begin(), cells.end()).size() == cells.size());
    }
}

TEST_CASE("cells that boxes of SCIARA-fv2 leave behind stay as they are",
          "[launch_sets][sciara_fv2]") {
    const Scene scene = thin_lava();
    const auto states = history(scene, 20);
    const auto eastern = [&](int step) { return box_of(lava_of(states[step]), scene.size()); };
    // In the step before boxes are placed anew, cells solidify that they will not have.
    REQUIRE(eastern(15).first_column < eastern(16).first_column - 1);
    REQUIRE(eastern(16).first_column > 10);
    REQUIRE_FALSE(eastern(20).empty());
    compare_with_reference(scene, 20, {.runs = {{1}}, .most_calls = 20});

    Watched run(scene, "boxes/4/64x4/from32/m16/align128", "flow_n");
    std::vector<std::size_t> launched;
    for (int n = 0; n < 17; ++n) launched.push_back(run.step().size());
    CHECK(launched[15] == launched[0]);
    CHECK(launched[16] < launched[15]);
}

TEST_CASE("SCIARA-fv2 on launch sets has the reference's bits from far vents",
          "[launch_sets][sciara_fv2]") {
    compare_with_reference(far_vents(), 140);
}

TEST_CASE("SCIARA-fv2 on launch sets has the reference's bits along a diagonal",
          "[launch_sets][sciara_fv2]") {
    compare_with_reference(diagonal(), 140);
}

TEST_CASE("SCIARA-fv2 on launch sets has the reference's bits from a start with lava",
          "[launch_sets][sciara_fv2]") {
    compare_with_reference(pile(), 24);
}

TEST_CASE("launch sets of SCIARA-fv2 have what lava can reach", "[launch_sets][sciara_fv2]") {
    const auto launched = check_sets(diagonal(), "flow_n", 135);
    const auto box = launched.at("bounding_box/device/64x4/tight/align128");
    const auto two = launched.at("boxes/2/64x4/from32/m128/align128");
    const auto four = launched.at("boxes/4/64x4/from32/m128/align128");
    const auto list = launched.at("active_list/128x1/align128");
    CAPTURE(box, two, four, list);
    CHECK(box > 400);
    CHECK(two < box);
    CHECK(four < two);
    CHECK(list < four);
    CHECK(launched.at("sorted_list/256x1/m16/align128") == list);
    check_sets(far_vents(), "flow_n", 30);
}

TEST_CASE("launch sets of SCIARA-fv2 race with nobody", "[launch_sets][sciara_fv2]") {
    check_accesses(far_vents(), 20);
}

}  // namespace camber::launch_sets
