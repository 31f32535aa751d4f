// Inputs that are no scaling series, and their error messages.
#include "analysis/scaling/series.hpp"

#include <functional>
#include <string>
#include <vector>

#include "analysis/scaling/analysis.hpp"
#include "harness/base/error.hpp"
#include "tests/analysis/scaling/published_series.hpp"
#include "tests/catch.hpp"

namespace series_test {

using namespace camber;
using namespace camber::scaling;

namespace {

std::vector<scaling::Run> good_runs() {
    std::vector<scaling::Run> runs;
    for (const int units : {1, 2, 4}) {
        scaling::Run run;
        run.workload = "life";
        run.variant = "life/halo/64x4/align128";
        run.backend = "cuda";
        run.machine = "node1";
        run.precision = "uint32";
        run.columns = run.rows = 4096;
        run.steps = 100;
        run.units = units;
        run.samples_ns = {100.0 / units, 101.0 / units, 102.0 / units};
        runs.push_back(run);
    }
    return runs;
}

void check_refused(const std::function<void(std::vector<scaling::Run>&)>& spoil,
                   const std::string& reason, Mode mode = Mode::strong) {
    std::vector<scaling::Run> runs = good_runs();
    spoil(runs);
    INFO(reason);
    try {
        series_of(runs, Unit::gpu, 1, mode);
        FAIL("accepted");
    } catch (const Error& error) {
        CHECK(error.code() == ExitCode::incomparable);
        CHECK_THAT(error.what(), contains(reason));
    }
}

void check_unusable(const std::function<void(Series&)>& spoil, const std::string& reason) {
    Series series = gpu_series(table_6_1);
    spoil(series);
    try {
        checked(series);
        FAIL("accepted: " + reason);
    } catch (const Error& error) {
        CHECK(error.code() == ExitCode::usage);
        CHECK_THAT(error.what(), contains(reason));
    }
}

}  // namespace

TEST_CASE("runs that differ in p only are a series", "[scaling]") {
    const Series series = series_of(good_runs(), Unit::gpu, 1, Mode::strong);
    REQUIRE(series.points.size() == 3);
    CHECK(series.variant == "life/halo/64x4/align128");
    CHECK(p_of(series, series.points[2]) == 4);
    CHECK(median_of(series.points[1]) == 50.5);
    CHECK(series.notes.empty());
}

TEST_CASE("units are what p can count", "[scaling]") {
    CHECK(parse_unit("sm") == Unit::sm);
    CHECK(parse_unit("thread") == Unit::thread);
    CHECK(parse_unit("gpu") == Unit::gpu);
    CHECK(parse_unit("rank") == Unit::rank);
    CHECK(key(Unit::sm) == "sm");
    CHECK(parse_mode("weak") == Mode::weak);
    CHECK(key(Mode::strong) == "strong");
    CHECK_THROWS_WITH(parse_unit("cuda_core"), contains("a core of a CPU is not one"));
    CHECK_THROWS_WITH(parse_unit("warp"), contains("unit 'warp' is unknown"));
    CHECK_THROWS_WITH(parse_mode("fast"), contains("strong or weak"));
    CHECK_THROWS_AS(parse_unit("cuda_core"), Error);
}

TEST_CASE("two variants have a ratio, no speedup over p", "[scaling]") {
    check_refused(
        [](std::vector<scaling::Run>& runs) {
            runs[1].variant = "life/shared_tile/64x4/align128";
            runs[1].units = 1;
        },
        "that is a plain ratio of times");
}

TEST_CASE("a speedup of two causes is refused", "[scaling]") {
    check_refused([](auto& runs) { runs[1].variant = "life/halo/16x16/align128"; }, "two causes");
    check_refused([](auto& runs) { runs[1].precision = "uint8"; }, "precision uint32");
    check_refused([](auto& runs) { runs[2].columns = 2048; }, "size 4096x4096");
    check_refused([](auto& runs) { runs[2].backend = "cpu"; }, "backend cuda");
    check_refused([](auto& runs) { runs[2].machine = "node2"; }, "machine node1");
    check_refused([](auto& runs) { runs[2].workload = "blur"; }, "workload life");
    check_refused([](auto& runs) { runs[2].steps = 50; }, "compare the time per step");
    check_refused([](auto& runs) { runs[2].per_step = true; }, "times per step");
}

TEST_CASE("runs of unequal steps may be compared by the time per step", "[scaling]") {
    auto runs = good_runs();
    for (scaling::Run& run : runs) run.per_step = true;
    runs[2].steps = 101;
    const Series series = series_of(runs, Unit::gpu, 1, Mode::strong);
    REQUIRE(series.notes.size() == 1);
    CHECK_THAT(series.notes[0], contains("times are per step"));
}

TEST_CASE("times from a pass that collects counters are refused", "[scaling]") {
    check_refused([](auto& runs) { runs[1].by_counter_pass = true; }, "collects counters");
}

TEST_CASE("unequal devices have an effective p, or none", "[scaling]") {
    check_refused(
        [](auto& runs) {
            runs[1].device_models = {"A", "B"};
        },
        "measure the rate of each alone");
    auto runs = good_runs();
    runs[1].device_models = {"A", "B"};
    runs[1].device_rates = {10, 5};
    const Series series = series_of(runs, Unit::gpu, 1, Mode::strong);
    CHECK(p_of(series, series.points[1]) == 1.5);
    REQUIRE(series.notes.size() == 1);
    CHECK_THAT(series.notes[0], contains("p is effective"));
    runs[1].device_models = {"A", "A"};
    CHECK(p_of(series, series_of(runs, Unit::gpu, 1, Mode::strong).points[1]) == 2);
}

TEST_CASE("a weak series grows its problem with p", "[scaling]") {
    check_refused([](auto&) {}, "4096x4096 is 1 times 4096x4096", Mode::weak);
    auto runs = good_runs();
    for (scaling::Run& run : runs) run.rows = 4096 * run.units;
    CHECK(series_of(runs, Unit::gpu, 1, Mode::weak).points.size() == 3);
}

TEST_CASE("a series without what the formulas need is refused", "[scaling]") {
    check_unusable([](Series& s) { s.points.erase(s.points.begin()); }, "the smallest p is 2");
    check_unusable([](Series& s) { s.points.resize(1); }, "at least two");
    check_unusable([](Series& s) { s.points[2].units = 2; }, "p = 2 occurs twice");
    check_unusable([](Series& s) { s.points[2].median_ns = 0; }, "not above 0");
    check_unusable([](Series& s) { s.points[2].median_ns.reset(); }, "p = 3 has no time");
    check_unusable([](Series& s) { s.unit_size = 0; }, "give at least 1");
}

TEST_CASE("points may come in any order", "[scaling]") {
    Series series = gpu_series(table_6_1);
    std::swap(series.points.front(), series.points.back());
    CHECK(analyse(series).points[5].speedup.value() == Approx(3.1949).margin(5.1e-5));
}

}  // namespace series_test
