// Game of Life on 4-byte cells, in every technique.
#include "variants/techniques/techniques.hpp"
#include "workloads/life/rule.hpp"

namespace camber {
namespace {

const Registration life([](Registry& registry) {
    AllTechniques::add_to(Catalogue<Life<std::uint32_t>>(registry, "life", ElementType::uint32));
});

}  // namespace
}  // namespace camber
