// Any rule of births and survivals on 4-byte cells, several generations per launch: computed on bits, and
// as rows stream by.
#include "variants/techniques/bits_inside.hpp"
#include "variants/techniques/bulk_copy.hpp"
#include "variants/techniques/cluster_tile.hpp"
#include "variants/techniques/register_stream.hpp"
#include "workloads/life/birth_survival.hpp"
#include "workloads/life/bits.hpp"

namespace camber {
namespace {

const Registration life_rules_bits_inside([](Registry& registry) {
    Catalogue<LifeInBits<std::uint32_t, LifeLikeBits<1>>> catalogue(registry, "life",
                                                                    ElementType::uint32);
    BitsInsideCells::add(catalogue);
});

const Registration life_rules_streamed([](Registry& registry) {
    Catalogue<LifeLike<std::uint32_t>> catalogue(registry, "life", ElementType::uint32);
    RegisterStream::add(catalogue);
    BulkCopy::add(catalogue);
    ClusterTile::add(catalogue);
});

}  // namespace
}  // namespace camber
