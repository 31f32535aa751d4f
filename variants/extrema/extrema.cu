// Extrema of three layers, in every technique.
#include "variants/techniques.hpp"
#include "workloads/extrema/rule.hpp"

namespace camber {
namespace {

const Registration variants([](Registry& registry) {
    AllTechniques::add_to(Catalogue<Extrema>(registry, "extrema", ElementType::float32));
});

}  // namespace
}  // namespace camber
