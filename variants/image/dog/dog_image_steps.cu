// The difference of two blurs of one image in three kernels: blur, blur, subtract.
#include "variants/techniques/techniques.hpp"
#include "workloads/image/dog/rule.hpp"

namespace camber {
namespace {

const Registration dog_image_steps_variants([](Registry& registry) {
    const StepChoices steps{step_choices<BlurTo<Gaussian::wide>>(),
                            step_choices<BlurTo<Gaussian::narrow>>(), step_choices<Difference>()};
    add_pipelines(registry, "dog_image", ElementType::float32, target_backend, "three_kernels",
                  steps);
    add_composer(registry, "dog_image", ElementType::float32, target_backend, steps);
});

}  // namespace
}  // namespace camber
