// Gaussian blur in techniques that take the radius at run time: over the whole square of a cell, in
// two passes with one kernel each, and over whole squares from rows in registers.
#include "variants/image/gaussian/weighted_sums.hpp"
#include "variants/stencil/catalogue.hpp"
#include "variants/techniques/any_radius.hpp"
#include "workloads/image/gaussian/rule.hpp"

namespace camber::gaussian {
namespace {

constexpr const char* workload = "gaussian";

constexpr TechniqueInfo separable{
    "separable_passes", "rows, then columns, in two kernels, all reads from global memory",
    "after Podlozhnyuk 2007", Family::global_memory};

const Registration gaussian_variants([](Registry& registry) {
    Catalogue<GaussianBlur> catalogue(registry, workload, ElementType::float32);
    add_any_radius(registry, workload, catalogue);
    using Plain = TechniqueList<Halo>;
    add_pipelines(
        registry, workload, ElementType::float32, target_backend, "two_kernels",
        renamed({step_choices<GaussianRows, Plain>(), step_choices<GaussianColumns, Plain>()},
                separable));
    WideRowsTechnique::add(catalogue);
});

}  // namespace
}  // namespace camber::gaussian
