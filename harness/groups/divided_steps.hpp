// The steps of a pipeline as places divide them: how many rows they exchange, and what each place
// computes in which order.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "harness/groups/group_place.hpp"
#include "harness/registry/step.hpp"

namespace camber {

class DividedSteps {
  public:
    // Throws Unsupported where the steps cannot be divided so.
    DividedSteps(const std::vector<StepPlan>& plans, const Division& division,
                 const Exchange& exchange);

    const std::vector<StepPlan>& plans() const { return plans_; }
    int count() const { return static_cast<int>(plans_.size()); }
    // Generations from exchange to exchange, and the rows that are then exchanged.
    int depth() const { return depth_; }
    int exchanged_rows() const { return depth_ * reach_; }
    // So many rows have whole blocks of every step.
    int block_rows() const;
    // Rows that a generation reads beyond its own.
    int reach() const { return reach_; }
    // The step that sends in the middle of a generation.
    std::optional<int> sender() const { return sender_; }
    const std::string& name(int step) const { return at(step).step; }
    // The fields that a step writes.
    const std::vector<std::string>& outputs(int step) const {
        return outputs_[static_cast<std::size_t>(step)];
    }

    // What a place does in all generations from exchange to exchange, by the rows that it has now.
    std::vector<GroupPhase> phases_of(GroupPlace& place, const Problem& problem) const;

  private:
    const StepPlan& at(int step) const { return plans_[static_cast<std::size_t>(step)]; }
    bool is_of_own_rows(int step) const { return own_rows_[static_cast<std::size_t>(step)]; }
    int rows_beyond(int phase) const;
    bool meets_neighbours(int phase) const;
    GroupPhase phase_of(GroupPlace& place, const Problem& problem, int phase) const;

    std::vector<StepPlan> plans_;
    std::vector<bool> own_rows_;  // of each step: whether it computes a place's own rows only
    std::vector<std::vector<std::string>> outputs_;
    int depth_;
    int reach_ = 0;
    int edge_share_;
    bool overlap_;
    bool through_host_;
    std::optional<int> sender_;
};

}  // namespace camber
