// The volcano that needs no data.
#include "workloads/lava/volcano.hpp"

#include <algorithm>
#include <numeric>

#include "tests/catch.hpp"

namespace camber::lava::volcano_test {

TEST_CASE("the volcano is a rough cone with two vents", "[lava]") {
    const Event event = volcano({101, 81}, 1, 0);
    const auto altitude = [&](int row, int column) { return event.altitude[row * 101 + column]; };
    // 3000 m at the summit, and up to 2 m of noise.
    CHECK(altitude(40, 50) >= 3000);
    CHECK(altitude(40, 50) < 3002);
    // 40 cells off: 500 + 2500 * 800 / 840.
    for (const double z : {altitude(0, 50), altitude(80, 50), altitude(40, 10), altitude(40, 90)}) {
        CHECK(z >= 2880.95);
        CHECK(z < 2882.96);
    }
    CHECK(event.vents == std::vector<VentCell>{{1, 40, 50}, {2, 50, 63}});
    CHECK(event.rates == volcano_rates());
    CHECK(event.map.cell_size == 10);
    CHECK(std::ranges::count(event.thickness, 0.0) == 101 * 81);
    for (const EmissionRates::Vent& vent : event.rates.vents) {
        // It rises to its highest, then falls.
        const auto highest = std::ranges::max_element(vent.rates);
        CHECK(std::is_sorted(vent.rates.begin(), highest));
        CHECK(std::is_sorted(highest, vent.rates.end(), std::greater<>()));
        CHECK(vent.rates.size() == 10);
    }
    // Large boards have no sea.
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
