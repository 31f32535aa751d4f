// MAGFLOW in double precision, without texture variants, because textures have no 8-byte elements.
#include "variants/lava/magflow/pipelines.hpp"

namespace camber::magflow {
namespace {

const Registration magflow_float64_variants([](Registry& registry) {
    add_magflow<double, MagflowTechniques<>>(registry);
});

}  // namespace
}  // namespace camber::magflow
