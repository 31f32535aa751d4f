// Gaussian blur by threads that go down the rows with their sums in registers.
#include "variants/image/gaussian/weighted_stream.hpp"

namespace camber::gaussian {

namespace {

const Registration stream([](Registry& registry) {
    Catalogue<GaussianBlur> catalogue(registry, "gaussian", ElementType::float32);
    WeightedStreamOf<float>::add(catalogue);
});

}  // namespace
}  // namespace camber::gaussian
