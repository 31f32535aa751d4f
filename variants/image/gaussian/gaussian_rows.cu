// Gaussian blur over whole squares, from rows in registers.
#include "variants/image/gaussian/weighted_sums.hpp"

namespace camber::gaussian {
namespace {

const Registration rows([](Registry& registry) {
    Catalogue<GaussianBlur> catalogue(registry, "gaussian", ElementType::float32);
    WideRowsTechnique::add(catalogue);
});

}  // namespace
}  // namespace camber::gaussian
