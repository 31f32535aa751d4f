// Any rule of births and survivals on 1-byte cells, several generations per launch computed on
// bits.
#include "variants/techniques/bits_inside.hpp"
#include "workloads/life/bits.hpp"

namespace camber {
namespace {

const Registration life_rules_bits_inside([](Registry& registry) {
    Catalogue<LifeInBits<std::uint8_t, LifeLikeBits<1>>> catalogue(registry, "life",
                                                                   ElementType::uint8);
    BitsInsideCells::add(catalogue);
});

}  // namespace
}  // namespace camber
