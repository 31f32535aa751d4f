#include <cmath>
#include <vector>

#include "analysis/scaling/analysis.hpp"
#include "harness/base/error.hpp"
#include "tests/analysis/scaling/published_series.hpp"
#include "tests/catch.hpp"

namespace analysis_test {

// Complete analyses: published measures, verdicts, and sentences for made-up machines.

using namespace camber;
using namespace camber::scaling;

namespace {

using Column = std::vector<double>;

constexpr double fourth = 5.1e-5;  // half of the fourth decimal

void check_column(const Analysis& analysis, std::optional<double> PointAnalysis::*member,
                  const Column& expected, double margin) {
    REQUIRE(analysis.points.size() == expected.size() + 1);
    for (std::size_t i = 0; i < expected.size(); ++i) {
        INFO("p = " << analysis.points[i + 1].p);
        REQUIRE((analysis.points[i + 1].*member).has_value());
        CHECK(*(analysis.points[i + 1].*member) == Approx(expected[i]).margin(margin));
    }
}

struct Published {
    const Times& times;
    Column speedup, efficiency, karp_flatt;
};

const std::vector<Published> published{
    {table_6_1,
     {1.8582, 2.4732, 2.8794, 3.1515, 3.1949},
     {0.9291, 0.8244, 0.7199, 0.6303, 0.5325},
     {0.0763, 0.1065, 0.1297, 0.1466, 0.1756}},
    {table_8_1,
     {1.9316, 2.7355, 3.3965, 3.9836, 4.4241},
     {0.9658, 0.9118, 0.8491, 0.7967, 0.7373},
     {0.0354, 0.0483, 0.0592, 0.0638, 0.0712}},
    {table_8_2_off,
     {1.8970, 2.7876, 3.5038, 3.9547, 4.5491},
     {0.9485, 0.9292, 0.8760, 0.7909, 0.7582},
     {0.0543, 0.0381, 0.0472, 0.0661, 0.0638}},
    {table_8_2_on,
     {1.9117, 2.7223, 3.5394, 4.2191, 4.9433},
     {0.9558, 0.9074, 0.8848, 0.8438, 0.8239},
     {0.0462, 0.0510, 0.0434, 0.0463, 0.0428}},
    {table_8_3_off,
     {1.4469, 1.8533, 2.3502, 2.9219, 3.3512},
     {0.7235, 0.6178, 0.5876, 0.5844, 0.5585},
     {0.3822, 0.3094, 0.2340, 0.1778, 0.1581}},
    {table_8_3_on,
     {1.9287, 2.7333, 3.4718, 4.1882, 4.7380},
     {0.9643, 0.9111, 0.8679, 0.8376, 0.7897},
     {0.0370, 0.0488, 0.0507, 0.0485, 0.0533}},
};

// Times on 1, 2... units, as shares of T1.
Series made_up(const Column& shares) {
    Times seconds;
    for (const double share : shares) seconds.push_back(100 * share);
    return gpu_series(seconds);
}

double amdahl(double serial, double p) {
    return serial + (1 - serial) / p;
}

}  // namespace

TEST_CASE("S, E and e of the published times", "[scaling]") {
    for (const Published& table : published) {
        INFO("T1 = " << table.times[0] << ", T(2) = " << table.times[1]);
        const Analysis analysis = analyse(gpu_series(table.times));
        check_column(analysis, &PointAnalysis::speedup, table.speedup, fourth);
        check_column(analysis, &PointAnalysis::efficiency, table.efficiency, fourth);
        check_column(analysis, &PointAnalysis::karp_flatt, table.karp_flatt, fourth);
    }
}

TEST_CASE("all columns of Table 6.1", "[scaling]") {
    Series series = gpu_series(table_6_1);
    series.predicted_serial_share = 0.11;
    const Analysis analysis = analyse(series);
    check_column(analysis, &PointAnalysis::cost_ns,
                 {548.50e9, 1020.67e9, 1398.75e9, 1686.60e9, 2103.83e9}, 0.0051e9);
    check_column(analysis, &PointAnalysis::marginal_cost, {0.0382, 0.0328, 0.0263, 0.0200, 0.0290},
                 fourth);
    check_column(analysis, &PointAnalysis::gain, {0.4618, 0.1338, 0.0570, 0.0300, 0.0043}, fourth);
    check_column(analysis, &PointAnalysis::predicted_speedup,
                 {1.8018, 2.4590, 3.0075, 3.4722, 3.8710}, fourth);
    check_column(analysis, &PointAnalysis::karp_flatt_sigma,
                 {0.00152, 0.00086, 0.00065, 0.00056, 0.00053}, 5.1e-6);
    const Column relative_cost{0.0382, 0.0710, 0.0973, 0.1173, 0.1463};
    for (std::size_t i = 0; i < 5; ++i)
        CHECK(*analysis.points[i + 1].cost_ns / (table_6_1[0] * 1e9) ==
              Approx(relative_cost[i]).margin(fourth));
    // The share derived from kernel times gives no bound: two measured speedups exceed its
    // prediction.
    const std::vector<bool> exceeds{false, true, true, false, false, false};
    for (std::size_t i = 0; i < 6; ++i) CHECK(analysis.points[i].exceeds_prediction == exceeds[i]);
    CHECK(analysis.observed_d_max.value() == 6);
}

TEST_CASE("verdicts on the published series", "[scaling]") {
    CHECK(analyse(gpu_series(table_6_1)).verdict == Verdict::per_unit_cost);
    CHECK(analyse(gpu_series(table_8_1)).verdict == Verdict::per_unit_cost);
    CHECK(analyse(gpu_series(table_8_2_off)).verdict == Verdict::unresolved);
    CHECK(analyse(gpu_series(table_8_2_on)).verdict == Verdict::serial_part);
    CHECK(analyse(gpu_series(table_8_3_off)).verdict == Verdict::imbalance);
    CHECK(analyse(gpu_series(table_8_3_on)).verdict == Verdict::serial_part);
}

TEST_CASE("the readings give the numbers, and say what is extrapolated", "[scaling]") {
    const std::string magflow = analyse(gpu_series(table_6_1)).reading;
    CHECK_THAT(magflow, contains("each additional GPU costs 2.35 +- 0.14 % of T1"));
    CHECK_THAT(magflow, contains("p = 6.4 (6.0 to 6.9) (extrapolated), and p = 6 is the last p"));
    CHECK_THAT(analyse(gpu_series(table_8_1)).reading, contains("p = 11 (extrapolated)"));
    CHECK_THAT(analyse(gpu_series(table_8_2_on)).reading,
               contains("The serial part is 5.19 +- 0.51 % of T1"));
    CHECK_THAT(analyse(gpu_series(table_8_3_on)).reading,
               contains("The serial part is 3.83 +- 0.63 % of T1"));
    CHECK_THAT(analyse(gpu_series(table_8_2_off)).reading, contains("Neither"));
    CHECK_THAT(analyse(gpu_series(table_8_3_off)).reading, contains("imbalance"));
}

TEST_CASE("one unit: S = E = 1 and no e", "[scaling]") {
    const PointAnalysis one = analyse(gpu_series(table_6_1)).points.front();
    CHECK(one.speedup == 1);
    CHECK(one.efficiency == 1);
    CHECK_FALSE(one.karp_flatt.has_value());
    CHECK_FALSE(one.karp_flatt_sigma.has_value());
}

TEST_CASE("fewer than three values of p: e, but no trend", "[scaling]") {
    for (const Times& times : {Times{100, 55}, Times{100, 55, 41}}) {
        const Analysis analysis = analyse(gpu_series(times));
        CHECK(analysis.points[1].karp_flatt.value() == Approx(0.1));
        CHECK(analysis.verdict == Verdict::no_trend);
        CHECK_FALSE(analysis.fits.three_term.has_value());
        CHECK_THAT(analysis.reading, contains("no trend"));
    }
}

TEST_CASE("times of unknown uncertainty: e, but no trend", "[scaling]") {
    Series series = gpu_series(table_6_1);
    series.assumed_relative_error.reset();
    const Analysis analysis = analyse(series);
    CHECK(analysis.points[5].karp_flatt.value() == Approx(0.1756).margin(fourth));
    CHECK_FALSE(analysis.points[5].karp_flatt_sigma.has_value());
    CHECK(analysis.verdict == Verdict::no_trend);
    CHECK_THAT(analysis.reading, contains("uncertainty of the times is unknown"));
}

TEST_CASE("a machine that obeys Amdahl has a serial part and nothing else", "[scaling]") {
    // Times with alternating errors of 0.1 %.
    const Analysis analysis =
        analyse(made_up({1, amdahl(0.1, 2) * 1.001, amdahl(0.1, 3) * 0.999, amdahl(0.1, 4) * 1.001,
                         amdahl(0.1, 5) * 0.999, amdahl(0.1, 6) * 1.001}));
    CHECK(analysis.verdict == Verdict::serial_part);
    CHECK(analysis.fits.three_term->a == Approx(0.1).margin(0.01));
    CHECK(analysis.fits.amdahl->coefficients[0] == Approx(0.1).margin(0.002));
    CHECK(*analysis.points[5].amdahl_speedup == Approx(1 / amdahl(0.1, 6)).epsilon(0.005));
    CHECK_FALSE(analysis.fits.three_term->fastest_p.has_value());
}

TEST_CASE("a perfect machine shows nothing", "[scaling]") {
    const Analysis analysis = analyse(made_up({1, 0.5, 1.0 / 3, 0.25, 0.2, 1.0 / 6}));
    CHECK(analysis.verdict == Verdict::unresolved);
    CHECK(analysis.points[5].karp_flatt.value() == Approx(0).margin(1e-12));
}

TEST_CASE("a superlinear speedup is flagged, not clipped", "[scaling]") {
    const Analysis analysis = analyse(made_up({1, 0.45, 0.3, 0.26, 0.22, 0.19}));
    CHECK(analysis.points[1].karp_flatt.value() == Approx(-0.1));
    CHECK(analysis.points[1].superlinear());
    CHECK_FALSE(analysis.points[3].superlinear());
    CHECK_THAT(analysis.reading, contains("Superlinear (e below 0) at p = 2, 3"));
}

TEST_CASE("nothing is superlinear within its own uncertainty", "[scaling]") {
    // e = -0.0002 at p = 2, whose error is 0.0014.
    const Analysis analysis = analyse(made_up({1, 0.4999, 0.34, 0.26, 0.21, 0.18}));
    CHECK(analysis.points[1].karp_flatt.value() < 0);
    CHECK_FALSE(analysis.points[1].superlinear());
    CHECK(analysis.reading.find("uperlinear") == std::string::npos);
}

TEST_CASE("where no p is faster than one unit, no shortest time is made up", "[scaling]") {
    const Analysis analysis = analyse(made_up({1, 2.001, 2.998, 4.002, 4.999, 6.001}));
    CHECK_THAT(analysis.reading, contains("One unit is fastest"));
    CHECK_THAT(analysis.reading, contains("at p = 6 the run takes 6.00 times as long"));
    CHECK(analysis.reading.find("shortest") == std::string::npos);
    CHECK(analysis.observed_d_max.value() == 1);
}

TEST_CASE("a share of a weak series lies between 0 and 1, or is none", "[scaling]") {
    const auto reading = [](Column shares) {
        Series series = made_up(shares);
        series.mode = Mode::weak;
        return analyse(series).reading;
    };
    CHECK_THAT(reading({1, 1.1 + 1e-4, 1.2, 1.3 - 1e-4}), contains("the serial share"));
    // s = 1.19: the time grows faster than the problem size.
    const std::string slower = reading({1, 2.47, 4.85, 9.5});
    CHECK_THAT(slower, contains("slow each other down"));
    CHECK(slower.find("119") == std::string::npos);
    CHECK_THAT(reading({1, 1.0001, 0.9999, 1.0001}),
               contains("serial share of the parallel run is unresolved"));
    CHECK_THAT(reading({1, 0.9, 0.89, 0.88}), contains("rises with p"));
}

TEST_CASE("a cost per unit without a serial part says so", "[scaling]") {
    Column shares;
    for (int p = 1; p <= 6; ++p)
        shares.push_back(1.0 / p + 0.03 * (p - 1) + (p % 2 == 0 ? 1e-5 : -1e-5));
    const Analysis analysis = analyse(made_up(shares));
    CHECK(analysis.verdict == Verdict::per_unit_cost);
    CHECK(analysis.fits.three_term->c == Approx(0.03).epsilon(0.01));
    CHECK_THAT(analysis.reading, contains("a serial part is unresolved"));
}

TEST_CASE("a saturated memory is named", "[scaling]") {
    Series series = made_up({1, 0.5, 0.34, 0.3, 0.295, 0.294});
    const Column shares{0.3, 0.6, 0.88, 0.97, 0.98, 0.99};
    for (std::size_t i = 0; i < 6; ++i) series.points[i].share_of_copy = shares[i];
    const Analysis analysis = analyse(series);
    CHECK(analysis.bandwidth_saturated);
    CHECK_THAT(analysis.reading, contains("at p = 6 the application bandwidth is 99.0 %"));
    CHECK_THAT(analysis.reading, contains("not serial code or overhead"));
    CHECK(analysis.reading.find("costs") == std::string::npos);
    series.points[5].share_of_copy = 0.7;
    CHECK_FALSE(analyse(series).bandwidth_saturated);
    CHECK_FALSE(analyse(gpu_series(table_6_1)).bandwidth_saturated);
}

TEST_CASE("a shorter time within the noise does not count as a gain", "[scaling]") {
    Series series = made_up({1, 0.5, 0.4, 0.3999});
    CHECK(analyse(series).observed_d_max.value() == 3);
    series.assumed_relative_error.reset();
    CHECK(analyse(series).observed_d_max.value() == 4);
}

TEST_CASE("a partition's p is its multiprocessors over the smallest one's", "[scaling]") {
    Series series = made_up({1, 0.51, 0.27, 0.14});
    series.unit = Unit::sm;
    series.unit_size = 8;
    const std::vector<int> sms{8, 16, 32, 132};
    for (std::size_t i = 0; i < 4; ++i) series.points[i].units = sms[i];
    const Analysis analysis = analyse(series);
    CHECK(analysis.points[1].p == 2);
    CHECK(analysis.points[3].p == 16.5);
    CHECK(analysis.points[3].efficiency.value() == Approx(1 / 0.14 / 16.5));
}

TEST_CASE("the error of a median is that of its bootstrap interval", "[scaling]") {
    Series series = made_up({1, 0.5, 0.4, 0.3});
    Point& point = series.points[1];
    point.median_ns.reset();
    for (int i = 1; i <= 5; ++i) point.samples_ns.push_back(i);
    // The interval of five samples is their range: 1 to 5.
    CHECK(sigma_of(series, point).value() == Approx(4 / (2 * 1.959964)));
    CHECK(median_of(point) == 3);
    // An interval of zero width gives no error, so that the assumed error is used.
    point.samples_ns.assign(7, 10.0);
    CHECK(sigma_of(series, point).value() == Approx(0.01));
    series.assumed_relative_error.reset();
    CHECK_FALSE(sigma_of(series, point).has_value());
}

TEST_CASE("measured errors weight the line through e", "[scaling]") {
    Series series = gpu_series(table_6_1);
    CHECK(analyse(series).fits.weighted_by_sigma);
    CHECK(analyse(series).fits.weighted_karp_flatt_line->coefficients[1] ==
          Approx(0.023262).margin(5.1e-7));
    series.points[5].sigma_ns = 1e12;  // a time with practically no weight
    const Analysis analysis = analyse(series);
    const LinearFit without = fit_karp_flatt_line(
        Column{2, 3, 4, 5}, Column{*analysis.points[1].karp_flatt, *analysis.points[2].karp_flatt,
                                   *analysis.points[3].karp_flatt, *analysis.points[4].karp_flatt});
    CHECK(analysis.fits.weighted_karp_flatt_line->coefficients[1] ==
          Approx(without.coefficients[1]).epsilon(0.1));
    series.assumed_relative_error.reset();
    CHECK_FALSE(analyse(series).fits.weighted_by_sigma);
}

TEST_CASE("a weak series gives Gustafson's share and no Karp-Flatt fraction", "[scaling]") {
    // s = 0.1: the scaled speedup is p - 0.1 (p - 1), so T(p)/T1 = p / that.
    Column shares;
    for (int p = 1; p <= 4; ++p) shares.push_back(p / (p - 0.1 * (p - 1)));
    Series series = made_up(shares);
    series.mode = Mode::weak;
    const Analysis analysis = analyse(series);
    CHECK(analysis.verdict == Verdict::weak);
    CHECK(analysis.gustafson->serial_share == Approx(0.1));
    CHECK(analysis.points[3].scaled_speedup.value() == Approx(3.7));
    CHECK(analysis.points[3].weak_efficiency.value() == Approx(3.7 / 4));
    CHECK(analysis.points[2].serial_share.value() == Approx(0.1));
    CHECK_FALSE(analysis.points[3].karp_flatt.has_value());
    CHECK_FALSE(analysis.points[3].speedup.has_value());
    CHECK(gustafson(series).serial_share == Approx(0.1));
    series.mode = Mode::strong;
    CHECK_THROWS_WITH(gustafson(series), contains("measure a weak series"));
    CHECK_FALSE(analyse(series).gustafson.has_value());
}

}  // namespace analysis_test
