// Larger than Life on cells of one bit, 32 of them in a word.
#include "variants/life/larger_than_life_bits/bit_columns.hpp"
#include "variants/techniques/techniques.hpp"

namespace camber::larger_than_life {
namespace {

const Registration bits([](Registry& registry) {
    Catalogue<LargerThanLifeBits> catalogue(registry, "larger_than_life", ElementType::bits);
    TechniqueList<Global, Halo, ReadOnly>::add_to(catalogue);
    BitColumnsTechnique::add(catalogue);
});

}  // namespace
}  // namespace camber::larger_than_life
