// Game of Life on 4-byte cells, several generations per launch computed on bits.
#include "variants/techniques/bits_inside.hpp"
#include "workloads/life/bits.hpp"

namespace camber {
namespace {

const Registration life_bits_inside([](Registry& registry) {
    Catalogue<LifeInBits<std::uint32_t, LifeBits<1>>> catalogue(registry, "life",
                                                                ElementType::uint32);
    BitsInsideCells::add(catalogue);
});

}  // namespace
}  // namespace camber
