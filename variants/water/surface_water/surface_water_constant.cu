// Surface water: steps that read the ground from constant memory.
#include "variants/techniques/constant_stage.hpp"
#include "workloads/water/surface_water/rules.hpp"

CAMBER_TARGET_BEGIN

template class ConstantStage<surface_water::Flow<float>>;
template class ConstantStage<surface_water::Gather<float>>;
template class ConstantStage<surface_water::Infiltration<float>>;
template class ConstantStage<surface_water::Outflow<float>>;
template class ConstantStage<surface_water::SurfaceWaterStep<float>>;

CAMBER_TARGET_END
