// Any rule of births and survivals on 1-byte cells, in every technique.
#include "variants/techniques/byte_sums.hpp"
#include "variants/techniques/techniques.hpp"
#include "workloads/life/birth_survival.hpp"

namespace camber {
namespace {

const Registration life_rules([](Registry& registry) {
    Catalogue<LifeLike<std::uint8_t>> catalogue(registry, "life", ElementType::uint8);
    AllTechniques::add_to(catalogue);
    ByteSums::add(catalogue);
});

}  // namespace
}  // namespace camber
