#include "harness/measure/verifier.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <string>
#include <utility>

#include "harness/base/candidate_guard.hpp"
#include "harness/base/poison.hpp"
#include "harness/base/process.hpp"
#include "harness/base/state.hpp"
#include "harness/machine/queue/span_log.hpp"
#include "harness/measure/case_result.hpp"
#include "harness/measure/correctness/verification.hpp"
#include "harness/registry/execution.hpp"
#include "workloads/core/named_arrays.hpp"
#include "workloads/core/optional_interfaces.hpp"
#include "workloads/core/parallel_rows.hpp"
#include "workloads/core/workload.hpp"

namespace camber {

Computation computation_of(const Study& study, const Variant& variant, int generations) {
    return {.cell = study.problem.cell,
            .generations = generations,
            .on_device = study.backend == Backend::cuda,
            .reordered = variant.info.arithmetic != Arithmetic::canonical,
            .rounded = variant.info.arithmetic == Arithmetic::rounded};
}

// Execution whose outputs are poisoned before each launch, for verification.
class PoisonedExecution final : public Execution {
  public:
    // `step`: generations per launch.
    PoisonedExecution(Execution& execution, int step, Poison poison)
        : execution_(execution), step_(step), poison_(poison) {}

    void upload(const State& initial) override { execution_.upload(initial); }
    void download(State& result) override { execution_.download(result); }
    void poison(Poison poison) override { execution_.poison(poison); }
    void advance(int generations) override {
        for (int done = 0; done < generations; done += step_) {
            check_stop();
            execution_.poison(poison_);
            execution_.advance(step_);
        }
    }

