// Extrema of all layers of a stack at once: the sliding form, which reads every layer once.
#include "variants/image/extrema/stack_slide.hpp"
#include "variants/techniques/techniques.hpp"
#include "workloads/image/extrema/extrema.hpp"
#include "workloads/image/extrema/rule.hpp"

namespace camber::extrema {
namespace {

const Registration variants([](Registry& registry) {
    Catalogue<ExtremaStack<stack_layers>> catalogue(registry, "extrema_stack", ElementType::float32,
                                                    "sliding");
    AllTechniques::add_to(catalogue);
    StackSlide::add(catalogue);
});

}  // namespace
}  // namespace camber::extrema
