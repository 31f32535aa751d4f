// Document of a session: cases, verification, duration, and breakdown of the wall time.
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "tests/catch.hpp"
#include "tests/harness/measure/session_fixture.hpp"

namespace camber::session_document_test {

using run_test::Fixture;
using run_test::violations;

TEST_CASE("a document tells what the time of its run went to", "[session]") {
    Fixture fixture;
    fixture.add("one");
    fixture.add("two");
    SessionObserver silent;
    constexpr double before = 0.02;
    const auto check = [&](double sessions) {
        REQUIRE(fixture.results.document().run());
        const auto& wall = fixture.results.document().run()->wall;
        REQUIRE(wall);
        double sum = 0;
        for (const results::WallTimePart& part : results::wall_time_parts) {
            CHECK((*wall).*part.seconds >= 0);
            sum += (*wall).*part.seconds;
        }
        CHECK(sum == Approx(wall->total).epsilon(0.02));
        CHECK(wall->opening >= sessions * before);
        CHECK(wall->verification > 0);
        CHECK(wall->samples > 0);
        CHECK(wall->results_file > 0);
        CHECK(wall->limits < 0.1);
        CHECK(wall->counters == 0);
    };
    Session(fixture.study, silent, std::nullopt, before).run(fixture.results, {"camber"});
    check(1);
    // Each point of a series is a session of its own; the document contains the sum.
    Session(fixture.study, silent, std::nullopt, before).run(fixture.results, {"camber"});
    check(2);
    CHECK(violations(fixture.results.document()).empty());
}

TEST_CASE("a document has what ran, that it is right, and how long it took", "[session]") {
    Fixture fixture("surface_water", ElementType::float32);
    fixture.add("one");
    fixture.add("two", "path");
    SessionObserver silent;
    Session session(fixture.study, silent);
    session.run(fixture.results, {"camber", "run", "surface_water"});

    const results::Document& document = fixture.results.document();
    CHECK(violations(document).empty());
    REQUIRE(document.run());
    const results::Run& run = *document.run();
    CHECK(run.command == std::vector<std::string>{"camber", "run", "surface_water"});
    CHECK(document.context.executable == "camber");
    CHECK_FALSE(run.gpu);
    CHECK_FALSE(run.ceilings.copy_bytes_per_second);
    REQUIRE(run.sampling);
    CHECK(run.sampling->order_seed == fixture.study.order_seed);
    CHECK(run.sampling->rounds == 1);
    CHECK(run.sampling->processes == 1);
    CHECK(run.sampling->seconds_per_sample == 1e-6);
    CHECK(run.sampling->event_pair_seconds == session.runner().event_pair_seconds());
    CHECK(run.sampling->relative_half_width == 0.25);
    CHECK(run.sampling->budget_seconds == 10);
    CHECK(run.sampling->maximum_samples == 3);
    REQUIRE(run.account.size() == 5);
    CHECK(run.account.back().generation == 4);
    CHECK(run.account.back().quantity == "mass");

    REQUIRE(document.cases.size() == 2);
    CHECK(document.aggregates.empty());
    for (std::size_t k = 0; k < 2; ++k) {
        CAPTURE(k);
        const results::CaseRecord* record = document.find(fixture.name_of(k));
        REQUIRE(record);
        CHECK(record->status == results::Status::ok);
        CHECK(record->reason.empty());
        CHECK(record->repetition == 0);
        CHECK(record->repetitions == 1);

        const results::Identity& identity = record->identity;
        CHECK(identity.workload == "surface_water");
        CHECK(identity.technique == (k == 0 ? "one" : "two"));
        CHECK(identity.variant == fixture.study.variants[k]->info.name());
        REQUIRE(identity.parameters.size() == 1);
        CHECK(identity.parameters[0].first == "threads");
        CHECK(identity.parameters[0].second == results::Scalar(std::int64_t{1}));
        CHECK(identity.size == Size{37, 21});
        CHECK(identity.cell == "float32");
        CHECK(identity.generations == 4);
        CHECK(identity.workload_parameters == fixture.study.problem.parameters.all());
        CHECK(identity.backend == Backend::cpu);
        CHECK_FALSE(identity.device);
        CHECK(identity.boundary == Boundary::dead);
        CHECK(identity.cache == CacheState::hot);
        CHECK(identity.submission == Submission::stream);
        CHECK_FALSE(identity.from_start);
        CHECK(identity.seed == 3u);
        CHECK(identity.generations_per_launch == 1);
        CHECK(identity.arithmetic == Arithmetic::canonical);
        CHECK_FALSE(identity.scaling);

        REQUIRE(record->verification);
        CHECK(record->verification->passed());
        CHECK(record->verification->compared_cells >= 37 * 21);
        CHECK(record->verification->generations == 4);
        REQUIRE(record->final);
        CHECK(record->final->checksum ==
              fixture.study.workload->final_state(session.runner().expected()).checksum);

        REQUIRE(record->timed());
        const results::Samples& samples = *record->samples;
        CHECK(samples.ns.size() == 3);
        CHECK(samples.statistics.n == 3);
        CHECK_FALSE(samples.stopped_by.empty());
        REQUIRE(samples.visits.size() == 1);
        CHECK(samples.visits[0].process == 0);
        CHECK(samples.visits[0].round == 0);
        CHECK(samples.visits[0].n == 3);
        CHECK(samples.visits[0].stopped_by == samples.stopped_by);
        CHECK(record->iterations == 3 * samples.generations_per_sample);
        CHECK(record->real_time_ns ==
              Approx(samples.statistics.median / samples.generations_per_sample));
        CHECK(record->cpu_time_ns > 0);

        REQUIRE(record->derived);
        CHECK(record->derived->cells_per_second == Approx(37 * 21 / (record->real_time_ns * 1e-9)));
        CHECK(record->derived->generations_per_second.value() ==
              Approx(1 / (record->real_time_ns * 1e-9)));
        CHECK_FALSE(record->derived->share_of_copy);
        CHECK_FALSE(record->derived->speedup_vs_baseline);
        CHECK_FALSE(record->kernel_times);
        CHECK_FALSE(record->device_state);
        CHECK_FALSE(record->model);
        CHECK(record->counters.empty());
    }
}

}  // namespace camber::session_document_test
