// Any rule of births and survivals on cells of one bit, several generations per launch, by pairs of
// warps.
#include "variants/techniques/bit_pair.hpp"
#include "workloads/life/bits.hpp"

namespace camber {
namespace {

const Registration life_rules_paired([](Registry& registry) {
    Catalogue<LifeLikeBits<words_per_lane>> catalogue(registry, "life", ElementType::bits);
    BitPairs::add(catalogue);
});

}  // namespace
}  // namespace camber
