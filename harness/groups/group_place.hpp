// One place of a group at work on a pipeline: its rows, its fields, and what it does in each step.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "harness/groups/group.hpp"
#include "harness/groups/halo_exchange.hpp"
#include "harness/registry/step.hpp"

namespace camber {

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

}  // namespace camber
