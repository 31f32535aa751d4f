// Interface of workloads whose particles diverge from the reference if sums are added in another
// order: long runs are judged by figures of the whole run.
#pragma once

#include <map>
#include <string>

#include "workloads/core/workload.hpp"

namespace camber {

class BulkFigures {
  public:
    // How far figures of a final state's account may be from the reference's, as a share of it, by
    // name. Empty: states are compared value by value.
    virtual std::map<std::string, double> figure_limits(const Computation& computation) const = 0;

  protected:
    ~BulkFigures() = default;
};

// nullptr for workloads that are always compared value by value.
const BulkFigures* bulk_figures(const Workload& workload);

}  // namespace camber
