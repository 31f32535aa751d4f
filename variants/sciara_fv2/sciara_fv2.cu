// SCIARA-fv2 in four kernels, emission, outflows, exchange and cooling, and in three, with outflows
// and exchange in one. Double precision, and no contraction of products and sums: variants equal
// the reference bit by bit where they have its mathematical library.
#include "variants/sciara_fv2/blocks.hpp"
#include "variants/sciara_fv2/cfame.hpp"
#include "variants/sciara_fv2/emission.hpp"
#include "workloads/sciara_fv2/rules.hpp"

namespace camber {
namespace {

const Registration variants([](Registry& registry) {
    using namespace sciara_fv2;
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
    registry.leave_out("sciara_fv2", "two_element",
                       "stages ten fields of eight bytes: twice a block of them is more than "
                       "shared memory holds");
    for (const char* whole : {"two_generation", "two_generation_const", "two_generation_linear",
                              "two_generation_linear_load", "two_element_two_generation_linear",
                              "two_element_two_generation_linear_load", "n_generations",
                              "array_of_structures", "vector_packed"})
        registry.leave_out("sciara_fv2", whole,
                           "computes a generation in several kernels, and the technique needs it "
                           "in one");
    registry.leave_out("sciara_fv2", "thread_per_input",
                       "loads one cell per thread, and the rule reads several fields");
    registry.leave_out("sciara_fv2", ColumnStream::info.name, too_heavy);
    for (const char* texture : {"texture_2d", "texture_1d"})
        registry.leave_out("sciara_fv2", texture,
                           "reads elements of eight bytes, which textures do not have");
});

}  // namespace
}  // namespace camber
