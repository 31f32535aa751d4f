// Surface water, a whole generation in one kernel. Threads that compute several adjacent cells (packed,
// row_stream) compute the losses of all their neighbors: on both cards and at every size they took 3
// and 6 times as long as the same techniques in four kernels, and are therefore excluded.
#include "variants/techniques/techniques.hpp"
#include "variants/water/surface_water/shared_loss.hpp"
#include "workloads/water/surface_water/rules.hpp"

namespace camber::surface_water {
namespace {

const Registration surface_water_fused_variants([](Registry& registry) {
    using Rule = surface_water::SurfaceWaterStep<float>;
    Catalogue<Rule> catalogue(registry, "surface_water", ElementType::float32, "fused");
    SharedLoss::add(catalogue);
    Without<AllTechniques, Packed, RowStream>::add_to(std::move(catalogue));
});

}  // namespace
}  // namespace camber::surface_water
