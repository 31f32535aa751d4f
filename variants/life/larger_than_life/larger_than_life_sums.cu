// Larger than Life by running sums in registers.
#include "variants/life/larger_than_life/column_sums.hpp"

namespace camber::larger_than_life {
namespace {

const Registration sums([](Registry& registry) {
    Catalogue<LargerThanLife> catalogue(registry, "larger_than_life", ElementType::uint8);
    ColumnSumsTechnique::add(catalogue);
});

}  // namespace
}  // namespace camber::larger_than_life
