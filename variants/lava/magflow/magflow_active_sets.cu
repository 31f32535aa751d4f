// MAGFLOW launched on the cells that lava can reach.
#include "variants/lava/magflow/published.hpp"

namespace camber::magflow {
namespace {

const Registration variants([](Registry& registry) {
    LaunchSetVariants<MagflowSets<float>>(registry).add_all();
    LaunchSetVariants<MagflowSets<double>>(registry).add_all();
    add_published(registry);
});

}  // namespace
}  // namespace camber::magflow
