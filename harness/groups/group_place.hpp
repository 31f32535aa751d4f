// Work of one device of a group: its rows and fields, and the order in which it computes edges and
// middle of each step.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "harness/groups/group.hpp"
#include "harness/groups/halo_exchange.hpp"
#include "harness/registry/step.hpp"

namespace camber {

// One place of a group at work on a pipeline: its rows, its fields, and what it does in each step.

// Some rows of a step on one queue: a stage for which they are the board.
struct GroupPart {
    GroupPart(FieldStore& whole, const Problem& whole_problem, const StepPlan& plan, Rows of,
              Queue& on);

    Rows rows;
    FieldStore fields;
    Problem problem;
    ConstantOffsets constants;
    Queue& queue;
    std::unique_ptr<Stage> stage;
};

// A step of a generation at a place: its edges and its middle, or all of it as the middle.
struct GroupPhase {
    std::unique_ptr<GroupPart> edges[2];
    std::unique_ptr<GroupPart> middle;

    bool is_split() const { return edges[0] || edges[1]; }
    template <class F>
    void for_each(const F& f) const {
        for (const auto& edge : edges)
            if (edge) f(*edge);
        f(*middle);
    }
};

struct GroupPlace {
    GroupPlace(const Place& queues, int place);

    int number;
    Queue* queue[2];  // of the edges
    Queue* middle;
    FieldStore store;
    Rows own;           // in the store
    int first_row = 0;  // of the store, on the board
    int neighbours[2]{-1, -1};
    std::vector<GroupPhase> phases;  // of all generations from exchange to exchange
    std::unique_ptr<Event> edge_done[2];
    std::unique_ptr<Event> middle_done;
    bool was_split = false;   // what came before, since the queues were forked
    bool has_worked = false;  // since then

    template <class F>
    void for_each_part(const F& f) const {
        for (const GroupPhase& phase : phases) phase.for_each(f);
    }
    // On a torus: makes what lies left and right of these rows current, in the current or the next
    // buffer.
    void refresh_columns(const std::string& field, Rows rows, bool next, Queue& on) const;
    // Rows from `beyond` rows above its own to as many below, where it has neighbours.
    Rows extended(int beyond) const;
};

// The rows of each place, with the weights of a division, of a board that is closed in itself or
// not; or its columns. Throws Unsupported where one has fewer than the `needed` rows that its
// neighbours read.
std::vector<Rows> divided_rows(int rows, const std::vector<int>& weights, int needed, bool closed,
                               Partition partition = Partition::rows);

// Throws Unsupported where kernels of the one place cannot store into the memory of the other.
void check_stores_reach(const Group& group, int place, int neighbour);

// Fills in, at every rank, the rows of all others in the fields that `store` has; each has its own.
void gather_rows(Communicator& ranks, const std::vector<Rows>& stripes, Size board,
                 const FieldStore& store, State& state);

// The steps of a pipeline as places divide them: how many rows they exchange, and what each place
// computes in which order.
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
