// Partitions of a pipeline's board among several devices: by rows, and by columns for comparison.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "harness/base/layout.hpp"
#include "harness/groups/partition.hpp"
#include "harness/groups/runtime.hpp"
#include "harness/registry/pipeline_fields.hpp"

namespace camber {

// Partition of a pipeline's board by rows: each device computes some rows with the variant's own
// kernels, and stores a copy of the neighbor rows that these kernels read.
//
// The steps of a generation read `reach` rows beyond their own, and a whole generation reads R.
// Therefore R rows are exchanged, and an earlier step also computes some of the neighbor's rows.
// With a halo of depth k, k R rows are exchanged every k generations. With ExchangePath::kernel,
// one launch exchanges and computes; with ExchangePath::persistent, one launch does so for many
// generations. A step whose output enters the minimum over all devices (see Sharing::least) is
// computed for a device's own rows only. In a pipeline with a sharing step (see Sharing), devices
// exchange the output of that step for the next one.
class RowPartition : public GroupPartition {
  public:
    // Throws Unsupported if the problem cannot be divided this way.
    RowPartition(Group& group, const Problem& problem, const std::vector<StepPlan>& plans,
                 const Division& division, const Exchange& exchange);

    GroupSchedule schedule() const;
    ExchangeContext context() const override;
    LeastNumbers least(int step) const override;
    int upload(const State& initial, GroupRuntime& runtime) override;
    void download(State& result) override;
    void pass_through_host() override;
    void poison(int phase, Poison poison) override;
    void complete(int step, int generations) override;
    // With balancing, rows move to other devices together with their state.
    void after_launch(int number, GroupRuntime& runtime) override;

    // Repartitions the board: assigns `stripes`, all rows of the board in order, to the devices.
    // Every device must allocate the whole board, and the number of generations so far must be a
    // multiple of the halo depth.
    void divide_anew(const std::vector<Rows>& stripes, GroupRuntime& runtime);

  protected:
    virtual void move(const RowMovement& movement, Queue& queue) { move_rows(movement, queue); }
    // Time that each device needs for its rows, as balancing sees it. `seconds`: as measured.
    virtual std::vector<double> loads(const std::vector<Rows>& /*stripes*/,
                                      const std::vector<double>& seconds) {
        return seconds;
    }

  private:
    void refuse_balancing() const;
    void lay_out(const Division& division);
    void make_phases(GroupPlace& place);
    void link();
    void refuse_to_stay() const;
    void uploaded() const;
    // Fields in their stored form: words for one-bit cells.
    void fill(GroupPlace& place, const State& state);
    void download_fields(State& result) const;

    Group& group_;
    Problem problem_;
    Exchange exchange_;
    std::optional<BitOrder> bits_;
    Size stored_;  // board size in field elements
    DividedSteps steps_;
    Allocation allocation_;
    bool by_kernels_;  // the steps' own kernels exchange edge rows
    bool closed_;
    std::vector<Rows> stripes_;                                    // of all devices
    std::vector<std::unique_ptr<GroupPlace>> rows_;                // devices of this process
    std::vector<std::vector<std::unique_ptr<RowsStage>>> stages_;  // of each device
    std::unique_ptr<LinkedPlaces> links_;
    State board_;  // the board on its way through the host; for one-bit cells, the uploaded words
    Balancing balancing_;
    std::optional<Balancer> balancer_;  // with balancing
    int since_balanced_ = 0;            // generations since the last balancing
};

// Partition by columns of a board that is stored transposed: a device's share is whole rows in
// memory, and its edges are contiguous. Rustico 2012, section 6.1, for boards whose columns are
// shorter than their rows.
//
// The kernels process rows as usual, and read a cell's neighbors with rows and columns swapped (see
// StepPlan::across), so that every cell's result is bit-identical.
class TransposedPartition final : public RowPartition {
  public:
    // Throws Unsupported if the problem cannot be divided this way.
    TransposedPartition(Group& group, const Problem& problem, const std::vector<StepPlan>& plans,
                        const Division& division, const Exchange& exchange);

    int upload(const State& initial, GroupRuntime& runtime) override;
    void download(State& result) override;

  private:
    Size board_;
};

// Partition of a pipeline's board by columns: the counterexample to whole rows, since a few bytes
// of every row travel (Rustico 2012, section 6.1).
//
// A device's fields contain its own columns and copies of those neighbor columns that the
// generations between two exchanges read. Every step computes all of them. The results in the
// neighbor columns are wrong from the outside inwards, by as many columns as a step reads beyond a
// cell; the next exchange corrects them. A part of a field consists of whole rows, so edges cannot
// be computed before the middle, and nothing travels while a device computes.
class ColumnPartition final : public GroupPartition {
  public:
    // Throws Unsupported if the problem cannot be divided this way.
    ColumnPartition(Group& group, const Problem& problem, const std::vector<StepPlan>& plans,
                    const Division& division, const Exchange& exchange);

    GroupSchedule schedule() const;
    ExchangeContext context() const override;
    int upload(const State& initial, GroupRuntime& runtime) override;
    void download(State& result) override;
    void pass_through_host() override;
    void poison(int phase, Poison poison) override;
    void complete(int step, int generations) override;

  private:
    struct Columns {
        Columns(const Place& queues, int number) : place(queues, number) {}
        GroupPlace place;  // its rows are columns of the board
        std::vector<std::unique_ptr<RowsStage>> steps = {};
    };

    void refuse(const Problem& problem, const Exchange& exchange) const;
    void lay_out(const Problem& problem, const Division& division);

    Group& group_;
    DividedSteps steps_;
    std::vector<std::unique_ptr<Columns>> columns_;
    bool through_host_;
    State board_;  // the board on its way through the host
};

}  // namespace camber
