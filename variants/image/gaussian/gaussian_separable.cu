// The Gaussian blur: two passes, one kernel each, four columns per thread.
#include "variants/image/gaussian/separable_wide.hpp"

namespace camber::gaussian {
namespace {

const Registration separable([](Registry& registry) {
    add_pipelines(registry, "gaussian", ElementType::float32, target_backend, "two_kernels",
                  SeparableWide::steps());
});

}  // namespace
}  // namespace camber::gaussian
