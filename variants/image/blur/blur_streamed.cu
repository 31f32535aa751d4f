// The 3x3 blur, several generations per launch, as rows stream by.
#include "variants/techniques/bulk_copy.hpp"
#include "variants/techniques/cluster_tile.hpp"
#include "variants/techniques/register_stream.hpp"
#include "variants/techniques/shared_ring.hpp"
#include "workloads/image/blur/rule.hpp"

namespace camber {
namespace {

const Registration blur_streamed([](Registry& registry) {
    Catalogue<Blur> catalogue(registry, "blur", ElementType::float32);
    RegisterStream::add(catalogue);
    BulkCopy::add(catalogue);
    SharedRing::add(catalogue);
    ClusterTile::add(catalogue);
});

}  // namespace
}  // namespace camber
