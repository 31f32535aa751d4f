// SCIARA-fv3 launched on the cells that lava can reach, gathering and scattering.
#include "variants/lava/sciara_fv3/scatter_sets.hpp"

namespace camber::sciara_fv3 {
namespace {

const Registration variants([](Registry& registry) {
    LaunchSetVariants<SciaraFv3Sets<double>>(registry).add_all();
    LaunchSetVariants<SciaraFv3Sets<float>>(registry).add_all();
    add_scatter_sets<double>(registry);
    add_scatter_sets<float>(registry);
});

}  // namespace
}  // namespace camber::sciara_fv3
