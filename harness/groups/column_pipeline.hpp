// Execution of a variant on several devices that divide the board by columns, in row-major order or
// transposed.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "harness/groups/group_pipeline.hpp"
#include "harness/groups/group_place.hpp"
#include "harness/groups/halo_exchange.hpp"

namespace camber {

// A variant on several devices that divide the board by columns: the counterexample to whole rows,
// since a few bytes of every row travel (Rustico 2012, section 6.1).
//
// A device's fields contain its own columns and copies of those neighbor columns that the
// generations between two exchanges read. Every step computes all of them. The results in the
// neighbor columns are wrong from the outside inwards, by as many columns as a step reads beyond a
// cell; the next exchange corrects them. A part of a field consists of whole rows, so edges cannot
// be computed before the middle, and nothing travels while a device computes.
class ColumnPipeline final : public Execution {
  public:
    using MakeExchange =
        std::function<std::unique_ptr<HaloExchange>(ExchangePath, ExchangeContext)>;

    // Throws Unsupported if the problem cannot be divided this way. A test may replace the usual
    // exchange.
    ColumnPipeline(std::unique_ptr<Group> group, const Problem& problem,
                   const std::vector<StepPlan>& plans, const Division& division,
                   const Exchange& exchange, const MakeExchange& make = make_exchange);
    ~ColumnPipeline() override;

    void upload(const State& initial) override;
    void download(State& result) override;
    // Poisons every device's own outputs and its copies of neighbor columns.
    void poison(Poison poison) override { poison_ = poison; }
    void advance(int generations) override;
    const ExchangeContext* divided() const override { return &context_.value(); }

  private:
    struct ColumnPlace {
        std::unique_ptr<GroupPlace> base;  // its rows are columns of the board
        std::vector<std::unique_ptr<GroupPart>> steps;
    };

    void refuse(const Exchange& exchange) const;
    void lay_out(const Division& division);
    void fill(const State& state);
    void generation();
    void exchange_edges();
    void end_exchange();

    std::unique_ptr<Group> group_;
    Problem problem_;
    DividedSteps steps_;
    std::vector<ColumnPlace> places_;
    std::optional<ExchangeContext> context_;
    std::unique_ptr<HaloExchange> exchange_;  // nullptr: everything travels through the host
    State board_;                             // the board on its way through the host
    int number_ = 0;                          // number of the next generation
    bool under_way_ = false;                  // columns were sent and not received yet
    std::optional<Poison> poison_;
};

// A variant on several devices that divide the board by columns and store it transposed: a device's
// share is whole rows in memory, and its edges are contiguous. Rustico 2012, section 6.1, for
// boards whose columns are shorter than their rows.
//
// The kernels process rows as usual, and read a cell's neighbors with rows and columns swapped (see
// StepPlan::across), so that every cell's result is bit-identical.

// Swaps rows and columns of every field of size `board`; other fields are unchanged.
State transposed(const State& state, Size board);

// Throws Unsupported if the problem cannot be divided this way.
std::unique_ptr<Execution> make_transposed(std::unique_ptr<Group> group, const Problem& problem,
                                           const std::vector<StepPlan>& plans,
                                           const Division& division, const Exchange& exchange,
                                           const GroupPipeline::Substitutes& substitutes = {});

}  // namespace camber
