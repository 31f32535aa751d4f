// SCIARA-fv3 launched on the cells that lava can reach.
#include "variants/sciara_fv3/active_sets.hpp"

namespace camber {
namespace {

const Registration variants([](Registry& registry) {
    LaunchSetVariants<SciaraFv3Sets<double>>{registry};
    LaunchSetVariants<SciaraFv3Sets<float>>{registry};
});

}  // namespace
}  // namespace camber
