// SCIARA-fv2 launched on the cells that lava can reach.
#include "variants/lava/sciara_fv2/active_sets.hpp"

namespace camber::sciara_fv2 {
namespace {

const Registration variants([](Registry& registry) {
    LaunchSetVariants<SciaraFv2Sets>(registry).add_all();
});

}  // namespace
}  // namespace camber::sciara_fv2
