// Physics of lava between two cells and in one cell: rheology, flux, cooling, solidification.
#include <bit>
#include <cmath>
#include <cstdint>

#include "harness/base/error.hpp"
#include "tests/catch.hpp"
#include "tests/workloads/lava/magflow/cases.hpp"
#include "workloads/lava/magflow/physics.hpp"

namespace camber::magflow::physics_test {

namespace {

// Golden numbers have ten digits.
auto equals(double value) {
    return Approx(value).epsilon(1e-9).margin(0);
}
auto nearly(double value) {
    return Approx(value).epsilon(1e-5).margin(0);
}

std::uint32_t bits(float value) {
    return std::bit_cast<std::uint32_t>(value);
}

struct Pair {
    double h, temperature, bed, surface, distance, critical, q;
    std::uint32_t float_bits;  // of q; 1: unknown
};
const double diagonal = 10 * std::sqrt(2.0);
const Pair pairs[] = {
    {1, 1360, 2, 2, 10, 0.001609957155, 67.93197412, 0x4287dd28},
    {1, 1360, 2, 3, 10, 0.00107330477, 101.9801853, 0x42cbf5d4},
    {0.5, 1200, 1, 1.25, 10, 0.06738734075, 0.08234716844, 0x3da8a593},
    {1, 1360, 2, 2, diagonal, 0.002254824436, 68.52822865, 0x42890e70},
    {2, 1073.15, 3, 4, 10, 0.2944054886, 0.1248256677, 0x3dffa4aa},
    {0.2, 1073.15, 1, 1, 10, 1.133583019, 0, 0},
    {1.5, 1300, -0.5, 0.25, 10, 0.0432443951, 7.724013661, 0x40f72b17},
    {0.001, 1360, 1.5, 1.5, 10, 0.002128472502, 0, 0},
    {1, 1360, 2, 2, 2, 0.000446521775, 49.07213887, 1},
    {1, 1360, 2, 2, 5, 0.0008501521313, 64.39583715, 1},
};

}  // namespace

TEST_CASE("powers of ten have the same bits everywhere", "[magflow]") {
    CHECK(bits(exp10(0.0f)) == 0x3f800000);
    CHECK(bits(exp10(1.0f)) == 0x41200000);
    CHECK(bits(exp10(3.0f)) == 0x447a0000);
    CHECK(bits(exp10(10.0f)) == 0x501502f9);
    CHECK(bits(exp10(0.90597f)) == 0x4100da05);
    CHECK(bits(exp10(-4.643f)) == 0x37bed955);
    CHECK(bits(exp10(-0.5f)) == 0x3ea1e89b);
    double worst = 0;
    double worst_float = 0;
    for (double x = -10; x <= 10; x += 0.0137) {
        worst = std::max(worst, std::abs(exp10(x) / std::pow(10.0, x) - 1));
        const float f = static_cast<float>(x);
        worst_float =
            std::max(worst_float, std::abs(exp10(f) / std::pow(10.0, static_cast<double>(f)) - 1));
    }
    // Includes the error of pow itself.
    CHECK(worst < 5e-16);
    CHECK(worst_float < 1.3e-7);
}

TEST_CASE("a compensated sum keeps what rounding loses", "[magflow]") {
    Sum<float, false> plain{1, 0};
    Sum<float, true> compensated{1, 0};
    for (int i = 0; i < 8; ++i) {
        plain.add(0.75f * 0x1p-24f);
        compensated.add(0.75f * 0x1p-24f);
    }
    CHECK(plain.value == 1);
    CHECK(compensated.value == 1 + 3 * 0x1p-23f);
}

TEST_CASE("yield strength and viscosity follow temperature and water", "[magflow]") {
    struct Law {
        double temperature, strength, wet, dry, celsius;
    };
    constexpr Law laws[] = {
        {1360, 8.053228095, 244.8556504, 1298.803309, 2172.726193},
        {1300, 27.54038455, 887.4749758, 6162.147672, 7430.276923},
        {1273.15, 47.74578081, 1691.577587, 13553.78017, 12881.60566},
        {1200, 213.7814409, 12826.62081, 167201.4762, 57677.31037},
        {1173, 371.7662836, 30527.64437, 498731.9857, 100300.9393},
        {1143, 687.4957219, 87707.66878, 1913430.883, 185483.3794},
        {1073.15, 2876.967792, 1630003.655, 86229922.54, 776193.4972},
    };
    const auto wet = flow_parameters<double>(etna());
    const auto dry = flow_parameters<double>(changed(etna(), {{"water", 0.02}}));
    const auto celsius = flow_parameters<double>(changed(etna(), {{"yield_offset", 273.15}}));
    const auto single = flow_parameters<float>(etna());
    CHECK(wet.shift == equals(-545.565245603));
    CHECK(wet.numerator == equals(5727.032));
    for (const Law& law : laws) {
        CAPTURE(law.temperature);
        CHECK(yield_strength(law.temperature, wet) == equals(law.strength));
        CHECK(viscosity(law.temperature, wet) == equals(law.wet));
        CHECK(viscosity(law.temperature, dry) == equals(law.dry));
        CHECK(yield_strength(law.temperature, celsius) == equals(law.celsius));
        const auto t = static_cast<float>(law.temperature);
        CHECK(yield_strength(t, single) == nearly(law.strength));
        CHECK(viscosity(t, single) == nearly(law.wet));
    }
}

TEST_CASE("a pair of cells exchanges what Equations 1 and 2 say", "[magflow]") {
    const auto p = flow_parameters<double>(etna());
    const auto single = flow_parameters<float>(etna());
    CHECK(p.distance[1] == diagonal);
    int number = 0;
    for (const Pair& pair : pairs) {
        CAPTURE(++number);
        const double strength = yield_strength(pair.temperature, p);
        CHECK(critical_thickness(strength, pair.bed, pair.surface, pair.distance, p) ==
              equals(pair.critical));
        const double q = flux(pair.h, pair.temperature, pair.bed, pair.surface, pair.distance, p);
        const float f = flux(static_cast<float>(pair.h), static_cast<float>(pair.temperature),
                             static_cast<float>(pair.bed), static_cast<float>(pair.surface),
                             static_cast<float>(pair.distance), single);
        if (pair.q == 0) {
            CHECK(q == 0);
            CHECK(bits(f) == 0);
            continue;
        }
        CHECK(q == equals(pair.q));
        CHECK(f == nearly(pair.q));
        if (pair.float_bits != 1) CHECK(bits(f) == pair.float_bits);
    }
}

TEST_CASE("both cells of a pair find the same exchange", "[magflow]") {
    const auto p = flow_parameters<float>(etna());
    const Lava<float> lavas[] = {{12.1f, 0.7f, 1250}, {11.25f, 1, 1300},  {11.3f, 0.3f, 1180},
                                 {10.5f, 0, 0},       {1e6f, 0, 0},       {9, 2, 1360},
                                 {11.25f, 1, 1200},   {9.5f, 0.2f, 1150}, {10.25f, 2, 1300}};
    for (const Lava<float>& a : lavas)
        for (const Lava<float>& b : lavas)
            for (const float distance : p.distance) {
                const auto there = exchange(a, b, distance, p);
                const auto back = exchange(b, a, distance, p);
                CHECK(bits(there.volume) == bits(back.volume));
                if (there.volume > 0) {
                    CHECK(bits(there.heat) == bits(back.heat));
                    CHECK(there.gives != back.gives);
                    const bool falls = a.ground + a.thickness > b.ground + b.thickness;
                    CHECK(there.gives == falls);
                    CHECK(there.heat == there.volume * (falls ? a : b).temperature);
                }
            }
    // A wall gives and takes nothing.
    CHECK(exchange(lavas[0], lavas[4], 10.0f, p).volume == 0);
}

TEST_CASE("a cell cools by radiation and solidifies no more than it must", "[magflow]") {
    struct Case {
        double h, temperature, new_h, new_solid, heat, new_temperature;
    };
    constexpr Case cases[] = {
        {1, 1360, 1, 0, 4.064654138e11, 1359.4161},
        {0.1, 1360, 0.1, 0, 4.048941381e10, 1354.160997},
        {1, 1073.15, 0.9997890574, 0.0002109426256, 3.208041644e11, 1073.15},
        {0.01, 1100, 0.01, 0, 3214282043, 1075.010717},
        {0.001, 1360, 0.0007231977912, 0.0002768022088, 232053813.2, 1073.15},
    };
    const auto p = update_parameters<double>(etna());
    const auto single = update_parameters<float>(etna());
    CHECK(p.cell_capacity == capacity);
    for (const Case& c : cases) {
        CAPTURE(c.h, c.temperature);
        const Cell<double> cell =
            updated<double>({c.h, 0, capacity * c.h * c.temperature, c.temperature}, 0, 0, 10, p);
        CHECK(cell.thickness == equals(c.new_h));
        CHECK(cell.solidified == Approx(c.new_solid).epsilon(1e-8).margin(0));
        CHECK(cell.heat == equals(c.heat));
        CHECK(cell.temperature == equals(c.new_temperature));
        const auto h = static_cast<float>(c.h);
        const auto t = static_cast<float>(c.temperature);
        const Cell<float> rough = updated<float>(
            {h, 0, static_cast<float>(capacity * c.h * c.temperature), t}, 0, 0, 10, single);
        CHECK(rough.thickness == nearly(c.new_h));
        CHECK(rough.temperature == nearly(c.new_temperature));
    }
    // A thin film solidifies completely, and no heat is left.
    const Cell<double> film =
        updated<double>({1e-5, 0.5, capacity * 1e-5 * 1100, 1100}, 0, 0, 10, p);
    CHECK(film.thickness == 0);
    CHECK(film.solidified == 0.5 + 1e-5);
    CHECK(film.heat == 0);
    CHECK(film.temperature == 0);
}

TEST_CASE("a vent brings lava of its own heat", "[magflow]") {
    const auto p = update_parameters<double>(etna());
    const auto flow = flow_parameters<double>(etna());
    const CellFlux<double, true> sum(30, flow);
    const Cell<double> empty =
        updated<double>({0, 0, 0, 0}, sum.volume.value, sum.heat.value, 10, p);
    CHECK(empty.thickness == 3);
    CHECK(empty.temperature == equals(1360));
    const Cell<double> full =
        updated<double>({1, 0, capacity * 1360, 1360}, sum.volume.value, sum.heat.value, 1, p);
    CHECK(full.thickness == equals(1.3));
    CHECK(full.temperature == equals(1359.955085));
}

TEST_CASE("the longest step follows from the gross outflow", "[magflow]") {
    const auto p = flow_parameters<double>(etna());
    CHECK(step_limit(1.0, 92.56364512, p) == equals(0.108033774889));
    CHECK(step_limit(1.0, 0.0, p) == 10);
    CHECK(step_limit(0.0, 0.0, p) == 10);
}

TEST_CASE("parameters of MAGFLOW must make sense", "[magflow]") {
    const auto refused = [](const char* name, double value, const auto& use) {
        CAPTURE(name, value);
        CHECK_THROWS_WITH(use(changed(etna(), {{name, value}})),
                          contains(name) && contains("impossible"));
    };
    const auto flow = [](const ParameterSet& set) { flow_parameters<double>(set); };
    const auto update = [](const ParameterSet& set) { update_parameters<double>(set); };
    for (const char* name : {"cell_side", "density", "gravity", "water", "step_share", "dt_max"})
        for (const double value : {0.0, -1.0}) refused(name, value, flow);
    refused("step_share", 1, flow);
    refused("t_sol", 1360, flow);
    refused("t_sol", 500, flow);
    refused("yield_offset", -1, flow);
    refused("heat_capacity", 0, update);
    refused("emissivity", -1, update);
    refused("kahan", 0.5, [](const ParameterSet& set) { compensated(set); });
}

}  // namespace camber::magflow::physics_test
