// Whole runs replayed from recordings: they reach the reference's state for any division into
// recordings, even if launches depend on their generation.
#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "harness/measure/case_runner.hpp"
#include "tests/catch.hpp"
#include "tests/variants/differing_fields.hpp"
#include "tests/variants/named_variant.hpp"
#include "tests/workloads/lava/magflow/cases.hpp"
#include "tests/workloads/lava/sciara_fv2/cases.hpp"
#include "workloads/list/workloads.hpp"

namespace camber::replayed_runs_test {
namespace {

constexpr Conditions replayed{CacheState::hot, Submission::graph};
constexpr int most_recorded = 6;  // launches

struct Start {
    std::string workload;
    ElementType cell;
    State state;
    ParameterSet parameters;
};

// Lava with changing emission: no four steps have the same emission as the preceding ones.
Start slope_with_vents() {
    constexpr Size size{40, 33};
    const lava::EmissionRates rates{
        480, {{1, {20, 3, 0, 9, 30, 0, 0, 12, 40, 2}}, {2, {0, 30, 8, 0, 25, 1, 30, 0, 7, 20}}}};
    std::vector<double> altitude;
    for (int row = 0; row < size.rows; ++row)
        for (int column = 0; column < size.columns; ++column)
            altitude.push_back(1500 - 7 * row - 0.5 * column + (row * 31 + column * 17) % 13 * 0.1);
    return {"sciara_fv2", ElementType::float64,
            sciara_fv2::bare_state(size, altitude, {{1, 6, 12}, {2, 20, 30}}, rates),
            sciara_fv2::changed(sciara_fv2::etna_2006(rates), {{"cooling", 3000}})};
}

Start valley_of_magflow() {
    const lava::Event event = magflow::valley();
    return {"magflow", ElementType::float32,
            magflow::initial_state(event, ElementType::float32, magflow::capacity),
            magflow::etna(event.rates)};
}

Start start_of(const char* workload, Size size, ElementType cell) {
    const Workload& found = *find_workload(workload);
    const InitialConditions conditions{.size = size, .cell = cell, .seed = 3, .density = 0.3};
    return {workload, cell, found.initial(conditions), found.parameters_for(conditions)};
}

// State of the reference; for variants with another arithmetic, of a run that is not replayed.
State expected_after(const Start& start, const Variant& variant, Execution& execution,
                     int generations) {
    State state = start.state;
    if (variant.info.arithmetic == Arithmetic::canonical) {
        advance(*find_workload(start.workload), state, {Boundary::dead, start.parameters, 0, 1},
                generations);
    } else {
        execution.upload(start.state);
        execution.advance(generations);
        execution.download(state);
    }
    return state;
}

void check_replayed(const Start& start, const std::string& name, int generations) {
    CAPTURE(name, generations);
    const Variant& variant = executor_variant(start.workload + "/" + name, start.cell);
    simt::HostQueue queue(1);
    const Problem problem{start.state.fields.front().size(), Boundary::dead, start.cell,
                          start.parameters};
    const auto execution = variant.factories.at(Backend::simt)(queue, problem);
    const State expected = expected_after(start, variant, *execution, generations);
    REQUIRE_FALSE(differing_fields(start.state, expected).empty());

    const int step = variant.info.shape.generations;
    const auto result = [&] {
        State state = start.state;
        for (HostField& field : state.fields) std::ranges::fill(field.bytes(), std::byte{0x5a});
        execution->download(state);
        return state;
    };
    Launcher launcher(queue, *execution, step, replayed, most_recorded);
    execution->upload(start.state);
    launcher.advance(generations);
    CHECK(differing_fields(expected, result()).empty());

    // Replays the same recordings after another upload, twice, like a sample. The execution finds
    // its result buffer only after recording the same number of generations again.
    for (int sample = 0; sample < 2; ++sample) {
        execution->upload(start.state);
        launcher.advance(generations);
    }
    Launcher(queue, *execution, step, replayed, most_recorded).prepare(generations);
    CHECK(differing_fields(expected, result()).empty());
}

}  // namespace

TEST_CASE("a run replayed in recordings of any number has the reference's state", "[replay]") {
    const Start start = slope_with_vents();
    // Fewer launches than a recording contains, as many, one more, and several recordings with a
    // remainder.
    for (const int generations : {5, 6, 7, 33}) {
        check_replayed(start, "global/four_kernels/16x16", generations);
        check_replayed(start, "one_kernel/16x16", generations);
        check_replayed(start, "persistent/short/8x8", generations);
    }
}

TEST_CASE("lists that are sorted every so many steps are sorted then in replays too", "[replay]") {
    for (const char* name :
         {"sorted_list/256x1/m16/align128", "sorted_list/256x1/m1/align128",
          "active_list/256x1/align128", "bounding_box/device/64x4/tight/align128"})
        check_replayed(slope_with_vents(), name, 35);
}

TEST_CASE("launches of several generations are replayed", "[replay]") {
    for (const int generations : {4, 12, 14, 34})
        check_replayed(slope_with_vents(), "one_kernel/16x16/n2", generations);
}

TEST_CASE("steps whose lengths the device finds are replayed", "[replay]") {
    const Start start = valley_of_magflow();
    for (const char* name :
         {"halo/four_kernels/64x4/align128", "library_minimum/four_kernels/64x4/align128",
          "two_pass_minimum/four_kernels/64x4/align128", "persistent/64x4/align128",
          "sorted_list/256x1/m16/align128"})
        check_replayed(start, name, 17);
    check_replayed(start_of("sciara_fv3", {30, 21}, ElementType::float64), "fused_minimum/64x4",
                   17);
}

TEST_CASE("rain that ends during a replayed run ends there", "[replay]") {
    Start start = start_of("surface_water", {31, 18}, ElementType::float32);
    start.parameters.set("rain_steps", {9});
    for (const char* name : {"global/four_kernels/16x16", "global/fused/16x16"})
        check_replayed(start, name, 15);
}

TEST_CASE("six launches are replayed over and over as a run goes on", "[replay]") {
    // All steps have the same emission, like the recorded ones.
    Start start = slope_with_vents();
    start.parameters = sciara_fv2::etna_2006({86400, {{1, {20}}, {2, {9}}}});
    for (const char* name : {"global/four_kernels/16x16", "one_kernel/16x16", "persistent/short/8x8",
                             "active_list/256x1/align128"}) {
        CAPTURE(name);
        simt::HostQueue queue(1);
        const Variant& variant = executor_variant(std::string("sciara_fv2/") + name, start.cell);
        const auto execution = variant.factories.at(Backend::simt)(
            queue,
            {start.state.fields.front().size(), Boundary::dead, start.cell, start.parameters});
        const State expected = expected_after(start, variant, *execution, 24);
        execution->upload(start.state);
        execution->advance(6);
        Launcher launcher(queue, *execution, 1, replayed);
        for (int i = 0; i < 3; ++i) launcher.advance(6);
        State state = start.state;
        execution->download(state);
        CHECK(differing_fields(expected, state).empty());
    }
}

TEST_CASE("two buffers find their places after an odd number of launches", "[replay]") {
    const Start start = start_of("life", {37, 22}, ElementType::uint32);
    for (const char* name : {"halo/16x16/align128", "shared_tile/16x16/align128"})
        for (const int generations : {1, 9}) check_replayed(start, name, generations);
}

namespace {

Study whole_runs(int generations) {
    Study study;
    study.workload = find_workload("sciara_fv2");
    study.problem = {{30, 20}, Boundary::dead, ElementType::float64, {}};
    study.initial = {.size = {30, 20}, .cell = ElementType::float64, .seed = 8, .density = 0.2};
    study.problem.parameters = study.workload->parameters_for(study.initial);
    study.backend = Backend::simt;
    study.time = false;
    study.from_start = true;
    study.generations = generations;
    study.cpu_threads = 1;
    return study;
}

}  // namespace

TEST_CASE("whole runs are verified by the recordings that are timed", "[replay][verification]") {
    const Study study = whole_runs(18);
    CaseRunner runner(study);
    const auto run = [&](const std::string& name) {
        return runner.run(
            {&executor_variant("sciara_fv2/" + name, ElementType::float64), replayed});
    };
    for (const char* name : {"global/four_kernels/16x16", "one_kernel/short/16x16/n2",
                             "sorted_list/256x1/m16/align128", "persistent/short/8x8"}) {
        const CaseResult result = run(name);
        CAPTURE(name, result.record.reason);
        CHECK(result.record.status == results::Status::ok);
        CHECK(result.record.samples.value().generations_per_sample == 18);
    }
    // Boxes that the host replaces every 16 steps, which would be necessary in the second
    // recording.
    for (const char* name :
         {"bounding_box/host/64x4/from32/k32/align128", "boxes/4/64x4/from32/m16/align128"}) {
        const CaseResult result = run(name);
        CAPTURE(name);
        CHECK(result.record.status == results::Status::skipped);
        CHECK_FALSE(result.record.verification);
        CHECK_THAT(result.record.reason, contains("its host takes part between launches"));
    }
}

namespace {

// Correct on a board that dies at once, except when recordings are replayed after another upload:
// the board then has another address.
class Moving final : public Execution {
  public:
    Moving(Queue& queue, Size size) : queue_(queue), size_(size) {}
    void upload(const State& initial) override {
        boards_.emplace_back(queue_, bytes());
        queue_.upload(board(), bytes(), initial.fields[0].bytes().data(), bytes(), {bytes(), 1});
    }
    void download(State& result) override {
        queue_.download(result.fields[0].bytes().data(), bytes(), board(), bytes(), {bytes(), 1});
    }
    void poison(Poison) override {}
    void advance(int) override {
        constexpr std::byte dead{0};
        queue_.fill(board(), bytes(), {&dead, 1});
    }

