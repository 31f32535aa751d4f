// Runs without counters or kernel times: they finish with times, and report the reason once.
#include <algorithm>
#include <chrono>
#include <thread>
#include <utility>
#include <vector>

#include "harness/base/error.hpp"
#include "harness/machine/counters/cupti_host.hpp"
#include "harness/measure/case_runner.hpp"
#include "harness/measure/instruments.hpp"
#include "tests/catch.hpp"
#include "tests/variants/toy_technique.hpp"
#include "workloads/life/rule.hpp"
#include "workloads/list/workloads.hpp"

namespace camber::instruments_test {

namespace {

struct Refusing final : counters::CounterReader, counters::KernelClock {
    Refusing(int cupti_error, int& calls) : error(cupti_error), asked(calls) {}
    std::map<std::string, double> measure(const std::function<void()>&,
                                          const std::function<void()>&) override {
        ++asked;
        throw counters::counter_error(error, "reading");
    }
    std::vector<std::map<std::string, double>> measure_kernels(const std::function<void()>&,
                                                               const std::function<void()>&,
                                                               std::size_t) override {
        ++asked;
        throw counters::counter_error(error, "reading");
    }
    std::vector<counters::KernelTime> time(const std::function<void()>&) override {
        ++asked;
        throw counters::counter_error(error, "reading");
    }
    int error;
    int& asked;
};

struct Counting final : counters::CounterReader {
    std::map<std::string, double> measure(const std::function<void()>& restore,
                                          const std::function<void()>& work) override {
        restore();
        work();
        return {{"runs", 1}};
    }
    std::vector<std::map<std::string, double>> measure_kernels(const std::function<void()>& restore,
                                                               const std::function<void()>& work,
                                                               std::size_t most) override {
        restore();
        work();
        return {most, {{"runs", 2}}};
    }
};

struct Stamping final : counters::KernelClock {
    std::vector<counters::KernelTime> time(const std::function<void()>& work) override {
        work();
        return {{"", 100},
                {"_ZN3cub6KernelE", 20},
                {"", 300},
                {"_ZN3cub6KernelE", 40},
                {"somebody else's", 9e9}};
    }
};

struct Fixture {
    Fixture() {
        study.workload = find_workload("life");
        study.problem = {{37, 21}, Boundary::dead, ElementType::uint32};
        study.initial = {.size = study.problem.size, .seed = 3};
        study.generations = 2;
        study.backend = Backend::simt;
        study.time = false;
        Catalogue<Life<std::uint32_t>> catalogue(registry, "life", ElementType::uint32);
        Transposed::add(catalogue);
    }
    const Variant& variant() const { return registry.variants().front(); }

