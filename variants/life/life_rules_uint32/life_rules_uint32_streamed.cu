// Any rule of births and survivals on 4-byte cells, several generations per launch, as rows stream
// by.
#include "variants/techniques/bulk_copy.hpp"
#include "variants/techniques/cluster_tile.hpp"
#include "variants/techniques/register_stream.hpp"
#include "workloads/life/birth_survival.hpp"

namespace camber {
namespace {

const Registration life_rules_streamed([](Registry& registry) {
    Catalogue<LifeLike<std::uint32_t>> catalogue(registry, "life", ElementType::uint32);
    RegisterStream::add(catalogue);
    BulkCopy::add(catalogue);
    ClusterTile::add(catalogue);
});

}  // namespace
}  // namespace camber
