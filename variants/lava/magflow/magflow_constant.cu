// MAGFLOW: CalcFlux with the ground in constant memory.
#include "variants/lava/magflow/pipelines.hpp"
#include "variants/techniques/constant_stage.hpp"

CAMBER_TARGET_BEGIN

template class ConstantStage<magflow::Flux<float, false>>;
template class ConstantStage<magflow::Flux<float, true>>;
template class ConstantStage<magflow::Flux<double, false>>;
template class ConstantStage<magflow::Flux<double, true>>;

CAMBER_TARGET_END
