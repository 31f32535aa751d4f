// SCIARA-fv3 launched on parts of the board: every bit as the reference has it.
#include <algorithm>
#include <cmath>

#include "tests/variants/active/scene.hpp"
#include "tests/workloads/sciara_fv3/cases.hpp"

namespace camber::launch_sets {
namespace {

Scene scene_of(const std::string& name, State initial, const ParameterSet& set) {
    const ElementType cell = initial.field("thickness").element();
    return {name, "sciara_fv3", cell, std::move(initial), set};
}

// A steep slope, lava from the board's first cell, from another edge and from the middle, in turns.
Scene far_vents(ElementType cell) {
    constexpr Size size{83, 46};
    const lava::EmissionRates rates{60, {{1, {90, 90, 0, 40}}, {2, {0, 30, 30}}, {3, {60, 0, 90}}}};
    auto altitude = sciara_fv3::plane(size, 9);
    for (std::size_t i = 0; i < altitude.size(); ++i)
        altitude[i] += 2 * sciara_fv3::hashed(i) - 0.5 * static_cast<double>(i % size.columns);
    return scene_of(
        "far vents",
        sciara_fv3::bare_state(size, cell, altitude, {{1, 0, 0}, {2, 20, 82}, {3, 16, 30}}, rates),
        sciara_fv3::etna_2006(rates));
}

// A gully from corner to corner: the worst that a box may cover.
Scene diagonal(ElementType cell) {
    constexpr Size size{57, 57};
    const lava::EmissionRates rates{1e9, {{1, {70}}}};
    std::vector<double> altitude;
    for (int row = 0; row < size.rows; ++row)
        for (int column = 0; column < size.columns; ++column)
            altitude.push_back(2000 - 6 * (row + column) + 12 * std::abs(row - column));
    return scene_of("diagonal", sciara_fv3::bare_state(size, cell, altitude, {{1, 3, 3}}, rates),
                    sciara_fv3::etna_2006(rates));
}

// Lava that is there at the start, and no vent.
Scene disc(ElementType cell) {
    return scene_of("disc", sciara_fv3::disc({40, 37}, cell, 4),
                    sciara_fv3::etna_2006(sciara_fv3::constant_rate(0)));
}

}  // namespace

TEST_CASE("SCIARA-fv3 on launch sets has the reference's bits from far vents",
          "[launch_sets][sciara_fv3]") {
    compare_with_reference(far_vents(ElementType::float32), 140);
}

TEST_CASE("SCIARA-fv3 on launch sets has the reference's bits along a diagonal",
          "[launch_sets][sciara_fv3]") {
    compare_with_reference(diagonal(ElementType::float64), 140);
}

TEST_CASE("SCIARA-fv3 on launch sets has the reference's bits from a start with lava",
          "[launch_sets][sciara_fv3]") {
    for (const ElementType cell : {ElementType::float64, ElementType::float32})
        compare_with_reference(disc(cell), 12);
}

TEST_CASE("SCIARA-fv3 on launch sets has the reference's bits where there is no lava",
          "[launch_sets][sciara_fv3]") {
    Scene scene = disc(ElementType::float64);
    for (const char* field : {"thickness", "temperature"})
        std::ranges::fill(scene.initial.field(field).cells<double>(), 0);
    compare_with_reference(scene, 3);
}

TEST_CASE("launch sets of SCIARA-fv3 have what lava can reach", "[launch_sets][sciara_fv3]") {
    const auto launched = check_sets(diagonal(ElementType::float64), "flow_n", 135);
    const auto box = launched.at("bounding_box/device/64x4/tight/align128");
    const auto two = launched.at("boxes/2/64x4/from32/m128/align128");
    const auto four = launched.at("boxes/4/64x4/from32/m128/align128");
    const auto list = launched.at("active_list/128x1/align128");
    CAPTURE(box, two, four, list);
    // Lava has come far enough for the diagonal to tell.
    CHECK(box > 400);
    CHECK(two < box);
    CHECK(four < two);
    CHECK(list < four);
    CHECK(launched.at("sorted_list/256x1/m16/align128") == list);
    check_sets(far_vents(ElementType::float32), "flow_n", 40);
}

TEST_CASE("launch sets of SCIARA-fv3 race with nobody", "[launch_sets][sciara_fv3]") {
    check_accesses(far_vents(ElementType::float64), 20);
}

}  // namespace camber::launch_sets
