// Game of Life on one-bit cells: techniques that treat a word of 32 cells like a cell, and several
// generations per launch by pairs of warps and by single warps.
#include "variants/techniques/bit_pair.hpp"
#include "variants/techniques/bit_stream.hpp"
#include "variants/techniques/global.hpp"
#include "variants/techniques/halo.hpp"
#include "variants/techniques/packed.hpp"
#include "variants/techniques/read_only.hpp"
#include "variants/techniques/row_stream.hpp"
#include "variants/techniques/shared_tile.hpp"
#include "variants/techniques/techniques.hpp"
#include "workloads/life/bits.hpp"

namespace camber {
namespace {

const Registration life_bits([](Registry& registry) {
    TechniqueList<Global, Halo, SharedTile, Packed, RowStream, ReadOnly>::add_to(
        Catalogue<LifeBits<1>>(registry, "life", ElementType::bits));
});

const Registration life_bits_paired([](Registry& registry) {
    Catalogue<LifeBits<words_per_lane>> catalogue(registry, "life", ElementType::bits);
    BitPairs::add(catalogue);
});

template <class Rule>
void add(Registry& registry) {
    Catalogue<Rule> catalogue(registry, "life", ElementType::bits);
    BitStreams::add(catalogue);
}

const Registration life_bits_streamed([](Registry& registry) {
    add<LifeBits<words_per_lane>>(registry);
    add<LifeBits<1>>(registry);
});

}  // namespace
}  // namespace camber
