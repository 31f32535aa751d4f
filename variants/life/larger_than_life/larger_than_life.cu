// Larger than Life over the whole square, in techniques that take the radius at run time, and by
// separate sums of columns and rows in shared memory.
#include "variants/life/larger_than_life/separable_tile.hpp"
#include "variants/techniques/any_radius.hpp"

namespace camber::larger_than_life {
namespace {

constexpr const char* workload = "larger_than_life";

const Registration variants([](Registry& registry) {
    Catalogue<LargerThanLife> catalogue(registry, workload, ElementType::uint8);
    add_any_radius(registry, workload, catalogue);
    SeparableTile::add(catalogue);
});

}  // namespace
}  // namespace camber::larger_than_life
