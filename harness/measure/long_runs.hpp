// Times of runs from the start that are too long for the reference, and for most variants to be
// repeated: over the whole run once, and summed over saved states of the run.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "harness/measure/run_states.hpp"
#include "harness/measure/sampler.hpp"
#include "harness/record/long_run.hpp"

namespace camber {

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
