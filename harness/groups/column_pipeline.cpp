#include "harness/groups/column_pipeline.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <utility>

#include "harness/base/error.hpp"
#include "harness/machine/queue/span_log.hpp"
#include "harness/registry/pipeline_fields.hpp"

namespace camber {

ColumnPipeline::ColumnPipeline(std::unique_ptr<Group> group, const Problem& problem,
                               const std::vector<StepPlan>& plans, const Division& division,
                               const Exchange& exchange, const MakeExchange& make)
    : group_(std::move(group)), problem_(problem), steps_(plans, division, exchange) {
    refuse(exchange);
    lay_out(division);
    std::vector<PlaceFields> fields;
    for (const ColumnPlace& place : places_)
        fields.push_back({&place.base->store,
                          place.base->own,
                          place.base->first_row,
                          {place.base->neighbours[0], place.base->neighbours[1]}});
    context_.emplace(ExchangeContext{.group = *group_,
                                     .places = std::move(fields),
                                     .fields = sent_fields(plans),
                                     .depth = steps_.exchanged_rows(),
                                     // The steps also write the neighbors' columns.
                                     .may_come_early = true,
                                     .closed = false,
                                     .moved_rows = 0,
                                     .partition = Partition::columns,
                                     .buffers = exchange.buffers});
    if (exchange.path == ExchangePath::stores)
        for (int place = 0; place + 1 < group_->places(); ++place) {
            check_stores_reach(*group_, place, place + 1);
            check_stores_reach(*group_, place + 1, place);
        }
    if (exchange.path != ExchangePath::everything) exchange_ = make(exchange.path, *context_);
}

ColumnPipeline::~ColumnPipeline() = default;

void ColumnPipeline::refuse(const Exchange& exchange) const {
    const auto refuse = [](const std::string& why) {
        throw Unsupported("columns cannot be divided: " + why);
    };
    if (group_->ranks()) refuse("ranks gather whole rows");
    if (problem_.cell == ElementType::bits) refuse("a word has bits of several");
    if (problem_.boundary == Boundary::torus) refuse("a torus closes its columns in one place");
    if (is_by_kernels(exchange.path)) refuse("the step's own kernel sends whole rows");
    if (exchange.path == ExchangePath::nccl) refuse("NCCL would send a message for every row");
    for (const StepPlan& plan : steps_.plans())
        if (plan.sharing.sends() || !plan.sharing.least.empty())
            refuse(fmt::format(
                "step {} is shared in the middle of a generation, and a place computes its "
                "neighbours' columns as well as its own",
                plan.step));
}

void ColumnPipeline::lay_out(const Division& division) {
    const int needed = steps_.exchanged_rows();
    const int halo = largest(steps_.plans(), &Shape::halo);
    const std::vector<Rows> stripes =
        divided_rows(problem_.size.columns, division.weights, needed, false, Partition::columns);
    const int count = static_cast<int>(stripes.size());
    for (int i = 0; i < count; ++i) {
        ColumnPlace& made = places_.emplace_back();
        made.base = std::make_unique<GroupPlace>(group_->at(i), i);
        GroupPlace& place = *made.base;
        place.neighbours[0] = i - 1;
        place.neighbours[1] = i + 1 < count ? i + 1 : -1;
        const Rows stripe = stripes[static_cast<std::size_t>(i)];
        const int left = place.neighbours[0] >= 0 ? needed : 0;
        const int right = place.neighbours[1] >= 0 ? needed : 0;
        place.first_row = stripe.first - left;
        place.own = {left, left + stripe.count()};
        Problem problem = problem_;
        problem.size.columns = left + stripe.count() + right;
        add_fields(place.store, steps_.plans(), problem.size, halo);
        for (const StepPlan& plan : steps_.plans()) {
            if (plan.unsupported)
                if (const auto reason = plan.unsupported(problem)) throw Unsupported(*reason);
            made.steps.push_back(std::make_unique<GroupPart>(
                place.store, problem, plan, Rows{0, problem.size.rows}, *place.middle));
        }
    }
}

void ColumnPipeline::fill(const State& state) {
    for (const ColumnPlace& place : places_) {
        place.base->store.upload_columns(state, place.base->first_row);
        for (const auto& step : place.steps) step->stage->uploaded();
    }
}

void ColumnPipeline::upload(const State& initial) {
    group_->synchronize();
    fill(initial);
    if (exchange_)
        exchange_->begin();
    else
        board_ = initial;
    group_->synchronize();
    number_ = 0;
    under_way_ = false;
}

void ColumnPipeline::download(State& result) {
    group_->synchronize();
    for (const ColumnPlace& place : places_)
        place.base->store.download_columns(result, place.base->first_row, place.base->own);
}

void ColumnPipeline::advance(int generations) {
    group_->fork();
    for (int i = 0; i < generations; ++i) generation();
    // The columns sent last are received in the same submission, which may be replayed unchanged.
    end_exchange();
    group_->join();
}

void ColumnPipeline::generation() {
    end_exchange();
    for (int step = 0; step < steps_.count(); ++step) {
        std::optional<MarkedRange> marked;
        if (const std::string& name = steps_.name(step); !name.empty())
            marked.emplace(name, number_);
        if (poison_) group_->meet();
        for (const ColumnPlace& place : places_) {
            if (poison_) place.base->store.poison_next(steps_.outputs(step), *poison_);
            place.steps[static_cast<std::size_t>(step)]->stage->enqueue(number_);
            for (const std::string& field : steps_.outputs(step)) place.base->store.swap(field);
        }
    }
    poison_.reset();
    if (++number_ % steps_.depth() == 0) exchange_edges();
}

void ColumnPipeline::exchange_edges() {
    if (!exchange_) {
        download(board_);
        for (const ColumnPlace& place : places_)
            place.base->store.upload_columns(board_, place.base->first_row);
        group_->synchronize();
        return;
    }
    const auto for_all = [&](const auto& f) {
        for (const ColumnPlace& place : places_)
            for (const Side side : sides)
                if (place.base->neighbours[index(side)] >= 0)
                    f(place.base->number, side, *place.base->middle);
    };
    for_all([&](int place, Side side, Queue& queue) { exchange_->release(place, side, queue); });
    for_all([&](int place, Side side, Queue& queue) { exchange_->send(place, side, queue); });
    under_way_ = true;
}

void ColumnPipeline::end_exchange() {
    if (under_way_)
        for (const ColumnPlace& place : places_)
            for (const Side side : sides)
                if (place.base->neighbours[index(side)] >= 0)
                    exchange_->receive(place.base->number, side, *place.base->middle);
    under_way_ = false;
}

namespace {

Size turned(Size size) {
    return {size.rows, size.columns};
}

// Transposes the field into the existing memory of `result`, to which transfers and comparisons
// refer.
void transpose(const HostField& field, HostField& result) {
    const auto size = static_cast<std::size_t>(info(field.element()).size);
    const auto rows = static_cast<std::size_t>(field.size().rows);
    const auto columns = static_cast<std::size_t>(field.size().columns);
    const std::byte* const from = field.bytes().data();
    std::byte* const to = result.bytes().data();
    // Works on square tiles, so that a cache line is fully used while it is cached.
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

// Returns the step with rows and columns swapped.
StepPlan across(StepPlan plan) {
    // A step that reads no neighbors works on both orders.
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
