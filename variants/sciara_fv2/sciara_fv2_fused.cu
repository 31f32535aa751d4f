// SCIARA-fv2 in a single kernel. Double precision, and no contraction of products and sums, as in
// the other kernels of the workload.
#include "variants/sciara_fv2/one_kernel_execution.hpp"

namespace camber {
namespace {

const Registration variants([](Registry& registry) {
    OneKernel::add<8, 8>(registry);
    OneKernel::add<16, 8>(registry);
    OneKernel::add<16, 16>(registry);
    OneKernel::add<32, 4>(registry);
    OneKernel::add<32, 8>(registry);
    OneKernel::add<16, 12, 2>(registry);
    OneKernel::add<16, 16, 2>(registry);
    OneKernel::add<24, 16, 2>(registry);
    OneKernel::add<24, 20, 4>(registry);
});

}  // namespace
}  // namespace camber
