// SCIARA-fv2 in a single kernel, with the reference's arithmetic by library functions and by
// shorter ones, and with another arithmetic that is shorter still. Double precision, compiled
// without contraction of products and sums, like the other kernels of the workload.
#include "variants/lava/sciara_fv2/one_kernel_execution.hpp"

namespace camber::sciara_fv2 {

// Not in an unnamed namespace: nvcc gives all those of a unit one name, which would be ambiguous here.
const Registration sciara_fv2_fused_variants([](Registry& registry) {
    OneKernel::add<CanonicalLava, 16, 16>(registry);
    OneKernel::add<CanonicalLava, 16, 16, 2>(registry);
    OneKernel::add<RoundedLava, 8, 8>(registry);
    OneKernel::add<RoundedLava, 16, 12, 2>(registry);
    OneKernel::add<RoundedLava, 16, 16, 2>(registry);
    OneKernel::add<ShortLava, 8, 8>(registry);
    OneKernel::add<ShortLava, 16, 16>(registry);
    OneKernel::add<ShortLava, 16, 12, 2>(registry);
    OneKernel::add<ShortLava, 16, 16, 2>(registry);
    OneKernel::add<ShortLava, 24, 20, 4>(registry);
});

}  // namespace camber::sciara_fv2
