// SCIARA-fv2 in four kernels, emission, outflows, exchange and cooling, and in three, with outflows
// and exchange in one. Double precision, and no contraction of products and sums: variants equal
// the reference bit by bit where they have its mathematical library.
#include "variants/lava/sciara_fv2/blocks.hpp"
#include "variants/lava/sciara_fv2/cfame.hpp"
#include "variants/lava/sciara_fv2/emission.hpp"
#include "workloads/lava/sciara_fv2/rules.hpp"

namespace camber::sciara_fv2 {
namespace {

const Registration variants([](Registry& registry) {
    using Techniques =
        TechniqueList<Global, GlobalSquares, Halo, SharedTile, FirstRows, Packed, RowStream,
                      ColumnStream, ReadOnly, Constant, CarveOuts, RinglessTile>;
    const auto cooling = step_choices<Cooling, Techniques>();
    const auto emission = emission_choices(cooling);
    const StepChoices steps{emission, step_choices<Outflows, Techniques>(),
                            step_choices<Exchange, Techniques>(), cooling};
    add_pipelines(registry, "sciara_fv2", ElementType::float64, target_backend, "four_kernels",
                  steps);
    add_composer(registry, "sciara_fv2", ElementType::float64, target_backend, steps);
    add_pipelines(registry, "sciara_fv2", ElementType::float64, target_backend, "three_kernels",
                  {emission, step_choices<Transport, TechniqueList<Cfame>>(), cooling});
    registry.leave_out("sciara_fv2", TwoElement::info.name,
                       "stages ten fields of eight bytes: twice a block of them is more than "
                       "shared memory holds");
    leave_out_whole_generations(registry, "sciara_fv2");
    leave_out_records_and_textures(registry, "sciara_fv2");
    registry.leave_out("sciara_fv2", ColumnStream::info.name, too_heavy);
});

}  // namespace
}  // namespace camber::sciara_fv2
