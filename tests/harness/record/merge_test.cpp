// Merging of measurements, and the kernel that represents a launch.
#include <optional>
#include <string>
#include <vector>

#include "harness/base/statistics.hpp"
#include "harness/record/merge.hpp"
#include "tests/catch.hpp"

namespace camber::results::derive_test {

// Kernel that represents a launch

namespace {

KernelTime time_of(const std::string& name, double median_ns, std::size_t launches) {
    KernelTime time;
    time.name = name;
    time.statistics.median = median_ns;
    time.statistics.n = launches;
    return time;
}

TEST_CASE("the kernel that most of the time goes to stands for a launch", "[record]") {
    CaseRecord record;
    CHECK(leading_kernel(record) == nullptr);
    for (const char* const kernel : {"torus_halo", "stencil", "count"})
        record.kernels.emplace_back().name = kernel;
    SECTION("by the sum over its launches") {
        record.kernel_times = {.kernels = {time_of("torus_halo", 9, 5), time_of("stencil", 7, 10),
                                           time_of("count", 8, 8)}};
        CHECK(leading_kernel(record)->name == "stencil");
    }
    SECTION("the first where no kernel was timed") {
        CHECK(leading_kernel(record)->name == "torus_halo");
    }
}

}  // namespace
}  // namespace camber::results::derive_test

