// Gaussian blur in double precision, by few techniques.
#include "variants/image/gaussian/weighted_stream.hpp"
#include "variants/techniques/techniques.hpp"

namespace camber::gaussian {
namespace {

const Registration gaussian_float64_variants([](Registry& registry) {
    using Rule = GaussianBlurOf<double>;
    Catalogue<Rule> catalogue(registry, "gaussian", ElementType::float64);
    TechniqueList<Global, Halo>::add_to(catalogue);
    WeightedStreamOf<double>::add(catalogue);
});

}  // namespace
}  // namespace camber::gaussian
