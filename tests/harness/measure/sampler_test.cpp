// Timed samples: their size, recordings and restarts, and the active cells per interval.
#include <algorithm>

#include "harness/measure/sampler.hpp"
#include "tests/catch.hpp"
#include "tests/harness/measure/fake_queue.hpp"
#include "workloads/list/workloads.hpp"

namespace camber::run_test::sampler_test {

namespace {

Study timed_study() {
    Study study;
    study.backend = Backend::cuda;
    study.sampling.maximum_samples = 25;
    return study;
}

Sampled take(FakeQueue& queue, int step, const Conditions& conditions, int generations = 0,
             int period = 1) {
    const Study study = timed_study();
    const Sampler sampler(queue, study, [] { return std::optional<DeviceState>(); });
    queue.batches.clear();
    FakeExecution execution(queue, step);
    Launcher launcher(queue, execution, step, conditions);
    return sampler.take(launcher, generations, period);
}

TEST_CASE("a hot sample is long enough for the events to be under half a percent of it",
          "[sampler]") {
    for (const double launch_seconds : {1e-6, 3.7e-5, 1e-3, 0.5})
        for (const double event_pair : {1e-7, 1e-6, 1e-4}) {
            CAPTURE(launch_seconds, event_pair);
            FakeQueue queue;
            queue.launch_seconds = launch_seconds;
            queue.event_pair = event_pair;
            const Sampled samples = take(queue, 1, {});
            const double sample = samples.ns.front() * 1e-9;
            CHECK(sample >= 0.002);
            CHECK(event_pair <= 0.0051 * sample);
            // Samples are not much longer than necessary, either.
            const double enough = std::max({0.002, 200 * event_pair, launch_seconds});
            CHECK(sample <= 2 * enough + launch_seconds);
            CHECK(samples.stopped_by == "converged");
            CHECK(queue.evictions == 0);
        }
}

TEST_CASE("a sample has whole periods, however long one is", "[sampler]") {
    FakeQueue queue;
    for (const double launch_seconds : {1e-6, 1e-3, 0.5}) {
        CAPTURE(launch_seconds);
        queue.launch_seconds = launch_seconds;
        CHECK(take(queue, 1, {}, 0, 10).generations_per_sample % 10 == 0);
        CHECK(take(queue, 4, {}, 0, 10).generations_per_sample % 20 == 0);
        CHECK(take(queue, 1, {}, 0, 5000).generations_per_sample % 5000 == 0);
        Conditions graph;
        graph.submission = Submission::graph;
        CHECK(take(queue, 1, graph, 0, 10).generations_per_sample % 30 == 0);
    }
    // A slow launch gives samples of exactly one period.
    CHECK(take(queue, 1, {}, 0, 10).generations_per_sample == 10);
}

TEST_CASE("every sample of a case has the same number of generations", "[sampler]") {
    FakeQueue queue;
    const Sampled samples = take(queue, 4, {});
    CHECK(samples.generations_per_sample % 4 == 0);
    REQUIRE(queue.batches.size() >= samples.ns.size());
    const auto timed = queue.batches.end() - static_cast<std::ptrdiff_t>(samples.ns.size());
    CHECK(std::all_of(timed, queue.batches.end(),
                      [&](int n) { return n == samples.generations_per_sample / 4; }));
    // Later rounds use the given number of generations.
    CHECK(take(queue, 4, {}, 12).generations_per_sample == 12);
    CHECK(queue.batches.back() == 3);
}

TEST_CASE("a cold sample is one launch after emptied caches", "[sampler]") {
    FakeQueue queue;
    queue.launch_seconds = 1e-5;
    const Sampled samples = take(queue, 2, {CacheState::cold, Submission::stream});
    CHECK(samples.generations_per_sample == 2);
    CHECK(queue.evictions >= static_cast<int>(samples.ns.size()));
    for (const double ns : samples.ns) CHECK(ns == Approx(3e4 + 1e3));
    CHECK(queue.batches.back() == 1);
}

TEST_CASE("a graph is recorded once, with launches in sixes, and replayed", "[sampler]") {
    FakeQueue queue;
    const Sampled samples = take(queue, 1, {CacheState::hot, Submission::graph});
    // Variants may alternate between two or three buffers.
    CHECK(samples.generations_per_sample % 6 == 0);
    CHECK(queue.graph_nodes.back() == samples.generations_per_sample);
    // Only calibration records; the samples replay.
    CHECK(queue.graph_nodes.size() <= 3);
    CHECK(queue.batches.back() == samples.generations_per_sample);
    // With short kernels, the graph does not grow beyond a size that can be instantiated in
    // reasonable time.
    queue.launch_seconds = 1e-8;
    CHECK(take(queue, 1, {CacheState::hot, Submission::graph}).generations_per_sample == 3996);
}

TEST_CASE("long work is recorded in stretches, which are replayed in order", "[sampler]") {
    FakeQueue queue;
    FakeExecution execution(queue, 2);
    Launcher launcher(queue, execution, 2, {CacheState::hot, Submission::graph}, 4);
    const auto recorded = [&](int generations) {
        queue.graph_nodes.clear();
        launcher.prepare(generations);
        return queue.graph_nodes;
    };
    CHECK(recorded(6) == std::vector<int>{3});
    CHECK(recorded(8) == std::vector<int>{4});
    CHECK(recorded(22) == std::vector<int>{4, 4, 3});
    CHECK(recorded(22).empty());  // already recorded
    const int before = queue.launches;
    launcher.advance(22);
    CHECK(queue.launches == before + 11);
    CHECK(queue.graph_nodes.empty());
    // A recording that is not retained is replayed as soon as it is recorded.
    launcher.advance_once(10);
    CHECK(queue.launches == before + 16);
    CHECK(queue.graph_nodes == std::vector<int>{4, 1});
}

TEST_CASE("a sample from the start is the whole run, after an untimed restart", "[sampler]") {
    FakeQueue queue;
    Study study = timed_study();
    study.generations = 12;
    study.from_start = true;
    const Sampler sampler(queue, study, [] { return std::optional<DeviceState>(); });
    queue.batches.clear();
    FakeExecution execution(queue, 4);
    Launcher launcher(queue, execution, 4, {});
    int restarts = 0;
    const Sampled samples = sampler.take_from_start(launcher, [&] {
        ++restarts;
        queue.launch();  // a restart, whose time is not part of the sample
    });
    CHECK(samples.generations_per_sample == 12);
    CHECK(samples.stopped_by == "converged");
    CHECK(samples.ns.size() == 6);
    CHECK(restarts == static_cast<int>(samples.ns.size()));
    CHECK(queue.batches == std::vector<int>(samples.ns.size(), 3));
    for (const double ns : samples.ns) CHECK(ns == Approx(3 * 1e4 + 1e3));
}

TEST_CASE("a run from the start is recorded before the first sample", "[sampler]") {
    FakeQueue queue;
    Study study = timed_study();
    study.generations = 2 * most_recorded_launches + 5;
    study.from_start = true;
    const Sampler sampler(queue, study, [] { return std::optional<DeviceState>(); });
    queue.batches.clear();
    FakeExecution execution(queue, 1);
    Launcher launcher(queue, execution, 1, {CacheState::hot, Submission::graph});
    int restarts = 0;
    const Sampled samples = sampler.take_from_start(launcher, [&] { ++restarts; });
    CHECK(samples.generations_per_sample == study.generations);
    CHECK(queue.graph_nodes == std::vector<int>{most_recorded_launches, most_recorded_launches, 5});
    CHECK(queue.batches == std::vector<int>(samples.ns.size(), study.generations));
    CHECK(restarts == 1 + static_cast<int>(samples.ns.size()));
}

TEST_CASE("the device is read before and after the samples, and seldom in between", "[sampler]") {
    FakeQueue queue;
    const Study study = timed_study();
    int readings = 0;
    const Sampler sampler(queue, study, [&] {
        ++readings;
        DeviceState state;
        state.sm_clock_hz = 1000 + readings;
        return std::optional(state);
    });
    FakeExecution execution(queue, 1);
    Launcher launcher(queue, execution, 1, {});
    const Sampled samples = sampler.take(launcher);
    REQUIRE(samples.before);
    REQUIRE(samples.after);
    CHECK(*samples.before->sm_clock_hz == 1001);
    CHECK(*samples.after->sm_clock_hz == 1000 + readings);
    CHECK(static_cast<int>(samples.during.size()) == readings - 2);
    CHECK(samples.during.size() < samples.ns.size());
}

}  // namespace
}  // namespace camber::run_test::sampler_test

