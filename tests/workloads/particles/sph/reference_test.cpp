// The SPH reference: scenes, neighbor lists, and conserved quantities.
#include <algorithm>
#include <cmath>
#include <set>
#include <vector>

#include "harness/base/error.hpp"
#include "tests/catch.hpp"
#include "tests/workloads/particles/sph/run.hpp"
#include "workloads/core/state_cells.hpp"
#include "workloads/particles/sph/parameters.hpp"
#include "workloads/particles/sph/physics.hpp"

namespace camber::sph::reference_test {
namespace {

double sum(std::span<const double> values) {
    double sum = 0;
    for (const double value : values) sum += value;
    return sum;
}

}  // namespace

TEST_CASE("particles of the scenes", "[sph]") {
    const struct {
        double dp;
        std::int64_t walls, water;
    } golden[] = {{0.04, 2628, 1500},      {0.02, 10395, 12800},      {0.008, 64185, 205000},
                  {0.005, 163815, 851200}, {0.0043, 222081, 1331946}, {0.0042, 232816, 1425950},
                  {0.004, 256169, 1660000}};
    for (const auto& [dp, walls, water] : golden) {
        CAPTURE(dp);
        std::int64_t fluid = 0, solid = 0;
        for (const Lattice& lattice : scene_of({.dp = dp}))
            (lattice.kind == Kind::fluid ? fluid : solid) += lattice.count();
        CHECK(fluid == water);
        CHECK(solid == walls);
    }
    // Two particles in the same place would repel each other without bound.
    for (int scene = 0; scene <= 5; ++scene) {
        CAPTURE(scene);
        Run run({{"dp", 0.04}, {"scene", scene}});
        std::set<std::tuple<double, double, double>> places;
        for (std::size_t id = 0; id < run.at("x").size(); ++id)
            places.emplace(run.at("x")[id], run.at("y")[id], run.at("z")[id]);
        CHECK(places.size() == run.at("x").size());
        // No particle is so near to a wall that the wall expels it at the start.
        const Positions<double> at = positions_of(run);
        for (std::size_t id = 0; id < at.count(); ++id)
            for (std::size_t wall = 0; wall < at.count(); ++wall)
                if (at.is_fluid(id) && !at.is_fluid(wall) &&
                    at.distance_2(id, wall) < 0.04 * 0.04 * (1 - 1e-9))
                    FAIL("particle " << id << " is too near " << wall);
    }
}

TEST_CASE("the water starts hydrostatic", "[sph]") {
    Run run({{"dp", 0.04}});
    // Under 0.4 m of water it has 1003.30047 kg/m^3; the lowest particles are under 0.36 m.
    const double stiffness = constants_of<double>({}).stiffness;
    const double deepest = *std::ranges::max_element(run.at(density_field));
    CHECK(pressure(constants_of<double>({}), deepest) == Approx(1000 * 9.81 * 0.36));
    CHECK(1000 * std::pow(1 + 1000 * 9.81 * 0.4 / stiffness, 1.0 / 7) ==
          Approx(1003.30047).epsilon(5e-9));
}

TEST_CASE("cells in the order of each split", "[sph]") {
    const Cell size{10, 8, 7};
    const Cell cell{3, 4, 5};
    CHECK(hash(Principal::z, size, cell) == 443);
    CHECK(hash(Principal::y, size, cell) == 333);
    CHECK(hash(Principal::x, size, cell) == 201);
    CHECK(cell_grid<float>({.dp = 0.004}).size == Cell{154, 65, 58});
    CHECK(cell_grid<double>({.dp = 0.02}).size == Cell{31, 13, 12});
    // Particles outside, and those with NaN positions, belong to the outermost cells.
    const CellGrid<float> grid = cell_grid<float>({.dp = 0.02});
    CHECK(grid.cell_of(-3, 99, NAN) == Cell{0, 12, 0});
}

TEST_CASE("lists are those of the search over all pairs", "[sph]") {
    for (const int iterations : {0, 60}) {
        Run run({{"dp", 0.05}});
        run.advance(iterations);
        const Positions<double> at = positions_of(run);
        const Settings settings = settings_of(run.parameters);
        const CellGrid<double> grid = cell_grid<double>(settings);
        const CellOrder order = order_of(at, grid);
        const auto cell = [&](std::int32_t id) {
            return grid.hash_of(grid.cell_of(at.x[id], at.y[id], at.z[id]));
        };
        std::set<std::int32_t> all(order.ids.begin(), order.ids.end());
        REQUIRE(all.size() == at.count());
        REQUIRE(std::ranges::is_sorted(order.ids, {},
                                       [&](std::int32_t id) { return std::pair(cell(id), id); }));
        const NeighbourList list = neighbours_of(at, settings, most_neighbours, 2);
        const double reach_2 = constants_of<double>(settings).radius_2;
        std::int64_t pairs = 0;
        for (std::size_t id = 0; id < at.count(); ++id) {
            std::vector<std::int32_t> found(list.of(id).begin(), list.of(id).end());
            REQUIRE(std::ranges::is_sorted(
                found, {}, [&](std::int32_t other) { return std::pair(cell(other), other); }));
            std::ranges::sort(found);
            std::vector<std::int32_t> wanted;
            for (std::size_t other = 0; other < at.count() && at.is_fluid(id); ++other)
                if (other != id && at.distance_2(id, other) < reach_2)
                    wanted.push_back(static_cast<std::int32_t>(other));
            REQUIRE(found == wanted);
            pairs += static_cast<std::int64_t>(wanted.size());
        }
        CHECK(pairs > 30'000);
    }
}

TEST_CASE("a list that overflows names the particle", "[sph]") {
    Run run({{"dp", 0.05}});
    CHECK_THROWS_WITH(neighbours_of(positions_of(run), settings_of(run.parameters), 79, 1),
                      contains("particle ") && contains("more than 79 neighbours"));
}

TEST_CASE("pairs that a list lacks are counted", "[sph]") {
    Run run({{"dp", 0.05}, {"scene", 4}});
    run.advance(1);
    CHECK(run.figures().missed_pairs == 0);
    // The first particle is elsewhere when the list is built, and then returns.
    const auto list = neighbours_of(positions_of(run), settings_of(run.parameters), 128, 1);
    run.at("listed_x")[0] -= 10;
    CHECK(run.figures().missed_pairs == static_cast<std::int64_t>(list.of(0).size()));
}

// Lists that are shared by twenty iterations miss pairs. With a skin that covers the distance that
// particles move meanwhile, they miss none and are longer than the capacity without a skin.
TEST_CASE("a list with a skin misses no pair", "[sph]") {
    const auto after = [](double skin) {
        auto run = std::make_unique<Run>(
            std::vector<std::pair<const char*, double>>{
                {"dp", 0.08}, {"rebuild", 20}, {"skin", skin}},
            ElementType::float32);
        run->advance(220);
        return run;
    };
    const auto bare = after(0);
    const auto covered = after(1);
    CHECK(bare->figures().missed_pairs > 10);
    CHECK(covered->figures().missed_pairs == 0);
    CHECK(final_of(bare->state).account.at("missed_pairs") > 10);
    // Both compute the same water; its pressure differs by the missed pairs.
    CHECK(covered->figures().front_m == Approx(bare->figures().front_m).epsilon(0.02));
    CHECK(covered->figures().mean_height_m == Approx(bare->figures().mean_height_m).epsilon(0.02));

    const double h = smoothing_factor * 0.08;
    CHECK(list_radius({.dp = 0.08}) == 2 * h);
    CHECK(list_radius({.dp = 0.08, .cfl = 0.3, .rebuild = 10, .skin = 1}) == Approx(2.6 * h));
    CHECK(list_capacity({}) == 128);
    CHECK(list_capacity({.cfl = 0.3, .rebuild = 10, .skin = 1}) == 288);  // 128 x 1.3^3 = 281.2
}

TEST_CASE("any number of threads gives the same bits, list by list", "[sph]") {
    for (const ElementType cell : {ElementType::float32, ElementType::float64}) {
        Run one({{"dp", 0.08}, {"rebuild", 3}}, cell);
        Run three({{"dp", 0.08}, {"rebuild", 3}}, cell);
        one.advance(8);
        three.advance(8, 3);
        for (const HostField& field : one.state.fields) {
            CAPTURE(field.name());
            CHECK(std::ranges::equal(field.bytes(), three.state.field(field.name()).bytes()));
        }
    }
}

TEST_CASE("a block falls freely", "[sph]") {
    Run run({{"dp", 0.08}, {"scene", 4}});
    const std::vector<double> start(run.at("z").begin(), run.at("z").end());
    run.advance(50);
    // Sums of 50 terms, each rounded.
    const double t = run.time();
    for (std::size_t id = 0; id < start.size(); ++id) {
        CHECK(run.at("vz")[id] == Approx(-9.81 * t).epsilon(1e-12));
        CHECK(run.at("z")[id] == Approx(start[id] - 9.81 / 2 * t * t).epsilon(1e-12));
        CHECK(run.at("vx")[id] == 0);
        CHECK(run.at(density_field)[id] == 1000);
    }
}

TEST_CASE("momentum is conserved without walls", "[sph]") {
    Run run({{"dp", 0.08}, {"scene", 4}, {"rebuild", 4}});
    std::uint64_t i = 0;
    double scale = 0;
    for (const char* name : velocity_fields)
        for (double& v : run.at(name)) scale += std::abs(v = 0.2 * (uniform_float(7, i++) - 0.5));
    const double before[] = {sum(run.at("vx")), sum(run.at("vy")), sum(run.at("vz"))};
    run.advance(40);
    const double n = 1.0 * run.at("vx").size();
    CHECK(std::abs(run.at("vx")[0] - 0.2 * (uniform_float(7, 0) - 0.5)) > 1e-6);  // they interact
    CHECK(std::abs(sum(run.at("vx")) - before[0]) < 1e-12 * scale);
    CHECK(std::abs(sum(run.at("vy")) - before[1]) < 1e-12 * scale);
    CHECK(std::abs(sum(run.at("vz")) - before[2] + 9.81 * n * run.time()) <
          1e-12 * (scale + 9.81 * n * run.time()));
}

TEST_CASE("a run that blows up says where and when", "[sph]") {
    Run run({{"dp", 0.08}, {"alpha", 20}, {"cfl", 1}});
    CHECK_THROWS_WITH(run.advance(3000),
                      contains("blows up in iteration ") && contains(", before ") &&
                          contains(" s, where particle ") && contains("smaller cfl or alpha"));
}

}  // namespace camber::sph::reference_test
