// Counts of a variant's launches on a large board, extrapolated from traces of small boards.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "harness/machine/simt/host_queue.hpp"
#include "harness/predict/prediction.hpp"
#include "harness/predict/trace_launches.hpp"
#include "workloads/core/optional_interfaces.hpp"

namespace camber {

// Traces the first launches of a variant on the problem's board and on generated boards. Call sites
// have the same numbers in all traces.
class ProblemTracer {
  public:
    ProblemTracer(const Variant& variant, const Problem& problem, const InitialData& initial,
                  RuleSet rules)
        : variant_(variant), problem_(problem), initial_(initial), rules_(rules) {}

    const Variant& variant() const { return variant_; }
    const Problem& problem() const { return problem_; }
    const simt::SiteTable& sites() { return queue_.executor().sites(); }

    // Launches on the problem's board with its initial state.
    std::vector<TracedLaunch> trace(const ChooseBlocks& choose = {}) {
        if (initial_.state == nullptr && !own_state_)
            own_state_ = start_of(*initial_.workload, initial_.conditions, problem_.parameters);
        const State& state = initial_.state != nullptr ? *initial_.state : *own_state_;
        return trace_launches(queue_, variant_, problem_, state, rules_, choose);
    }
    // Launches on a generated board of `size` cells, even if the problem's board has an input.
    // `all_work`: false omits arithmetic that a parameter repeats.
    std::vector<TracedLaunch> trace_generated(Size size, std::uint64_t seed, double density,
                                              const ChooseBlocks& choose = {},
                                              bool all_work = true) {
        return trace_generated(queue_, size, seed, density, choose, all_work);
    }
    // The same on another queue, whose call sites have their own numbers.
    std::vector<TracedLaunch> trace_generated(simt::HostQueue& queue, Size size, std::uint64_t seed,
                                              double density, const ChooseBlocks& choose,
                                              bool all_work = true) const;

  private:
    ParameterSet parameters_for(const InitialConditions& conditions) const;

    const Variant& variant_;
    Problem problem_;
    const InitialData& initial_;
    RuleSet rules_;
    simt::HostQueue queue_{1};
    std::optional<State> own_state_;
};

struct BoardExtrapolation {
    // True if other data changed the counts on a small board; absent if that was not tested.
    std::optional<bool> data_dependent;
    // Smallest board with the target's alignment; absent if small boards do not determine the
    // counts.
    std::optional<Size> small_board;
    std::vector<TracedLaunch> launches;  // on the problem's board
};

BoardExtrapolation extrapolate_boards(ProblemTracer& tracer);

}  // namespace camber
