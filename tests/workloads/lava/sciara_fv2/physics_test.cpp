// Physics of lava in one cell: temperature laws, minimization, outflows, cooling, emission.
#include "workloads/lava/sciara_fv2/physics.hpp"

#include <cmath>
#include <set>
#include <string>

#include "harness/base/error.hpp"
#include "tests/catch.hpp"
#include "tests/workloads/lava/sciara_fv2/cases.hpp"

namespace camber::sciara_fv2::physics_test {
namespace {

auto equals(double value) {
    return Approx(value).epsilon(1e-12).margin(0);
}

// Altitude and thickness of nine cells, the neighborhood of the one in the middle.
constexpr double altitude[3][3] = {{102, 100.5, 101}, {99, 100, 98.5}, {97, 100, 96}};
constexpr double thickness[3][3] = {{0, 0, 0}, {1, 4, 0}, {0.5, 3, 0}};
constexpr double h_0 = 4;

struct Heads {
    double values[neighbours + 1];
    Heads() : values{altitude[1][1]} {
        for (int k = 1; k <= neighbours; ++k) {
            const int row = 1 + row_offset(k);
            const int column = 1 + column_offset(k);
            values[k] = head(k, altitude[1][1], altitude[row][column], thickness[row][column]);
        }
    }
};

unsigned cells(std::initializer_list<int> numbers) {
    unsigned bits = 0;
    for (const int k : numbers) bits |= 1u << k;
    return bits;
}

}  // namespace

TEST_CASE("the neighbours lie where the model numbers them", "[sciara_fv2]") {
    constexpr int layout[3][3] = {{5, 1, 8}, {2, 0, 3}, {6, 4, 7}};
    for (int row = 0; row < 3; ++row)
        for (int column = 0; column < 3; ++column) {
            const int k = layout[row][column];
            CHECK(row_offset(k) == row - 1);
            CHECK(column_offset(k) == column - 1);
            CHECK(row_offset(opposite(k)) == -row_offset(k));
            CHECK(column_offset(opposite(k)) == -column_offset(k));
            CHECK(is_diagonal(k) == (row != 1 && column != 1));
        }
}

TEST_CASE("relaxation and critical thickness follow their laws", "[sciara_fv2]") {
    struct Coefficients {
        ParameterSet set;
        double a, b, c, d;
    };
    for (const auto& [set, a, b, c, d] :
         {Coefficients{etna_2006(), -1.76930357118971, 0.00128457880623423, 9.11303815255938,
                       -0.00657128448051742},
          Coefficients{etna_2001(), -7.19878812559845, 0.00525958134929248, 11.1583748883189,
                       -0.00827594478038744},
          Coefficients{second_etna_2006(), -6.80928972385454, 0.00497318546565726, 13.2402356241193,
                       -0.0100280703182289}}) {
        const OutflowParameters p = outflow_parameters(set);
        CHECK(p.relaxation.a == equals(a));
        CHECK(p.relaxation.b == equals(b));
        CHECK(p.critical.a == equals(c));
        CHECK(p.critical.b == equals(d));
        CHECK(p.side == 10);
    }
    constexpr double temperatures[] = {1143, 1200, 1250, 1300, 1360};
    constexpr double r_2006[] = {0.5, 0.591821851450616, 0.686151372835013, 0.795515923059253,
                                 0.95};
    constexpr double hc_2006[] = {40, 16.8848332468706, 7.92378260649491, 3.71850464123641, 1.5};
    constexpr double r_2001[] = {0.065, 0.12963118573999, 0.237513643037812, 0.435178697988956,
                                 0.9};
    constexpr double hc_2001[] = {50, 16.8748978223382, 6.50794558243243, 2.50984368319175, 0.8};
    const OutflowParameters first = outflow_parameters(etna_2006());
    const OutflowParameters second = outflow_parameters(etna_2001());
    for (int i = 0; i < 5; ++i) {
        CHECK(first.relaxation.at(temperatures[i]) == equals(r_2006[i]));
        CHECK(first.critical.at(temperatures[i]) == equals(hc_2006[i]));
        CHECK(second.relaxation.at(temperatures[i]) == equals(r_2001[i]));
        CHECK(second.critical.at(temperatures[i]) == equals(hc_2001[i]));
    }
}

TEST_CASE("heads of the neighbours, the diagonal ones farther off", "[sciara_fv2]") {
    constexpr double expected[] = {100,
                                   100.5,
                                   100,
                                   98.5,
                                   103,
                                   101.414213562373,
                                   98.3786796564404,
                                   97.1715728752538,
                                   100.707106781187};
    const Heads heads;
    for (int k = 0; k <= neighbours; ++k) CHECK(heads.values[k] == equals(expected[k]));
}

TEST_CASE("minimisation leaves out the cells at or above the average, pass by pass",
          "[sciara_fv2]") {
    const Heads heads;
    const unsigned all = cells({0, 1, 2, 3, 4, 5, 6, 7, 8});
    const double first = average(heads.values, all, h_0);
    CHECK(first == equals(100.407952541695));
    const unsigned after_first = below(heads.values, all, first);
    CHECK(after_first == cells({0, 2, 3, 6, 7}));
    const double second = average(heads.values, after_first, h_0);
    CHECK(second == equals(99.6100505063388));
    const unsigned after_second = below(heads.values, after_first, second);
    CHECK(after_second == cells({3, 6, 7}));
    const double third = average(heads.values, after_second, h_0);
    CHECK(third == equals(99.3500841772314));
    CHECK(below(heads.values, after_second, third) == after_second);
    const Level level = minimised(heads.values, all, h_0);
    CHECK(level.kept == after_second);
    CHECK(level.height == third);
}

TEST_CASE("lava flows out where it is hot and thick enough", "[sciara_fv2]") {
    const Heads heads;
    const OutflowParameters p = outflow_parameters(etna_2006());
    CHECK(std::atan((104 - heads.values[3]) / 10) == equals(0.502843210927861));
    CHECK(std::atan((104 - heads.values[6]) / 10) == equals(0.512109893498155));
    CHECK(std::atan((104 - heads.values[7]) / 10) == equals(0.599117957521979));
    const double critical = p.critical.at(1360);
    CHECK(critical * std::cos(0.502843210927861) == equals(1.31432386301498));
    CHECK(critical * std::cos(0.512109893498155) == equals(1.30756884575211));
    CHECK(critical * std::cos(0.599117957521979) == equals(1.23874999865466));

    struct Expected {
        double temperature, to_3, to_6, to_7, sum;
    };
    for (const Expected& expected :
         {Expected{1360, 0.807579968369811, 0.922834294751474, 2.06958573687869, 3.8},
          Expected{1300, 0.676255498928287, 0.772767764021004, 1.7330404292877, 3.18206369223699},
          Expected{1200, 0, 0, 0, 0}}) {
        double flows[neighbours];
        outflows(heads.values, h_0, expected.temperature, p, flows);
        double sum = 0;
        for (const double flow : flows) sum += flow;
        CHECK(sum == equals(expected.sum));
        const double by_neighbour[] = {0, 0, expected.to_3, 0, 0, expected.to_6, expected.to_7, 0};
        for (int k = 0; k < neighbours; ++k) {
            CAPTURE(expected.temperature, k);
            CHECK(flows[k] == equals(by_neighbour[k]));
        }
    }
}

TEST_CASE("lava of the least thickness ends the minimisation", "[sciara_fv2]") {
    // Thinner than the last bit of the heads, so that no cell is below the average.
    double heads[neighbours + 1];
    for (double& head : heads) head = 3000;
    double flows[neighbours];
    outflows(heads, 1e-300, 1360, outflow_parameters(etna_2006()), flows);
    for (const double flow : flows) CHECK(flow == 0);
}

TEST_CASE("lava cools by radiation, thin lava faster", "[sciara_fv2]") {
    const CoolingParameters first = cooling_parameters(etna_2006());
    const auto near = [](double value) { return Approx(value).epsilon(1e-11).margin(0); };
    CHECK(cooled(1360, 1, first) == near(1359.80353324));
    CHECK(cooled(1360, 0.1, first) == near(1358.0404252));
    CHECK(cooled(1360, 0.01, first) == near(1340.89712634));
    CHECK(cooled(1360, 0.001, first) == near(1206.16175883));
    CHECK(cooled(1360, 0.0005, first) == near(1104.47594041));
    CHECK(cooled(1360, 0.001, first) > first.solid);
    CHECK_FALSE(cooled(1360, 0.0005, first) > first.solid);
    const CoolingParameters second = cooling_parameters(etna_2001());
    CHECK(cooled(1360, 1, second) == near(1359.67028115));
    CHECK(cooled(1360, 0.1, second) == near(1356.71712501));
    CHECK(cooled(1360, 0.01, second) == near(1328.52701051));
    CHECK(cooled(1360, 0.001, second) == near(1133.40465578));
    CHECK_FALSE(cooled(1360, 0.001, second) > second.solid);
}

TEST_CASE("vents emit by the rate of the slot that the step's time lies in", "[sciara_fv2]") {
    const lava::EmissionRates rates{
        86400,
        {{1,
          {1.580890337, 2.258414767, 3.011219689, 2.728917843, 3.829895042, 3.237061165,
           4.766268549, 3.499420919, 1.525696706, 0.762214984, 0, 0, 0, 0, 0}},
         {2, {1}}}};
    const Emission emission = emission_parameters(etna_2006(rates));
    CHECK(emission.thickness(0, 1) == equals(1.8970684044));
    CHECK(emission.thickness(0, 719) == equals(1.8970684044));
    CHECK(emission.thickness(0, 720) == equals(2.258414767 * 1.2));
    CHECK(emission.thickness(0, 6 * 720) == equals(5.7195222588));
    CHECK(emission.thickness(0, 6 * 720 + 719) == equals(5.7195222588));
    CHECK(emission.thickness(0, 10 * 720 - 1) == equals(0.762214984 * 1.2));
    CHECK(emission.thickness(0, 10 * 720) == 0);
    CHECK(emission.thickness(0, 1'000'000) == 0);
    CHECK(emission.thickness(1, 719) == equals(1.2));
    CHECK(emission.thickness(1, 720) == 0);
    CHECK(emission.duration() == 1'296'000);
    CHECK(emission_parameters(etna_2001()).thickness(0, 1) == equals(0.3));
}

TEST_CASE("the reference rule ends a run only when nothing speaks for going on", "[sciara_fv2]") {
    const ParameterSet set = changed(etna_2006(), {{"reference_stop", 1}});
    const StopRule rule = stop_rule(set);
    CHECK(rule.active);
    CHECK_FALSE(stop_rule(etna_2006()).active);
    CHECK(rule.most_steps == 16000);
    CHECK(rule.reduce_interval == 1000);
    CHECK(rule.threshold == 1);
    constexpr double duration = 1'296'000;
    CHECK(rule.goes_on(15999, 15999 * 120.0, duration, 0));
    CHECK_FALSE(rule.goes_on(16000, 16000 * 120.0, duration, 1));
    CHECK(rule.goes_on(16000, 16000 * 120.0, duration, 1.5));
    CHECK(rule.goes_on(16000, duration, duration, 0));
    CHECK(rule.goes_on(16000, 16000 * 120.0, duration, -1));
    const StopRule unlimited = stop_rule(changed(set, {{"max_steps", 0}}));
    CHECK(unlimited.goes_on(10'800, 10'800 * 120.0, duration, 0));
    CHECK_FALSE(unlimited.goes_on(10'801, 10'801 * 120.0, duration, 0));
}

TEST_CASE("parameters of lava must make sense", "[sciara_fv2]") {
    const auto refused = [](const char* name, double value, const auto& use) {
        CAPTURE(name, value);
        CHECK_THROWS_WITH(use(changed(etna_2006(), {{name, value}})),
                          contains(name) && contains("impossible"));
    };
    const auto outflow = [](const ParameterSet& set) { outflow_parameters(set); };
    const auto cooling = [](const ParameterSet& set) { cooling_parameters(set); };
    const auto emission = [](const ParameterSet& set) { emission_parameters(set); };
    const auto stop = [](const ParameterSet& set) { stop_rule(set); };
    for (const char* name : {"cell_side", "t_sol", "r_sol", "hc_vent"})
        for (const double value : {0.0, -1.0}) refused(name, value, outflow);
    refused("t_sol", 1360, outflow);
    refused("cooling", -1, cooling);
    refused("clock", 0, cooling);
    refused("slot_length", 0, emission);
    refused("emission_rates", -1, emission);
    refused("vents", 0.5, emission);
    refused("max_steps", 0.5, stop);
    refused("reduce_interval", 0, stop);
    refused("threshold", -1, stop);
    CHECK_THROWS_WITH(emission_parameters(changed(etna_2006(), {{"vents", 2}})),
                      contains("vents = 2 does not divide the 1 emission rates"));
}

}  // namespace camber::sciara_fv2::physics_test
