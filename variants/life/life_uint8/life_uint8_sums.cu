// Game of Life on 1-byte cells: several generations per launch computed on bits, and four cells in a
// word.
#include "variants/techniques/bits_inside.hpp"
#include "variants/techniques/byte_sums.hpp"
#include "workloads/life/bits.hpp"
#include "workloads/life/rule.hpp"

namespace camber {
namespace {

const Registration life_bits_inside([](Registry& registry) {
    Catalogue<LifeInBits<std::uint8_t, LifeBits<1>>> catalogue(registry, "life",
                                                               ElementType::uint8);
    BitsInsideCells::add(catalogue);
});

const Registration life_byte_sums([](Registry& registry) {
    Catalogue<Life<std::uint8_t>> catalogue(registry, "life", ElementType::uint8);
    ByteSums::add(catalogue);
});

}  // namespace
}  // namespace camber
