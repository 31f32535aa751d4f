#include "harness/groups/divided_steps.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "harness/base/unsupported.hpp"
#include "harness/registry/pipeline_fields.hpp"
#include "harness/registry/shared_fields.hpp"

namespace camber {

DividedSteps::DividedSteps(const std::vector<StepPlan>& plans, const Division& division,
                           const Exchange& exchange)
    : plans_(plans),
      own_rows_(steps_of_own_rows(plans)),
      depth_(division.halo_depth),
      edge_share_(division.edge_share),
      // One launch has edges and middle on the path of kernels.
      overlap_(!is_by_kernels(exchange.path) && overlaps(exchange.path, exchange.overlap)),
      through_host_(exchange.path == ExchangePath::everything) {
    if (const auto why = why_undivided(plans)) throw Unsupported(*why);
    int most = 0;
    for (int step = 0; step < count(); ++step) {
        const int reach = *at(step).make.reach();
        most = std::max(most, reach_ + reach);
        if (!is_of_own_rows(step)) reach_ += reach;
        if (at(step).sharing.sends()) sender_ = step;
        outputs_.push_back(outputs_of(at(step)));
    }
    reach_ = most;
    if (sender_ && depth_ > 1)
        throw Unsupported(
            fmt::format("a halo of {} generations is too deep: the places share step {} of every "
                        "generation",
                        depth_, name(*sender_)));
}

int DividedSteps::block_rows() const {
    int rows = 1;
    for (const StepPlan& plan : plans_) rows = std::lcm(rows, std::max(1, plan.shape.region.rows));
    return rows;
}

// Of each neighbour, that a place computes as well.
int DividedSteps::rows_beyond(int phase) const {
    const int step = phase % count();
    // All state comes at the generation's end where everything goes through the host.
    if (sender_) return through_host_ ? 0 : at(step).sharing.beyond;
    if (is_of_own_rows(step)) return 0;
    int beyond = (depth_ - phase / count()) * reach_;
    for (int i = 0; i <= step; ++i)
        if (!is_of_own_rows(i)) beyond -= *at(i).make.reach();
    return beyond;
}

bool DividedSteps::meets_neighbours(int phase) const {
    if (sender_) return phase == *sender_;
    return !is_of_own_rows(phase % count()) && (phase == 0 || phase + 1 == depth_ * count());
}

GroupPhase DividedSteps::phase_of(GroupPlace& place, const Problem& problem, int phase) const {
    const StepPlan& plan = at(phase % count());
    const Rows rows = place.extended(rows_beyond(phase));
    GroupPhase made;
    const auto part = [&](Rows of, Queue& queue) {
        return std::make_unique<GroupPart>(place.store, problem, plan, of, queue);
    };
    // Whole regions, so that blocks of threads fit as well as in one place.
    const int region = edge_share_ == 0 ? 1 : std::max(1, plan.shape.region.rows);
    const int least = edge_share_ == 0
                          ? exchanged_rows()
                          : std::max(exchanged_rows(), place.own.count() / edge_share_);
    const bool meets = meets_neighbours(phase);
    // Between the first step and the last one neighbours' rows alone are the edges.
    const int height = meets ? (least + region - 1) / region * region : 0;
    Rows middle = rows;
    if (place.neighbours[0] >= 0) middle.first = place.own.first + height;
    if (place.neighbours[1] >= 0) middle.end = place.own.end - height;
    // A middle that edges could read through would have to wait for both.
    if (!overlap_ || (sender_ && !meets) || middle.count() <= 2 * reach_) {
        made.middle = part(rows, *place.middle);
        return made;
    }
    if (middle.first > rows.first)
        made.edges[0] = part({rows.first, middle.first}, *place.queue[0]);
    if (middle.end < rows.end) made.edges[1] = part({middle.end, rows.end}, *place.queue[1]);
    made.middle = part(middle, *place.middle);
    return made;
}

std::vector<GroupPhase> DividedSteps::phases_of(GroupPlace& place, const Problem& problem) const {
    std::vector<GroupPhase> phases;
    for (int phase = 0; phase < depth_ * count(); ++phase)
        phases.push_back(phase_of(place, problem, phase));
    return phases;
}

}  // namespace camber
