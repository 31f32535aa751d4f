// Longest step of all particles, found by the kernel that computes the forces, in separate launches
// and in one launch for all iterations until the next list.
#include "variants/particles/sph/add_variant.hpp"
#include "variants/particles/sph/fields.hpp"
#include "variants/particles/sph/minimum.hpp"
#include "variants/particles/sph/one_launch.hpp"

namespace camber::sph {

// Minimum step in the kernel that computes the forces.

namespace {

constexpr TechniqueInfo fused_minimum_technique{
    "neighbour_list_fused_minimum", "as neighbour_list, the step found by the forces' blocks",
    "after Rustico 2012, section 7.3.1, whose minimum is a library's", Family::global_memory};

const Registration minimum([](Registry& registry) {
    registry.add(
        variant_of<Form<InterleavedList, QuadFields, Read::plain, SortedOrder<RowOrder, float>,
                        FusedMinimum>>(fused_minimum_technique, 128));
});

}  // namespace

// One launch for several iterations.
//
// Expected performance for 23,195 particles on an H200, an eighth of its capacity: a thread adds
// its 80 neighbors one after another and waits for each. Two evaluations take most of the 133
// microseconds of an iteration of neighbour_list_fused_minimum. One launch saves the time between
// launches and in three short kernels, predictor, corrector and clock, of 2 to 3 microseconds each,
// and adds two barriers of some 1.5. So an iteration should take 5 to 10 microseconds less. With a
// million particles, for which blocks take eight turns of unequal length, nothing is gained.

namespace {

constexpr TechniqueInfo one_launch_technique{
    "neighbour_list_one_launch",
    "as neighbour_list_fused_minimum, all iterations up to the next list in one launch",
    "Gupta, Stuart and Owens 2012; the kernels are those of Rustico 2012, section 7.3.1",
    Family::global_memory};

std::optional<std::string> beyond_one_launch(const Problem& problem) {
    // For larger problems, launch overhead is negligible compared with an iteration.
    return more_particles_than(std::int64_t{1} << 20, problem);
}

using Lists =
    Form<InterleavedList, QuadFields, Read::plain, SortedOrder<RowOrder, float>, FusedMinimum>;

const Registration one_launch([](Registry& registry) {
    for (const int block : {64, 128}) {
        Variant variant = variant_of<Lists>(one_launch_technique, block);
        variant.factories[target_backend] = [block](Queue& queue, const Problem& problem) {
            return std::make_unique<OneLaunchExecution<Lists, EveryPhase>>(queue, problem, block);
        };
        variant.unsupported = beyond_one_launch;
        registry.add(std::move(variant));
    }
});

}  // namespace
}  // namespace camber::sph