  private:
    void* board() const { return boards_.back().get(); }
    std::size_t bytes() const { return static_cast<std::size_t>(size_.cells()) * 4; }

    Queue& queue_;
    Size size_;
    std::vector<Memory> boards_;
};

}  // namespace

TEST_CASE("recordings that do not start from the initial state fail", "[replay][verification]") {
    Study study;
    study.workload = find_workload("life");
    study.problem = {{8, 8}, Boundary::dead, ElementType::uint32, {}};
    study.initial = {.size = {8, 8}, .seed = 1, .density = 0.05};
    study.backend = Backend::simt;
    study.time = false;
    study.from_start = true;
    study.generations = 2;
    Variant variant;
    variant.info.workload = "life";
    variant.info.technique.name = "moving";
    variant.factories[Backend::simt] = [](Queue& queue, const Problem& problem) {
        return std::make_unique<Moving>(queue, problem.size);
    };
    CaseRunner runner(study);
    REQUIRE(study.workload->final_state(runner.initial()).amount > 0);
    REQUIRE(study.workload->final_state(runner.expected()).amount == 0);
    CHECK(runner.run(variant).record.status == results::Status::ok);
    const CaseResult result = runner.run({&variant, replayed});
    CHECK(result.record.status == results::Status::failed);
    REQUIRE(result.record.verification);
    CHECK_FALSE(result.record.verification->passed());
}

}  // namespace camber::replayed_runs_test