    Study study;
    Registry registry;
};

// Measures the fixture's variant including its counters.
CaseResult measured(CaseRunner& runner, const Fixture& fixture) {
    CaseResult result = runner.run(fixture.variant());
    runner.count({.counting = {}, .counted = [&](const CaseResult& counted) { result = counted; }});
    return result;
}

TEST_CASE("forbidden counters and an attached profiler leave the times", "[counters][run]") {
    const auto [code, cause] = GENERATE(
        std::pair(35, "the driver gives counters to administrators only"),
        std::pair(39, "another profiler (ncu, nsys, cuda-gdb or DCGM) holds the counters"));
    Fixture fixture;
    CaseRunner runner(fixture.study);
    int asked = 0;
    Instruments instruments;
    instruments.counters = std::make_unique<Refusing>(code, asked);
    instruments.kernel_clock = std::make_unique<Refusing>(code, asked);
    runner.use(std::move(instruments));

    for (int visit = 0; visit < 3; ++visit) {
        const CaseResult result = measured(runner, fixture);
        CHECK(result.record.status == results::Status::ok);
        CHECK(result.record.timed());
        CHECK(result.record.counters.empty());
        CHECK_FALSE(result.record.kernel_times);
    }
    CHECK(asked == 2);  // each instrument once: a failed one is closed
    const auto sentences = describe_failures(runner.instrument_failures());
    REQUIRE(sentences.size() == 1);
    CHECK_THAT(sentences.front(), contains("going on without counters and kernel times: "));
    CHECK_THAT(sentences.front(), contains(cause));
    CHECK_THAT(sentences.front(), contains("(CUPTI error " + std::to_string(code) + ")"));
}

TEST_CASE("instruments that fail for different reasons get a sentence each", "[counters][run]") {
    const auto sentences = describe_failures({{"counters", "forbidden"}, {"kernel times", "held"}});
    CHECK(sentences == std::vector<std::string>{"going on without counters: forbidden",
                                                "going on without kernel times: held"});
    CHECK(describe_failures({}).empty());
}

TEST_CASE("kernel times are corrected by what the counter says of the same kernels",
          "[counters][run]") {
    // Two kernels per launch, of which the first is the variant's; the clock adds 90 and 40 ns.
    struct Alternating final : counters::KernelClock {
        std::vector<counters::KernelTime> time(const std::function<void()>& work) override {
            work();
            std::vector<counters::KernelTime> times;
            for (int i = 0; i < 6; ++i) {
                times.push_back({"", 1000.0 + i + 90});
                times.push_back({"evict", 5000.0 + 40});
            }
            return times;
        }
    };
    Fixture fixture;
    // Large enough on one thread that the minimum number of launches is requested: 6.
    fixture.study.problem.size = fixture.study.initial.size = {400, 300};
    fixture.study.cpu_threads = 1;
    CaseRunner runner(fixture.study);
    Instruments instruments;
    instruments.kernel_clock = std::make_unique<Alternating>();
    std::size_t asked = 0;
    const bool refused = GENERATE(false, true);
    instruments.kernel_durations = [&](std::size_t kernels, const std::function<void()>& work) {
        work();
        asked = kernels;
        if (refused) throw counters::counter_error(35, "reading");
        std::vector<double> durations;
        for (std::size_t i = 0; i < kernels / 2; ++i) {
            durations.push_back(1002.5);
            durations.push_back(5000);
        }
        return durations;
    };
    runner.use(std::move(instruments));
    const CaseResult result = measured(runner, fixture);
    CHECK(result.record.status == results::Status::ok);
    CHECK(asked == 40);
    REQUIRE(result.record.kernel_times);
    REQUIRE(result.record.kernel_times->kernels.size() == 1);
    const results::KernelTime& kernel = result.record.kernel_times->kernels.front();
    REQUIRE(kernel.samples_ns.size() == 6);
    CHECK(runner.instrument_failures().empty());
    if (refused) {
        CHECK_FALSE(kernel.clock_bias_ns);
        CHECK(kernel.samples_ns.front() == 1090);
    } else {
        CHECK(kernel.clock_bias_ns.value() == Approx(90));
        CHECK(kernel.samples_ns.front() == Approx(1000));
        CHECK(kernel.samples_ns.back() == Approx(1005));
    }
}

// Times only kernels of graphs.
struct OfGraphs final : counters::KernelClock {
    std::vector<counters::KernelTime> time(const std::function<void()>&) override {
        FAIL("timed as launches of their own");
        return {};
    }
    std::vector<counters::KernelTime> time_graphs(const std::function<void()>& work) override {
        work();
        return {{"", 100}, {"", 300}};
    }
};

TEST_CASE("a graph's kernels are timed when no graph is left to be timed, and not corrected",
          "[counters][run]") {
    Fixture fixture;
    CaseRunner runner(fixture.study);
    Instruments instruments;
    int opened = 0;
    instruments.open_late = [&](Instruments& of) {
        ++opened;
        of.kernel_clock = std::make_unique<OfGraphs>();
    };
    instruments.kernel_durations = [](std::size_t, const std::function<void()>&) {
        FAIL("a whole graph is one kernel to the counter");
        return std::vector<double>();
    };
    runner.use(std::move(instruments));
    CaseResult result = runner.run({&fixture.variant(), {CacheState::hot, Submission::graph}});
    CHECK(opened == 0);
    CHECK_FALSE(result.record.kernel_times);
    const bool more = GENERATE(false, true);
    int told = 0;
    runner.count({.counting = {},
                  .counted =
                      [&](const CaseResult& counted) {
                          result = counted;
                          ++told;
                      },
                  .more_to_time = more});
    CHECK(opened == (more ? 0 : 1));
    CHECK(told == opened);
    REQUIRE(result.record.kernel_times.has_value() == !more);
    if (more) return;
    REQUIRE(result.record.kernel_times->kernels.size() == 1);
    CHECK(result.record.kernel_times->kernels.front().samples_ns == std::vector<double>{100, 300});
}

TEST_CASE("instruments that work are read in the last round only", "[counters][run]") {
    Fixture fixture;
    CaseRunner runner(fixture.study);
    Instruments instruments;
    instruments.counters = std::make_unique<Counting>();
    instruments.kernel_clock = std::make_unique<Stamping>();
    runner.use(std::move(instruments));
    const CaseResult early = runner.run({&fixture.variant(), {}}, false);
    CHECK(early.record.counters.empty());
    CHECK_FALSE(early.record.kernel_times);
    const CaseResult last = measured(runner, fixture);
    CHECK(last.record.counters.at("runs") == 1);
    REQUIRE(last.record.kernel_times);
    const std::vector<results::KernelTime>& kernels = last.record.kernel_times->kernels;
    REQUIRE(kernels.size() == 2);
    CHECK(kernels[0].samples_ns == std::vector<double>{100, 300});
    // Besides the variant's own kernels, only library kernels count.
    CHECK(kernels[1].name == "library");
    CHECK(kernels[1].samples_ns == std::vector<double>{20, 40});
    CHECK(runner.instrument_failures().empty());
}

TEST_CASE("a case that only copies does not end the kernel times of those after it",
          "[counters][run]") {
    struct Late final : counters::KernelClock {
        explicit Late(std::vector<bool> sees) : seen(std::move(sees)) {}
        std::vector<counters::KernelTime> time(const std::function<void()>& work) override {
            work();
            const bool sees = seen.at(visits++);
            return sees ? std::vector<counters::KernelTime>{{"", 100}}
                        : std::vector<counters::KernelTime>{};
        }
        std::vector<bool> seen;
        std::size_t visits = 0;
    };
    Fixture fixture;
    CaseRunner runner(fixture.study);
    Instruments instruments;
    const std::vector<bool> seen =
        GENERATE(std::vector<bool>{false, true, false}, std::vector<bool>{true, false, true},
                 std::vector<bool>{false, false, false});
    instruments.kernel_clock = std::make_unique<Late>(seen);
    runner.use(std::move(instruments));
    for (const bool sees : seen)
        CHECK(measured(runner, fixture).record.kernel_times.has_value() == sees);
    // A clock that saw no kernel of any case is reported as failed.
    const auto sentences = describe_failures(runner.instrument_failures());
    if (std::ranges::count(seen, true) > 0) {
        CHECK(sentences.empty());
    } else {
        REQUIRE(sentences.size() == 1);
        CHECK_THAT(sentences.front(),
                   contains("going on without kernel times: CUPTI reports no kernel"));
    }
}

TEST_CASE("a clock that is there for the names does not time", "[counters][run]") {
    Fixture fixture;
    CaseRunner runner(fixture.study);
    Instruments instruments;
    instruments.counters = std::make_unique<Counting>();
    instruments.kernel_clock = std::make_unique<Stamping>();
    instruments.time_kernels = false;
    runner.use(std::move(instruments));
    const CaseResult result = measured(runner, fixture);
    CHECK_FALSE(result.record.kernel_times);
    REQUIRE(result.record.kernel_counters.size() == 5);
    CHECK(result.record.kernel_counters[1].name == "library");
    CHECK(result.record.kernel_counters[4].name == "somebody else's");
    CHECK(result.record.kernel_counters[4].counters.at("runs") == 2);
    CHECK(runner.instrument_failures().empty());
}

TEST_CASE("counters of all cases are read one kind after another, when all is timed",
          "[counters][run]") {
    Fixture fixture;
    CaseRunner runner(fixture.study);
    Instruments instruments;
    instruments.counters = std::make_unique<Counting>();
    instruments.kernel_clock = std::make_unique<Stamping>();
    int released = 0;
    instruments.release = [&] { ++released; };
    runner.use(std::move(instruments));
    const CaseResult first = runner.run(fixture.variant());
    runner.run(fixture.variant());
    CHECK(first.record.counters.empty());

    std::vector<int> done;
    int counted = 0;
    runner.count({.counting =
                      [&](const CaseResult&, int so_far, int total) {
                          CHECK(total == 6);
                          CHECK(released == 0);
                          done.push_back(so_far);
                      },
                  .counted =
                      [&](const CaseResult& result) {
                          CHECK(result.record.counters.at("runs") == 1);
                          CHECK(result.record.kernel_times);
                          ++counted;
                      }});
    CHECK(done == std::vector{0, 1, 2, 3, 4, 5});
    CHECK(counted == 2);
    CHECK(released == 1);

    // Nothing is counted twice.
    runner.count({.counting = [&](const CaseResult&, int, int) { FAIL(); }, .counted = {}});
}

}  // namespace
}  // namespace camber::instruments_test

