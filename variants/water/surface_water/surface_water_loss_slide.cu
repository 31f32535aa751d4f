// Surface water, a whole generation in one kernel that slides down the rows.
#include "variants/water/surface_water/loss_slide.hpp"
#include "workloads/water/surface_water/rules.hpp"

namespace camber::surface_water {
namespace {

const Registration variants([](Registry& registry) {
    Catalogue<WholeStep> catalogue(registry, "surface_water", ElementType::float32, "fused");
    LossSlide::add(catalogue);
});

}  // namespace
}  // namespace camber::surface_water
