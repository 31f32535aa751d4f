#include "harness/measure/activity.hpp"

#include <algorithm>

#include "workloads/core/eruption.hpp"
#include "workloads/core/real_cells.hpp"
#include "workloads/lava/active_cells.hpp"
#include "workloads/lava/fields.hpp"

namespace camber {

std::vector<int> interval_bounds(int generations, int intervals, int step) {
    std::vector<int> bounds{0};
    for (int i = 1; i <= intervals; ++i) {
        const std::int64_t end = std::int64_t{generations} * i / intervals / step * step;
        if (i == intervals)
            bounds.push_back(generations);
        else if (end > bounds.back())
            bounds.push_back(static_cast<int>(end));
    }
    return bounds;
}

ActivityLog::ActivityLog(const Workload& workload, int generations, int intervals) {
    if (workload.eruption() && intervals > 0) bounds_ = interval_bounds(generations, intervals);
}

void ActivityLog::enter(int generations, const State& state) {
    if (std::ranges::find(bounds_, generations) == bounds_.end()) return;
    const HostField& thickness = state.field(lava::fields::thickness_field);
    const Size size = thickness.size();
    lava::Mask mask;
    with_real_cells(thickness, [&](auto cells) {
        for (const auto h : cells) mask.push_back(h > 0);
    });
    const auto count = [](const lava::Mask& cells) {
        return static_cast<std::int64_t>(
            std::ranges::count_if(cells, [](auto flag) { return flag != 0; }));
    };
    results::Activity& row = rows_.emplace_back();
    row.generation = generations;
    row.active = count(mask);
    const lava::Mask set = lava::with_ring(mask, size);
    row.list = count(set);
    for (int boxes = 1; boxes <= most_boxes; ++boxes) {
        std::int64_t cells = 0;
        for (const lava::Part& part : lava::guillotine(set, size, boxes))
            if (!part.box.empty()) cells += std::int64_t{part.box.rows()} * part.box.columns();
        row.boxes.push_back(cells);
    }
}

}  // namespace camber
