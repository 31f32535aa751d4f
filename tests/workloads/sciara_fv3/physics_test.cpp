// What lava does in one cell: laws of temperature, directions, minimisation, outflows, cooling.
#include "workloads/sciara_fv3/physics.hpp"

#include <cmath>
#include <limits>
#include <numbers>
#include <string>

#include "harness/base/error.hpp"
#include "tests/catch.hpp"
#include "tests/workloads/sciara_fv3/cases.hpp"
#include "workloads/random.hpp"

namespace camber::sciara_fv3 {
namespace {

auto equals(double value) {
    return Approx(value).epsilon(1e-12).margin(1e-300);
}

// Nine cells around the one in the middle, north first.
constexpr double altitude[3][3] = {{102, 100.5, 101}, {99, 100, 98.5}, {97, 100, 96}};
constexpr double thickness[3][3] = {{0, 0, 0}, {1, 4, 0}, {0.5, 3, 0}};

template <class R = double>
Surroundings<R> golden_cell(R temperature, R momentum_x = 0, R momentum_y = 0) {
    Surroundings<R> cell;
    for (int k = 0; k <= neighbours; ++k) {
        cell.altitude[k] = static_cast<R>(altitude[1 + row_offset(k)][1 + column_offset(k)]);
        cell.thickness[k] = static_cast<R>(thickness[1 + row_offset(k)][1 + column_offset(k)]);
    }
    cell.temperature = temperature;
    cell.momentum_x = momentum_x;
    cell.momentum_y = momentum_y;
    return cell;
}

constexpr auto branching = Trigonometry::branching;
constexpr auto if_free = Trigonometry::if_free;

unsigned cells(std::initializer_list<int> numbers) {
    unsigned bits = 0;
    for (const int k : numbers) bits |= 1u << k;
    return bits;
}

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

TEST_CASE("loss of speed and critical thickness follow their laws", "[sciara_fv3]") {
    const OutflowParameters<double> p = outflow_parameters<double>(etna_2006());
    CHECK(p.loss.a == equals(1.740523466070776));
    CHECK(p.loss.b == equals(-0.002129195666343588));
    CHECK(p.critical.a == equals(19.59575176518405));
    CHECK(p.critical.b == equals(-0.01439841827942284));
    // The same laws as powers of ten.
    const double ln10 = std::log(10.0);
    CHECK(p.loss.a / ln10 == equals(0.7558997369376598));
    CHECK(p.loss.b / ln10 == equals(-0.0009246979287853376));
    CHECK(p.critical.a / ln10 == equals(8.510326860365337));
    CHECK(p.critical.b / ln10 == equals(-0.006253153606888251));
    constexpr double temperatures[] = {1143, 1200, 1250, 1300, 1360};
    constexpr double loss[] = {0.5, 0.442855683212451, 0.398132220379654, 0.357925326270211, 0.315};
    constexpr double critical[] = {23.066, 10.1517878199816, 4.94179643500437, 2.40562080670697,
                                   1.014};
    for (int i = 0; i < 5; ++i) {
        CHECK(p.loss.at(temperatures[i]) == equals(loss[i]));
        CHECK(p.critical.at(temperatures[i]) == equals(critical[i]));
    }
    CHECK(p.side == 10);
    CHECK(p.gravity == 9.81);
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

TEST_CASE("heads, heights and angles towards the neighbours", "[sciara_fv3]") {
    const OutflowParameters<double> p = outflow_parameters<double>(etna_2006());
    const Surroundings<double> cell = golden_cell(1360.0);
    const Descent<double> d = descent<branching>(cell, p);
    constexpr double u[] = {
        100.5,           100, 98.5, 103, 101.414213562373, 98.3786796564404, 97.1715728752538,
        100.707106781187};
    constexpr double he[] = {3.5, 4, 4, 1, 2.58578643762691, 4, 4, 3.29289321881345};
    constexpr double theta[] = {0.173245666452365,  0.197395559849881, 0.336674819386727,
                                0.0499583957219428, 0.128576073400248, 0.34744172094461,
                                0.449827808694487,  0.163180677738947};
    constexpr double hc_cos[] = {0.998820893695883, 0.994308805150592, 0.957072373355141,
                                 1.01273487162213,  1.00562991461841,  0.953410322298153,
                                 0.913129294094429, 1.00052956832318};
    CHECK(d.heads[0] == 100);
    CHECK(d.kept_speed == equals(0.685));
    for (int k = 1; k <= neighbours; ++k) {
        CAPTURE(k);
        CHECK(d.heads[k] == equals(u[k - 1]));
        const Heights<double> h = heights(100.0, 4.0, d.heads[k]);
        CHECK(h.effective == equals(he[k - 1]));
        CHECK(h.effective + h.apparent == equals(4));
        CHECK(d.angles[k] == equals(theta[k - 1]));
        CHECK(p.critical.at(1360) * std::cos(d.angles[k]) == equals(hc_cos[k - 1]));
    }
    CHECK(heights(100.0, 4.0, 104.0).effective == 0);
    CHECK(heights(100.0, 4.0, 104.0).apparent == 4);
}

TEST_CASE("in SCIARA-fv3 minimisation leaves out the cells at or above the average, pass by pass",
          "[sciara_fv3]") {
    const OutflowParameters<double> p = outflow_parameters<double>(etna_2006());
    const Descent<double> d = descent<branching>(golden_cell(1360.0), p);
    // Lava is not thick enough for neighbour 4.
    const unsigned all = cells({0, 1, 2, 3, 5, 6, 7, 8});
    const double first = average(d.heads, all, 4.0);
    CHECK(first == equals(100.083946609407));
    const unsigned after_first = below(d.heads, all, first);
    CHECK(after_first == cells({0, 2, 3, 6, 7}));
    const double second = average(d.heads, after_first, 4.0);
    CHECK(second == equals(99.6100505063388));
    const unsigned after_second = below(d.heads, after_first, second);
    CHECK(after_second == cells({3, 6, 7}));
    const double third = average(d.heads, after_second, 4.0);
    CHECK(third == equals(99.3500841772314));
    CHECK(below(d.heads, after_second, third) == after_second);
    CHECK(d.level.kept == after_second);
    CHECK(d.share(3) == equals(0.850084177231381));
    CHECK(d.share(6) == equals(0.971404520791026));
    CHECK(d.share(7) == equals(2.17851130197757));
}

TEST_CASE("in SCIARA-fv3 lava of the least thickness ends the minimisation", "[sciara_fv3]") {
    double heads[neighbours + 1];
    for (double& head : heads) head = 3000;
    CHECK(minimised(heads, 0x1ff, 1e-300).kept == 0);
}

TEST_CASE("outflows of a cell at rest", "[sciara_fv3]") {
    const OutflowParameters<double> p = outflow_parameters<double>(etna_2006());
    const Descent<double> d = descent<branching>(golden_cell(1360.0), p);
    const auto time_to = [&](int k) {
        const Motion<double> moved = motion(d, k, 120.0, p);
        CHECK(moved.distance > 10);
        return 20 /
               (d.speeds[k] + std::sqrt(d.speeds[k] * d.speeds[k] + 2 * moved.acceleration * 10));
    };
    CHECK(time_to(3) == equals(3.00156514540241));
    CHECK(time_to(6) == equals(2.95651977996196));
    CHECK(time_to(7) == equals(2.61628594173518));
    const double longest = longest_step(d, 120.0, p);
    CHECK(longest == equals(2.61628594173518));
    const double clock = 0.5 * longest;
    CHECK(clock == equals(1.30814297086759));

    Outflows<double> out;
    outflows(d, clock, p, out);
    struct Expected {
        int k;
        double distance, speed, flow;
    };
    double sum = 0;
    for (const double flow : out.thickness) sum += flow;
    for (const Expected& e : {Expected{3, 1.89939319003162, 2.90395351629172, 0.161464409718692},
                              {6, 1.95771219461521, 2.99311656021331, 0.190173047625694},
                              {7, 2.5, 3.82221218272792, 0.544627825494391}}) {
        CAPTURE(e.k);
        CHECK(motion(d, e.k, clock, p).distance == equals(e.distance));
        CHECK(out.speed[e.k - 1] == equals(e.speed));
        CHECK(out.thickness[e.k - 1] == equals(e.flow));
    }
    for (const int k : {1, 2, 4, 5, 8}) CHECK(out.thickness[k - 1] == 0);
    CHECK(sum == equals(0.896265282838776));
    CHECK(4 - sum == equals(3.10373471716122));
}

TEST_CASE("outflows of a cell on the move, and the momentum they carry", "[sciara_fv3]") {
    const OutflowParameters<double> p = outflow_parameters<double>(etna_2006());
    const Surroundings<double> cell = golden_cell(1360.0, 8.0, -2.0);
    const Descent<double> d = descent<branching>(cell, p);
    const auto head_of = [&](int k) { return d.speeds[k] * d.speeds[k] / (2 * 9.81); };
    CHECK(d.speeds[3] == equals(1.5));
    CHECK(d.speeds[7] == Approx(0.707106781187).epsilon(1e-11));
    CHECK(head_of(3) == Approx(0.114678899083).epsilon(1e-11));
    CHECK(head_of(7) == Approx(0.0254841997961).epsilon(1e-11));
    const double longest = longest_step(d, 120.0, p);
    CHECK(longest == equals(2.38613743252061));
    const Motion<double> east = motion(d, 3, 120.0, p);
    CHECK(20 / (1.5 + std::sqrt(2.25 + 20 * east.acceleration)) == equals(2.40264067952111));
    const double clock = 0.5 * longest;
    CHECK(clock == equals(1.1930687162603));
    Outflows<double> out;
    outflows(d, clock, p, out);
    CHECK(out.thickness[2] == equals(0.26247722539933));
    CHECK(out.thickness[5] == equals(0.158186515178849));
    CHECK(out.thickness[6] == equals(0.607862008727056));
    CHECK(out.speed[2] == equals(3.67599956841029));
    CHECK(out.speed[5] == equals(2.72981914946406));
    CHECK(out.speed[6] == equals(3.97034932887995));

    Staying<double> staying{4, 1360, 8, -2, 0};
    for (const double flow : out.thickness) staying.outflow += flow;
    CHECK(4 - staying.outflow == equals(2.97147425069476));
    const Mixture<double> stays = staying.mixture(p.loss);
    CHECK(stays.momentum_x == equals(4.07091972345183));
    CHECK(stays.momentum_y == equals(-1.01772993086296));
    const auto arrives = [&](int k, double x, double y) {
        CAPTURE(k);
        Mixture<double> there;
        there.take(k, out.thickness[k - 1], out.speed[k - 1], 1360);
        CHECK(there.thickness == out.thickness[k - 1]);
        CHECK(there.heat == out.thickness[k - 1] * 1360);
        CHECK(there.momentum_x == equals(x));
        CHECK(there.momentum_y == equals(y));
    };
    arrives(3, 0.964866167285468, 0);
    arrives(6, -0.30534325918753, -0.30534325918753);
    arrives(7, 1.70654884284329, -1.70654884284329);
}

TEST_CASE("cold lava does not flow", "[sciara_fv3]") {
    const OutflowParameters<double> p = outflow_parameters<double>(etna_2006());
    const Descent<double> d = descent<branching>(golden_cell(1250.0), p);
    CHECK((d.level.kept & ~1u) == 0);
    CHECK(longest_step(d, 120.0, p) == 120);
    Outflows<double> out;
    outflows(d, 60.0, p, out);
    for (const double flow : out.thickness) CHECK(flow == 0);
}

TEST_CASE("nothing flows to where no ground is known", "[sciara_fv3]") {
    const OutflowParameters<double> p = outflow_parameters<double>(etna_2006());
    Surroundings<double> cell = golden_cell(1360.0);
    cell.altitude[7] = -9999;
    const Descent<double> d = descent<branching>(cell, p);
    CHECK_FALSE(d.reaches(7));
    CHECK(d.reaches(3));
}

TEST_CASE("outflows are never negative, nor more than there is", "[sciara_fv3]") {
    const auto check = [](auto zero) {
        using R = decltype(zero);
        const OutflowParameters<R> p = outflow_parameters<R>(etna_2006());
        int flowing = 0;
        for (std::uint64_t i = 0; i < 20000; ++i) {
            Surroundings<R> cell;
            for (int k = 0; k <= neighbours; ++k) {
                cell.altitude[k] = static_cast<R>(1000 + 10 * uniform(7, 16 * i + k));
                cell.thickness[k] = static_cast<R>(8 * uniform(8, 16 * i + k) + 0.01);
            }
            const R h = cell.thickness[0];
            cell.temperature = static_cast<R>(1143 + 217 * uniform(9, i));
            cell.momentum_x = i % 3 ? h * static_cast<R>(4 * uniform(10, i) - 2) : R(0);
            cell.momentum_y = i % 3 ? h * static_cast<R>(4 * uniform(11, i) - 2) : R(0);
            const Descent<R> d = descent<branching>(cell, p);
            const R longest = longest_step(d, R(120), p);
            REQUIRE(longest > 0);
            REQUIRE(longest <= 120);
            Outflows<R> out;
            outflows(d, R(0.5) * longest, p, out);
            R total = 0;
            bool falls = true;
            for (int k = 1; k <= neighbours; ++k) {
                REQUIRE(out.thickness[k - 1] >= 0);
                total += out.thickness[k - 1];
                if (d.reaches(k)) falls = falls && d.angles[k] >= 0;
            }
            flowing += total > 0;
            const R slack = 1 + 64 * std::numeric_limits<R>::epsilon();
            const R heads = 2000 * std::numeric_limits<R>::epsilon();
            REQUIRE(total <= h * slack + heads);
            if (falls && i % 3 == 0) REQUIRE(total <= R(0.5) * h * slack + heads);
        }
        CHECK(flowing > 5000);
    };
    check(0.0);
    check(0.0f);
}

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

TEST_CASE("vents emit by the rate of the slot that the time lies in", "[sciara_fv3]") {
    const Emission emission =
        emission_parameters(etna_2006({86400, {{1, {1.5, 2.25, 0}}, {2, {1}}}}));
    CHECK(emission.slots == 3);
    CHECK(emission.rate(0, 0) == 1.5);
    CHECK(emission.rate(0, 86399.9) == 1.5);
    CHECK(emission.rate(0, 86400) == 2.25);
    CHECK(emission.rate(0, 2 * 86400) == 0);
    CHECK(emission.rate(0, 1e12) == 0);
    CHECK(emission.rate(1, 0) == 1);
    CHECK(emission.rate(1, 86400) == 0);
    CHECK(emission.temperature == 1360);
    CHECK(emitted(3.0, 60.0, 10.0) == equals(1.8));
    CHECK(emission_parameters(etna_2006({})).vents == 0);
}

TEST_CASE("parameters of SCIARA-fv3 must make sense", "[sciara_fv3]") {
    const auto refused = [](const char* name, double value, const auto& use) {
        CAPTURE(name, value);
        CHECK_THROWS_WITH(use(changed(etna_2006(), {{name, value}})),
                          contains(name) && contains("impossible"));
    };
    const auto outflow = [](const ParameterSet& set) { outflow_parameters<float>(set); };
    const auto cooling = [](const ParameterSet& set) { cooling_parameters<double>(set); };
    const auto clock = [](const ParameterSet& set) { clock_parameters<double>(set); };
    const auto emission = [](const ParameterSet& set) { emission_parameters(set); };
    for (const char* name : {"cell_side", "gravity", "t_sol", "loss_sol", "hc_vent"})
        for (const double value : {0.0, -1.0}) refused(name, value, outflow);
    refused("loss_vent", 1.5, outflow);
    refused("t_sol", 1360, outflow);
    refused("cooling", -1, cooling);
    refused("density", 0, cooling);
    refused("clock_start", 0, clock);
    refused("clock_longest", -1, clock);
    refused("clock_relaxation", 1.1, clock);
    refused("slot_length", 0, emission);
    refused("emission_rates", -1, emission);
    refused("vents", 0.5, emission);
    CHECK_THROWS_WITH(emission_parameters(changed(etna_2006(), {{"vents", 2}})),
                      contains("vents = 2 does not divide the 1 emission rates"));
}

}  // namespace camber::sciara_fv3
