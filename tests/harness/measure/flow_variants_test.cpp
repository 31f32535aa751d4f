// Variants whose long runs of lava take another course: results of the runner.
#include <algorithm>
#include <functional>
#include <memory>
#include <string>
#include <utility>

#include "harness/base/error.hpp"
#include "harness/measure/case_runner.hpp"
#include "tests/catch.hpp"
#include "tests/harness/measure/long_run.hpp"
#include "tests/kept_text.hpp"
#include "workloads/list/workloads.hpp"

namespace camber::flow_variants_test {
namespace {

// The reference as a variant whose state a test function changes.
struct Tampered final : Execution {
    using Hand = std::function<void(State&)>;
    Tampered(const Workload& of, const Problem& problem, Hand on_start, Hand on_end)
        : workload(of),
          context{problem.boundary, problem.parameters, 0, 1},
          start_hand(std::move(on_start)),
          end_hand(std::move(on_end)) {}
    void upload(const State& initial) override {
        state = initial;
        start_hand(state);
        context.number = 0;
    }
    void download(State& result) override {
        result = state;
        end_hand(result);
    }
    void poison(Poison) override {}
    void advance(int generations) override {
        camber::advance(workload, state, context, generations);
        context.number += generations;
    }
    const Workload& workload;
    GenerationContext context;
    Hand start_hand, end_hand;
    State state;
};

CaseResult run_tampered(CaseRunner& runner, Tampered::Hand on_start, Tampered::Hand on_end,
                        Arithmetic arithmetic = Arithmetic::reordered) {
    const Study& study = runner.study();
    Variant variant;
    variant.info.workload = study.workload->name();
    variant.info.cell = study.problem.cell;
    static int number = 0;
    variant.info.technique.name = kept("tampered" + std::to_string(++number));
    variant.info.arithmetic = arithmetic;
    variant.factories[Backend::cpu] = [&](Queue&, const Problem& problem) {
        return std::make_unique<Tampered>(*study.workload, problem, on_start, on_end);
    };
    return runner.run(variant);
}

Study long_study(int generations) {
    Study study;
    study.workload = find_workload("sciara_fv2");
    study.problem = {flow_board, Boundary::dead, ElementType::float64,
                     ParameterSet(study.workload->facts().parameters)};
    study.initial = flow_start(ElementType::float64);
    study.generations = generations;
    study.backend = Backend::cpu;
    study.cpu_threads = 1;
    study.sampling.budget_seconds = 1e-3;
    study.sampling.minimum_samples = study.sampling.maximum_samples = 3;
    study.seconds_per_sample = 1e-6;
    return study;
}

}  // namespace

TEST_CASE("of a run beyond the horizon the right variant passes, wrong ones do not",
          "[portable][flow_comparison][slow]") {
    const Study study = long_study(4008);
    CaseRunner runner(study);
    const auto nothing = [](State&) {};
    const auto later = [](State& state) {
        // Ground that is higher by a few units in the last place from early on, so that some cells
        // cross a threshold.
        for (double& cell : state.field("altitude").cells<double>()) cell *= 1 + 1e-15;
    };
    const CaseResult same = run_tampered(runner, nothing, nothing);
    CHECK(same.record.status == results::Status::ok);
    CHECK(same.record.verification->differing_cells == 0);
    CHECK_FALSE(same.record.verification->limits);
    CHECK_FALSE(same.record.verification->spread);

    const CaseResult other = run_tampered(runner, later, nothing);
    CAPTURE(other.record.reason);
    CHECK(other.record.status == results::Status::ok);

    // Lava moved between covered cells: correct as a whole, with a final state of its own.
    const auto shuffle = [](State& state) {
        const auto cells = state.field("thickness").cells<double>();
        const auto most = std::ranges::max_element(cells);
        const auto less =
            std::ranges::find_if(cells, [&](double& cell) { return cell > 0 && &cell != &*most; });
        *most -= 1e-3;
        *less += 1e-3;
    };
    const CaseResult shuffled = run_tampered(runner, nothing, shuffle);
    CAPTURE(shuffled.record.reason);
    CHECK(shuffled.record.status == results::Status::ok);
    CHECK(shuffled.record.verification->differing_cells == 2);
    CHECK(shuffled.record.verification->by_statistics());
    State own = runner.expected();
    shuffle(own);
    CHECK(same.record.final.value().checksum ==
          study.workload->final_state(runner.expected()).checksum);
    CHECK(shuffled.record.final.value().checksum == study.workload->final_state(own).checksum);
    CHECK(shuffled.record.final->checksum != same.record.final->checksum);

    const auto lose = [](State& state) {
        for (const char* name : {"thickness", "solidified"})
            for (double& cell : state.field(name).cells<double>()) cell *= 0.95;
    };
    const CaseResult lost = run_tampered(runner, nothing, lose);
    CHECK(lost.record.status == results::Status::failed);
    CHECK_THAT(lost.record.reason, contains("mass error 0.05"));
    CHECK_FALSE(lost.record.timed());
    CHECK_FALSE(lost.record.final);

    const auto shift = [](State& state) {
        for (const char* name : {"thickness", "solidified"}) {
            const auto cells = state.field(name).cells<double>();
            std::ranges::rotate(cells, cells.begin() + 3);
        }
    };
    CHECK(run_tampered(runner, nothing, shift).record.status == results::Status::failed);
}

TEST_CASE("a variant that cannot start from a state is skipped with its reason",
          "[portable][flow_comparison]") {
    const Study study = long_study(8);
    CaseRunner runner(study);
    const auto refuse = [](State&) { throw Unsupported("takes no lava"); };
    const CaseResult found = run_tampered(runner, refuse, [](State&) {});
    CHECK(found.record.status == results::Status::skipped);
    CHECK(found.record.reason == "takes no lava");
    CHECK_FALSE(found.record.verification);
}

TEST_CASE("a variant whose runs differ is run five times and its spread recorded",
          "[portable][flow_comparison]") {
    Study study = long_study(8);
    CaseRunner runner(study);
    int runs = 0;
    // Differences within the tolerance that vary from run to run: 0, 1e-10, 2e-10 m ...
    const auto differ = [&runs](State& state) {
        *std::ranges::max_element(state.field("thickness").cells<double>()) += 1e-10 * runs++;
    };
    const auto nothing = [](State&) {};
    const CaseResult found = run_tampered(runner, nothing, differ, Arithmetic::unordered);
    CAPTURE(found.record.reason);
    CHECK(found.record.status == results::Status::ok);
    CHECK(runs == 5);
    REQUIRE(found.record.verification->spread);
    const FlowSpread& spread = *found.record.verification->spread;
    CHECK(spread.runs == 5);
    CHECK(spread.worst.cells.differing_cells == 1);
    CHECK(spread.worst.cells.largest_difference == Approx(4e-10).epsilon(1e-3));
    CHECK(spread.worst.cells.jaccard == 1);
    const results::Json json = json_of(*found.record.verification);
    CHECK(json["spread"]["runs"] == 5);
    CHECK_FALSE(json["spread"].contains("mass_error"));

    // One wrong run of five makes a variant wrong.
    runs = 0;
    const auto fail_last = [&runs](State& state) {
        if (++runs == 5) state.field("thickness").cells<double>()[100] += 1e-6;
    };
    const CaseResult wrong = run_tampered(runner, nothing, fail_last, Arithmetic::unordered);
    CHECK(runs == 5);
    CHECK(wrong.record.status == results::Status::failed);
    CHECK(wrong.record.verification->differing_cells == 1);
    CHECK(wrong.record.verification->spread->runs == 5);
}

}  // namespace camber::flow_variants_test
