// Any rule of births and survivals on 4-byte cells, in every technique.
#include "variants/techniques/techniques.hpp"
#include "workloads/life/birth_survival.hpp"

namespace camber {
namespace {

const Registration life_rules([](Registry& registry) {
    AllTechniques::add_to(
        Catalogue<LifeLike<std::uint32_t>>(registry, "life", ElementType::uint32));
});

}  // namespace
}  // namespace camber
