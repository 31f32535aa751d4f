// The Gaussian blur: partial sums in registers, completed by later rows.
#include "variants/image/gaussian/weighted_stream.hpp"

namespace camber::gaussian {
namespace {

const Registration stream([](Registry& registry) {
    Catalogue<GaussianBlur> catalogue(registry, "gaussian", ElementType::float32);
    WeightedStream::add(catalogue);
});

}  // namespace
}  // namespace camber::gaussian
