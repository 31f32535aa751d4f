// Times of runs from the start that are too long for the reference, and for most variants to be
// repeated: over the whole run once, and summed over saved states of the run.
#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "harness/machine/queue/queue.hpp"
#include "harness/measure/sampler.hpp"
#include "harness/measure/study.hpp"
#include "harness/record/case_record.hpp"
#include "harness/registry/execution.hpp"
#include "workloads/core/saved_state.hpp"

namespace camber {

// Saved states of one run, equally spaced in generations, in a folder. Each file is complete or
// absent, and names the run that it belongs to.

// Generation numbers of `count` states, each in the middle of its share of the generations, and of
// the end of the run. Throws Error(usage) if the run has too few generations.
std::vector<int> state_generations(int generations, int count);

class RunStates {
  public:
    // `initial`: the start of the study's run, and `generations` of the states. Throws Error(usage)
    // if no folder is available, or if the run cannot be resumed from its states alone.
    RunStates(const Study& study, const State& initial, std::vector<int> generations);

    const std::vector<int>& generations() const { return generations_; }
    std::size_t end() const { return generations_.size() - 1; }  // index of the last state
    const std::filesystem::path& folder() const { return folder_; }

    bool has(std::size_t index) const;
    bool has_all() const;
    // Throws like read() for existing states.
    void check_all() const;
    // State with this index, and its maker (`by`); nullopt if it is absent. Throws
    // Error(usage) for a file that is damaged, of another format, or of another run: the sentence
    // names the difference and the remedy.
    struct Saved {
        State state;
        std::string by;
    };
    std::optional<Saved> read(std::size_t index) const;
    // Throws Error(unavailable) if the file cannot be written.
    void write(std::size_t index, const State& state, const std::string& by) const;

  private:
    std::filesystem::path path_of(std::size_t index) const;
    void check(const SavedHead& head, int generation) const;

    const Study& study_;
    std::string ground_;  // checksum of all fields at the start, hexadecimal
    std::vector<int> generations_;
    std::filesystem::path folder_;
};

// Saves the states that are missing, computed by `execution` from the one before, or from `initial`.
// Each is complete or absent; an interrupted call is resumed by the next one.
void make_states(const RunStates& states, const Study& study, Queue& queue, Execution& execution,
                 const Variant& variant, const State& initial);

// State after study.begin generations from `initial`: a saved one, or computed by the study's first
// variant and saved.
State developed_state(const Study& study, Queue& queue, const State& initial);

// State of the execution, in the form of `initial`, with the supply until its own time as the
// emitted amount, which only the reference accounts for.
State downloaded(const Study& study, Queue& queue, Execution& execution, const State& initial);

// "magflow/halo/64x4 on NVIDIA H200, commit 1a2b3c"; "on the CPU" on the host's backends.
std::string maker_text(const Study& study, const Variant& variant);
// True if such a text names the CPU.
bool is_by_cpu(const std::string& maker);

// Duration of a run of `generations` generations, each state standing for an equal share of them.
// The interval adds the samples' spread, as independent errors, and the error of the midpoint rule,
// which the second differences of the step time from state to state estimate.
results::SummedRun sum_of(std::vector<results::StateTimes> states, int generations,
                          std::uint64_t seed);

class LongRuns {
  public:
    // `initial`: the start of the run. All arguments must outlive this object.
    LongRuns(const Study& study, Queue& queue, const State& initial);

    // Times a verified case and completes its record: the whole run, if the study requests that,
    // with its intervals and the comparison of its end; and steps from each state, of which some
    // are compared with the reference. Makes states that are missing. Throws Error(wrong_result) if
    // a comparison fails.
    Sampled time(Execution& execution, Launcher& launcher, const Case& chosen,
                 results::CaseRecord& record);

    // Times the single kernels of a timed case from each state, and stores them with the states.
    // `step`: generations per launch. Throws Error(unavailable) if the clock fails.
    void time_kernels(Execution& execution, int step, counters::KernelClock& clock,
                      results::CaseRecord& record);

    // Active cells of each saved state, if one of the cases has used them.
    const std::vector<results::Activity>& activity() const { return activity_; }

  private:
    // Seconds of the whole run.
    double run_whole(Execution& execution, Launcher& launcher, const Case& chosen,
                     results::CaseRecord& record);
    // True if the study's first whole run, by `by`, replaces the states of earlier sessions: they
    // are of another commit, variant or GPU. The CPU and a GPU compare their ends instead.
    bool renews(const std::string& by);
    void save(std::size_t index, State state, const std::string& by);
    const RunStates::Saved& state(std::size_t index);
    results::EndComparison compare_end(const Variant& variant, const State& actual);
    // Compares the variant with the reference some generations after the state.
    void verify_from(std::size_t index, Execution& execution, const Variant& variant,
                     Verification& total);
    // Sums over the states, one for each round of samples; completes record.summed.
    std::vector<double> time_from_states(Execution& execution, Launcher& launcher,
                                         const Variant& variant, results::CaseRecord& record);
    // Number of generations of a sample.
    int sample_generations(Execution& execution, int step);

    const Study& study_;
    Queue& queue_;
    const State& initial_;
    RunStates states_;
    bool has_saved_ = false;  // states of a whole run in this session
    std::map<std::size_t, RunStates::Saved> loaded_;
    std::vector<results::Activity> activity_;
    std::map<std::pair<std::size_t, int>, State> expected_;  // by state and generations after it
};

}  // namespace camber
