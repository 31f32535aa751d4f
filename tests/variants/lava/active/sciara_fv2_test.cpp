// SCIARA-fv2 launched on parts of the board: cases that only some of its eruptions contain.
#include "tests/variants/lava/active/sciara_fv2_scenes.hpp"

namespace camber::launch_sets::sciara_fv2_test {
namespace {

// Single cells of lava on a plane, thicker towards the east, which solidify one after another: in a
// step of 120 s, a cell of 1 cm cools by some 20 K.
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
    return sciara_fv2_scene("thin lava of SCIARA-fv2", std::move(state), sciara_fv2::etna_2006());
}

// Lava scattered over a board of 330 blocks of 64x4 cells.
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
    return sciara_fv2_scene("scattered lava of SCIARA-fv2", std::move(state),
                            sciara_fv2::etna_2006());
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
    // In the step before the boxes are replaced, cells solidify that the new boxes do not contain.
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

}  // namespace camber::launch_sets::sciara_fv2_test
