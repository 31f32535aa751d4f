#include "harness/groups/group_place.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>

#include "harness/base/partition.hpp"
#include "harness/base/unsupported.hpp"

namespace camber {

GroupPart::GroupPart(FieldStore& whole, const Problem& whole_problem, const StepPlan& plan, Rows of,
                     Queue& on)
    : rows(of), fields(whole, of), problem(whole_problem), queue(on) {
    problem.size.rows = of.count();
    // What lies around the rows is kept current, as a torus' halo is.
    problem.boundary = Boundary::dead;
    stage = plan.make({queue, problem, fields, constants});
}

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

Rows GroupPlace::extended(int beyond) const {
    return {own.first - (neighbours[0] >= 0 ? beyond : 0),
            own.end + (neighbours[1] >= 0 ? beyond : 0)};
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
        if (field.size() != board) {  // no rows of the board: each has all
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

}  // namespace camber
