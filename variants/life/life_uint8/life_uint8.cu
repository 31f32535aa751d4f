// Game of Life on 1-byte cells, in every technique.
#include "variants/techniques/techniques.hpp"
#include "workloads/life/rule.hpp"

namespace camber {
namespace {

const Registration life([](Registry& registry) {
    AllTechniques::add_to(Catalogue<Life<std::uint8_t>>(registry, "life", ElementType::uint8));
});

}  // namespace
}  // namespace camber
