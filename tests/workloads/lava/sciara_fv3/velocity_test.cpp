// Directions of SCIARA-fv3, and decomposition of velocities along them.
#include "workloads/lava/sciara_fv3/physics.hpp"

#include <cmath>
#include <limits>
#include <numbers>

#include "tests/catch.hpp"
#include "workloads/core/state_cells.hpp"

namespace camber::sciara_fv3::velocity_test {
namespace {

constexpr auto branching = Trigonometry::branching;
constexpr auto if_free = Trigonometry::if_free;

}  // namespace

TEST_CASE("the neighbours of SCIARA-fv3 and the directions to them", "[sciara_fv3]") {
    constexpr int layout[3][3] = {{5, 1, 8}, {2, 0, 3}, {6, 4, 7}};
    for (int row = 0; row < 3; ++row)
        for (int column = 0; column < 3; ++column) {
            const int k = layout[row][column];
            CHECK(row_offset(k) == row - 1);
            CHECK(column_offset(k) == column - 1);
        }
    constexpr int opposites[] = {0, 4, 3, 2, 1, 7, 8, 5, 6};
    constexpr double degrees[] = {0, 90, 180, 0, 270, 135, 225, 315, 45};
    constexpr int by_sector[] = {3, 8, 1, 5, 2, 6, 4, 7};
    for (int k = 1; k <= neighbours; ++k) {
        CAPTURE(k);
        CHECK(opposite(k) == opposites[k]);
        const double angle = degrees[k] / 180 * std::numbers::pi;
        CHECK(unit_x<double>(k) == Approx(std::cos(angle)).margin(1e-15));
        CHECK(unit_y<double>(k) == Approx(std::sin(angle)).margin(1e-15));
        CHECK(by_sector[sector(k)] == k);
    }
    CHECK(unit_x<double>(1) == 0);
    CHECK(unit_y<double>(3) == 0);
}

TEST_CASE("velocities are split along the two lattice directions around them", "[sciara_fv3]") {
    struct Expected {
        double x, y, angle;
        int first, second;
        double along_first, along_second;
    };
    const auto near = [](double value) { return Approx(value).epsilon(1e-11).margin(1e-11); };
    for (const Expected& e : {Expected{1, 0, 0, 3, 8, 1, 0},
                              {0.3, 1, 1.27933953232, 8, 1, 0.424264068712, 0.7},
                              {0, 1, 1.57079632679, 1, 5, 1, 0},
                              {-2, 0.5, 2.89661399046, 5, 2, 0.707106781187, 1.5},
                              {-2, -0.5, 3.38657131672, 2, 6, 1.5, 0.707106781187},
                              {0.3, -1, 5.00384577486, 4, 7, 0.7, 0.424264068712}}) {
        CAPTURE(e.x, e.y);
        const double length = std::sqrt(e.x * e.x + e.y * e.y);
        CHECK(direction_angle<branching>(e.x, e.y, length) == near(e.angle));
        CHECK(direction_angle<if_free>(e.x, e.y, length) == near(e.angle));
        const Split<double> parts = split<branching>(e.x, e.y, length);
        for (int k = 1; k <= neighbours; ++k) {
            CAPTURE(k);
            CHECK(parts.towards(k) == near(k == e.first    ? e.along_first
                                           : k == e.second ? e.along_second
                                                           : 0));
        }
    }
    const Split<double> rest = split<branching>(0.0, 0.0, 0.0);
    for (int k = 1; k <= neighbours; ++k) CHECK(rest.towards(k) == 0);
}

TEST_CASE("the parts of a velocity add up to it, and both forms of its angle are one",
          "[sciara_fv3]") {
    const auto check = [](auto zero) {
        using R = decltype(zero);
        for (std::uint64_t i = 0; i < 20000; ++i) {
            const R x = static_cast<R>(uniform(1, i) * 4 - 2);
            const R y = i % 50 == 0 ? R(0) : static_cast<R>(uniform(2, i) * 4 - 2);
            const R length = square_root(x * x + y * y);
            REQUIRE(direction_angle<branching>(x, y, length) ==
                    direction_angle<if_free>(x, y, length));
            const Split<R> parts = split<if_free>(x, y, length);
            R sum_x = 0, sum_y = 0;
            int not_zero = 0;
            for (int k = 1; k <= neighbours; ++k) {
                const R v = parts.towards(k);
                REQUIRE(v >= -4 * std::numeric_limits<R>::epsilon());
                not_zero += v != 0;
                sum_x += v * unit_x<R>(k);
                sum_y += v * unit_y<R>(k);
            }
            REQUIRE(not_zero <= 2);
            const R near = 16 * std::sqrt(std::numeric_limits<R>::epsilon());
            REQUIRE(std::abs(sum_x - x) <= near);
            REQUIRE(std::abs(sum_y - y) <= near);
        }
    };
    check(0.0);
    check(0.0f);
}

}  // namespace camber::sciara_fv3::velocity_test
