// How many cells are at work, interval by interval.
#pragma once

#include <vector>

#include "harness/record/interval.hpp"
#include "workloads/core/workload.hpp"

namespace camber {

// Where `intervals` of a run of `generations` begin and end: intervals + 1 numbers, the first 0,
// each but the last a multiple of `step`; fewer where intervals would be empty.
std::vector<int> interval_bounds(int generations, int intervals, int step = 1);

// Follows the reference of a model of lava through its generations; keeps nothing for others.
class ActivityLog {
  public:
    static constexpr int most_boxes = 4;

    // 0 intervals: nothing is kept.
    ActivityLog(const Workload& workload, int generations, int intervals);

    // Call it with every state, the initial one included.
    void enter(int generations, const State& state);

    const std::vector<results::Activity>& rows() const { return rows_; }

  private:
    std::vector<int> bounds_;
    std::vector<results::Activity> rows_;
};

}  // namespace camber
