#include "harness/registry/group_place.hpp"

#include <cstddef>

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

}  // namespace camber
