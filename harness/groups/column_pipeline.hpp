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

// A variant on several places that divide the board by columns: the counter-example to whole rows,
// since a few bytes of every row travel then (Rustico 2012, section 6.1).
//
// A place's fields have its own columns and, as if they were its own too, those of its neighbours
// that the generations between two exchanges read. Every step computes all of them. What it makes
// of the neighbours' columns is wrong from the outside in, by as many columns as it reads beyond a
// cell, and the next exchange puts that right. A part of a field is whole rows, so edges cannot be
// computed before the middle, and nothing travels while a place computes.
class ColumnPipeline final : public Execution {
  public:
    using MakeExchange =
        std::function<std::unique_ptr<HaloExchange>(ExchangePath, ExchangeContext)>;

    // Throws Unsupported where the problem cannot be divided so. A test may put another exchange in
    // the place of the usual one.
    ColumnPipeline(std::unique_ptr<Group> group, const Problem& problem,
                   const std::vector<StepPlan>& plans, const Division& division,
                   const Exchange& exchange, const MakeExchange& make = make_exchange);
    ~ColumnPipeline() override;

    void upload(const State& initial) override;
    void download(State& result) override;
    // Every place's own outputs, and what it computes of its neighbours' columns.
    void poison(Poison poison) override { poison_ = poison; }
    void advance(int generations) override;
    const ExchangeContext* divided() const override { return &context_.value(); }

  private:
    struct ColumnPlace {
        std::unique_ptr<GroupPlace> base;  // its rows are columns
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
    std::unique_ptr<HaloExchange> exchange_;  // nullptr: everything through the host
    State board_;                             // which then passes through here
    int number_ = 0;                          // of the generation to come
    bool under_way_ = false;                  // columns that were sent and not received yet
    std::optional<Poison> poison_;
};

// A variant on several places that divide the board by columns, and store it transposed: what a
// place has of the board is whole rows in memory, and its edges are contiguous. Rustico 2012,
// section 6.1, for boards whose columns are shorter than their rows.
//
// The kernels work on rows as ever, and read a cell's neighbours with rows and columns in each
// other's place (see StepPlan::across), so that every cell comes out the same to the last bit.

// Rows and columns of every field of that size change places; the others stay as they are.
State transposed(const State& state, Size board);

// Throws Unsupported where the problem cannot be divided so.
std::unique_ptr<Execution> make_transposed(std::unique_ptr<Group> group, const Problem& problem,
                                           const std::vector<StepPlan>& plans,
                                           const Division& division, const Exchange& exchange,
                                           const GroupPipeline::Substitutes& substitutes = {});

}  // namespace camber
