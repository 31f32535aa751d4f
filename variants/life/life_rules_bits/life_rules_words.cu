// Rules of births and survivals on one-bit cells; techniques treat a word of 32 cells like a
// cell.
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

const Registration life_rules_bits([](Registry& registry) {
    TechniqueList<Global, Halo, SharedTile, Packed, RowStream, ReadOnly>::add_to(
        Catalogue<LifeLikeBits<1>>(registry, "life", ElementType::bits));
});

}  // namespace
}  // namespace camber
