// The difference of two blurs of one image, in one kernel.
#include "variants/techniques/techniques.hpp"
#include "workloads/image/dog/rule.hpp"

namespace camber {
namespace {

const Registration dog_image_fused_variants([](Registry& registry) {
    AllTechniques::add_to(
        Catalogue<FusedDog>(registry, "dog_image", ElementType::float32, "fused"));
});

}  // namespace
}  // namespace camber