namespace camber::results::merge_test {

// Several visits of one case become one record

namespace {

// A case with samples of `generations` generations each.
CaseRecord visit(const std::vector<double>& samples, int generations = 2, int process = 0,
                 const std::string& stopped_by = "converged") {
    CaseRecord record;
    record.name = "a";
    record.identity.variant = "life/a";
    record.identity.cache = CacheState::hot;
    record.identity.submission = Submission::stream;
    record.samples.emplace();
    record.samples->generations_per_sample = generations;
    record.samples->ns = samples;
    record.samples->visits = {{process, 0, static_cast<std::int64_t>(samples.size()), stopped_by}};
    record.samples->statistics = summarize(samples, 1);
    record.samples->stopped_by = stopped_by;
    record.iterations = static_cast<std::int64_t>(samples.size()) * generations;
    record.real_time_ns = record.samples->statistics.median / generations;
    record.cpu_time_ns = 10;
    record.derived = derive({1, 8, std::nullopt}, record.real_time_ns * 1e-9, std::nullopt);
    return record;
}

Document merged(const std::vector<CaseRecord>& visits) {
    Document document;
    for (const CaseRecord& each : visits) merge(document, each, 1);
    return document;
}

TEST_CASE("samples of all visits are kept, and everything follows from them", "[merge]") {
    CaseRecord later = visit({110, 112}, 2, 1, "time budget");
    later.cpu_time_ns = 20;
    const Document document = merged({visit({100, 102, 104}), later});
    REQUIRE(document.cases.size() == 1);
    const CaseRecord& record = document.cases[0];
    const Samples& samples = record.samples.value();
    CHECK(samples.ns == std::vector<double>{100, 102, 104, 110, 112});
    REQUIRE(samples.visits.size() == 2);
    CHECK(samples.visits[1].process == 1);
    CHECK(samples.visits[1].n == 2);
    CHECK(samples.statistics.n == 5);
    CHECK(samples.statistics.median == 104);
    CHECK(samples.statistics.min == 100);
    CHECK(samples.stopped_by == "time budget");
    CHECK(record.real_time_ns == 52);
    CHECK(record.iterations == 10);
    CHECK(record.cpu_time_ns == 14);  // by iterations: 6 and 4
    CHECK(record.derived->cells_per_second == Approx(1e9 / 52));
    CHECK(record.derived->application_bandwidth_bytes_per_second == Approx(8e9 / 52));
    CHECK_FALSE(record.derived->share_of_copy);
}

TEST_CASE("the share of the copy by the steps' bytes follows the time, where there is one",
          "[merge]") {
    const auto shared = [](double ns, std::optional<double> share) {
        CaseRecord record = visit({ns, ns, ns});
        record.derived->step_bytes_per_cell = 40;
        record.derived->step_share_of_copy = share;
        return record;
    };
    const auto derived = [&](std::optional<double> share) {
        return merged({shared(100, share), shared(400, share), shared(400, share)})
            .cases.at(0)
            .derived.value();
    };
    CHECK(derived(0.8).step_share_of_copy.value() == Approx(0.2));
    CHECK(derived(0.8).step_bytes_per_cell == 40);
    CHECK_FALSE(derived(std::nullopt).step_share_of_copy);
    CHECK_FALSE(merged({visit({100}), visit({200})}).cases.at(0).derived->step_share_of_copy);
}

TEST_CASE("samples of another length are converted to the first visit's", "[merge]") {
    const Document document = merged({visit({100, 102, 104}, 2), visit({206, 208, 210}, 4)});
    const Samples& samples = document.cases.at(0).samples.value();
    CHECK(samples.ns == std::vector<double>{100, 102, 104, 103, 104, 105});
    CHECK(samples.generations_per_sample == 2);
}

TEST_CASE("a failed visit makes the case a failed one, whichever comes first", "[merge]") {
    CaseRecord failed;
    failed.name = "a";
    failed.identity.variant = "life/a";
    failed.status = Status::failed;
    failed.reason = "wrong";
    for (const auto& visits : {std::vector{visit({100}), failed}, {failed, visit({100})}}) {
        const Document document = merged(visits);
        REQUIRE(document.cases.size() == 1);
        CHECK(document.cases[0].status == Status::failed);
        CHECK(document.cases[0].reason == "wrong");
        CHECK_FALSE(document.cases[0].samples);
    }
}

TEST_CASE("repetitions and other cases stay apart", "[merge]") {
    CaseRecord second = visit({100});
    second.repetition = 1;
    CaseRecord other = visit({100});
    other.name = "b";
    CHECK(merged({visit({100}), second, other}).cases.size() == 3);
}

TEST_CASE("an analysis takes repetitions as one case", "[merge]") {
    CaseRecord second = visit({104, 106});
    second.repetition = 1;
    Document document = merged({visit({100}), second});
    Aggregate median;
    median.case_name = "a";
    median.name = "median";
    median.real_time = 51;
    document.aggregates = {median};
    median.case_name = "only told as a whole";
    document.aggregates.push_back(median);
    merge_repetitions(document);
    REQUIRE(document.cases.size() == 2);
    CHECK(document.cases[0].samples->ns == std::vector<double>{100, 104, 106});
    CHECK(document.cases[1].name == "only told as a whole");
    CHECK(document.cases[1].samples->ns == std::vector<double>{51});
}

TEST_CASE("what is measured in one visit only is taken over", "[merge]") {
    CaseRecord last = visit({100, 102, 104});
    last.counters = {{"x", 7}};
    last.kernel_times.emplace().generations = 2;
    last.kernel_counters = {{"rain", "", {}, {}}, {"flow", "", {}, {}}};
    last.model.emplace().arch = "9.0";
    const Document document = merged({visit({100}), last});
    CHECK(document.cases.at(0).counters.at("x") == 7);
    CHECK(document.cases[0].kernel_times.value().generations == 2);
    CHECK(document.cases[0].kernel_counters.at(1).name == "flow");
    CHECK(document.cases[0].model.value().arch == "9.0");
}

TEST_CASE("what the last visit's timeline says of a group stays", "[merge]") {
    CaseRecord first = visit({100});
    first.identity.group.emplace().places = 2;
    CaseRecord last = first;
    last.identity.group->exposed_transfer_ns = 7;
    last.identity.group->barrier_wait_ns = 8;
    last.identity.group->imbalance = 1.5;
    last.identity.group->moved_rows = 3;
    last.identity.group->rows = {4, 5};
    // The result must not depend on the order of the visits.
    for (const Document& document : {merged({first, last}), merged({last, first})}) {
        const GroupRecord& group = document.cases.at(0).identity.group.value();
        CHECK(group.exposed_transfer_ns == 7.0);
        CHECK(group.barrier_wait_ns == 8.0);
        CHECK(group.imbalance == 1.5);
        CHECK(group.moved_rows == 3);
        CHECK(group.rows == std::vector<int>{4, 5});
    }
}

TEST_CASE("kernel times of several processes are put together, and the gap follows", "[merge]") {
    const auto with_kernels = [](const std::vector<double>& samples,
                                 const std::vector<double>& kernels) {
        CaseRecord record = visit(samples, 1);
        KernelTimes& times = record.kernel_times.emplace();
        times.generations = static_cast<int>(kernels.size());
        KernelTime& kernel = times.kernels.emplace_back();
        kernel.name = "k";
        kernel.samples_ns = kernels;
        kernel.statistics = summarize(kernels, 1);
        sum_up(times, record.real_time_ns);
        return record;
    };
    const Document document = merged(
        {with_kernels({100, 100, 100}, {90, 92}), with_kernels({110, 110, 110}, {94, 96, 94})});
    const KernelTimes& times = document.cases.at(0).kernel_times.value();
    CHECK(times.generations == 5);
    REQUIRE(times.kernels.size() == 1);
    CHECK(times.kernels[0].samples_ns == std::vector<double>{90, 92, 94, 96, 94});
    CHECK(times.kernels[0].statistics.n == 5);
    CHECK(times.kernels[0].statistics.median == 94);
    CHECK(times.ns_per_generation == 94);
    CHECK(times.launch_gap_ns == Approx(105.0 - 94.0));
}

TEST_CASE("readings of the device at the seams become ones in between", "[merge]") {
    const auto at = [](std::int64_t clock) {
        DeviceState state;
        state.sm_clock_hz = clock;
        return state;
    };
    CaseRecord first = visit({100});
    first.device_state = {at(1), {at(2)}, at(3), std::nullopt};
    CaseRecord second = visit({100});
    second.device_state = {at(4), {at(5)}, at(6), "the clock fell"};
    const Document document = merged({first, second});
    const DeviceStates& states = document.cases.at(0).device_state.value();
    CHECK(states.before.sm_clock_hz == 1);
    REQUIRE(states.during.size() == 4);
    for (std::size_t k = 0; k < 4; ++k)
        CHECK(states.during[k].sm_clock_hz == static_cast<std::int64_t>(k) + 2);
    CHECK(states.after.sm_clock_hz == 6);
    CHECK(states.clock_fall == "the clock fell");
}

TEST_CASE("speedups compare like with like", "[merge]") {
    Document document = merged({visit({100, 100, 100})});
    const auto add = [&](const std::string& variant, CacheState cache, double ns) {
        CaseRecord record = visit({ns, ns, ns});
        record.name = variant + (cache == CacheState::cold ? "cold" : "hot");
        record.identity.variant = variant;
        record.identity.cache = cache;
        merge(document, record, 1);
    };
    add("life/base", CacheState::hot, 200);
    add("life/base", CacheState::cold, 300);
    add("life/c", CacheState::cold, 600);
    add_speedups(document.cases, "life/base");
    const auto speedup = [&](std::size_t i) {
        return document.cases.at(i).derived->speedup_vs_baseline.value();
    };
    CHECK(speedup(0) == Approx(2.0));
    CHECK(speedup(1) == Approx(1.0));
    CHECK(speedup(2) == Approx(1.0));
    CHECK(speedup(3) == Approx(0.5));
    document.cases.at(1).identity.size = {8, 8};
    document.cases.at(0).identity.size = {8, 8};
    document.cases.at(1).real_time_ns = 25;
    for (CaseRecord& record : document.cases) record.derived->speedup_vs_baseline.reset();
    add_speedups(document.cases, "life/base");
    CHECK(speedup(0) == Approx(0.5));  // relative to the baseline of the same size
    CHECK(speedup(3) == Approx(0.5));
    Document without = merged({visit({100})});
    add_speedups(without.cases, "life/base");
    CHECK_FALSE(without.cases.at(0).derived->speedup_vs_baseline);
}

}  // namespace
}  // namespace camber::results::merge_test
