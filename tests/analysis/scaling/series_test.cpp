#include <functional>
#include <string>
#include <vector>

#include "analysis/scaling/analysis.hpp"
#include "analysis/scaling/series.hpp"
#include "harness/base/error.hpp"
#include "tests/analysis/scaling/published_series.hpp"
#include "tests/catch.hpp"

namespace series_test {

// Invalid inputs for scaling series, and their error messages.

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

TEST_CASE("units and modes have keys", "[scaling]") {
    CHECK(key(Unit::sm) == "sm");
    CHECK(parse_mode("weak") == Mode::weak);
    CHECK(key(Mode::strong) == "strong");
    CHECK_THROWS_WITH(parse_mode("fast"), contains("strong or weak"));
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

namespace results_series_test {

using namespace camber;
using namespace camber::scaling;

namespace {

results::CaseRecord record_of(const char* variant, int units, double sample) {
    results::CaseRecord record;
    record.name = std::string(variant) + "/sm:" + std::to_string(units);
    record.identity.workload = "life";
    record.identity.variant = variant;
    record.identity.backend = Backend::cuda;
    record.identity.cell = "uint32";
    record.identity.generations = 16;
    record.identity.size = {64, 32};
    record.identity.scaling = results::ScalingPlace{Unit::sm, units, 8, Mode::strong};
    record.samples.emplace();
    record.samples->generations_per_sample = 2;
    record.samples->ns = {sample, sample, sample};
    record.derived.emplace().share_of_copy = 0.5;
    return record;
}

results::Document document_of(std::vector<results::CaseRecord> cases) {
    results::Document document;
    document.source = "scaling.json";
    document.context.run.emplace().gpu.emplace().name = "A GPU";
    document.cases = std::move(cases);
    return document;
}

}  // namespace

TEST_CASE("cases on stated units form one series per variant", "[scaling]") {
    const auto all =
        series_of_results(document_of({record_of("life/a", 8, 2000), record_of("life/b", 8, 1),
                                       record_of("life/a", 16, 1000), record_of("life/b", 16, 2)}));
    REQUIRE(all.size() == 2);
    const Series& a = all[0];
    CHECK(a.variant == "life/a");
    CHECK(a.machine == "A GPU");
    CHECK(a.backend == "cuda");
    CHECK(a.unit == Unit::sm);
    CHECK(a.unit_size == 8);
    CHECK(a.columns == 64);
    REQUIRE(a.points.size() == 2);
    CHECK(p_of(a, a.points[1]) == 2);
    CHECK(median_of(a.points[0]) == 1000);  // per generation
    CHECK(a.points[1].share_of_copy == 0.5);
}

TEST_CASE("cases of other programs of Google Benchmark's are on the threads that they name",
          "[scaling]") {
    const auto foreign = [](const char* name, int threads, double ns) {
        results::CaseRecord record;
        record.name = name;
        record.by_camber = false;
        record.threads = threads;
        record.samples.emplace().ns = {ns};
        return record;
    };
    const auto all = series_of_results(
        document_of({foreign("BM_a/real_time/threads:1", 1, 100), foreign("BM_plain", 1, 7),
                     foreign("BM_a/real_time/threads:4", 4, 30)}));
    REQUIRE(all.size() == 1);
    CHECK(all[0].variant == "BM_a/real_time");
    CHECK(all[0].unit == Unit::thread);
    REQUIRE(all[0].points.size() == 2);
    CHECK(p_of(all[0], all[0].points[1]) == 4);
    REQUIRE(all[0].notes.size() == 1);
    CHECK_THAT(all[0].notes[0], contains("Google Benchmark's real_time"));
}

TEST_CASE("a file without units is no scaling series", "[scaling]") {
    results::CaseRecord plain = record_of("life/a", 8, 1);
    plain.identity.scaling.reset();
    CHECK_THROWS_WITH(series_of_results(document_of({plain})), contains("camber scale"));
    // A repeated p is invalid, too.
    CHECK_THROWS_AS(
        series_of_results(document_of({record_of("life/a", 8, 1), record_of("life/a", 8, 1)})),
        Error);
}

TEST_CASE("runs of several ranks are a series per exchange, from one place on",
          "[scaling][group]") {
    const auto case_of = [](int places, const char* exchange, double sample) {
        results::CaseRecord record = record_of("life/a", 1, sample);
        record.name = "life/a/" + std::to_string(places) + exchange;
        record.identity.scaling.reset();
        if (places == 0) return record;  // not part of a group
        results::GroupRecord& group = record.identity.group.emplace();
        group.kind = "ranks";
        group.places = places;
        group.exchange = exchange;
        group.partition = "rows";
        group.allocation = "slab";
        return record;
    };
    const auto all =
        series_of_results(document_of({case_of(1, "mpi", 4000), case_of(2, "mpi", 2500),
                                       case_of(2, "everything", 6000), case_of(4, "mpi", 1250)}));
    REQUIRE(all.size() == 2);
    CHECK(all[0].variant == "life/a, mpi");
    CHECK(all[0].unit == Unit::rank);
    REQUIRE(all[0].points.size() == 3);
    CHECK(median_of(all[0].points[0]) == 2000);
    CHECK(p_of(all[0], all[0].points[2]) == 4);
    CHECK(all[1].variant == "life/a, everything");
    REQUIRE(all[1].points.size() == 2);
    CHECK(median_of(all[1].points[0]) == 2000);
    // Timeline quantities are copied.
    results::CaseRecord timed = case_of(2, "mpi", 2500);
    timed.identity.group->imbalance = 1.5;
    timed.identity.group->exposed_transfer_ns = 700;
    const auto with_times = series_of_results(document_of({case_of(1, "mpi", 4000), timed}));
    CHECK_FALSE(with_times.front().points[0].places.imbalance);
    CHECK(with_times.front().points[1].places.imbalance == 1.5);
    CHECK(with_times.front().points[1].places.exposed_transfer_ns == 700.0);
    // A run on a single GPU is also a first point; emulated devices give no speedup.
    CHECK(series_of_results(document_of({case_of(0, "", 4000), case_of(2, "mpi", 2500)}))
              .front()
              .points.size() == 2);
    results::CaseRecord emulated = case_of(2, "copies", 1);
    emulated.identity.group->kind = "emulated";
    CHECK_THROWS_WITH(series_of_results(document_of({case_of(0, "", 4000), emulated})),
                      contains("several GPUs or ranks"));
}

TEST_CASE("runs whose boards grow with their places are a weak series", "[scaling][group]") {
    const auto case_of = [](int places, int rows, double sample) {
        results::CaseRecord record = record_of("life/a", 1, sample);
        record.name = "life/a/" + std::to_string(places) + "x" + std::to_string(rows);
        record.identity.scaling.reset();
        record.identity.size.rows = rows;
        results::GroupRecord& group = record.identity.group.emplace();
        group.kind = "ranks";
        group.places = places;
        group.exchange = "mpi";
        return record;
    };
    const auto document = document_of(
        {case_of(1, 32, 4000), case_of(1, 64, 8000), case_of(2, 64, 4400), case_of(4, 128, 4800)});
    const auto all = series_of_results(document, Mode::weak);
    REQUIRE(all.size() == 1);
    CHECK(all[0].mode == Mode::weak);
    CHECK(all[0].unit == Unit::rank);
    CHECK(all[0].rows == 32);
    REQUIRE(all[0].points.size() == 3);
    CHECK(median_of(all[0].points[0]) == 2000);
    CHECK(median_of(all[0].points[2]) == 2400);
    // A board that did not grow is no share of the larger problem.
    CHECK_THROWS_AS(
        series_of_results(document_of({case_of(1, 32, 1), case_of(2, 32, 1)}), Mode::weak), Error);
}

}  // namespace results_series_test
