#include "harness/registry/group_pipeline.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "harness/backend/markers.hpp"
#include "harness/base/unsupported.hpp"
#include "harness/registry/pipeline_fields.hpp"

namespace camber {

namespace {

// What a generation hands to the next: fields that a step writes and an earlier one, or itself,
// reads.
std::vector<std::string> carried_fields(const std::vector<StepPlan>& plans) {
    std::vector<std::string> carried;
    for (std::size_t writer = 0; writer < plans.size(); ++writer)
        for (const std::string& field : outputs_of(plans[writer])) {
            const bool is_read =
                std::any_of(plans.begin(), plans.begin() + static_cast<std::ptrdiff_t>(writer) + 1,
                            [&](const StepPlan& plan) {
                                const FieldUse* use = use_of(plan, field);
                                return use && use->read;
                            });
            if (is_read && std::ranges::find(carried, field) == carried.end())
                carried.push_back(field);
        }
    return carried;
}

// Of which steps every place computes its own rows only: what they leave goes into the least of all
// places and nowhere else.
std::vector<bool> steps_of_own_rows(const std::vector<StepPlan>& plans) {
    std::vector<bool> own(plans.size());
    for (std::size_t step = plans.size(); step-- > 0;) {
        const auto is_for_own_rows = [&](const std::string& field) {
            for (std::size_t reader = 0; reader < plans.size(); ++reader) {
                const FieldUse* use = use_of(plans[reader], field);
                if (use && use->read && (reader <= step || !own[reader])) return false;
            }
            return true;
        };
        const std::vector<std::string> outputs = outputs_of(plans[step]);
        own[step] = !plans[step].sharing.least.empty() ||
                    (!outputs.empty() && std::ranges::all_of(outputs, is_for_own_rows));
    }
    return own;
}

// Whether rows of the field may come while those before them are still read: they come into the
// same memory where that is not exchanged, or exchanged more than once before they do.
bool may_come_early(const std::vector<StepPlan>& plans, const std::string& field) {
    const auto writes = [&](const StepPlan& plan) {
        const FieldUse* use = use_of(plan, field);
        return use && use->written;
    };
    return buffers_of(plans, field) == Buffers::one || std::ranges::count_if(plans, writes) != 1;
}

// What the places send each other.
std::vector<std::string> sent_fields(const std::vector<StepPlan>& plans) {
    for (const StepPlan& plan : plans)
        if (plan.sharing.sends()) return plan.sharing.sent;
    return carried_fields(plans);
}

}  // namespace

std::optional<std::string> why_undivided(const std::vector<StepPlan>& plans) {
    for (const StepPlan& plan : plans) {
        const std::string step = plan.step.empty() ? "" : fmt::format("step {} in ", plan.step);
        if (plan.arithmetic == Arithmetic::unordered)
            return fmt::format(
                "{}technique {} adds in an order that is left to chance, and two places would not "
                "agree on rows that both compute",
                step, plan.technique.name);
    }
    for (const StepPlan& plan : plans) {
        const std::string step = plan.step.empty() ? "" : fmt::format("step {} in ", plan.step);
        if (!plan.make.reach() || !plan.any_halo)
            return fmt::format("{}technique {} needs the whole board in one place", step,
                               plan.technique.name);
        if (std::ranges::any_of(plan.fields, &FieldUse::in_constant_memory))
            return fmt::format("{}technique {} keeps a whole field in constant memory", step,
                               plan.technique.name);
    }
    return std::nullopt;
}

GroupPipeline::GroupPipeline(std::unique_ptr<Group> group, const Problem& problem,
                             const std::vector<StepPlan>& plans, const Division& division,
                             const Exchange& exchange, const ExchangeMaker& make)
    : group_(std::move(group)),
      problem_(problem),
      depth_(division.halo_depth),
      // One launch has edges and middle on the path of kernels.
      overlap_(exchange.path != ExchangePath::kernel && overlaps(exchange.path, exchange.overlap)),
      closed_(problem.boundary == Boundary::torus) {
    if (const auto why = why_undivided(plans)) throw Unsupported(*why);
    own_rows_ = steps_of_own_rows(plans);
    int most = 0;
    for (const StepPlan& plan : plans) {
        const int reach = *plan.make.reach();
        most = std::max(most, reach_ + reach);
        if (!own_rows_[step_names_.size()]) reach_ += reach;
        if (plan.sharing.sends()) sender_ = static_cast<int>(step_names_.size());
        step_names_.push_back(plan.step);
        outputs_.push_back(outputs_of(plan));
    }
    reach_ = most;
    if (sender_ && depth_ > 1)
        throw Unsupported(
            fmt::format("a halo of {} generations is too deep: the places share step {} of every "
                        "generation",
                        depth_, step_names_[static_cast<std::size_t>(*sender_)]));
    lay_out(plans, division);
    if (exchange.path == ExchangePath::stores || exchange.path == ExchangePath::kernel)
        for (const auto& place : places_)
            for (const int neighbour : place->neighbours)
                if (neighbour >= 0) check_stores_reach(*group_, place->number, neighbour);
    divide_phases(plans, division.edge_share, exchange.path);
    find_minima(plans, exchange.path);

    ExchangeContext& context = context_.emplace(
        ExchangeContext{*group_, {}, sent_fields(plans), depth_ * reach_, depth_ > 1, closed_});
    for (const std::string& field : context.fields)
        if (may_come_early(plans, field)) context.may_come_early = true;
    for (const auto& place : places_)
        context.places.push_back({&place->store,
                                  place->own,
                                  place->first_row,
                                  {place->neighbours[0], place->neighbours[1]}});
    if (exchange.path == ExchangePath::kernel)
        links_ = link(context);
    else if (exchange.path != ExchangePath::everything)
        exchange_ = make(exchange.path, context);
}

GroupPipeline::~GroupPipeline() = default;

std::unique_ptr<LinkedPlaces> GroupPipeline::link(ExchangeContext context) const {
    const auto refuse = [](const std::string& why) {
        throw Unsupported("the step's own kernel cannot send edge rows: " + why);
    };
    if (step_names_.size() > 1) refuse("a generation takes several kernels");
    if (closed_) refuse("on a torus, other work keeps the columns' halo current");
    if (depth_ > 1) refuse("with a halo of several generations, rows come while others are read");
    if (context.may_come_early) refuse("the field has one buffer, which its neighbour still reads");
    for (const auto& place : places_)
        if (!place->phases.front().middle->stage->has_links())
            refuse("the technique has no kernel that does");
    return std::make_unique<LinkedPlaces>(std::move(context));
}

// Which rows each place has, and its fields.
void GroupPipeline::lay_out(const std::vector<StepPlan>& plans, const Division& division) {
    const int halo = std::max(depth_ * reach_, largest(plans, &Shape::halo));
    const Communicator* const ranks = group_->ranks();
    if (closed_ && problem_.size.columns < halo)
        throw Unsupported(fmt::format("a torus of {} columns is narrower than a halo of {}",
                                      problem_.size.columns, halo));
    stripes_ = divided_rows(problem_.size.rows, division.weights, depth_ * reach_, closed_);
    const int count = static_cast<int>(stripes_.size());
    for (int i = 0; i < count; ++i) {
        if (ranks && ranks->rank() != i) continue;
        const Rows stripe = stripes_[static_cast<std::size_t>(i)];
        const int here = static_cast<int>(places_.size());
        GroupPlace& place =
            *places_.emplace_back(std::make_unique<GroupPlace>(group_->at(here), here));
        place.neighbours[0] = i > 0 ? i - 1 : closed_ ? count - 1 : -1;
        place.neighbours[1] = i + 1 < count ? i + 1 : closed_ ? 0 : -1;
        const bool slab = division.allocation == Allocation::slab;
        place.first_row = slab ? stripe.first : 0;
        place.own = {stripe.first - place.first_row, stripe.end - place.first_row};
        add_fields(place.store, plans,
                   {problem_.size.columns, slab ? stripe.count() : problem_.size.rows}, halo);
    }
}

void GroupPipeline::divide_phases(const std::vector<StepPlan>& plans, int edge_share,
                                  ExchangePath path) {
    const int steps = static_cast<int>(plans.size());
    for (const auto& place : places_)
        for (int phase = 0; phase < depth_ * steps; ++phase) {
            const StepPlan& plan = plans[static_cast<std::size_t>(phase % steps)];
            const bool own_rows = own_rows_[static_cast<std::size_t>(phase % steps)];
            int beyond = (depth_ - phase / steps) * reach_;
            for (int i = 0; i <= phase % steps; ++i)
                if (const auto step = static_cast<std::size_t>(i); !own_rows_[step])
                    beyond -= *plans[step].make.reach();
            // All state comes at the generation's end where everything goes through the host.
            if (sender_) beyond = path == ExchangePath::everything ? 0 : plan.sharing.beyond;
            if (own_rows && !sender_) beyond = 0;
            const Rows rows = place->extended(beyond);
            GroupPhase& made = place->phases.emplace_back();
            const auto part = [&](Rows of, Queue& queue) {
                return std::make_unique<GroupPart>(place->store, problem_, plan, of, queue);
            };
            // Whole regions, so that blocks of threads fit as well as in one place.
            const int region = std::max(1, plan.shape.region.rows);
            const int sent = depth_ * reach_;
            const int least =
                edge_share == 0 ? sent : std::max(sent, place->own.count() / edge_share);
            const bool meets_neighbours =
                sender_ ? phase == *sender_
                        : !own_rows && (phase == 0 || phase + 1 == depth_ * steps);
            // Between the first step and the last one neighbours' rows alone are the edges.
            const int whole = edge_share == 0 ? 1 : region;
            const int height = meets_neighbours ? (least + whole - 1) / whole * whole : 0;
            Rows middle = rows;
            if (place->neighbours[0] >= 0) middle.first = place->own.first + height;
            if (place->neighbours[1] >= 0) middle.end = place->own.end - height;
            // A middle that edges could read through would have to wait for both.
            if (!overlap_ || (sender_ && !meets_neighbours) || middle.count() <= 2 * reach_) {
                made.middle = part(rows, *place->middle);
                continue;
            }
            if (middle.first > rows.first)
                made.edges[0] = part({rows.first, middle.first}, *place->queue[0]);
            if (middle.end < rows.end)
                made.edges[1] = part({middle.end, rows.end}, *place->queue[1]);
            made.middle = part(middle, *place->middle);
        }
}

void GroupPipeline::find_minima(const std::vector<StepPlan>& plans, ExchangePath path) {
    for (const StepPlan& plan : plans) {
        std::unique_ptr<GroupMinimum>& minimum = minima_.emplace_back();
        const std::string& field = plan.sharing.least;
        if (field.empty() || stripes_.size() == 1) continue;
        std::vector<void*> numbers;
        for (const auto& place : places_) numbers.push_back(place->store.current(field));
        const int size = info(places_.front()->store.element(field)).size;
        minimum =
            make_group_minimum(path, *group_, std::move(numbers), static_cast<std::size_t>(size));
    }
}

void GroupPipeline::upload(const State& initial) {
    group_->synchronize();
    for (const auto& place : places_) {
        upload(*place, initial);
        for (const GroupPhase& phase : place->phases)
            phase.for_each([](const GroupPart& part) { part.stage->uploaded(); });
    }
    if (exchange_) exchange_->begin();
    if (links_) links_->begin();
    for (const auto& minimum : minima_)
        if (minimum) minimum->begin();
    if (goes_through_host()) board_ = initial;
    group_->synchronize();
    number_ = 0;
    under_way_ = false;
}

void GroupPipeline::upload(GroupPlace& place, const State& state) {
    place.store.upload(state, place.first_row, closed_);
    if (!closed_) return;
    for (const HostField& field : state.fields) {
        if (!place.store.has(field.name())) continue;
        const Layout layout = place.store.layout(field.name());
        place.refresh_columns(field.name(), {-layout.halo, layout.rows + layout.halo}, false,
                              *place.middle);
    }
}

void GroupPipeline::download(State& result) {
    group_->synchronize();
    for (const auto& place : places_) place->store.download(result, place->first_row, place->own);
    if (group_->ranks())
        gather_rows(*group_->ranks(), stripes_, problem_.size, places_.front()->store, result);
}

void GroupPipeline::advance(int generations) {
    group_->fork();
    for (const auto& place : places_) place->was_split = place->has_worked = false;
    for (int i = 0; i < generations; ++i) generation();
    // What was sent last comes with the work that sent it, which may be replayed as it is.
    if (under_way_)
        for (const auto& place : places_) receive_edges(*place, place->was_split);
    under_way_ = false;
    group_->join();
}

void GroupPipeline::generation() {
    const int steps = static_cast<int>(step_names_.size());
    const int first = number_ % depth_ * steps;
    for (int step = 0; step < steps; ++step) {
        std::optional<MarkedRange> marked;
        const std::string& name = step_names_[static_cast<std::size_t>(step)];
        if (!name.empty()) marked.emplace(name, number_);
        if (poison_) poison_outputs(first + step);
        for (const auto& place : places_) enqueue(*place, first + step, number_);
        if (first + step == 0) under_way_ = false;
        for (const auto& place : places_)
            for (const std::string& field : outputs_[static_cast<std::size_t>(step)])
                place->store.swap(field);
        share(step);
    }
    poison_ = false;
    ++number_;
    if (number_ % depth_ != 0) return;
    if (goes_through_host())
        through_host();
    else if (exchange_ && !sender_)
        send_edges();
}

// What the places need of each other before the next step of the same generation.
void GroupPipeline::share(int step) {
    if (exchange_ && sender_ == step) {
        send_edges();
        for (const auto& place : places_) {
            receive_edges(*place, place->was_split);
            if (!place->was_split) continue;
            for (const Side side : sides)
                place->queue[index(side)]->record(*place->edge_done[index(side)]);
        }
        under_way_ = false;
    }
    GroupMinimum* const minimum = minima_[static_cast<std::size_t>(step)].get();
    if (!minimum) return;
    for (const auto& place : places_) {
        if (place->was_split)
            for (const Side side : sides) place->middle->wait(*place->edge_done[index(side)]);
        place->was_split = false;
    }
    minimum->take();
    // Edges of the next step wait for it too.
    for (const auto& place : places_) place->middle->record(*place->middle_done);
}

void GroupPipeline::enqueue(GroupPlace& place, int number_of_phase, int number) {
    const GroupPhase& phase = place.phases[static_cast<std::size_t>(number_of_phase)];
    const bool split = phase.is_split();
    if (split)
        for (const Side side : sides)
            if (phase.edges[index(side)] && place.has_worked)
                place.queue[index(side)]->wait(*place.middle_done);
    if (place.was_split)
        for (const Side side : sides) place.middle->wait(*place.edge_done[index(side)]);
    if (number_of_phase == 0 && under_way_) receive_edges(place, split);
    // Edges first: others wait for them.
    const auto step = static_cast<std::size_t>(number_of_phase) % step_names_.size();
    phase.for_each([&](const GroupPart& part) {
        if (links_)
            part.stage->enqueue_linked(number, links_->of(place.number));
        else
            part.stage->enqueue(number);
        if (closed_)
            for (const std::string& field : outputs_[step])
                place.refresh_columns(field, part.rows, true, part.queue);
    });
    if (split)
        for (const Side side : sides)
            place.queue[index(side)]->record(*place.edge_done[index(side)]);
    place.middle->record(*place.middle_done);
    place.was_split = split;
    place.has_worked = true;
}

void GroupPipeline::receive_edges(GroupPlace& place, bool on_edges) {
    for (const Side side : sides)
        if (place.neighbours[index(side)] >= 0)
            exchange_->receive(place.number, side,
                               on_edges ? *place.queue[index(side)] : *place.middle);
}

void GroupPipeline::send_edges() {
    const auto queue_of = [](const GroupPlace& place, Side side) -> Queue& {
        return place.was_split ? *place.queue[index(side)] : *place.middle;
    };
    const auto for_all = [&](const auto& f) {
        for (const auto& place : places_)
            for (const Side side : sides)
                if (place->neighbours[index(side)] >= 0) f(*place, side);
    };
    for_all([&](const GroupPlace& place, Side side) {
        exchange_->release(place.number, side, queue_of(place, side));
    });
    for_all([&](const GroupPlace& place, Side side) {
        exchange_->send(place.number, side, queue_of(place, side));
    });
    under_way_ = true;
}

void GroupPipeline::through_host() {
    download(board_);
    for (const auto& place : places_) upload(*place, board_);
    group_->synchronize();
}

void GroupPipeline::poison_outputs(int phase) {
    group_->meet();
    const auto step = static_cast<std::size_t>(phase) % step_names_.size();
    for (const auto& place : places_) {
        std::vector<FieldStore::Poisoned> poisoned;
        place->phases[static_cast<std::size_t>(phase)].for_each([&](const GroupPart& part) {
            for (const std::string& field : outputs_[step]) poisoned.push_back({field, part.rows});
        });
        // And what the neighbours send of them.
        if (exchange_ && sender_ == phase)
            for (const std::string& field : outputs_[step])
                for (const Rows rows : {Rows{place->extended(reach_).first, place->own.first},
                                        Rows{place->own.end, place->extended(reach_).end}})
                    if (rows.count() > 0) poisoned.push_back({field, rows});
        place->store.poison_next(poisoned);
    }
    group_->meet();
}

}  // namespace camber
