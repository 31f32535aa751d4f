// Boards with several copies of an eruption: every copy behaves like the eruption alone.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <numeric>

#include "harness/base/error.hpp"
#include "tests/catch.hpp"
#include "tests/workloads/lava/eruptions.hpp"
#include "workloads/core/optional_interfaces.hpp"
#include "workloads/lava/start.hpp"
#include "workloads/list/workloads.hpp"

namespace camber::lava::tiles_test {

namespace {

// Columns west and east of each other, rows north and south, mirrored.
Event small() {
    Event event;
    event.map.size = {3, 2};
    event.altitude = {1, 2, 3, 4, 5, 6};
    event.thickness = {0, 0.5, 0, 0, 0, 0};
    event.real = {1, 0, 0, 0, 0, 0};
    event.vents = {{7, 0, 2}, {9, 1, 0}};
    event.rates.vents = {{7, {1}}, {9, {2}}};
    return event;
}

double at(const State& state, const char* field, int row, int column) {
    const Size size = state.field(field).size();
    return state.field(field)
        .cells<double>()[static_cast<std::size_t>(row) * size.columns + column];
}

}  // namespace

TEST_CASE("copies mirror each other, and all have vents of the same ids", "[lava][tiles]") {
    const Event all = tiled(small(), {2, 2});
    CHECK(all.map.size == Size{6, 4});
    CHECK(all.altitude == std::vector<double>{1, 2, 3, 3, 2, 1,  //
                                              4, 5, 6, 6, 5, 4,  //
                                              4, 5, 6, 6, 5, 4,  //
                                              1, 2, 3, 3, 2, 1});
    CHECK(all.thickness[1] == 0.5);
    CHECK(all.thickness[4] == 0.5);
    CHECK(std::ranges::count(all.thickness, 0.5) == 4);
    CHECK(all.solidified.empty());
    CHECK(all.real == std::vector<std::uint8_t>{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0,  //
                                                0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1});
    CHECK(all.vents == std::vector<VentCell>{{7, 0, 2},
                                             {9, 1, 0},
                                             {7, 0, 3},
                                             {9, 1, 5},
                                             {7, 3, 2},
                                             {9, 2, 0},
                                             {7, 3, 3},
                                             {9, 2, 5}});
    CHECK(all.rates == small().rates);
    CHECK(tiled(small(), {1, 1}).altitude == small().altitude);
    CHECK(tiled(small(), {3, 1}).altitude ==
          std::vector<double>{1, 2, 3, 3, 2, 1, 1, 2, 3, 4, 5, 6, 6, 5, 4, 4, 5, 6});
    CHECK(size_of({517, 378}, {8, 11}) == Size{4136, 4158});
    CHECK_THROWS_WITH(size_of({1 << 20, 10}, {33, 1}),
                      contains("33x1 tiles of 1048576x10 cells are too many"));
}

TEST_CASE("cells are divided: ground between them, lava and place as before", "[lava][refine]") {
    Event event = small();
    event.map = {.size = {3, 2}, .x = 100, .y = 200, .cell_size = 10, .no_data = -9999};
    event.temperature = {0, 1300, 0, 0, 0, 0};
    const Event fine = refined(event, 2);
    CHECK(fine.map.size == Size{6, 4});
    CHECK(fine.map.cell_size == 5);
    CHECK(fine.parameters.at("cell_side") == 5);
    CHECK(fine.map.x == 100);  // of the corner
    CHECK(fine.map.y == 200);
    // Clamped at the rim, otherwise a quarter of the way between centers; the altitudes are a
    // plane.
    CHECK(fine.altitude == std::vector<double>{1,    1.25, 1.75, 2.25, 2.75, 3,     //
                                               1.75, 2,    2.5,  3,    3.5,  3.75,  //
                                               3.25, 3.5,  4,    4.5,  5,    5.25,  //
                                               4,    4.25, 4.75, 5.25, 5.75, 6});
    const auto volume = [](const Event& one) {
        double sum = 0;
        for (const double h : one.thickness) sum += h;
        return sum * one.map.cell_size * one.map.cell_size;
    };
    CHECK(volume(fine) == volume(event));
    CHECK(std::ranges::count(fine.temperature, 1300) == 4);
    CHECK(std::ranges::count(fine.real, 1) == 4);
    CHECK(fine.solidified.empty());
    CHECK(fine.vents == std::vector<VentCell>{{7, 1, 5}, {9, 3, 1}});
    CHECK(fine.rates == event.rates);
    CHECK(refined(event, 1).altitude == event.altitude);
    CHECK(refined(event, 3).map.cell_size == Approx(10.0 / 3));

    event.map.origin = AsciiGridHeader::Origin::center;
    CHECK(refined(event, 2).map.x == 97.5);
    CHECK(refined(event, 2).map.y == 197.5);

    event.altitude[5] = -9999;  // no interpolation with missing altitudes
    const Event holed = refined(event, 2);
    CHECK(std::ranges::count(holed.altitude, -9999) == 4);
    CHECK(std::ranges::min(std::vector<double>{holed.altitude[8], holed.altitude[9]}) >= 2);
}

TEST_CASE("lava is added where ground is bare", "[lava][tiles]") {
    Event event = volcano({60, 50}, 1, 0);
    event.altitude[70] = -9999;
    event.thickness[71] = 9;
    event.temperature[71] = 1200;
    add_lava(event, 3, 0.25);
    CHECK(event.thickness[70] == 0);
    CHECK(event.thickness[71] == 9);
    CHECK(event.temperature[71] == 1200);
    int covered = 0;
    for (int row = 0; row < 50; ++row)
        for (int column = 0; column < 60; ++column) {
            const std::size_t i = static_cast<std::size_t>(row) * 60 + column;
            if (!(event.thickness[i] > 0) || i == 71) continue;
            ++covered;
            CHECK((row > 0 && row < 49 && column > 0 && column < 59));
            CHECK(event.thickness[i] <= 4);
            CHECK(event.temperature[i] > 1260);
            CHECK(event.temperature[i] <= 1360);
        }
    CHECK(covered > 0.22 * 58 * 48);
    CHECK(covered < 0.28 * 58 * 48);
    Event full = volcano({6, 5}, 1, 0);
    add_lava(full, 3, 1);
    CHECK(std::ranges::count_if(full.thickness, [](double h) { return h > 0; }) == 4 * 3);
    // The generated volcano uses the same function.
    Event bare = volcano({60, 50}, 8, 0);
    add_lava(bare, 8, 0.4);
    CHECK(bare.thickness == volcano({60, 50}, 8, 0.4).thickness);
}

TEST_CASE("every copy erupts as the eruption alone", "[lava][tiles]") {
    const TestFolder folder;
    constexpr Size size{40, 32};
    constexpr Size tiles{2, 3};
    const Workload& writer = *find_workload("sciara_fv2");
    writer.save(
        writer.initial({.size = size, .cell = ElementType::float64, .seed = 2, .density = 0}),
        folder / "volcano",
        {{.size = size, .cell = ElementType::float64, .seed = 2, .density = 0},
         ParameterSet(writer.facts().parameters),
         0,
         ""});
    // Starts from the rasters, as with tiles.
    std::filesystem::remove(folder / "volcano/camber.state");
    for (const char* name : {"sciara_fv2", "sciara_fv3", "magflow"}) {
        CAPTURE(name);
        const Workload& workload = *find_workload(name);
        REQUIRE(workload.capabilities().eruption);
        InitialConditions conditions{
            .size = size, .cell = ElementType::float64, .input = folder / "volcano"};
        State one = workload.initial(conditions);
        const ParameterSet set = workload.parameters_for(conditions);
        conditions.options["tile"] = "2x3";
        CHECK_THROWS_WITH(workload.initial(conditions),
                          contains("has 80x96 cells in 2x3 tiles, the board 40x32"));
        conditions.size = size_of(size, tiles);
        State all = workload.initial(conditions);
        // A vent's rate is divided among its cells in the eruption, not among those of all copies.
        CHECK(workload.parameters_for(conditions) == set);
        const int steps = 12;  // before lava reaches a seam
        advance(workload, one, {.parameters = set}, steps);
        advance(workload, all, {.parameters = set}, steps);

        const double emitted = one.account.at("emitted");
        CHECK(emitted > 0);
        CHECK(all.account.at("emitted") == Approx(6 * emitted).epsilon(1e-9));
        double largest = 0;
        bool same_bits = true;
        for (const char* field : {"thickness", "temperature", "solidified"})
            for (int row = 0; row < all.field("thickness").size().rows; ++row)
                for (int column = 0; column < all.field("thickness").size().columns; ++column) {
                    const int y = row / size.rows;
                    const int x = column / size.columns;
                    const int r = row % size.rows;
                    const int c = column % size.columns;
                    const double want = at(one, field, y % 2 ? size.rows - 1 - r : r,
                                           x % 2 ? size.columns - 1 - c : c);
                    const double have = at(all, field, row, column);
                    largest = std::max(largest, std::abs(have - want));
                    if (x == 0 && y % 2 == 0) same_bits = same_bits && have == want;
                }
        CHECK(largest < 1e-9);
        // Copies that are not mirrored add in the same order; they depend on each other only
        // through the clock.
        if (workload.name() == "sciara_fv2") CHECK(same_bits);
    }
}

TEST_CASE("a run may start from an eruption with lava added", "[lava][tiles]") {
    const TestFolder folder;
    write_numbered_event(folder);
    InitialConditions conditions{.size = {16, 12},
                                 .cell = ElementType::float64,
                                 .seed = 4,
                                 .density = 1,
                                 .input = folder.path(),
                                 .options = {{"tile", "4x4"}}};
    for (const char* name : {"sciara_fv2", "sciara_fv3", "magflow"}) {
        const State state = find_workload(name)->initial(conditions);
        const auto h = state.field("thickness").cells<double>();
        CHECK(std::ranges::count_if(h, [](double value) { return value > 0; }) == 14 * 10);
        CHECK(state.account.at("initial") > 100);
    }
}

}  // namespace camber::lava::tiles_test

