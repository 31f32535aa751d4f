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

// Some rows of a step on one queue: a stage that treats these rows as its board.
struct GroupPart {
    GroupPart(FieldStore& whole, const Problem& whole_problem, const StepPlan& plan, Rows of,
              Queue& on);

    Rows rows;
    FieldStore fields;
    Problem problem;
    ConstantOffsets constants;
    Queue& queue;
    std::unique_ptr<Stage> stage;
    std::unique_ptr<LinkedStage> linked;  // on the kernel paths, if the technique has one
};

// A step of a generation on one device: edges and middle, or everything as the middle.
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

// One device of a group that runs a pipeline: its rows, its fields, and its work in each step.
struct GroupPlace {
    GroupPlace(const Place& queues, int place);

    int number;
    Queue* queue[2];  // for the edges
    Queue* middle;
    FieldStore store;
    Rows own;           // in the store
    int first_row = 0;  // board row of the store's row 0
    int neighbours[2]{-1, -1};
    std::vector<GroupPhase> phases;  // of all generations between two exchanges
    std::unique_ptr<Event> edge_done[2];
    std::unique_ptr<Event> middle_done;
    bool was_split = false;   // the latest step since the queues were forked had edges
    bool has_worked = false;  // some step has run since then

    template <class F>
    void for_each_part(const F& f) const {
        for (const GroupPhase& phase : phases) phase.for_each(f);
    }
    // On a torus: updates the cells left and right of these rows, in the current or the next
    // buffer.
    void refresh_columns(const std::string& field, Rows rows, bool next, Queue& on) const;
    // The device's own rows and `beyond` more rows on each side with a neighbor.
    Rows extended(int beyond) const;
};

// Rows (or columns) of each device, by the weights of a division. `closed`: the board is a torus.
// Throws Unsupported if a device has fewer than the `needed` rows that its neighbors read.
std::vector<Rows> divided_rows(int rows, const std::vector<int>& weights, int needed, bool closed,
                               Partition partition = Partition::rows);

// Throws Unsupported if kernels on one device cannot store into the memory of the other.
void check_stores_reach(const Group& group, int place, int neighbour);

// Collects the rows of all ranks at every rank, for the fields of `store`; each rank provides its
// own rows.
void gather_rows(Communicator& ranks, const std::vector<Rows>& stripes, Size board,
                 const FieldStore& store, State& state);

// Steps of a pipeline that is divided among devices: how many rows are exchanged, and what each
// device computes in which order.
class DividedSteps {
  public:
    // Throws Unsupported if the steps cannot be divided this way.
    DividedSteps(const std::vector<StepPlan>& plans, const Division& division,
                 const Exchange& exchange);

    const std::vector<StepPlan>& plans() const { return plans_; }
    int count() const { return static_cast<int>(plans_.size()); }
    // Number of generations between two exchanges, and number of rows then exchanged.
    int depth() const { return depth_; }
    int exchanged_rows() const { return depth_ * reach_; }
    // Smallest number of rows that consists of whole blocks of every step.
    int block_rows() const;
    // Rows that a generation reads beyond its own.
    int reach() const { return reach_; }
    // Step that sends rows within a generation, if there is one.
    std::optional<int> sender() const { return sender_; }
    const std::string& name(int step) const { return at(step).step; }
    // The fields that a step writes.
    const std::vector<std::string>& outputs(int step) const {
        return outputs_[static_cast<std::size_t>(step)];
    }

    // Work of a device in all generations between two exchanges, for its current rows.
    std::vector<GroupPhase> phases_of(GroupPlace& place, const Problem& problem) const;

  private:
    const StepPlan& at(int step) const { return plans_[static_cast<std::size_t>(step)]; }
    bool is_of_own_rows(int step) const { return own_rows_[static_cast<std::size_t>(step)]; }
    int rows_beyond(int phase) const;
    bool meets_neighbours(int phase) const;
    GroupPhase phase_of(GroupPlace& place, const Problem& problem, int phase) const;

    std::vector<StepPlan> plans_;
    std::vector<bool> own_rows_;  // for each step: true if it computes a device's own rows only
    std::vector<std::vector<std::string>> outputs_;
    int depth_;
    int reach_ = 0;
    int edge_share_;
    bool overlap_;
    bool through_host_;
    bool linked_;
    bool persistent_;
    std::optional<int> sender_;
};

}  // namespace camber
