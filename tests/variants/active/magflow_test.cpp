// MAGFLOW launched on parts of the board: every bit as the reference has it.
#include <algorithm>
#include <cmath>

#include "tests/variants/active/scene.hpp"
#include "tests/workloads/magflow/cases.hpp"

namespace camber::launch_sets {
namespace {

// Steps are as long as the fastest lava allows, seldom more than a second: rates are high.
Scene scene_of(const std::string& name, const lava::Event& event, ElementType cell,
               const std::vector<std::pair<const char*, double>>& values = {}) {
    return {name, "magflow", cell, magflow::initial_state(event, cell, magflow::capacity),
            magflow::changed(magflow::etna(event.rates), values)};
}

// Lava from the first cell of the board, from another edge and from the middle, in turns, over
// ground of which a part is unknown.
Scene far_vents(ElementType cell) {
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
    return scene_of("far vents of MAGFLOW", event, cell);
}

Scene diagonal(ElementType cell) {
    lava::Event event;
    event.map.size = {57, 57};
    event.map.cell_size = 10;
    event.vents = {{1, 3, 3}};
    event.rates = {86400, {{1, {400}}}};
    for (int row = 0; row < 57; ++row)
        for (int column = 0; column < 57; ++column)
            event.altitude.push_back(2000 - 8 * (row + column) + 16 * std::abs(row - column));
    return scene_of("diagonal of MAGFLOW", event, cell, {{"kahan", 0}});
}

// Fluid and solid lava at the start, and no vent: some cells have solid lava only.
Scene pile(ElementType cell) {
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
    return scene_of("pile of MAGFLOW", event, cell);
}

}  // namespace

TEST_CASE("MAGFLOW on launch sets has the reference's bits from far vents",
          "[launch_sets][magflow]") {
    compare_with_reference(far_vents(ElementType::float32), 140);
}

TEST_CASE("MAGFLOW on launch sets has the reference's bits along a diagonal",
          "[launch_sets][magflow]") {
    compare_with_reference(diagonal(ElementType::float64), 140);
}

TEST_CASE("MAGFLOW on launch sets has the reference's bits from a start with lava",
          "[launch_sets][magflow]") {
    for (const ElementType cell : {ElementType::float32, ElementType::float64})
        compare_with_reference(pile(cell), 12);
}

TEST_CASE("launch sets of MAGFLOW have what lava can reach", "[launch_sets][magflow]") {
    const auto launched = check_sets(diagonal(ElementType::float32), "volume_flux", 135);
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
    check_sets(far_vents(ElementType::float32), "volume_flux", 30);

    // The box has cells with solid lava only, from the start.
    const Scene scene = pile(ElementType::float32);
    Watched run(scene, "bounding_box/device/64x4/tight/align128", "volume_flux");
    lava::Mask set(static_cast<std::size_t>(scene.size().cells()));
    for (const int cell : run.step()) set[static_cast<std::size_t>(cell)] = 1;
    const lava::Box first = box_of(set, scene.size());
    CHECK(first.first_row == 0);      // solid lava from row 0 on
    CHECK(first.end_row == 14);       // fluid as far as row 12, and the ring
    CHECK(first.first_column == 10);  // fluid from column 11 on
    CHECK(first.end_column == 31);    // solid as far as column 29
}

TEST_CASE("launch sets of MAGFLOW race with nobody", "[launch_sets][magflow]") {
    check_accesses(far_vents(ElementType::float32), 20);
}

}  // namespace camber::launch_sets
