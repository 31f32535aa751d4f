// Water flow: kernels that read the ground from constant memory.
#include "variants/techniques/constant_stage.hpp"
#include "workloads/water/water_flow/rules.hpp"

CAMBER_TARGET_BEGIN

template class ConstantStage<water_flow::BestLevels<float, water_flow::Minimisation::network>>;
template class ConstantStage<water_flow::Distribute<float>>;
template class ConstantStage<water_flow::WaterFlowStep<float>>;

CAMBER_TARGET_END