  private:
    Execution& execution_;
    int step_;
    Poison poison_;
};

// Location of a cell that the variant never wrote: after the verified run it still contains its
// poison.
struct CellIndex {
    const HostField* field = nullptr;  // field of the actual state
    std::int64_t cell = 0;             // index in row-major order
};

// Returns the first cell that still contains the bytes of `poison`, in the fields that `workload`
// writes, unless the expected value has these bytes.
std::optional<CellIndex> first_poisoned(const Workload& workload, const State& expected,
                                        const State& actual, Poison poison);

// True if an unwritten cell could go unnoticed, because the correct value of some cell that is not
// floating-point equals its poison. One-bit cells are stored in words whose bit order only the
// variant defines, so they are always assumed to hide poison.
bool hides_poison(const Workload& workload, const State& state, Poison poison, int threads);

namespace {

template <class Cell>
bool contains_poison(const HostField& field, Poison poison, int threads) {
    const auto pattern = static_cast<Cell>(poison_pattern(field.element(), poison));
    const std::span<const Cell> cells = field.cells<Cell>();
    const auto columns = static_cast<std::size_t>(field.size().columns);
    std::atomic<bool> found = false;
    parallel_rows(worthwhile_threads(field.size().cells(), threads), field.size().rows,
                  [&](int first, int last) {
                      const auto rows =
                          cells.subspan(static_cast<std::size_t>(first) * columns,
                                        static_cast<std::size_t>(last - first) * columns);
                      if (std::ranges::find(rows, pattern) != rows.end()) found = true;
                  });
    return found;
}

}  // namespace

std::optional<CellIndex> first_poisoned(const Workload& workload, const State& expected,
                                        const State& actual, Poison poison) {
    for (const HostField& want : expected.fields) {
        if (!workload.writes(want.name()) || want.element() == ElementType::bits) continue;
        const HostField& have = actual.field(want.name());
        const auto size = static_cast<std::size_t>(info(want.element()).size);
        for (std::int64_t i = 0; i < have.size().cells(); ++i) {
            const std::size_t at = static_cast<std::size_t>(i) * size;
            const std::byte* const cell = have.bytes().data() + at;
            if (is_poison(cell, have.element(), poison) &&
                std::memcmp(want.bytes().data() + at, cell, size) != 0)
                return CellIndex{&have, i};
        }
    }
    return std::nullopt;
}

bool hides_poison(const Workload& workload, const State& state, Poison poison, int threads) {
    return std::ranges::any_of(state.fields, [&](const HostField& field) {
        if (!workload.writes(field.name())) return false;
        switch (field.element()) {
            case ElementType::float32:
            case ElementType::float64:
                return false;
            case ElementType::bits:
                return true;
            case ElementType::uint8:
                return contains_poison<std::uint8_t>(field, poison, threads);
            case ElementType::uint32:
                return contains_poison<std::uint32_t>(field, poison, threads);
            case ElementType::int32:
                return contains_poison<std::int32_t>(field, poison, threads);
        }
        return true;
    });
}

namespace {

// True if an integer array is compared with a tolerance: its poison could be close to the expected
// value.
bool tolerates_poison(const Workload& workload) {
    const HasNamedArrays* const arrays = named_arrays_of(workload);
    return arrays && std::ranges::any_of(arrays->arrays(), [&](const NamedArray& array) {
               return array.written && !array.type.is_real() &&
                      !arrays->rule_of(array.name).exact;
           });
}

// Number of runs of a nondeterministic variant, whose spread is reported.
constexpr int runs_of_unordered = 5;

// Judges the state as a whole if values in `actual` differ and the workload has figures for such a
// run.
void judge_as_a_whole(const Study& study, const Variant& variant, const State& expected,
                      State& actual, Verifier::Judged& judged) {
    const BulkFigures* figures = study.workload->capabilities().bulk_figures;
    if (judged.verification.passed() || !figures) return;
    const auto limits =
        figures->figure_limits(computation_of(study, variant, study.verified_generations()));
    if (limits.empty()) return;
    judged.final = judge_figures(*study.workload, expected, actual, limits, judged.verification);
}

}  // namespace

Verifier::Verifier(const Study& study, Queue& queue, const State& initial, const State& expected)
    : study_(study),
      queue_(queue),
      initial_(initial),
      expected_(expected),
      flow_judge_(*study.workload, study.initial, study.problem.parameters, expected),
      hides_poison_(
          hides_poison(*study.workload, initial, Poison::first, thread_count(study.cpu_threads)) ||
          hides_poison(*study.workload, expected, Poison::first, thread_count(study.cpu_threads)) ||
          tolerates_poison(*study.workload)) {
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
    const auto run_with = [&](Poison poison) {
        PoisonedExecution poisoned(execution, info.shape.generations, poison);
        Launcher launcher(queue_, poisoned, info.shape.generations, chosen.conditions);
        compute(execution, [&] { launcher.advance_once(study_.verified_generations()); });
    };
    const auto judged_with = [&](Poison poison) {
        run_with(poison);
        Judged found = judge(execution, tolerance);
        judge_as_a_whole(study_, *chosen.variant, expected_, actual_, found);
        if (!found.verification.passed())
            name_unwritten(found.verification, poison, [&] {
                run_with(poison == Poison::first ? Poison::second : Poison::first);
                download(execution);
            });
        return found;
    };
    Judged result = judged_with(Poison::first);
    std::optional<State> own;
    if (study_.saves && result.final) own = actual_;
    if (result.flow && unordered) {
        const Flow first = *result.flow;
        FlowSpread spread;
        for (int run = 1; run < runs_of_unordered; ++run) {
            Judged found = judged_with(run % 2 == 0 ? Poison::first : Poison::second);
            spread.add(compare(first, *found.flow));
            if (result.verification.passed() && !found.verification.passed())
                result = std::move(found);
        }
        result.verification.spread = spread;
    } else if (result.verification.passed() && hides_poison_) {
        if (Judged found = judged_with(Poison::second); !found.verification.passed())
            result = std::move(found);
    }
    if (own && result.verification.passed()) keep_own_state(chosen, std::move(*own));
    return result;
}

void Verifier::name_unwritten(Verification& failed, Poison poison,
                              const std::function<void()>& run_again) {
    if (!failed.first_difference) return;
    if (const HasNamedArrays* const arrays = named_arrays_of(*study_.workload))
        return name_unwritten_number(*arrays, failed, poison, run_again);
    DifferingCell& first = *failed.first_difference;
    const auto found = first_poisoned(*study_.workload, expected_, actual_, poison);
    const bool of_bits = expected_.field(first.field).element() == ElementType::bits;
    if (!found && !of_bits) return;
    if (!found) {
        const std::int64_t index =
            first.row * expected_.field(first.field).size().columns + first.column;
        const auto value = [&] {
            return actual_.field(first.field).bytes()[static_cast<std::size_t>(index)];
        };
        const std::byte before = value();
        run_again();
        if (value() != before)
            failed.unwritten = "this cell depends on memory that the kernel never wrote";
        return;
    }
    // Arithmetic may produce an integer equal to one poison, but not to both.
    const HostField& field = *found->field;
    const bool is_real =
        field.element() == ElementType::float32 || field.element() == ElementType::float64;
    if (!is_real) {
        run_again();
        const auto size = static_cast<std::size_t>(info(field.element()).size);
        const Poison other = poison == Poison::first ? Poison::second : Poison::first;
        if (!is_poison(field.bytes().data() + static_cast<std::size_t>(found->cell) * size,
                       field.element(), other))
            return;
    }
    const std::int64_t row = found->cell / field.size().columns;
    const std::int64_t column = found->cell % field.size().columns;
    if (first.field == field.name() && first.row == row && first.column == column)
        first.actual = never_written;
    else
        failed.unwritten = fmt::format("the kernel never wrote row {}, column {} of `{}`", row,
                                       column, field.name());
}

void Verifier::name_unwritten_number(const HasNamedArrays& problem, Verification& failed,
                                     Poison poison, const std::function<void()>& run_again) {
    const auto found = first_unwritten(problem, expected_, actual_, poison);
    if (!found) return;
    const NamedArray& array = problem.arrays()[found->array];
    if (!array.type.is_real()) {
        // Arithmetic may produce an integer equal to one poison, but not to both.
        run_again();
        const Poison other = poison == Poison::first ? Poison::second : Poison::first;
        if (!is_poison(actual_.field(array.name).bytes().data() +
                           found->scalar * array.type.scalar_bytes(),
                       array.type.scalar, other))
            return;
    }
    const std::int64_t line = std::int64_t{array.lines().columns} * array.type.lanes;
    DifferingCell& first = *failed.first_difference;
    if (first.field == array.name && first.row == found->scalar / line &&
        first.column == found->scalar % line) {
        first.actual = never_written;
        return;
    }
    failed.unwritten += fmt::format("{}the kernel never wrote {}",
                                    failed.unwritten.empty() ? "" : "; ", array.place(found->scalar));
}

Verifier::Judged Verifier::verify_as_timed(Execution& execution, Launcher& launcher,
                                           const Variant& variant) {
    const MarkedRange marked("verify");
    const int generations = study_.verified_generations();
    const int launches = generations / variant.info.shape.generations;
    compute(execution, [&] {
        launcher.prepare(generations);
        // Uploads the initial state, as before every sample. After an odd number of launches, the
        // execution would then read the result from the wrong one of two buffers.
        if (launches % 2 == 0) execution.upload(initial_);
        launcher.advance(generations);
    });
    Judged judged = judge(execution, tolerance_of(variant));
    judge_as_a_whole(study_, variant, expected_, actual_, judged);
    return judged;
}

Verifier::Judged Verifier::judge(Execution& execution, const Tolerance& tolerance) {
    Judged judged;
    if (const HasNamedArrays* const arrays = named_arrays_of(*study_.workload)) {
        download(execution);
        judged.verification = compare_arrays(*arrays, expected_, actual_, study_.generations);
        return judged;
    }
    if (!flow_judge_.judges())
        if (const auto passed =
                passed_in_place(expected_, execution, queue_, tolerance,
                                study_.verified_generations())) {
            judged.verification = *passed;
            return judged;
        }
    download(execution);
    judged.verification = compare(expected_, actual_, tolerance, study_.verified_generations(),
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
        fill_with_poison(field.bytes(), field.element(), Poison::second);
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
    return study_.workload->tolerance(
        computation_of(study_, variant, study_.verified_generations()));
}

}  // namespace camber
