#include "harness/groups/pipeline_partitions.hpp"

#include <fmt/format.h>

#include "harness/base/error.hpp"
#include "harness/registry/pipeline_fields.hpp"

namespace camber {

ColumnPartition::ColumnPartition(Group& group, const Problem& problem,
                                 const std::vector<StepPlan>& plans, const Division& division,
                                 const Exchange& exchange)
    : group_(group),
      steps_(plans, division, exchange),
      through_host_(exchange.path == ExchangePath::everything) {
    refuse(problem, exchange);
    lay_out(problem, division);
}

void ColumnPartition::refuse(const Problem& problem, const Exchange& exchange) const {
    const auto refuse = [](const std::string& why) {
        throw Unsupported("columns cannot be divided: " + why);
    };
    if (group_.ranks()) refuse("ranks gather whole rows");
    if (problem.cell == ElementType::bits) refuse("a word has bits of several");
    if (problem.boundary == Boundary::torus) refuse("a torus closes its columns in one place");
    if (is_by_kernels(exchange.path)) refuse("the step's own kernel sends whole rows");
    if (exchange.path == ExchangePath::nccl) refuse("NCCL would send a message for every row");
    for (const StepPlan& plan : steps_.plans())
        if (plan.sharing.sends() || !plan.sharing.least.empty())
            refuse(fmt::format(
                "step {} is shared in the middle of a generation, and a place computes its "
                "neighbours' columns as well as its own",
                plan.step));
}

void ColumnPartition::lay_out(const Problem& problem, const Division& division) {
    const int needed = steps_.exchanged_rows();
    const int halo = largest(steps_.plans(), &Shape::halo);
    const std::vector<Rows> stripes =
        divided_rows(problem.size.columns, division.weights, needed, false, Partition::columns);
    const int count = static_cast<int>(stripes.size());
    for (int i = 0; i < count; ++i) {
        Columns& made = *columns_.emplace_back(std::make_unique<Columns>(group_.at(i), i));
        GroupPlace& place = made.place;
        add(place);
        place.set_neighbours(i, count);
        const Rows stripe = stripes[static_cast<std::size_t>(i)];
        const int left = place.neighbours[0] >= 0 ? needed : 0;
        const int right = place.neighbours[1] >= 0 ? needed : 0;
        place.first_row = stripe.first - left;
        place.own = {left, left + stripe.count()};
        Problem part = problem;
        part.size.columns = left + stripe.count() + right;
        add_fields(place.store, steps_.plans(), part.size, halo);
        for (int phase = 0; phase < steps_.depth() * steps_.count(); ++phase) {
            if (phase < steps_.count()) {
                const StepPlan& plan = steps_.plan(phase);
                if (plan.unsupported)
                    if (const auto reason = plan.unsupported(part)) throw Unsupported(*reason);
                made.steps.push_back(std::make_unique<RowsStage>(
                    place.store, part, plan, Rows{0, part.size.rows}, *place.middle));
            }
            Stage& stage = *made.steps[static_cast<std::size_t>(phase % steps_.count())]->stage;
            place.phases.push_back(
                {.middle = {place.middle, [&stage](int number, int) { stage.enqueue(number); }}});
        }
    }
}

GroupSchedule ColumnPartition::schedule() const {
    GroupSchedule schedule;
    schedule.steps.clear();
    for (const StepPlan& plan : steps_.plans()) schedule.steps.push_back({plan.step});
    schedule.depth = steps_.depth();
    schedule.receives_first = true;
    return schedule;
}

ExchangeContext ColumnPartition::context() const {
    return {.group = group_,
            .places = fields(),
            .fields = sent_fields(steps_.plans()),
            .depth = steps_.exchanged_rows(),
            .may_come_early = true,  // the steps also write the neighbors' columns
            .partition = Partition::columns};
}

int ColumnPartition::upload(const State& initial, GroupRuntime&) {
    if (through_host_) board_ = initial;
    for (const auto& columns : columns_) {
        columns->place.store.upload_columns(initial, columns->place.first_row);
        for (const auto& step : columns->steps) step->stage->uploaded();
    }
    return 0;
}

void ColumnPartition::download(State& result) {
    for (GroupPlace* const place : places())
        place->store.download_columns(result, place->first_row, place->own);
}

void ColumnPartition::pass_through_host() {
    download(board_);
    for (GroupPlace* const place : places()) place->store.upload_columns(board_, place->first_row);
}

void ColumnPartition::poison(int phase, Poison poison) {
    for (GroupPlace* const place : places())
        place->store.poison_next(steps_.outputs(phase % steps_.count()), poison);
}

void ColumnPartition::complete(int step, int) {
    for (GroupPlace* const place : places())
        for (const std::string& field : steps_.outputs(step)) place->store.swap(field);
}

}  // namespace camber
