#include "workloads/core/optional_interfaces.hpp"

namespace camber {

State start_of(const Workload& workload, const InitialConditions& conditions,
               const ParameterSet& parameters) {
    const ParameterStart* own = workload.capabilities().parameter_start;
    return own ? own->initial_for(parameters, conditions) : workload.initial(conditions);
}

}  // namespace camber
