#include "workloads/parameter_start.hpp"

namespace camber {

const ParameterStart* parameter_start(const Workload& workload) {
    return dynamic_cast<const ParameterStart*>(&workload);
}

State start_of(const Workload& workload, const InitialConditions& conditions,
               const ParameterSet& parameters) {
    const ParameterStart* own = parameter_start(workload);
    if (!own || conditions.input) return workload.initial(conditions);
    return own->initial_for(parameters, conditions.cell);
}

}  // namespace camber
