// The 3x3 blur, in every technique.
#include "variants/techniques/techniques.hpp"
#include "workloads/image/blur/rule.hpp"

namespace camber {
namespace {

const Registration blur_variants([](Registry& registry) {
    AllTechniques::add_to(Catalogue<Blur>(registry, "blur", ElementType::float32));
});

}  // namespace
}  // namespace camber
