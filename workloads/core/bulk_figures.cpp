#include "workloads/core/bulk_figures.hpp"

namespace camber {

const BulkFigures* bulk_figures(const Workload& workload) {
    return dynamic_cast<const BulkFigures*>(&workload);
}

}  // namespace camber
