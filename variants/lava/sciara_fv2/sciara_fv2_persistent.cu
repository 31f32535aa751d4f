// SCIARA-fv2 in a single launch for all steps, in the reference's arithmetic and in a shorter one.
// Double precision, and no contraction of products and sums, as in the other kernels of the
// workload.
#include "variants/lava/sciara_fv2/persistent.hpp"

namespace camber::sciara_fv2 {
namespace {

const Registration variants([](Registry& registry) {
    PersistentLava::add<CanonicalLava, 16, 16>(registry);
    PersistentLava::add<ShortLava, 8, 8>(registry);
    PersistentLava::add<ShortLava, 16, 16>(registry);
});

}  // namespace
}  // namespace camber::sciara_fv2
