// Effusion of vents: rates per slot, rates between times, the pulse of Etna 2001.
#include <numeric>

#include "tests/catch.hpp"
#include "tests/workloads/lava/magflow/cases.hpp"
#include "workloads/lava/magflow/parameters.hpp"

namespace camber::magflow::effusion_test {

TEST_CASE("rates hold for a slot, or are linear between their times", "[magflow]") {
    const lava::EmissionRates rates{100, {{1, {2, 4, 1}}, {2, {8}}}};
    const Effusion steps = effusion(etna(rates));
    for (const double time : {0.0, 99.5, 100.0, 250.0, 299.9, 300.0, 1e9})
        for (const int vent : {0, 1})
            CHECK(steps.at(vent, time) == rates.at(static_cast<std::size_t>(vent), time));
    const Effusion lines = effusion(changed(etna(rates), {{"linear_rates", 1}}));
    CHECK(lines.at(0, 0) == 2);
    CHECK(lines.at(0, 25) == 2.5);
    CHECK(lines.at(0, 100) == 4);
    CHECK(lines.at(0, 150) == 2.5);
    CHECK(lines.at(0, 200) == 1);
    CHECK(lines.at(0, 200.1) == 0);
    CHECK(lines.at(1, 50) == 4);
}

TEST_CASE("a vent's rate is divided equally among its cells", "[magflow]") {
    const lava::EmissionRates rates{100, {{1, {6}}, {2, {8}}, {3, {5}}}};
    const Effusion shared = effusion(ParameterSet(parameters(rates, {3, 1, 0})));
    CHECK(shared.at(0, 0) == 2);
    CHECK(shared.at(1, 0) == 8);
    CHECK(shared.at(2, 0) == 5);
}

TEST_CASE("the pulse of Etna 2001 is a Gaussian of 24 days", "[magflow]") {
    const auto pulse = gaussian_pulse(30, 24);
    constexpr double first[] = {0.33327, 0.683825, 1.31811, 2.38679, 4.06006, 6.48796, 9.73957,
                                13.735,  18.1959,  22.6452, 26.4749, 29.077,  30};
    REQUIRE(pulse.size() == 25);
    for (int k = 0; k <= 12; ++k) {
        CHECK(pulse[k] == Approx(first[k]).epsilon(3e-6));
        CHECK(pulse[24 - k] == pulse[k]);
    }
    // Linear between the days.
    const double volume =
        86400 * (std::accumulate(pulse.begin(), pulse.end(), 0.0) - (pulse[0] + pulse[24]) / 2);
    CHECK(volume == Approx(25914980.8).margin(0.05).epsilon(0));
    const Effusion effused = effusion(changed(etna(), {{"pulse", 30}}));
    CHECK(effused.at(0, 12 * 86400.0) == 30);
    CHECK(effused.at(0, 11.5 * 86400.0) == Approx((29.077 + 30) / 2).epsilon(1e-5));
    CHECK(effused.at(0, 24.5 * 86400.0) == 0);
}

TEST_CASE("emission that makes no sense is refused", "[magflow]") {
    const auto said = [](const char* name, double value, const char* part) {
        CHECK_THROWS_WITH(effusion(changed(etna(), {{name, value}})), contains(part));
    };
    said("vents", 2, "vents = 2 does not divide");
    said("slot_length", 0, "slot_length = 0 is impossible");
    said("linear_rates", 2, "linear_rates = 2 is impossible");
    said("pulse", -1, "pulse = -1 is impossible");
    said("emission_rates", -3, "emission_rates = -3 is impossible");
    CHECK_THROWS_WITH(effusion(changed(etna(), {{"pulse", 30}, {"pulse_days", 0.5}})),
                      contains("pulse_days = 0.5 is impossible"));
}

}  // namespace camber::magflow::effusion_test
