// Any rule of births and survivals on cells of one bit, several generations per launch.
#include "variants/techniques/bit_stream.hpp"
#include "workloads/life/bits.hpp"

namespace camber {
namespace {

template <class Rule>
void add(Registry& registry) {
    Catalogue<Rule> catalogue(registry, "life", ElementType::bits);
    BitStreams::add(catalogue);
}

const Registration life_rules_streamed([](Registry& registry) {
    add<LifeLikeBits<words_per_lane>>(registry);
    add<LifeLikeBits<1>>(registry);
});

}  // namespace
}  // namespace camber
