// Lava launched on parts of the board: bit-equal to the reference, and launch sets contain all
// cells that lava can reach.
#include <algorithm>
#include <cstddef>
#include <set>
#include <type_traits>
#include <vector>

#include "tests/variants/lava/active/magflow_scenes.hpp"
#include "tests/variants/lava/active/sciara_fv2_scenes.hpp"
#include "tests/variants/lava/active/sciara_fv3_scenes.hpp"

namespace camber::launch_sets::launch_sets_test {

TEMPLATE_TEST_CASE("lava on launch sets has the reference's bits from far vents",
                   "[launch_sets][slow]", SciaraFv2, SciaraFv3, Magflow) {
    compare_with_reference(TestType::far_vents(), 140);
}

TEMPLATE_TEST_CASE("lava on launch sets has the reference's bits along a diagonal", "[launch_sets]",
                   SciaraFv2, SciaraFv3, Magflow) {
    compare_with_reference(TestType::diagonal(), 140);
}

TEMPLATE_TEST_CASE("lava on launch sets has the reference's bits from a start with lava",
                   "[launch_sets]", SciaraFv2, SciaraFv3, Magflow) {
    for (const Scene& scene : TestType::starts())
        compare_with_reference(scene, TestType::start_steps);
}

TEMPLATE_TEST_CASE("launch sets have what lava can reach", "[launch_sets][slow]", SciaraFv2,
                   SciaraFv3, Magflow) {
    const auto launched = check_sets(TestType::gully(), TestType::field, 135);
    const auto box = launched.at("bounding_box/device/64x4/tight/align128");
    const auto two = launched.at("boxes/2/64x4/from32/m128/align128");
    const auto four = launched.at("boxes/4/64x4/from32/m128/align128");
    const auto list = launched.at("active_list/128x1/align128");
    CAPTURE(box, two, four, list);
    // Lava has moved far enough to make the diagonal visible.
    CHECK(box > 400);
    CHECK(two < box);
    CHECK(four < two);
    CHECK(list < four);
    CHECK(launched.at("sorted_list/256x1/m16/align128") == list);
    check_sets(TestType::far_vents(), TestType::field, TestType::far_steps);
}

// Number of 32-byte sectors that the warps of a list touch in a field of floats, stored by rows.
std::size_t sectors_of(const std::vector<int>& cells) {
    constexpr std::size_t lanes = 32;
    std::size_t all = 0;
    for (std::size_t first = 0; first < cells.size(); first += lanes) {
        std::set<int> sectors;
        for (std::size_t i = first; i < std::min(first + lanes, cells.size()); ++i)
            sectors.insert(cells[i] / 8);
        all += sectors.size();
    }
    return all;
}

TEMPLATE_TEST_CASE("a list made from a state costs what it costs in the run of the state",
                   "[launch_sets][slow]", SciaraFv3, Magflow) {
    constexpr int steps = 135;
    constexpr const char* variant = "active_list/128x1/align128";
    const Scene scene = TestType::gully();
    Watched whole(scene, variant, TestType::field);
    std::vector<int> run;
    for (int n = 0; n <= steps; ++n) run = whole.step();
    Scene later = scene;
    later.initial = history(scene, steps).back();
    std::vector<int> resumed = Watched(later, variant, TestType::field).step();
    std::vector<int> ascending = resumed;
    std::ranges::sort(ascending);
    CAPTURE(run.size(), resumed.size(), sectors_of(run), sectors_of(resumed),
            sectors_of(ascending));
    CHECK(resumed.size() == run.size());
    const auto in_run = static_cast<double>(sectors_of(run));
    const auto now = static_cast<double>(sectors_of(resumed));
    const auto sorted = static_cast<double>(sectors_of(ascending));
    // A list in ascending order would seem cheaper than it is.
    CHECK(sorted < 0.96 * in_run);
    CHECK(sorted < now);
    CHECK(now < 1.1 * in_run);
    if (std::is_same_v<TestType, SciaraFv3>) CHECK(now == Approx(in_run).epsilon(0.02));
}

TEST_CASE("a list of generated lava is in ascending order", "[launch_sets][magflow]") {
    const Scene scene = magflow_pile(ElementType::float32);
    CHECK(std::ranges::is_sorted(
        Watched(scene, "active_list/128x1/align128", "volume_flux").step()));
}

TEST_CASE("a list begins with the vents and continues with what they reach", "[launch_sets]") {
    const Size size{5, 3};
    lava::Mask set(15, 1), vents(15);
    vents[7] = 1;
    set[4] = 0;
    // The vent's neighborhood by rows, then the cells beyond it; the corner (0, 4) is not in the set.
    CHECK(lava::in_order_of_arrival(set, vents, size) ==
          std::vector<int>{1, 2, 3, 6, 7, 8, 11, 12, 13, 0, 5, 9, 10, 14});
    CHECK(lava::in_order_of_arrival(set, lava::Mask(15), size).front() == 0);
}

TEMPLATE_TEST_CASE("launch sets race with nobody", "[launch_sets][slow]", SciaraFv2, SciaraFv3,
                   Magflow) {
    check_accesses(TestType::raced(), 20);
}

TEST_CASE("SCIARA-fv3 on launch sets has the reference's bits where there is no lava",
          "[launch_sets][sciara_fv3]") {
    Scene scene = sciara_fv3_disc(ElementType::float64);
    for (const char* field : {"thickness", "temperature"})
        std::ranges::fill(scene.initial.field(field).cells<double>(), 0);
    compare_with_reference(scene, 3);
}

TEST_CASE("a box of MAGFLOW's lava has cells with solid lava only from the start",
          "[launch_sets][magflow]") {
    const Scene scene = magflow_pile(ElementType::float32);
    Watched run(scene, "bounding_box/device/64x4/tight/align128", "volume_flux");
    lava::Mask set(static_cast<std::size_t>(scene.size().cells()));
    for (const int cell : run.step()) set[static_cast<std::size_t>(cell)] = 1;
    const lava::Box first = box_of(set, scene.size());
    CHECK(first.first_row == 0);      // solid lava begins in row 0
    CHECK(first.end_row == 14);       // fluid lava ends in row 12, plus the halo
    CHECK(first.first_column == 10);  // fluid lava begins in column 11
    CHECK(first.end_column == 31);    // solid lava ends in column 29
}

}  // namespace camber::launch_sets::launch_sets_test
