// Water flow, both halves of a step in one kernel.
#include "variants/techniques/techniques.hpp"
#include "workloads/water/water_flow/rules.hpp"

namespace camber::water_flow {
namespace {

const Registration water_flow_fused_variants([](Registry& registry) {
    AllTechniques::add_to(Catalogue<water_flow::WaterFlowStep<float>>(
        registry, "water_flow", ElementType::float32, "fused"));
});

}  // namespace
}  // namespace camber::water_flow
