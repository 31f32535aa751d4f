// SCIARA-fv2: steps that read the ground from constant memory.
#include "variants/lava/sciara_fv2/blocks.hpp"
#include "variants/lava/sciara_fv2/emission.hpp"
#include "variants/techniques/constant_stage.hpp"
#include "workloads/lava/sciara_fv2/rules.hpp"

CAMBER_TARGET_BEGIN

template class ConstantStage<sciara_fv2::Cooling>;
template class ConstantStage<sciara_fv2::Exchange>;
template class ConstantStage<sciara_fv2::Outflows>;

CAMBER_TARGET_END
