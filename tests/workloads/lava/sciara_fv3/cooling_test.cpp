// Lava of one cell that radiates its heat.
#include "workloads/lava/sciara_fv3/physics.hpp"

#include <cmath>

#include "tests/catch.hpp"
#include "tests/workloads/lava/sciara_fv3/cases.hpp"
#include "tests/workloads/lava/sciara_fv3/equals.hpp"

namespace camber::sciara_fv3::cooling_test {

TEST_CASE("lava cools by radiation, thin lava faster, until it is ground", "[sciara_fv3]") {
    const CoolingParameters<double> p = cooling_parameters<double>(etna_2006());
    const auto near = [](double value) { return Approx(value).epsilon(1e-11).margin(0); };
    CHECK(cooled(1360.0, 1.0, 60.0, p) == near(1359.94711823));
    CHECK(cooled(1360.0, 1.0, 120.0, p) == near(1359.89424468));
    CHECK(cooled(1360.0, 0.1, 60.0, p) == near(1359.47155207));
    CHECK(cooled(1360.0, 0.1, 120.0, p) == near(1358.94392452));
    CHECK(cooled(1360.0, 0.01, 60.0, p) == near(1354.75217282));
    CHECK(cooled(1360.0, 0.01, 120.0, p) == near(1349.58441838));
    CHECK(cooled(1360.0, 0.001, 60.0, p) == near(1310.88697817));
    CHECK(cooled(1360.0, 0.001, 120.0, p) == near(1268.17826722));
    CHECK(cooled(1360.0, 0.0001, 60.0, p) == near(1051.02399729));
    CHECK(cooled(1150.0, 0.01, 120.0, p) == near(1144.64269269));

    const Settled<double> hot{100, 0.001, 1360, 3, 4, 0.5};
    const Settled<double> cooler = settled(hot, 60.0, p);
    CHECK(cooler.temperature == near(1310.88697817));
    CHECK(cooler.altitude == 100);
    CHECK(cooler.thickness == 0.001);
    CHECK(cooler.momentum_x == 3);
    CHECK(cooler.momentum_y == 4);
    CHECK(cooler.solidified == 0.5);
    const Settled<double> solid = settled({100, 0.0001, 1360, 3, 4, 0.5}, 60.0, p);
    CHECK(solid.altitude == 100.0001);
    CHECK(solid.thickness == 0);
    CHECK(solid.temperature == 1143);
    CHECK(solid.momentum_x == 0);
    CHECK(solid.momentum_y == 0);
    CHECK(solid.solidified == 0.5001);
    const Settled<double> empty = settled({100, 0, 1200, 3, 4, 0.5}, 60.0, p);
    CHECK(empty.temperature == 1200);
    CHECK(empty.momentum_x == 0);
    CHECK(empty.momentum_y == 0);
    CHECK(empty.solidified == 0.5);
}

}  // namespace camber::sciara_fv3::cooling_test
