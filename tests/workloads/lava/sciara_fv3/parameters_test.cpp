// Meaning of the parameters of SCIARA-fv3, and rejected values.
#include "workloads/lava/sciara_fv3/parameters.hpp"

#include <cmath>
#include <string>

#include "tests/catch.hpp"
#include "tests/workloads/lava/sciara_fv3/cases.hpp"
#include "tests/workloads/lava/sciara_fv3/equals.hpp"
#include "workloads/lava/sciara_fv3/physics.hpp"

namespace camber::sciara_fv3::parameters_test {

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

}  // namespace camber::sciara_fv3::parameters_test