namespace camber::wall_clock_test {
namespace {

using namespace std::chrono_literals;
using results::WallTime;

double sum(const WallTime& wall) {
    double seconds = 0;
    for (const results::WallTimePart& part : results::wall_time_parts)
        seconds += wall.*part.seconds;
    return seconds;
}

TEST_CASE("time goes to the innermost span, and the parts make the total", "[wall_clock]") {
    WallClock clock;
    std::this_thread::sleep_for(20ms);
    clock.turn_to(&WallTime::other);
    {
        const WallClock::Span outer(clock, &WallTime::verification);
        std::this_thread::sleep_for(20ms);
        {
            const WallClock::Span inner(clock, &WallTime::samples);
            std::this_thread::sleep_for(40ms);
        }
        CHECK(clock.read().samples >= 0.04);
        std::this_thread::sleep_for(20ms);
    }
    const WallTime wall = clock.read();
    CHECK(wall.opening >= 0.02);
    CHECK(wall.verification >= 0.04);
    CHECK(wall.samples >= 0.04);
    CHECK(wall.counters == 0);
    CHECK(wall.total >= 0.1);
    CHECK(sum(wall) == Approx(wall.total).epsilon(1e-3));

    WallTime twice = wall;
    twice += wall;
    CHECK(twice.total == Approx(2 * wall.total));
    CHECK(sum(twice) == Approx(twice.total).epsilon(1e-3));
}

}  // namespace
}  // namespace camber::wall_clock_test
