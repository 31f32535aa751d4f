#include "workloads/core/optional_interfaces.hpp"

namespace camber {

const ParameterStart* parameter_start(const Workload& workload) {
    return dynamic_cast<const ParameterStart*>(&workload);
}

State start_of(const Workload& workload, const InitialConditions& conditions,
               const ParameterSet& parameters) {
    const ParameterStart* own = parameter_start(workload);
    return own ? own->initial_for(parameters, conditions) : workload.initial(conditions);
}

const BulkFigures* bulk_figures(const Workload& workload) {
    return dynamic_cast<const BulkFigures*>(&workload);
}

}  // namespace camber
