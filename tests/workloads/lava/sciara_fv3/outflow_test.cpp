// Outflow of one cell: heads, minimization, outflows and the momentum that they carry.
#include "workloads/lava/sciara_fv3/physics.hpp"

#include <cmath>
#include <initializer_list>
#include <limits>

#include "tests/catch.hpp"
#include "tests/workloads/lava/sciara_fv3/cases.hpp"
#include "tests/workloads/lava/sciara_fv3/equals.hpp"
#include "workloads/core/state_cells.hpp"

namespace camber::sciara_fv3::outflow_test {
namespace {

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

unsigned cells(std::initializer_list<int> numbers) {
    unsigned bits = 0;
    for (const int k : numbers) bits |= 1u << k;
    return bits;
}

}  // namespace

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
    // Lava is not thick enough for neighbor 4.
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

}  // namespace camber::sciara_fv3::outflow_test
