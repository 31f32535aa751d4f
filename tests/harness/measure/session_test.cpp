// Sessions turn a study into a document: events and stored results.
#include "harness/measure/session.hpp"

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "harness/base/process.hpp"
#include "harness/measure/correctness/reference_variants.hpp"
#include "harness/measure/engine.hpp"
#include "tests/catch.hpp"
#include "tests/harness/measure/session_fixture.hpp"
#include "tests/variants/toy_technique.hpp"
#include "workloads/life/rule.hpp"
#include "workloads/list/workloads.hpp"

namespace camber::session_test {
namespace {

using run_test::Fixture;
using run_test::violations;

// Logs all events of a session, in order.
struct Listener final : SessionObserver {
    explicit Listener(const Study& of) : study(of) {}
    void preparing(std::string_view what) override { told.emplace_back(what); }
    void starting(const Case& chosen, int done, int total) override {
        told.push_back(std::to_string(done) + "/" + std::to_string(total) + " " +
                       case_name(study, chosen));
    }
    void measured(const CaseResult& result) override {
        told.push_back("measured " + result.record.name);
    }
    const Study& study;
    std::vector<std::string> told;
};

// Computes the same as its variant except for one cell.
struct Spoilt final : Execution {
    explicit Spoilt(std::unique_ptr<Execution> right) : inner(std::move(right)) {}
    void upload(const State& initial) override { inner->upload(initial); }
    void download(State& result) override {
        inner->download(result);
        result.fields[0].bytes()[0] ^= std::byte{1};
    }
    void poison(Poison poison) override { inner->poison(poison); }
    void advance(int generations) override { inner->advance(generations); }
    std::unique_ptr<Execution> inner;
};

void spoil(Variant& variant) {
    variant.factories[Backend::cpu] = [right = variant.factories[Backend::cpu]](
                                          Queue& queue, const Problem& problem) {
        return std::make_unique<Spoilt>(right(queue, problem));
    };
}

}  // namespace

TEST_CASE("a session tells what it does, case by case", "[session]") {
    Fixture fixture;
    fixture.add("one");
    fixture.add("two");
    fixture.study.rounds = 2;
    Listener listener(fixture.study);
    Session session(fixture.study, listener);
    CHECK(listener.told == std::vector<std::string>{"computing the reference"});
    session.run(fixture.results, {"camber", "run"});

    std::vector<std::string> expected{"computing the reference"};
    for (int round = 0, done = 0; round < 2; ++round)
        for (const Case& chosen : order_of_round(fixture.study, round)) {
            const std::string name = case_name(fixture.study, chosen);
            expected.push_back(std::to_string(done++) + "/4 " + name);
            expected.push_back("measured " + name);
        }
    CHECK(listener.told == expected);
    CHECK(session.failures().empty());
}

TEST_CASE("visits of further rounds and processes join their case", "[session]") {
    Fixture fixture;
    fixture.add("one");
    fixture.add("two");
    fixture.study.rounds = 2;
    SessionObserver silent;
    Session(fixture.study, silent).run(fixture.results, {"camber", "first"});
    fixture.study.process = 1;
    Session(fixture.study, silent).run(fixture.results, {"camber", "second"});

    const results::Document& document = fixture.results.document();
    CHECK(violations(document).empty());
    CHECK(document.run()->command == std::vector<std::string>{"camber", "first"});
    CHECK(document.run()->sampling->rounds == 2);
    REQUIRE(document.cases.size() == 2);
    for (const results::CaseRecord& record : document.cases) {
        CAPTURE(record.name);
        REQUIRE(record.timed());
        const results::Samples& samples = *record.samples;
        CHECK(samples.ns.size() == 12);
        CHECK(samples.statistics.n == 12);
        // Each process chooses its own number of generations per sample.
        CHECK(record.iterations >= 6 * samples.generations_per_sample + 6);
        CHECK(record.iterations % 6 == 0);
        REQUIRE(samples.visits.size() == 4);
        for (int visit = 0; visit < 4; ++visit) {
            CHECK(samples.visits[visit].process == visit / 2);
            CHECK(samples.visits[visit].round == visit % 2);
            CHECK(samples.visits[visit].n == 3);
        }
        CHECK(record.real_time_ns ==
              Approx(samples.statistics.median / samples.generations_per_sample));
        CHECK(record.derived->cells_per_second == Approx(37 * 21 / (record.real_time_ns * 1e-9)));
        const auto processes = results::times_by_process(record);
        REQUIRE(processes.size() == 2);
        CHECK(processes[1].samples_ns.size() == 6);
    }
}

TEST_CASE("repetitions stay apart, and the engine's aggregates come after them", "[session]") {
    const auto repeat = [](int times) {
        std::vector<std::string> flags{"--benchmark_repetitions=" + std::to_string(times)};
        return configure_engine(flags);
    };
    Fixture fixture;
    fixture.add("one");
    Listener listener(fixture.study);
    const int repetitions = repeat(2);
    Session(fixture.study, listener).run(fixture.results, {"camber"}, repetitions);
    repeat(1);

    const results::Document& document = fixture.results.document();
    CHECK(violations(document).empty());
    CHECK(listener.told.at(3) == "1/2 " + fixture.name_of(0));
    REQUIRE(document.cases.size() == 2);
    for (int k = 0; k < 2; ++k) {
        CHECK(document.cases[k].name == fixture.name_of(0));
        CHECK(document.cases[k].repetition == k);
        CHECK(document.cases[k].repetitions == 2);
    }
    REQUIRE(document.aggregates.size() >= 3);
    CHECK(document.aggregates[0].name == "mean");
    CHECK(document.aggregates[0].case_name.starts_with(fixture.name_of(0)));
    CHECK(document.aggregates[0].repetitions == 2);
    CHECK(document.aggregates[0].real_time ==
          Approx((document.cases[0].real_time_ns + document.cases[1].real_time_ns) / 2)
              .epsilon(1e-3));
}

TEST_CASE("speedups refer to the baseline", "[session]") {
    Fixture fixture;
    fixture.add("other");
    fixture.add("global", "16x16");
    SessionObserver silent;
    SECTION("in a study of variants") {
        Session(fixture.study, silent).run(fixture.results, {"camber"});
        const auto* other = fixture.results.document().find(fixture.name_of(0));
        const auto* base = fixture.results.document().find(fixture.name_of(1));
        REQUIRE((other && other->derived));
        REQUIRE((base && base->derived));
        CHECK(base->derived->speedup_vs_baseline.value() == Approx(1));
        CHECK(other->derived->speedup_vs_baseline.value() ==
              Approx(base->real_time_ns / other->real_time_ns));
    }
    SECTION("not in a series, which compares a variant with itself") {
        fixture.study.place = {scaling::Unit::thread, 1, 1, scaling::Mode::strong};
        Session(fixture.study, silent).run(fixture.results, {"camber"});
        REQUIRE(fixture.results.document().cases.size() == 2);
        for (const results::CaseRecord& record : fixture.results.document().cases) {
            REQUIRE(record.derived);
            CHECK_FALSE(record.derived->speedup_vs_baseline);
        }
    }
}

TEST_CASE("a place of a series is part of a case's name and identity", "[session]") {
    Fixture fixture;
    fixture.add("one");
    const std::vector<int> cores = cpu_cores();
    SessionObserver silent;
    for (const int threads : {1, 2}) {
        fixture.study.place = {scaling::Unit::thread, threads, 1, scaling::Mode::weak};
        fixture.study.cores.assign(cores.begin(), cores.begin() + 1);
        Session(fixture.study, silent).run(fixture.results, {"camber", "scale"});
    }
    const results::Document& document = fixture.results.document();
    CHECK(violations(document).empty());
    REQUIRE(document.cases.size() == 2);
    for (int k = 0; k < 2; ++k) {
        const results::CaseRecord& record = document.cases[k];
        CHECK(record.name == "life/one/37x21/uint32/cpu/thread:" + std::to_string(k + 1));
        CHECK(record.status == results::Status::ok);
        REQUIRE(record.identity.scaling);
        CHECK(record.identity.scaling->unit == scaling::Unit::thread);
        CHECK(record.identity.scaling->units == k + 1);
        CHECK(record.identity.scaling->unit_size == 1);
        CHECK(record.identity.scaling->mode == scaling::Mode::weak);
        CHECK(record.timed());
    }
}

TEST_CASE("a variant for which memory is too small is skipped with both numbers", "[session]") {
    Fixture fixture;
    Variant& large = fixture.add("large");
    large.factories[Backend::cpu] = [](Queue&, const Problem&) -> std::unique_ptr<Execution> {
        report_memory_shortage("one field on the device", 1200, 800);
    };
    fixture.add("small");
    SessionObserver observer;
    Session(fixture.study, observer).run(fixture.results, {"camber"});
    const auto& cases = fixture.results.document().cases;
    REQUIRE(cases.size() == 2);
    const auto& skipped = cases[cases[0].identity.technique == "large" ? 0 : 1];
    CHECK(skipped.status == results::Status::skipped);
    CHECK_THAT(skipped.reason, contains("one field on the device needs 1200 bytes of memory, but "
                                        "800 are available"));
    CHECK(violations(fixture.results.document()).empty());
}

TEST_CASE("a wrong variant ends as failed with the reason, and the others go on", "[session]") {
    Fixture fixture;
    fixture.add("right");
    spoil(fixture.add("wrong"));
    fixture.study.rounds = 2;
    Listener listener(fixture.study);
    Session(fixture.study, listener).run(fixture.results, {"camber"});
    CHECK(listener.told.size() == 1 + 2 * 4);

    const results::Document& document = fixture.results.document();
    CHECK(violations(document).empty());
    REQUIRE(document.cases.size() == 2);
    const results::CaseRecord& wrong = *document.find(fixture.name_of(1));
    CHECK(wrong.status == results::Status::failed);
    CHECK_THAT(wrong.reason, contains("1 of 777 cells differ from the reference") &&
                                 contains("row 0, column 0 of `cells`"));
    CHECK_FALSE(wrong.timed());
    CHECK_FALSE(wrong.samples);
    CHECK_FALSE(wrong.derived);
    CHECK_FALSE(wrong.final);
    CHECK(wrong.kernels.empty());
    CHECK(wrong.iterations == 0);
    CHECK(wrong.real_time_ns == 0);
    CHECK(wrong.identity.technique == "wrong");
    REQUIRE(wrong.verification);
    CHECK_FALSE(wrong.verification->passed());
    CHECK(wrong.verification->differing_cells == 1);
    CHECK(wrong.verification->first_difference);

    const results::CaseRecord& right = *document.find(fixture.name_of(0));
    CHECK(right.status == results::Status::ok);
    CHECK(right.samples->visits.size() == 2);
}

TEST_CASE("where nothing is timed nothing is derived", "[session]") {
    Fixture fixture("life", ElementType::uint32, Backend::simt);
    fixture.study.time = false;
    Registry local;
    Catalogue<Life<std::uint32_t>> catalogue(local, "life", ElementType::uint32);
    Transposed::add(catalogue);
    fixture.study.variants = {&local.variants().front()};
    SessionObserver silent;
    Session(fixture.study, silent).run(fixture.results, {"camber"});

    const results::Document& document = fixture.results.document();
    CHECK(violations(document).empty());
    CHECK_FALSE(document.run()->sampling);
    CHECK(document.run()->account.empty());
    REQUIRE(document.cases.size() == 1);
    const results::CaseRecord& record = document.cases[0];
    CHECK(record.status == results::Status::ok);
    CHECK(record.identity.backend == Backend::simt);
    CHECK(record.verification->passed());
    CHECK_FALSE(record.derived);
    // Facts that the launch determines; the compiler's facts are available only for devices.
    REQUIRE(record.kernels.size() == 1);
    CHECK(record.kernels[0].block == Size{16, 16});
    CHECK(record.kernels[0].grid == Size{3, 2});
    CHECK_FALSE(record.kernels[0].registers);
    CHECK(record.kernels[0].instructions.empty());
    REQUIRE(record.final);
    CHECK(record.final->quantity == "population");
}

TEST_CASE("limits that are known are taken over, and rates are shares of them", "[session]") {
    Fixture fixture;
    fixture.add("one");
    SessionObserver silent;
    Ceilings known;
    known.copy_bytes_per_second = 1e12;
    Session session(fixture.study, silent, known);
    CHECK(session.ceilings().copy_bytes_per_second == 1e12);
    session.run(fixture.results, {"camber"});
    const results::Document& document = fixture.results.document();
    CHECK(document.run()->ceilings.copy_bytes_per_second == 1e12);
    const results::Derived& derived = document.cases.at(0).derived.value();
    CHECK(derived.share_of_copy.value() ==
          Approx(derived.application_bandwidth_bytes_per_second / 1e12));
}

}  // namespace camber::session_test