namespace activity_test {

// Active cells of a run per interval.

using namespace camber;

namespace {

// Lava in the given cells of a board of 12 x 10.
State lava_in(const std::vector<std::pair<int, int>>& cells) {
    constexpr Size size{12, 10};
    State state = find_workload("magflow")->initial(
        {.size = size, .cell = ElementType::float32, .density = 0});
    for (const auto& [row, column] : cells)
        state.field("thickness").cells<float>()[static_cast<std::size_t>(row * 12 + column)] = 1;
    return state;
}

}  // namespace

TEST_CASE("intervals end at multiples of a launch, the last with the run", "[intervals]") {
    CHECK(interval_bounds(100, 4) == std::vector<int>{0, 25, 50, 75, 100});
    CHECK(interval_bounds(10, 3) == std::vector<int>{0, 3, 6, 10});
    CHECK(interval_bounds(16, 3, 4) == std::vector<int>{0, 4, 8, 16});
    CHECK(interval_bounds(8, 8, 4) == std::vector<int>{0, 4, 8});
    CHECK(interval_bounds(7, 1) == std::vector<int>{0, 7});
}

TEST_CASE("cells at work are counted, and those that boxes and lists launch", "[intervals]") {
    ActivityLog log(*find_workload("magflow"), 8, 2);
    log.enter(0, lava_in({}));
    log.enter(3, lava_in({{1, 1}}));  // not at an interval's bound
    log.enter(4, lava_in({{2, 2}, {7, 9}}));
    log.enter(8, lava_in({{5, 5}}));
    REQUIRE(log.rows().size() == 3);
    CHECK(log.rows()[0].active == 0);
    CHECK(log.rows()[0].list == 0);
    CHECK(log.rows()[0].boxes == std::vector<std::int64_t>{0, 0, 0, 0});
    const results::Activity& two = log.rows()[1];
    CHECK(two.generation == 4);
    CHECK(two.active == 2);
    CHECK(two.list == 18);
    // One box covers rows 1 to 8 and columns 1 to 10; two boxes cover only the cells with their
    // neighbors.
    CHECK(two.boxes == std::vector<std::int64_t>{80, 18, 18, 18});
    CHECK(log.rows()[2].boxes.front() == 9);
}

TEST_CASE("workloads without lava keep no such log", "[intervals]") {
    const Workload& life = *find_workload("life");
    ActivityLog log(life, 4, 2);
    log.enter(0, life.initial({.size = {8, 8}}));
    CHECK(log.rows().empty());
}

}  // namespace activity_test
