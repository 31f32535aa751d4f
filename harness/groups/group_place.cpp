#include "harness/groups/group_place.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <numeric>

#include "harness/base/error.hpp"
#include "harness/groups/partition.hpp"
#include "harness/registry/pipeline_fields.hpp"

namespace camber {

GroupPlace::GroupPlace(const Place& queues, int place)
    : number(place),
      queue{queues.above, queues.below},
      middle(queues.middle),
      store(*queues.middle),
      edge_done{middle->make_event(), middle->make_event()},
      middle_done(middle->make_event()) {}

void GroupPlace::refresh_columns(const std::string& field, Rows rows, bool next, Queue& on) const {
    const Layout layout = store.layout(field);
    if (layout.halo == 0) return;
    const std::ptrdiff_t size = info(store.element(field)).size;
    auto* const start = static_cast<std::byte*>(next ? store.next(field) : store.current(field));
    const auto cell = [&](int column) {
        return start +
               (layout.origin() + static_cast<std::ptrdiff_t>(rows.first) * layout.pitch + column) *
                   size;
    };
    const auto pitch = static_cast<std::size_t>(layout.pitch * size);
    const Rectangle shape{static_cast<std::size_t>(layout.halo * size),
                          static_cast<std::size_t>(rows.count())};
    on.copy({cell(-layout.halo), pitch, cell(layout.columns - layout.halo), pitch, shape});
    on.copy({cell(layout.columns), pitch, cell(0), pitch, shape});
}

void GroupPlace::set_neighbours(int place, int count, bool closed) {
    neighbours[0] = place > 0 ? place - 1 : closed ? count - 1 : -1;
    neighbours[1] = place + 1 < count ? place + 1 : closed ? 0 : -1;
}

Rows GroupPlace::extended(int beyond) const {
    return {own.first - (neighbours[0] >= 0 ? beyond : 0),
            own.end + (neighbours[1] >= 0 ? beyond : 0)};
}

RowsStage::RowsStage(FieldStore& whole, const Problem& whole_problem, const StepPlan& plan,
                     Rows rows, Queue& queue, const LinkedMakers::Maker& linked_maker)
    : fields(whole, rows), problem(whole_problem) {
    problem.size.rows = rows.count();
    // The rows around the part are kept up to date, as the halo of a torus is.
    problem.boundary = Boundary::dead;
    const StageContext context{queue, problem, fields, constants};
    stage = plan.make(context);
    if (linked_maker) linked = linked_maker(context);
}

std::vector<Rows> divided_rows(int rows, const std::vector<int>& weights, int needed, bool closed,
                               Partition partition) {
    std::vector<Rows> divided = stripes(rows, weights);
    const int count = static_cast<int>(divided.size());
    const int fewest = std::max(1, count > 1 || closed ? needed : 1);
    for (int place = 0; place < count; ++place)
        if (const int own = divided[static_cast<std::size_t>(place)].count(); own < fewest)
            throw Unsupported(fmt::format(
                "place {} of {} has {} of the board's {} {}, and its neighbours need {} of it",
                place, count, own, rows, name(partition), needed));
    return divided;
}

void check_stores_reach(const Group& group, int place, int neighbour) {
    if (!group.reaches(place, neighbour))
        throw Unsupported(fmt::format(
            "place {} cannot store into the memory of place {}: their devices do not reach each "
            "other, as copies need not",
            place, neighbour));
}

void gather_rows(Communicator& ranks, const std::vector<Rows>& stripes, Size board,
                 const FieldStore& store, State& state) {
    for (HostField& field : state.fields) {
        if (!store.has(field.name())) continue;
        if (field.size() != board) {  // not a field of board rows: every rank has all of it
            ranks.broadcast(ranks.size() - 1, field.bytes());
            continue;
        }
        const std::size_t row = static_cast<std::size_t>(field.size().columns) *
                                static_cast<std::size_t>(info(field.element()).size);
        for (int rank = 0; rank < ranks.size(); ++rank) {
            const Rows rows = stripes[static_cast<std::size_t>(rank)];
            ranks.broadcast(rank,
                            field.bytes().subspan(static_cast<std::size_t>(rows.first) * row,
                                                  static_cast<std::size_t>(rows.count()) * row));
        }
    }
}

DividedSteps::DividedSteps(const std::vector<StepPlan>& plans, const Division& division,
                           const Exchange& exchange)
    : plans_(plans),
      own_rows_(steps_of_own_rows(plans)),
      depth_(division.halo_depth),
      edge_share_(division.edge_share),
      // On kernel paths, one launch computes edges and middle.
      overlap_(!is_by_kernels(exchange.path) && overlaps(exchange.path, exchange.overlap)),
      through_host_(exchange.path == ExchangePath::everything) {
    if (const auto why = why_undivided(plans)) throw Unsupported(*why);
    int most = 0;
    for (int step = 0; step < count(); ++step) {
        const int reach = *plan(step).make.reach();
        most = std::max(most, reach_ + reach);
        if (!is_of_own_rows(step)) reach_ += reach;
        if (plan(step).sharing.sends()) sender_ = step;
        outputs_.push_back(outputs_of(plan(step)));
    }
    reach_ = most;
    if (sender_ && depth_ > 1)
        throw Unsupported(
            fmt::format("a halo of {} generations is too deep: the places share step {} of every "
                        "generation",
                        depth_, plan(*sender_).step));
}

int DividedSteps::block_rows() const {
    int rows = 1;
    for (const StepPlan& plan : plans_) rows = std::lcm(rows, std::max(1, plan.shape.region.rows));
    return rows;
}

// Number of rows of each neighbor that a device computes as well.
int DividedSteps::rows_beyond(int phase) const {
    const int step = phase % count();
    // If everything travels through the host, the complete state arrives at the end of a
    // generation.
    if (sender_) return through_host_ ? 0 : plan(step).sharing.beyond;
    if (is_of_own_rows(step)) return 0;
    int beyond = (depth_ - phase / count()) * reach_;
    for (int i = 0; i <= step; ++i)
        if (!is_of_own_rows(i)) beyond -= *plan(i).make.reach();
    return beyond;
}

bool DividedSteps::meets_neighbours(int phase) const {
    if (sender_) return phase == *sender_;
    return !is_of_own_rows(phase % count()) && (phase == 0 || phase + 1 == depth_ * count());
}

DividedSteps::PhaseRows DividedSteps::rows_of(const GroupPlace& place, int phase) const {
    const Shape& shape = plan(phase % count()).shape;
    const Rows rows = place.extended(rows_beyond(phase));
    // Edges consist of whole block regions, so that thread blocks fit as well as on a single
    // device.
    const int region = edge_share_ == 0 ? 1 : std::max(1, shape.region.rows);
    const int least = edge_share_ == 0
                          ? exchanged_rows()
                          : std::max(exchanged_rows(), place.own.count() / edge_share_);
    const bool meets = meets_neighbours(phase);
    // In steps between the first and the last, the edges are only the neighbors' rows.
    const int height = meets ? (least + region - 1) / region * region : 0;
    Rows middle = rows;
    if (place.neighbours[0] >= 0) middle.first = place.own.first + height;
    if (place.neighbours[1] >= 0) middle.end = place.own.end - height;
    // If the middle is so small that both edges read across it, splitting is useless: the middle
    // would have to wait for both.
    if (!overlap_ || (sender_ && !meets) || middle.count() <= 2 * reach_) return {.middle = rows};
    PhaseRows split{.middle = middle};
    if (middle.first > rows.first) split.edges[0] = {rows.first, middle.first};
    if (middle.end < rows.end) split.edges[1] = {middle.end, rows.end};
    return split;
}

}  // namespace camber
