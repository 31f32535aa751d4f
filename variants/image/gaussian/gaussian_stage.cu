// The Gaussian blur: two passes in one kernel, through shared memory.
#include "variants/image/gaussian/separable_stage.hpp"

namespace camber::gaussian {
namespace {

const Registration stage([](Registry& registry) {
    Catalogue<GaussianBlur> catalogue(registry, "gaussian", ElementType::float32);
    SeparableStage::add(catalogue);
});

}  // namespace
}  // namespace camber::gaussian
