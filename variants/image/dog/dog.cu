// The difference of two blurred images, in every technique.
#include "variants/techniques/techniques.hpp"
#include "workloads/image/dog/rule.hpp"

namespace camber {
namespace {

const Registration dog_variants([](Registry& registry) {
    AllTechniques::add_to(Catalogue<Difference>(registry, "dog", ElementType::float32));
});

}  // namespace
}  // namespace camber
