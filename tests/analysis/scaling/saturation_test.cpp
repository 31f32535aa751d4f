// Saturation fits of times with a known knee.
#include "analysis/scaling/fits.hpp"

#include <cmath>

#include "tests/catch.hpp"

namespace saturation_test {

using namespace camber;
using namespace camber::scaling;

namespace {

// 2 us up to 50 000 cells, then 1 ns per hundred cells; relative errors of alternating sign and
// size `noise`.
std::vector<SizePoint> points_of(double noise) {
    std::vector<SizePoint> points;
    double sign = 1;
    for (double cells = 1024; cells < 3e6; cells *= 2) {
        const double ns = 2000 + 0.01 * std::max(0.0, cells - 50000);
        points.push_back({cells, ns * (1 + sign * noise)});
        sign = -sign;
    }
    return points;
}

results::CaseRecord record_of(const char* variant, Size size, double ns) {
    results::CaseRecord record;
    record.identity.variant = variant;
    record.identity.size = size;
    record.identity.backend = Backend::cuda;
    record.real_time_ns = ns;
    record.samples.emplace().ns = {ns};
    return record;
}

}  // namespace

TEST_CASE("exact times give their floor, knee and slope", "[scaling][saturation]") {
    const auto fit = fit_saturation(points_of(0));
    REQUIRE(fit);
    CHECK(fit->floor_ns == Approx(2000).epsilon(1e-3));
    CHECK(fit->knee_cells == Approx(50000).epsilon(5e-3));
    CHECK(fit->ns_per_cell == Approx(0.01).epsilon(1e-3));
    CHECK(fit->intercept_ns == Approx(1500).epsilon(2e-3));
}

TEST_CASE("the interval of a knee holds it, and grows with the noise", "[scaling][saturation]") {
    double width = 0;
    for (const double noise : {0.002, 0.01, 0.03}) {
        const auto fit = fit_saturation(points_of(noise));
        REQUIRE(fit);
        CHECK(fit->knee_low < 50000);
        CHECK(fit->knee_high > 50000);
        CHECK(fit->knee_low > 10000);
        CHECK(fit->intercept_low_ns < fit->intercept_high_ns);
        CHECK(fit->knee_high / fit->knee_low > width);
        width = fit->knee_high / fit->knee_low;
    }
}

TEST_CASE("boards far beyond the knee do not move it", "[scaling][saturation]") {
    auto points = points_of(0.002);
    const double knee = fit_saturation(points)->knee_cells;
    points.push_back({1e8, 5e6});  // beyond a cache, ten times the time per cell
    CHECK(fit_saturation(points)->knee_cells == Approx(knee).epsilon(1e-9));
}

TEST_CASE("times without a knee have none", "[scaling][saturation]") {
    std::vector<SizePoint> line;
    std::vector<SizePoint> flat;
    for (double cells = 1024; cells < 1e6; cells *= 2) {
        line.push_back({cells, 3 * cells});
        flat.push_back({cells, 2000});
    }
    CHECK_FALSE(fit_saturation(line));
    CHECK_FALSE(fit_saturation(flat));
    auto few = points_of(0);
    few.resize(4);
    CHECK_FALSE(fit_saturation(few));
}

TEST_CASE("one size measured often has no knee", "[scaling][saturation]") {
    const std::vector<SizePoint> same(7, {1024, 10});
    CHECK_FALSE(fit_saturation(same));
    std::vector<SizePoint> rising{{64, 1}, {128, 1}, {256, 1}, {512, 2}};
    rising.insert(rising.end(), 3, {512, 2.1});
    CHECK_FALSE(fit_saturation(rising));
}

TEST_CASE("cases of several sizes make series, their kernels too", "[scaling][saturation]") {
    results::Document document;
    document.cases = {record_of("life/a", {64, 64}, 30), record_of("life/a", {32, 32}, 10),
                      record_of("life/b", {32, 32}, 10)};
    for (int i : {0, 1}) {
        results::KernelTimes& times = document.cases[i].kernel_times.emplace();
        times.generations = 2;
        for (const char* name : {"first", "second"}) {
            results::KernelTime& kernel = times.kernels.emplace_back();
            kernel.name = name;
            kernel.statistics.median = 8;
            kernel.statistics.n = 2;
        }
    }
    const auto series = series_over_size(document);
    REQUIRE(series.size() == 3);
    CHECK(series[0].variant == "life/a");
    CHECK(series[0].kernel.empty());
    CHECK(series[0].points[0].cells == 1024);
    CHECK(series[0].points[0].ns == 10);
    CHECK(series[0].points[1].ns == 30);
    CHECK(series[2].kernel == "second");
    CHECK(series[2].points[1].ns == 8);
}

}  // namespace saturation_test
