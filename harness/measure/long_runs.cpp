#include "harness/measure/long_runs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <numeric>

#include "harness/base/error.hpp"
#include "harness/base/process.hpp"
#include "harness/base/statistics.hpp"
#include "harness/machine/queue/span_log.hpp"
#include "harness/measure/correctness/verification.hpp"
#include "harness/measure/verifier.hpp"
#include "workloads/core/optional_interfaces.hpp"
#include "workloads/core/parallel_rows.hpp"

namespace camber {

namespace {

// Generations that are compared with the reference after each state.
constexpr int checked_generations = 12;

// A sample has so many generations, whole multiples of a unit that suits variants whose lists are
// sorted every few steps; fewer if a generation is slow.
constexpr double sample_seconds = 0.005;
constexpr double longest_sample_seconds = 0.05;
constexpr int sample_unit = 96;
constexpr int most_sample_units = 10;
constexpr int small_unit = 12;

constexpr int least_rounds = 5;
constexpr int least_rounds_on_cpu = 3;
constexpr int most_rounds = 20;

double seconds_since(std::chrono::steady_clock::time_point start) {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

// Relative difference between the lava of a state and the lava supplied until its own time.
double mass_error(const Study& study, const State& state) {
    const Flow flow =
        study.workload->capabilities().eruption->flow(state, study.problem.parameters);
    return relative_difference(flow.mass, flow.supplied);
}

}  // namespace

results::SummedRun sum_of(std::vector<results::StateTimes> states, int generations,
                          std::uint64_t seed) {
    results::SummedRun run;
    const double share = static_cast<double>(generations) / static_cast<double>(states.size());
    std::vector<double> step_ns;
    double variance = 0;
    for (const results::StateTimes& state : states) {
        const SampleStatistics statistics = summarize(state.samples_ns, seed);
        step_ns.push_back(statistics.median / state.generations);
        const double half =
            (statistics.ci95_high - statistics.ci95_low) / 2 / state.generations * share;
        variance += half * half;
        run.ns += step_ns.back() * share;
    }
    double spacing = 0;
    if (step_ns.size() >= 3)
        for (std::size_t k = 0; k < step_ns.size(); ++k) {
            const std::size_t at = std::clamp<std::size_t>(k, 1, step_ns.size() - 2);
            spacing +=
                std::abs(step_ns[at - 1] - 2 * step_ns[at] + step_ns[at + 1]) / 24 * share;
        }
    const double error = std::sqrt(variance) + spacing;
    run.low_ns = std::max(0.0, run.ns - error);
    run.high_ns = run.ns + error;
    run.states = std::move(states);
    return run;
}

LongRuns::LongRuns(const Study& study, Queue& queue, const State& initial)
    : study_(study),
      queue_(queue),
      initial_(initial),
      states_(study, initial, state_generations(study.generations, study.states)) {
    states_.check_all();
}

Sampled LongRuns::time(Execution& execution, Launcher& launcher, const Case& chosen,
                       results::CaseRecord& record) {
    const Variant& variant = *chosen.variant;
    Sampled sampled;
    sampled.generations_per_sample = study_.generations;
    sampled.stopped_by = "sample limit";
    const bool whole = study_.is_whole(variant);
    if (whole)
        sampled.ns = {run_whole(execution, launcher, chosen, record) * 1e9};
    else if (!states_.has_all())
        make_states(states_, study_, queue_, execution, variant, initial_);
    std::vector<double> sums = time_from_states(execution, launcher, variant, record);
    if (!whole) {
        sampled.ns = std::move(sums);
        record.final = study_.workload->final_state(state(states_.end()).state);
    }
    return sampled;
}

double LongRuns::run_whole(Execution& execution, Launcher& launcher, const Case& chosen,
                           results::CaseRecord& record) {
    const MarkedRange marked("whole run");
    const Variant& variant = *chosen.variant;
    const std::string by = maker_text(study_, variant);
    const bool saves = !states_.has_all() ||
                       (!has_saved_ && &variant == study_.whole.front() && renews(by));
    execution.upload(initial_);
    queue_.synchronize();
    double seconds = 0;
    int begin = 0;
    for (std::size_t k = 0; k <= states_.end(); ++k) {
        check_stop();
        const int end = states_.generations()[k];
        if ((end - begin) % launcher.step() != 0)
            throw Unsupported(
                fmt::format("its launches compute {} generations each, which do not end at "
                            "generation {}, where a state is saved",
                            launcher.step(), end));
        const double taken = launcher.time_long(
            end - begin, [this](const std::function<void()>& work) { return queue_.time(work); });
        seconds += taken;
        record.intervals.push_back({begin, end, {taken * 1e9}, {}});
        begin = end;
        if (saves && k < states_.end()) save(k, downloaded(study_, queue_, execution, initial_), by);
    }
    State last = downloaded(study_, queue_, execution, initial_);
    record.final = study_.workload->final_state(last);
    if (saves) {
        results::EndComparison& first = record.end.emplace();
        first.mass_error = mass_error(study_, last);
        save(states_.end(), std::move(last), by);
    } else {
        record.end = compare_end(variant, last);
    }
    return seconds;
}

bool LongRuns::renews(const std::string& by) {
    const std::string& before = state(states_.end()).by;
    return before != by && is_by_cpu(before) == is_by_cpu(by);
}

void LongRuns::save(std::size_t index, State state, const std::string& by) {
    states_.write(index, state, by);
    has_saved_ = true;
    loaded_[index] = {std::move(state), by};
}

const RunStates::Saved& LongRuns::state(std::size_t index) {
    const auto found = loaded_.find(index);
    if (found != loaded_.end()) return found->second;
    auto saved = states_.read(index);
    if (!saved)
        throw Error(ExitCode::unavailable,
                    fmt::format("a saved state has disappeared from {}: start again",
                                states_.folder().string()));
    return loaded_.emplace(index, std::move(*saved)).first->second;
}

results::EndComparison LongRuns::compare_end(const Variant& variant, const State& actual) {
    const RunStates::Saved& other = state(states_.end());
    Computation computation = computation_of(study_, variant, study_.generations);
    computation.on_device = computation.on_device || !is_by_cpu(other.by);
    const Tolerance tolerance = study_.workload->tolerance(computation);
    results::EndComparison end;
    end.with = other.by;
    Verification found = compare(other.state, actual, tolerance, study_.generations,
                                 thread_count(study_.cpu_threads));
    const FlowJudge judge(*study_.workload, study_.initial, study_.problem.parameters,
                          other.state);
    State own = actual;
    if (const auto flow = judge.flow_of(own)) {
        judge.judge(own, *flow, tolerance, found);
        end.mass_error = mass_error(study_, actual);
    }
    // Flows that rounding has led elsewhere are described, not judged: neither of the two is right.
    if (tolerance.exact() && !tolerance.flow && !found.passed())
        throw Error(ExitCode::wrong_result,
                    fmt::format("at the end it differs from {}: {}", other.by, describe(found)));
    end.found = std::move(found);
    return end;
}

void LongRuns::verify_from(std::size_t index, Execution& execution, const Variant& variant,
                           Verification& total) {
    const MarkedRange marked("verify");
    const State& from = state(index).state;
    const int generations = std::lcm(checked_generations, variant.info.shape.generations);
    const int threads = thread_count(study_.cpu_threads);
    const auto [wanted, added] = expected_.try_emplace({index, generations});
    if (added)
        wanted->second = expected_state(
            *study_.workload, from, study_.problem.cell,
            {study_.problem.boundary, study_.problem.parameters, states_.generations()[index],
             worthwhile_threads(study_.problem.size.cells(), threads)},
            generations);
    execution.upload(from);
    execution.advance(generations);
    State actual = downloaded(study_, queue_, execution, initial_);
    // The lava flows already, so that rounding errors grow as in a run of all these generations.
    Tolerance tolerance = study_.workload->tolerance(
        computation_of(study_, variant, states_.generations()[index] + generations));
    // The state's own error is not the variant's.
    if (tolerance.flow) tolerance.flow->mass_error += mass_error(study_, from);
    Verification found = compare(wanted->second, actual, tolerance, generations, threads);
    if (!found.passed()) {
        const FlowJudge judge(*study_.workload, study_.initial, study_.problem.parameters,
                              wanted->second);
        if (const auto flow = judge.flow_of(actual)) judge.judge(actual, *flow, tolerance, found);
    }
    if (!found.passed())
        throw Error(ExitCode::wrong_result,
                    fmt::format("from the saved state of generation {}: {}",
                                states_.generations()[index], describe(found)));
    const Verification before = std::exchange(total, found);
    if (before.status != Verification::Status::passed) return;
    total.compared_cells += before.compared_cells;
    total.differing_cells += before.differing_cells;
    if (before.outlying_cells)
        total.outlying_cells = total.outlying_cells.value_or(0) + *before.outlying_cells;
    if (before.largest_difference)
        total.largest_difference =
            std::max(total.largest_difference.value_or(0), *before.largest_difference);
    if (before.by_statistics()) {
        total.method = before.method;
        total.statistics = before.statistics;
        total.limits = before.limits;
    }
}

int LongRuns::sample_generations(Execution& execution, int step) {
    const auto time = [&](int generations) {
        return queue_.time([&] { execution.advance(generations); });
    };
    const int small = std::lcm(small_unit, step);
    execution.upload(state(states_.end() - 1).state);  // of the states the one with most lava
    time(small);  // loads kernels
    const double seconds = std::max(1e-9, time(small) / small);
    const int unit = std::lcm(sample_unit, step);
    int generations =
        unit * static_cast<int>(std::clamp(std::ceil(sample_seconds / seconds / unit), 1.0,
                                           static_cast<double>(most_sample_units)));
    if (generations * seconds > longest_sample_seconds)
        generations =
            small * std::max(1, static_cast<int>(longest_sample_seconds / seconds / small));
    const int share = study_.generations / study_.states / step * step;
    return std::max(step, std::min(generations, share));
}

std::vector<double> LongRuns::time_from_states(Execution& execution, Launcher& launcher,
                                               const Variant& variant,
                                               results::CaseRecord& record) {
    Verification verified;
    for (std::size_t k = 0; k < states_.end(); ++k) {
        check_stop();
        verify_from(k, execution, variant, verified);
    }
    // States may be renewed by a later whole run.
    activity_.clear();
    for (std::size_t k = 0; k <= states_.end(); ++k)
        activity_.push_back(activity_of(states_.generations()[k], state(k).state));
    const MarkedRange marked("time from states");
    const int generations = sample_generations(execution, launcher.step());
    std::vector<results::StateTimes> times;
    for (std::size_t k = 0; k < states_.end(); ++k)
        times.push_back({states_.generations()[k], generations, {}, {}});
    execution.upload(state(0).state);
    launcher.prepare(generations);
    const auto start = std::chrono::steady_clock::now();
    const int least = study_.backend == Backend::cpu ? least_rounds_on_cpu : least_rounds;
    std::vector<double> sums;
    const double share =
        static_cast<double>(study_.generations) / study_.states / generations;
    for (int round = 0;
         round < least ||
         (round < most_rounds && seconds_since(start) < study_.sampling.budget_seconds);
         ++round) {
        double sum = 0;
        for (std::size_t k = 0; k < states_.end(); ++k) {
            check_stop();
            execution.upload(state(k).state);
            queue_.synchronize();
            const double ns = queue_.time([&] { launcher.advance(generations); }) * 1e9;
            times[k].samples_ns.push_back(ns);
            sum += ns * share;
        }
        sums.push_back(sum);
    }
    record.summed = sum_of(std::move(times), study_.generations, study_.sampling.seed);
    record.summed->states_by = state(states_.end()).by;
    record.summed->verification = std::move(verified);
    return sums;
}

void LongRuns::time_kernels(Execution& execution, int step, counters::KernelClock& clock,
                            results::CaseRecord& record) {
    const MarkedRange marked("kernels from states");
    for (std::size_t k = 0; k < record.summed->states.size(); ++k) {
        check_stop();
        results::StateTimes& times = record.summed->states[k];
        // 96 generations are enough for a stable mean.
        const int generations = std::min(times.generations, std::lcm(sample_unit, step));
        execution.upload(state(k).state);
        queue_.synchronize();
        times.kernels = kernels_per_generation(clock.time([&] {
            execution.advance(generations);
            queue_.synchronize();
        }),
                                               record.kernels, generations);
    }
}

}  // namespace camber
