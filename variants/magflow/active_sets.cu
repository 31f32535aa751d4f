// MAGFLOW launched on the cells that lava can reach.
#include "variants/magflow/active_sets.hpp"

namespace camber {
namespace {

const Registration variants([](Registry& registry) {
    LaunchSetVariants<MagflowSets<float>>{registry};
    LaunchSetVariants<MagflowSets<double>>{registry};
});

}  // namespace
}  // namespace camber
