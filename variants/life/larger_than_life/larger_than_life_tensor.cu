// Larger than Life on tensor cores.
#include "variants/life/larger_than_life/tensor_cores.hpp"

namespace camber::larger_than_life {
namespace {

const Registration tensor([](Registry& registry) {
    Catalogue<LargerThanLife> catalogue(registry, "larger_than_life", ElementType::uint8);
    TensorCores::add(catalogue);
});

}  // namespace
}  // namespace camber::larger_than_life
