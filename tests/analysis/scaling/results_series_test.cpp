#include "analysis/scaling/results_series.hpp"

#include "analysis/scaling/series.hpp"
#include "harness/base/error.hpp"
#include "tests/catch.hpp"

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
    // The same p twice is no series either.
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
        if (places == 0) return record;  // no group at all
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
    // Timeline figures are copied.
    results::CaseRecord timed = case_of(2, "mpi", 2500);
    timed.identity.group->imbalance = 1.5;
    timed.identity.group->exposed_transfer_ns = 700;
    const auto with_times = series_of_results(document_of({case_of(1, "mpi", 4000), timed}));
    CHECK_FALSE(with_times.front().points[0].places.imbalance);
    CHECK(with_times.front().points[1].places.imbalance == 1.5);
    CHECK(with_times.front().points[1].places.exposed_transfer_ns == 700.0);
    // A run of one GPU by itself is the first point too; emulated places are no speedup.
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
    // A board that did not grow has no share of another one.
    CHECK_THROWS_AS(
        series_of_results(document_of({case_of(1, 32, 1), case_of(2, 32, 1)}), Mode::weak), Error);
}

}  // namespace results_series_test
