// MAGFLOW in double precision. Textures have no elements of eight bytes.
#include "variants/lava/magflow/pipelines.hpp"

namespace camber::magflow {
namespace {

const Registration variants([](Registry& registry) {
    add_magflow<double, MagflowTechniques<>>(registry);
});

}  // namespace
}  // namespace camber::magflow
