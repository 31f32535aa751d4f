// Water flow on float and double cells, in every form, for both compilers.
#include "variants/water/water_flow/execution.hpp"

CAMBER_WORKLOAD_BEGIN(water_flow)

template class WaterFlowExecution<float>;
template class WaterFlowExecution<double>;

template WaterFlowTechnique<float> water_flow_global<float>();
template WaterFlowTechnique<double> water_flow_global<double>();
template WaterFlowTechnique<float> water_flow_shared<float, published_buffer_width>();
template WaterFlowTechnique<double> water_flow_shared<double, published_buffer_width>();
template WaterFlowTechnique<float> water_flow_shared<float, narrow_buffer_width>();
template WaterFlowTechnique<double> water_flow_shared<double, narrow_buffer_width>();

CAMBER_TARGET_END
