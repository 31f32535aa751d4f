// One device of a group: its queues, its share and its work in each step of a generation; and the
// rows that a device computes in each step of a pipeline.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "harness/groups/group.hpp"
#include "harness/groups/halo_exchange.hpp"
#include "harness/registry/step.hpp"

namespace camber {

// Work of one device in one step, on one of its queues.
struct GroupPart {
    Queue* queue = nullptr;
    // Enqueues the work of some generations, the first of which has this number.
    std::function<void(int number, int generations)> enqueue;
    // Enqueues the update of cells beyond the board's edge; empty: there is none.
    std::function<void()> refresh = {};
    Rows rows = {};  // that it writes, if fields are divided by rows
};

// A step of a generation on one device: edges and middle, or everything as the middle.
struct GroupPhase {
    std::optional<GroupPart> edges[2] = {};
    GroupPart middle = {};
    bool is_timed = true;  // if the runtime measures times, those of the middle count

    bool is_split() const { return edges[0] || edges[1]; }
    template <class F>
    void for_each(const F& f) const {
        for (const auto& edge : edges)
            if (edge) f(*edge);
        f(middle);
    }
};

// One device of a group: its queues, its share, and its work in each step.
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

    // Neighbors of the device that is number `place` of `count` in a row, or in a ring.
    void set_neighbours(int place, int count, bool closed = false);
    // On a torus: updates the cells left and right of these rows, in the current or the next
    // buffer.
    void refresh_columns(const std::string& field, Rows rows, bool next, Queue& on) const;
    // The device's own rows and `beyond` more rows on each side with a neighbor.
    Rows extended(int beyond) const;
};

// Some rows of a step on one queue: a stage that treats these rows as its board.
struct RowsStage {
    // `linked_maker`: makes the stage that exchanges edge rows itself; empty: none.
    RowsStage(FieldStore& whole, const Problem& whole_problem, const StepPlan& plan, Rows rows,
              Queue& queue, const LinkedMakers::Maker& linked_maker = {});

    FieldStore fields;
    Problem problem;
    ConstantOffsets constants;
    std::unique_ptr<Stage> stage;
    std::unique_ptr<LinkedStage> linked;
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
    // The fields that a step writes.
    const std::vector<std::string>& outputs(int step) const {
        return outputs_[static_cast<std::size_t>(step)];
    }
    const StepPlan& plan(int step) const { return plans_[static_cast<std::size_t>(step)]; }

    // Rows that a device computes in one step of the generations between two exchanges.
    struct PhaseRows {
        std::optional<Rows> edges[2] = {};
        Rows middle = {};
    };
    PhaseRows rows_of(const GroupPlace& place, int phase) const;

  private:
    bool is_of_own_rows(int step) const { return own_rows_[static_cast<std::size_t>(step)]; }
    int rows_beyond(int phase) const;
    bool meets_neighbours(int phase) const;

    std::vector<StepPlan> plans_;
    std::vector<bool> own_rows_;  // for each step: true if it computes a device's own rows only
    std::vector<std::vector<std::string>> outputs_;
    int depth_;
    int reach_ = 0;
    int edge_share_;
    bool overlap_;
    bool through_host_;
    std::optional<int> sender_;
};

}  // namespace camber
