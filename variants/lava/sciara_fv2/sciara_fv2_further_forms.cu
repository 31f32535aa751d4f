// SCIARA-fv2 in forms that its users compare: threads along columns, blocks with a halo, several
// cells per thread, buffers handed over by copies, and an in-place exchange.
#include "variants/lava/sciara_fv2/emission.hpp"
#include "variants/lava/sciara_fv2/side_buffer.hpp"
#include "variants/stencil/hand_over.hpp"
#include "variants/stencil/plans.hpp"
#include "variants/techniques/global.hpp"
#include "variants/techniques/ring_block.hpp"
#include "variants/techniques/row_on_x.hpp"
#include "variants/techniques/several_cells.hpp"
#include "workloads/lava/sciara_fv2/frame_rule.hpp"

namespace camber::sciara_fv2 {
namespace {

constexpr const char* ports = "public GPU versions of SCIARA-fv2";

void pipelines(Registry& registry, const char* name, const StepChoices& steps) {
    add_pipelines(registry, "sciara_fv2", ElementType::float64, target_backend, name, steps);
}

// In all steps that the techniques fit.
void add_mappings(Registry& registry) {
    using Techniques = TechniqueList<RowOnX, RingBlock, SeveralCells>;
    const auto cooling = step_choices<Cooling, Techniques, PlainBlocks>();
    pipelines(registry, "four_kernels",
              {emission_choices(cooling), step_choices<Outflows, Techniques>(),
               step_choices<Exchange, Techniques>(), cooling});
}

template <class... More>
struct PlainSteps {
    using Blocks = TechniqueList<PlainBlocks, More...>;
    std::vector<StepPlan> outflows = step_choices<Outflows, Blocks>();
    std::vector<StepPlan> exchange = step_choices<Exchange, Blocks>();
    std::vector<StepPlan> cooling = step_choices<Cooling, Blocks>();
};

// The kernels of the public programs; what is solid is updated in place there.
void add_hand_overs(Registry& registry) {
    PlainSteps<> plain;
    for (StepPlan& plan : plain.cooling) count_as_updated(plan, NewSolidified::field);
    const auto frame = step_choices<FrameClearing, TechniqueList<PlainBlocks>>();
    const auto emission = emission_choices(plain.cooling);
    pipelines(
        registry, "five_kernels",
        renamed({emission, plain.outflows, plain.exchange, plain.cooling, frame},
                {"swap_hand_over", "as copy_hand_over, by exchanging pointers in place of copies",
                 ports, Family::global_memory}));
    const auto copied = [](const std::vector<StepPlan>& plans, bool altitude, Results results) {
        std::vector<std::string> fields{NewThickness::field, NewTemperature::field};
        if (altitude) fields.push_back(NewAltitude::field);
        return plans_like(
            plans, [&](const StepPlan& plan) { return copied_after(plan, fields, results); });
    };
    pipelines(
        registry, "five_kernels",
        renamed({copied(emission, false, Results::current), plain.outflows,
                 copied(plain.exchange, false, Results::next),
                 copied(plain.cooling, true, Results::next), copied(frame, false, Results::next)},
                {"copy_hand_over",
                 "all reads from global memory, buffers handed over by nine copies a step", ports,
                 Family::global_memory}));
}

void add_side_buffer(Registry& registry) {
    const PlainSteps<GlobalIn<Region{32, 32}>> plain;
    const auto cooling = plans_like(plain.cooling, in_place<Cooling>);
    pipelines(
        registry, "five_kernels",
        renamed({emission_choices(cooling), plain.outflows, SideBuffer::rims(plain.cooling.front()),
                 SideBuffer::exchange(plain.exchange.front()), cooling},
                SideBuffer::info));
}

const Registration variants([](Registry& registry) {
    add_mappings(registry);
    add_hand_overs(registry);
    add_side_buffer(registry);
});

}  // namespace
}  // namespace camber::sciara_fv2
