// SCIARA-fv3 with threads along columns.
#include "variants/lava/sciara_fv3/pipelines.hpp"
#include "variants/techniques/global.hpp"

namespace camber::sciara_fv3 {
namespace {

const Registration sciara_fv3_transposed_variants([](Registry& registry) {
    add_sciara_fv3_pipelines<double>(registry, "six_kernels",
                                     sciara_fv3_six_kernels<double, RowOnX>());
});

}  // namespace
}  // namespace camber::sciara_fv3
