// The 3x3 blur in double precision, the cell type of published stencil codes with temporal blocking
// or tensor cores, by the techniques that are compared with them.
#include "variants/techniques/register_stream.hpp"
#include "variants/techniques/techniques.hpp"
#include "workloads/image/blur/rule.hpp"

namespace camber {
namespace {

const Registration blur_float64_variants([](Registry& registry) {
    using Rule = BlurOf<double>;
    const Catalogue<Rule> catalogue(registry, "blur", ElementType::float64);
    TechniqueList<Global, Halo, RowStream, RegisterStream>::add_to(catalogue);
});

}  // namespace
}  // namespace camber
