// MAGFLOW in a single launch for all steps. No contraction of products and sums, as in the other
// kernels of the workload.
#include "variants/lava/magflow/persistent.hpp"

namespace camber::magflow {
namespace {

const Registration variants([](Registry& registry) {
    MagflowPersistent::add<float>(registry);
    MagflowPersistent::add<double>(registry);
});

}  // namespace
}  // namespace camber::magflow
