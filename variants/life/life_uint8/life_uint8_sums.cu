// Game of Life on 1-byte cells, four of them in a word.
#include "variants/techniques/byte_sums.hpp"
#include "workloads/life/rule.hpp"

namespace camber {
namespace {

const Registration life_byte_sums([](Registry& registry) {
    Catalogue<Life<std::uint8_t>> catalogue(registry, "life", ElementType::uint8);
    ByteSums::add(catalogue);
});

}  // namespace
}  // namespace camber
