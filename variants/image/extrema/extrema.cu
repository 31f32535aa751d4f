// Extrema of three layers, in every technique and by sliding down the rows.
#include "variants/image/extrema/row_slide.hpp"
#include "variants/techniques/techniques.hpp"
#include "workloads/image/extrema/rule.hpp"

namespace camber::extrema {
namespace {

const Registration variants([](Registry& registry) {
    Catalogue<Extrema> catalogue(registry, "extrema", ElementType::float32);
    AllTechniques::add_to(catalogue);
    RowSlide::add(catalogue);
});

}  // namespace
}  // namespace camber::extrema
