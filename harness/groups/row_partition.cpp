#include "harness/groups/pipeline_partitions.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <stdexcept>
#include <utility>

#include "harness/base/error.hpp"

namespace camber {

RowPartition::RowPartition(Group& group, const Problem& problem, const std::vector<StepPlan>& plans,
                           const Division& division, const Exchange& exchange)
    : group_(group),
      problem_(problem),
      exchange_(exchange),
      bits_(bit_order_of(problem, plans)),
      stored_(problem.size),
      steps_(plans, division, exchange),
      allocation_(division.allocation),
      by_kernels_(is_by_kernels(exchange.path)),
      closed_(problem.boundary == Boundary::torus),
      balancing_(division.balancing) {
    refuse_balancing();
    if (bits_) {
        stored_.columns = bits_->words(problem.size.columns);
        if (closed_ && !bits_->fills(problem.size.columns))
            throw Unsupported(fmt::format(
                "a torus of {} columns of bits ends inside a group of {}, and places send each "
                "other whole words: choose a multiple of it",
                problem.size.columns, bits_->cells_per_group()));
    }
    lay_out(division);
    for (const auto& place : rows_) make_phases(*place);
    if (by_kernels_) link();
    if (balancing_.rule != BalanceRule::none)
        balancer_.emplace(balancing_, steps_.exchanged_rows());
}

void RowPartition::refuse_balancing() const {
    if (balancing_.rule == BalanceRule::none) return;
    const auto refuse = [](const std::string& why) {
        throw Unsupported("rows cannot change their place: " + why);
    };
    if (group_.ranks()) refuse("each rank has a process of its own");
    if (by_kernels_)
        refuse(
            "the time of a kernel that waits for its neighbours does not tell how much it has "
            "to do");
    if (allocation_ != Allocation::whole) refuse("a place allocates its own rows only");
}

// Sets the rows of each device and its fields.
void RowPartition::lay_out(const Division& division) {
    const int needed = steps_.exchanged_rows();
    const int halo = std::max(needed, largest(steps_.plans(), &Shape::halo));
    const Communicator* const ranks = group_.ranks();
    if (closed_ && stored_.columns < halo)
        throw Unsupported(fmt::format("a torus of {} columns is narrower than a halo of {}",
                                      stored_.columns, halo));
    const Partition cut =
        division.partition == Partition::rows ? Partition::rows : Partition::columns;
    stripes_ =
        in_whole_blocks(divided_rows(problem_.size.rows, division.weights, needed, closed_, cut),
                        steps_.block_rows());
    const int count = static_cast<int>(stripes_.size());
    for (int i = 0; i < count; ++i) {
        if (ranks && ranks->rank() != i) continue;
        const Rows stripe = stripes_[static_cast<std::size_t>(i)];
        const int here = static_cast<int>(rows_.size());
        GroupPlace& place =
            *rows_.emplace_back(std::make_unique<GroupPlace>(group_.at(here), here));
        add(place);
        place.set_neighbours(i, count, closed_);
        const bool slab = allocation_ == Allocation::slab;
        place.first_row = slab ? stripe.first : 0;
        place.own = {stripe.first - place.first_row, stripe.end - place.first_row};
        const int rows = slab ? stripe.count() : stored_.rows;
        try {
            add_fields(place.store, steps_.plans(), {stored_.columns, rows}, halo);
        } catch (const Error& error) {
            if (error.remedy() != Remedy::smaller_board) throw;
            throw Error(
                error.code(),
                fmt::format("place {} of {} has no room for {} of the board's {} {} and "
                            "{} of halo on either side: {}",
                            i, count, rows, problem_.size.rows, name(cut), halo, error.what()),
                error.remedy());
        }
    }
    stages_.resize(rows_.size());
}

void RowPartition::make_phases(GroupPlace& place) {
    std::vector<std::unique_ptr<RowsStage>>& stages =
        stages_[static_cast<std::size_t>(place.number)];
    place.phases.clear();
    stages.clear();
    for (int phase = 0; phase < steps_.depth() * steps_.count(); ++phase) {
        const int step = phase % steps_.count();
        const StepPlan& plan = steps_.plan(step);
        LinkedMakers::Maker linked;
        if (by_kernels_)
            linked = exchange_.path == ExchangePath::persistent ? plan.make.linked().persistent
                                                                : plan.make.linked().per_generation;
        const auto part = [&](Rows rows, Queue& queue) -> GroupPart {
            RowsStage& made = *stages.emplace_back(
                std::make_unique<RowsStage>(place.store, problem_, plan, rows, queue, linked));
            GroupPart part;
            part.queue = &queue;
            part.rows = rows;
            if (by_kernels_)
                part.enqueue = [this, &made, number_here = place.number](int number,
                                                                         int generations) {
                    made.linked->enqueue(number, generations, links_->of(number_here));
                };
            else
                part.enqueue = [&made](int number, int) { made.stage->enqueue(number); };
            if (closed_)
                part.refresh = [this, &place, &queue, rows, step] {
                    for (const std::string& field : steps_.outputs(step))
                        place.refresh_columns(field, rows, true, queue);
                };
            else if (bits_ && !by_kernels_ && !bits_->fills(problem_.size.columns))
                part.refresh = [&made] { made.stage->refresh_halo(); };
            return part;
        };
        const DividedSteps::PhaseRows rows = steps_.rows_of(place, phase);
        GroupPhase& made = place.phases.emplace_back();
        for (const Side side : sides)
            if (const auto& edge = rows.edges[index(side)])
                made.edges[index(side)] = part(*edge, *place.queue[index(side)]);
        made.middle = part(rows.middle, *place.middle);
    }
}

void RowPartition::link() {
    const auto refuse = [](const std::string& why) {
        throw Unsupported("the step's own kernel cannot send edge rows: " + why);
    };
    const ExchangeContext context = this->context();
    if (steps_.count() > 1) refuse("a generation takes several kernels");
    if (closed_) refuse("on a torus, other work keeps the columns' halo current");
    if (steps_.depth() > 1)
        refuse("with a halo of several generations, rows come while others are read");
    if (context.may_come_early) refuse("the field has one buffer, which its neighbour still reads");
    if (!steps_.plan(0).make.linked().per_generation)
        refuse("the technique has no kernel that does");
    if (exchange_.path == ExchangePath::persistent) refuse_to_stay();
    links_ = std::make_unique<LinkedPlaces>(context);
}

void RowPartition::refuse_to_stay() const {
    if (!steps_.plan(0).make.linked().persistent)
        throw Unsupported(
            "the step's kernel cannot stay for many generations: the technique has none that "
            "does");
    if (group_.lead().backend() != Backend::cuda) return;
    std::vector<int> devices(group_.devices().begin(), group_.devices().end());
    std::ranges::sort(devices);
    if (std::ranges::adjacent_find(devices) != devices.end())
        throw Unsupported(
            "kernels that stay wait for each other, and two places on one device could wait for "
            "ever: they need a device each");
}

GroupSchedule RowPartition::schedule() const {
    GroupSchedule schedule;
    schedule.steps.clear();
    for (int step = 0; step < steps_.count(); ++step)
        schedule.steps.push_back({steps_.plan(step).step, steps_.sender() == step});
    schedule.depth = steps_.depth();
    schedule.persistent = exchange_.path == ExchangePath::persistent;
    schedule.host_takes_part = schedule.is_timed = balancer_.has_value();
    return schedule;
}

ExchangeContext RowPartition::context() const {
    ExchangeContext context{
        group_, fields(), sent_fields(steps_.plans()), steps_.exchanged_rows(), steps_.depth() > 1,
        closed_};
    for (const std::string& field : context.fields)
        if (may_come_early(steps_.plans(), field)) context.may_come_early = true;
    return context;
}

LeastNumbers RowPartition::least(int step) const {
    const std::string& field = steps_.plan(step).sharing.least;
    const bool lagged = exchange_.minimum == Minimum::lagged;
    if (field.empty() || (stripes_.size() == 1 && !lagged)) return {};
    LeastNumbers least;
    for (const auto& place : rows_) least.numbers.push_back(place->store.current(field));
    least.size = static_cast<std::size_t>(info(rows_.front()->store.element(field)).size);
    return least;
}

void RowPartition::uploaded() const {
    for (const auto& stages : stages_)
        for (const auto& stage : stages) stage->stage->uploaded();
}

int RowPartition::upload(const State& initial, GroupRuntime&) {
    if (bits_)
        board_ = in_words(initial, *bits_);
    else if (exchange_.path == ExchangePath::everything)
        board_ = initial;
    for (const auto& place : rows_) fill(*place, bits_ ? board_ : initial);
    uploaded();
    if (links_) links_->begin();
    return 0;
}

void RowPartition::fill(GroupPlace& place, const State& state) {
    place.store.upload(state, place.first_row, closed_);
    if (!closed_) return;
    for (const HostField& field : state.fields) {
        if (!place.store.has(field.name())) continue;
        const Layout layout = place.store.layout(field.name());
        place.refresh_columns(field.name(), {-layout.halo, layout.rows + layout.halo}, false,
                              *place.middle);
    }
}

void RowPartition::download(State& result) {
    if (!bits_) return download_fields(result);
    State words = empty_words(result, *bits_);
    download_fields(words);
    from_words(words, *bits_, result);
}

void RowPartition::download_fields(State& result) const {
    for (const auto& place : rows_) place->store.download(result, place->first_row, place->own);
    if (group_.ranks())
        gather_rows(*group_.ranks(), stripes_, stored_, rows_.front()->store, result);
}

void RowPartition::pass_through_host() {
    download_fields(board_);
    for (const auto& place : rows_) fill(*place, board_);
}

void RowPartition::complete(int step, int generations) {
    if (generations % 2 == 0) return;
    for (const auto& place : rows_)
        for (const std::string& field : steps_.outputs(step)) place->store.swap(field);
}

void RowPartition::poison(int phase, Poison poison) {
    const std::vector<std::string>& outputs = steps_.outputs(phase % steps_.count());
    const bool receives = exchange_.path != ExchangePath::everything && steps_.sender() == phase;
    for (const auto& place : rows_) {
        std::vector<FieldStore::Poisoned> poisoned;
        place->phases[static_cast<std::size_t>(phase)].for_each([&](const GroupPart& part) {
            for (const std::string& field : outputs) poisoned.push_back({field, part.rows});
        });
        // Also the neighbor rows that are received in these outputs.
        const Rows reached = place->extended(steps_.reach());
        if (receives)
            for (const std::string& field : outputs)
                for (const Rows rows :
                     {Rows{reached.first, place->own.first}, Rows{place->own.end, reached.end}})
                    if (rows.count() > 0) poisoned.push_back({field, rows});
        place->store.poison_next(poisoned, poison);
    }
}

void RowPartition::after_launch(int number, GroupRuntime& runtime) {
    if (!balancer_ || ++since_balanced_ < balancing_.every || number % steps_.depth() != 0) return;
    since_balanced_ = 0;
    runtime.end_exchange();
    const auto stripes = balancer_->divided_anew(stripes_, loads(stripes_, runtime.take_times()));
    if (stripes != stripes_) divide_anew(stripes, runtime);
    // Makes the rows that were received available to all queues.
    group_.join();
    runtime.restart();
}

void RowPartition::divide_anew(const std::vector<Rows>& stripes, GroupRuntime& runtime) {
    if (allocation_ != Allocation::whole || runtime.number() % steps_.depth() != 0)
        throw std::logic_error("rows change their place that no other place can take now");
    runtime.end_exchange();
    group_.synchronize();
    const RowMovement movement{
        fields(), stripes,           used_fields(steps_.plans()), steps_.exchanged_rows(),
        closed_,  problem_.size.rows};
    runtime.context().moved_rows += moved_rows(movement);
    move(movement, group_.lead());
    group_.synchronize();
    stripes_ = stripes;
    for (const auto& place : rows_) {
        place->own = stripes_[static_cast<std::size_t>(place->number)];
        make_phases(*place);
    }
    uploaded();
    if (by_kernels_) {
        link();
        links_->begin();
    }
    runtime.divided_anew();
    group_.synchronize();
    runtime.restart();
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

// Swaps rows and columns of every field of size `board`; other fields are unchanged.
State transposed(const State& state, Size board) {
    State result;
    result.account = state.account;
    for (const HostField& field : state.fields) {
        if (field.size() != board) {
            result.fields.push_back(field);
            continue;
        }
        HostField& turned_field =
            result.fields.emplace_back(field.name(), field.element(), turned(field.size()));
        transpose(field, turned_field);
    }
    return result;
}

Problem transposed(Problem problem) {
    problem.size = turned(problem.size);
    return problem;
}

// Returns the steps with rows and columns swapped.
std::vector<StepPlan> across(std::vector<StepPlan> plans, const Problem& transposed_problem) {
    for (StepPlan& plan : plans) {
        // A step that reads no neighbors works on both orders.
        if (plan.make.reach() != 0) {
            if (!plan.across)
                throw Unsupported(fmt::format(
                    "the board cannot be stored transposed: {}technique {} has no kernel that "
                    "reads rows as columns in the same order",
                    plan.step.empty() ? "" : fmt::format("step {} in ", plan.step),
                    plan.technique.name));
            plan.make = *plan.across;
        }
        if (plan.unsupported)
            if (const auto reason = plan.unsupported(transposed_problem))
                throw Unsupported(*reason);
    }
    return plans;
}

}  // namespace

TransposedPartition::TransposedPartition(Group& group, const Problem& problem,
                                         const std::vector<StepPlan>& plans,
                                         const Division& division, const Exchange& exchange)
    : RowPartition(group, transposed(problem), across(plans, transposed(problem)), division,
                   exchange),
      board_(problem.size) {}

int TransposedPartition::upload(const State& initial, GroupRuntime& runtime) {
    return RowPartition::upload(transposed(initial, board_), runtime);
}

void TransposedPartition::download(State& result) {
    State there = transposed(result, board_);
    RowPartition::download(there);
    result.account = there.account;
    for (std::size_t k = 0; k < result.fields.size(); ++k) {
        const HostField& found = there.fields[k];
        if (found.size() == turned(board_))
            transpose(found, result.fields[k]);
        else
            std::ranges::copy(found.bytes(), result.fields[k].bytes().begin());
    }
}

}  // namespace camber
