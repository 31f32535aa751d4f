#include "harness/run/verifier.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include "harness/backend/markers.hpp"
#include "harness/base/candidate_guard.hpp"
#include "harness/run/figure_comparison.hpp"
#include "harness/run/identity.hpp"
#include "harness/run/poisoned_execution.hpp"
#include "workloads/bulk_figures.hpp"
#include "workloads/parallel_rows.hpp"

namespace camber {
namespace {

constexpr int unset = 0x5a;  // of every byte

// For a variant whose runs differ: shows by how much.
constexpr int runs_of_unordered = 5;

// By which the workload says how far the variant may be from the reference.
Computation computation_of(const Study& study, const Variant& variant) {
    return {.cell = study.problem.cell,
            .generations = study.generations,
            .on_device = study.backend == Backend::cuda,
            .reordered = variant.info.arithmetic != Arithmetic::canonical,
            .rounded = variant.info.arithmetic == Arithmetic::rounded};
}

// Where the values in `actual` differ and the workload has figures for such a run.
void judge_as_a_whole(const Study& study, const Variant& variant, const State& expected,
                      State& actual, Verifier::Judged& judged) {
    const BulkFigures* figures = bulk_figures(*study.workload);
    if (judged.verification.passed() || !figures) return;
    const auto limits = figures->figure_limits(computation_of(study, variant));
    if (limits.empty()) return;
    judged.final = judge_figures(*study.workload, expected, actual, limits, judged.verification);
}

}  // namespace

Verifier::Verifier(const Study& study, Queue& queue, const State& initial, const State& expected)
    : study_(study),
      queue_(queue),
      initial_(initial),
      expected_(expected),
      flow_judge_(*study.workload, study.initial, study.problem.parameters, expected) {
    if (flow_judge_.judges()) return;
    for (const HostField& field : expected.fields)
        kept_.push_back(std::make_unique<Kept>(queue, field.bytes()));
}

Verifier::Judged Verifier::verify(Execution& execution, const Case& chosen) {
    const MarkedRange marked("verify");
    const CandidatePurpose purpose("verify it");
    const Tolerance tolerance = tolerance_of(*chosen.variant);
    const VariantInfo& info = chosen.variant->info;
    const bool unordered = info.arithmetic == Arithmetic::unordered;
    PoisonedExecution poisoned(execution, info.shape.generations);
    Launcher launcher(queue_, poisoned, info.shape.generations, chosen.conditions);
    Judged result;
    std::optional<Flow> first;
    std::optional<State> own;
    std::optional<FlowSpread> spread;
    for (int run = 0; run == 0 || (unordered && first && run < runs_of_unordered); ++run) {
        compute(execution, [&] { launcher.advance_once(study_.generations); });
        Judged found = judge(execution, tolerance);
        judge_as_a_whole(study_, *chosen.variant, expected_, actual_, found);
        if (run == 0) {
            if (study_.saves && found.final) own = actual_;
            first = std::move(found.flow);
            result = std::move(found);
            if (first && unordered) spread.emplace();
            continue;
        }
        spread->add(compare(*first, *found.flow));
        if (result.verification.passed() && !found.verification.passed()) result = std::move(found);
    }
    result.verification.spread = spread;
    if (own && result.verification.passed()) keep_own_state(chosen, std::move(*own));
    return result;
}

Verifier::Judged Verifier::verify_as_timed(Execution& execution, Launcher& launcher,
                                           const Variant& variant) {
    const MarkedRange marked("verify");
    const int launches = study_.generations / variant.info.shape.generations;
    compute(execution, [&] {
        launcher.prepare(study_.generations);
        // As before every sample. After an odd number of launches the execution would then look for
        // the result in the wrong one of two buffers.
        if (launches % 2 == 0) execution.upload(initial_);
        launcher.advance(study_.generations);
    });
    Judged judged = judge(execution, tolerance_of(variant));
    judge_as_a_whole(study_, variant, expected_, actual_, judged);
    return judged;
}

Verifier::Judged Verifier::judge(Execution& execution, const Tolerance& tolerance) {
    Judged judged;
    if (!flow_judge_.judges())
        if (const auto passed =
                passed_in_place(expected_, execution, queue_, tolerance, study_.generations)) {
            judged.verification = *passed;
            return judged;
        }
    download(execution);
    judged.verification = compare(expected_, actual_, tolerance, study_.generations,
                                  thread_count(study_.cpu_threads));
    judged.flow = flow_judge_.flow_of(actual_);
    if (judged.flow)
        judged.final = flow_judge_.judge(actual_, *judged.flow, tolerance, judged.verification);
    return judged;
}

void Verifier::keep_own_state(const Case& chosen, State state) {
    const std::string name = case_name(study_, chosen);
    for (const Case& candidate : cases_of(study_)) {
        if (own_state_ && case_name(study_, candidate) == own_state_->first) return;
        if (case_name(study_, candidate) == name) break;
    }
    own_state_.emplace(name, std::move(state));
}

void Verifier::download(Execution& execution) {
    if (actual_.fields.empty())
        for (const HostField& field : initial_.fields) {
            HostField& own =
                actual_.fields.emplace_back(field.name(), field.element(), field.size());
            pinned_.push_back(std::make_unique<Pinned>(queue_, own.bytes()));
        }
    for (HostField& field : actual_.fields)
        std::memset(field.bytes().data(), unset, field.bytes().size());
    execution.download(actual_);
}

State& Verifier::downloaded(Execution& execution) {
    if (actual_.fields.empty()) download(execution);
    return actual_;
}

void Verifier::compute(Execution& execution, const std::function<void()>& advance) {
    execution.upload(initial_);
    advance();
    queue_.synchronize();
}

Tolerance Verifier::tolerance_of(const Variant& variant) const {
    return study_.workload->tolerance(computation_of(study_, variant));
}

}  // namespace camber