namespace camber::lava::volcano_test {

// Generated volcano, which needs no data.
TEST_CASE("the volcano is a rough cone with two vents", "[lava]") {
    const Event event = volcano({101, 81}, 1, 0);
    const auto altitude = [&](int row, int column) { return event.altitude[row * 101 + column]; };
    // 3000 m at the summit, and up to 2 m of noise.
    CHECK(altitude(40, 50) >= 3000);
    CHECK(altitude(40, 50) < 3002);
    // At a distance of 40 cells: 500 + 2500 * 800 / 840.
    for (const double z : {altitude(0, 50), altitude(80, 50), altitude(40, 10), altitude(40, 90)}) {
        CHECK(z >= 2880.95);
        CHECK(z < 2882.96);
    }
    CHECK(event.vents == std::vector<VentCell>{{1, 40, 50}, {2, 50, 63}});
    CHECK(event.rates == volcano_rates());
    CHECK(event.map.cell_size == 10);
    CHECK(std::ranges::count(event.thickness, 0.0) == 101 * 81);
    for (const EmissionRates::Vent& vent : event.rates.vents) {
        // Rises to the maximum, then falls.
        const auto highest = std::ranges::max_element(vent.rates);
        CHECK(std::is_sorted(vent.rates.begin(), highest));
        CHECK(std::is_sorted(highest, vent.rates.end(), std::greater<>()));
        CHECK(vent.rates.size() == 10);
    }
    // The ground stays above its foot on large boards.
    CHECK(std::ranges::min(volcano({2000, 1}, 1, 0).altitude) > 500);
}

TEST_CASE("the volcano follows its seed and the share that lava covers", "[lava]") {
    CHECK(volcano({30, 20}, 1, 0.5).altitude == volcano({30, 20}, 1, 0).altitude);
    CHECK(volcano({30, 20}, 1, 0.5).thickness == volcano({30, 20}, 1, 0.5).thickness);
    CHECK(volcano({30, 20}, 1, 0.5).altitude != volcano({30, 20}, 2, 0.5).altitude);
    const Event event = volcano({100, 100}, 3, 0.3);
    int covered = 0;
    for (std::size_t i = 0; i < event.thickness.size(); ++i) {
        const std::size_t row = i / 100, column = i % 100;
        if (event.thickness[i] == 0) {
            CHECK(event.temperature[i] == 0);
            continue;
        }
        ++covered;
        CHECK((row > 0 && row < 99 && column > 0 && column < 99));
        CHECK(event.thickness[i] <= 4);
        CHECK(event.temperature[i] > 1260);
        CHECK(event.temperature[i] <= 1360);
    }
    CHECK(covered == Approx(0.3 * 98 * 98).epsilon(0.05));
    const Event full = volcano({9, 9}, 1, 1);
    CHECK(std::ranges::count(full.thickness, 0.0) == 32);
}

TEST_CASE("the volcano fits any board", "[lava]") {
    for (const Size size : {Size{1, 1}, Size{2, 9}, Size{3, 3}, Size{4, 3}, Size{40, 5}}) {
        const Event event = volcano(size, 1, 0.5);
        CHECK(event.altitude.size() == static_cast<std::size_t>(size.cells()));
        for (const VentCell& vent : event.vents) {
            CHECK((vent.row > 0 && vent.row + 1 < size.rows));
            CHECK((vent.column > 0 && vent.column + 1 < size.columns));
        }
    }
    CHECK(volcano({1, 1}, 1, 0.5).vents.empty());
    CHECK(volcano({3, 3}, 1, 0.5).vents.size() == 1);
}

}  // namespace camber::lava::volcano_test
