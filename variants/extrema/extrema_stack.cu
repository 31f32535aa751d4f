// Extrema of all layers of a stack at once: the sliding form, which reads every layer once.
#include "variants/techniques/techniques.hpp"
#include "workloads/extrema/extrema.hpp"
#include "workloads/extrema/rule.hpp"

namespace camber::extrema {
namespace {

const Registration variants([](Registry& registry) {
    AllTechniques::add_to(Catalogue<ExtremaStack<stack_layers>>(registry, "extrema_stack",
                                                                ElementType::float32, "sliding"));
});

}  // namespace
}  // namespace camber::extrema
