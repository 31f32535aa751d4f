// Estimated cost of slices of cells, compared with their pairs.
#include <algorithm>
#include <numeric>
#include <vector>

#include "harness/groups/partition.hpp"
#include "tests/catch.hpp"
#include "workloads/particles/sph/parameters.hpp"
#include "workloads/particles/sph/slices.hpp"
#include "workloads/particles/sph/state.hpp"

namespace camber::sph {

namespace {

template <class R>
Positions<R> positions_of(const State& state) {
    return {state.field("x").cells<R>(), state.field("y").cells<R>(), state.field("z").cells<R>(),
            state.field(kind_field).cells<std::uint8_t>()};
}

// Number of pairs per slice, counted in the reference's lists.
std::vector<double> pairs_of_slices(const Settings& settings, const State& state, Principal axis) {
    const auto positions = positions_of<float>(state);
    const CellGrid<float> grid = cell_grid<float>(settings);
    const NeighbourList list = neighbours_of(positions, settings, list_capacity(settings), 1);
    const std::vector<int> slices = slices_of(positions, grid, axis);
    std::vector<double> pairs(static_cast<std::size_t>(along(axis, grid.size)));
    for (std::size_t id = 0; id < slices.size(); ++id)
        pairs[static_cast<std::size_t>(slices[id])] += static_cast<double>(list.of(id).size());
    return pairs;
}

// Imbalance: share of the fullest device divided by an equal share.
double imbalance(const std::vector<double>& loads, const std::vector<Rows>& division) {
    double most = 0;
    for (const Rows& slices : division)
        most = std::max(
            most, std::accumulate(loads.begin() + slices.first, loads.begin() + slices.end, 0.0));
    return most * static_cast<double>(division.size()) /
           std::accumulate(loads.begin(), loads.end(), 0.0);
}

}  // namespace

TEMPLATE_TEST_CASE("particles of each cell are known before a scene is made", "[sph][slices]",
                   float, double) {
    for (const int scene : {0, 1, 2, 3, 4}) {
        CAPTURE(scene);
        Settings settings{.dp = 0.03};
        settings.scene = static_cast<Scene>(scene);
        const State state = initial_state(settings, element_of<TestType>());
        const CellGrid<TestType> grid = cell_grid<TestType>(settings);
        const CellCounts before = counts_of_cells<TestType>(settings);
        const CellCounts after = counts_of_cells(positions_of<TestType>(state), grid);
        CHECK(before.all == after.all);
        CHECK(before.fluid == after.fluid);
        CHECK(std::accumulate(before.all.begin(), before.all.end(), std::int64_t{0}) ==
              particle_count(settings));
        CHECK(std::accumulate(before.fluid.begin(), before.fluid.end(), std::int64_t{0}) ==
              std::ranges::count(state.field(kind_field).cells<std::uint8_t>(), 0));
    }
}

TEST_CASE("slices of equal work have equally many pairs", "[sph][slices]") {
    const Settings settings{.dp = 0.015};
    const State state = initial_state(settings, ElementType::float32);
    const CellGrid<float> grid = cell_grid<float>(settings);
    const CellCounts counts = counts_of_cells<float>(settings);
    const auto work = work_of_slices(counts, grid, Principal::x);
    const auto pairs = pairs_of_slices(settings, state, Principal::x);
    REQUIRE(work.size() == pairs.size());
    const std::vector<int> equal{1, 1};
    const double by_work = imbalance(pairs, divided_slices(work, equal));
    const double by_count =
        imbalance(pairs, divided_slices(counts_of_slices(counts.all, grid, Principal::x), equal));
    // Walls are a fifth of these particles, and most of them have no water nearby.
    CHECK(by_count > 1.15);
    CHECK(by_work < 1.08);
    // Inside the water, the estimate alone is correct.
    const std::size_t inside = 4;
    constexpr double bytes_per_pair = 72;
    const double ratio = static_cast<double>(work[inside]) / (bytes_per_pair * pairs[inside]);
    CHECK(ratio > 0.8);
    CHECK(ratio < 1.25);
}

// The walls have more particles than a slice of water along x, and do not move.
TEST_CASE("falling water is divided across its way", "[sph][slices]") {
    for (const Scene scene : {Scene::dam_break, Scene::bore, Scene::bore_corridor})
        for (const double dp : {0.005, 0.02}) {
            Settings settings{.dp = dp};
            settings.scene = scene;
            CAPTURE(name_of(scene), dp);
            const CellCounts counts = counts_of_cells<float>(settings);
            CHECK(slice_axis<float>(settings, counts, 2) == Principal::y);
            // More devices than slices along that axis.
            if (dp == 0.02) CHECK(slice_axis<float>(settings, counts, 20) == Principal::x);
        }
}

}  // namespace camber::sph
