#include "harness/groups/transposed_execution.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <utility>

#include "harness/base/unsupported.hpp"

namespace camber {

namespace {

Size turned(Size size) {
    return {size.rows, size.columns};
}

// Writes the field into memory that `result` has already, which transfers and comparisons know.
void transpose(const HostField& field, HostField& result) {
    const auto size = static_cast<std::size_t>(info(field.element()).size);
    const auto rows = static_cast<std::size_t>(field.size().rows);
    const auto columns = static_cast<std::size_t>(field.size().columns);
    const std::byte* const from = field.bytes().data();
    std::byte* const to = result.bytes().data();
    // A square at a time, so that what a cache line has is used while it is there.
    constexpr std::size_t side = 32;
    for (std::size_t first_row = 0; first_row < rows; first_row += side)
        for (std::size_t first = 0; first < columns; first += side)
            for (std::size_t row = first_row; row < std::min(rows, first_row + side); ++row)
                for (std::size_t column = first; column < std::min(columns, first + side); ++column)
                    std::memcpy(to + (column * rows + row) * size,
                                from + (row * columns + column) * size, size);
}

HostField transposed(const HostField& field) {
    HostField result(field.name(), field.element(), turned(field.size()));
    transpose(field, result);
    return result;
}

class TransposedExecution final : public Execution {
  public:
    TransposedExecution(std::unique_ptr<Execution> whole, Size board)
        : whole_(std::move(whole)), board_(board) {}

    void upload(const State& initial) override { whole_->upload(transposed(initial, board_)); }
    void download(State& result) override {
        State there = transposed(result, board_);
        whole_->download(there);
        result.account = there.account;
        for (std::size_t k = 0; k < result.fields.size(); ++k) {
            const HostField& found = there.fields[k];
            if (found.size() == turned(board_))
                transpose(found, result.fields[k]);
            else
                std::ranges::copy(found.bytes(), result.fields[k].bytes().begin());
        }
    }
    void poison(Poison poison) override { whole_->poison(poison); }
    void advance(int generations) override { whole_->advance(generations); }
    const ExchangeContext* divided() const override { return whole_->divided(); }

  private:
    std::unique_ptr<Execution> whole_;
    Size board_;
};

// As the steps are where rows and columns have changed places.
StepPlan across(StepPlan plan) {
    // A step that reads no neighbours does not know.
    if (plan.make.reach() != 0) {
        if (!plan.across)
            throw Unsupported(fmt::format(
                "the board cannot be stored transposed: {}technique {} has no kernel that reads "
                "rows as columns in the same order",
                plan.step.empty() ? "" : fmt::format("step {} in ", plan.step),
                plan.technique.name));
        plan.make = *plan.across;
    }
    return plan;
}

}  // namespace

State transposed(const State& state, Size board) {
    State result;
    result.account = state.account;
    for (const HostField& field : state.fields)
        result.fields.push_back(field.size() == board ? transposed(field) : field);
    return result;
}

std::unique_ptr<Execution> make_transposed(std::unique_ptr<Group> group, const Problem& problem,
                                           const std::vector<StepPlan>& plans,
                                           const Division& division, const Exchange& exchange,
                                           const GroupPipeline::Substitutes& substitutes) {
    Problem there = problem;
    there.size = turned(problem.size);
    std::vector<StepPlan> steps;
    for (const StepPlan& plan : plans) {
        steps.push_back(across(plan));
        if (plan.unsupported)
            if (const auto reason = plan.unsupported(there)) throw Unsupported(*reason);
    }
    return std::make_unique<TransposedExecution>(
        std::make_unique<GroupPipeline>(std::move(group), there, steps, division, exchange,
                                        substitutes),
        problem.size);
}

}  // namespace camber
