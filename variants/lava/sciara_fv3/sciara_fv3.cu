// SCIARA-fv3 in six steps: emission, candidates for the clock, the clock, outflow, exchange and
// cooling; in five, with candidates and clock in one; and with buffers of flows in several layouts.
// In float and double, without contraction of products and sums: variants equal the reference bit
// by bit where they have its mathematical library.
#include "variants/lava/sciara_fv3/choices.hpp"
#include "variants/lava/sciara_fv3/clock.hpp"
#include "variants/lava/sciara_fv3/flow_buffer.hpp"
#include "variants/lava/sciara_fv3/hand_overs.hpp"
#include "variants/stencil/plans.hpp"

CAMBER_WORKLOAD_BEGIN(sciara_fv3)

// global in further blocks of a sweep over shapes.
using GlobalShapes = GlobalIn<Region{8, 8}, Region{16, 8}, Region{32, 4}, Region{32, 16}>;

// shared_tile in the one block whose tiles of all flows in double fit into 48 KiB.
struct SharedSquare {
    template <class Rule>
    static void add(Catalogue<Rule>& catalogue) {
        if constexpr (Rule::Inputs::radius > 0)
            for (const int alignment : {unaligned, 128})
                catalogue.add(SharedTile::info, shared_tile_variant<Rule, 16, 16, 1>(alignment));
    }
};

// The wishes of CarveOuts for the kernels that there are here.
using SquareCarveOuts = CarveOutsIn<16, 16>;

CAMBER_TARGET_END

namespace camber::sciara_fv3 {
namespace {

constexpr const char* workload = "sciara_fv3";
constexpr const char* thesis = "thesis on SCIARA-fv3";

// The choices of a rule that reads neighbors.
template <class Rule>
std::vector<StepPlan> tau_choices() {
    return choices_of<Rule, Global, GlobalShapes, Halo, SharedSquare, ReadOnly, SquareCarveOuts>();
}

template <class R>
void add(Registry& registry) {
    constexpr Trigonometry branching = Trigonometry::branching;
    constexpr Trigonometry if_free = Trigonometry::if_free;
    constexpr ElementType cell = element_of<R>();
    const auto pipelines = [&](const char* name, const StepChoices& steps) {
        add_pipelines(registry, workload, cell, target_backend, name, steps);
    };

    const auto cooling =
        choices_of<Cooling<R>, Global, GlobalShapes, Halo, ReadOnly, SquareCarveOuts>();
    const auto emission = plans_like(cooling, emission_fv3_plan<R>);
    const auto clock = plans_like(cooling, clock_plan<R>);
    const StepChoices steps{emission,
                            tau_choices<Candidates<R, branching>>(),
                            clock,
                            tau_choices<Outflow<R, branching>>(),
                            tau_choices<Exchange<R>>(),
                            cooling};
    pipelines("six_kernels", steps);
    add_composer(registry, workload, cell, target_backend, steps);

    const auto plain_cooling = choices_of<Cooling<R>, Global>();
    const auto plain_emission = plans_like(plain_cooling, emission_fv3_plan<R>);
    const auto plain_clock = plans_like(plain_cooling, clock_plan<R>);
    const auto candidates = choices_of<Candidates<R, branching>, Global>();
    const auto outflow = choices_of<Outflow<R, branching>, Global>();
    const auto exchange = choices_of<Exchange<R>, Global>();
    pipelines(
        "",
        renamed({plain_emission, choices_of<Candidates<R, if_free>, Global>(), plain_clock,
                 choices_of<Outflow<R, if_free>, Global>(), exchange, plain_cooling},
                {"if_free", "as global, angles without branches", thesis, Family::global_memory}));
    pipelines("", renamed({plain_emission, plans_like(candidates, fused_clock_plan<R, branching>),
                           outflow, exchange, plain_cooling},
                          {"fused_minimum", "as global, the clock's candidates never stored",
                           thesis, Family::global_memory}));
    const auto with_buffer = [&]<class Place>(Place) {
        using Buffer = FlowBuffer<R, Outflow<R, branching>, Exchange<R>, Place>;
        pipelines("", renamed({plain_emission, candidates, plain_clock, Buffer::outflow(outflow),
                               Buffer::exchange(exchange), plain_cooling},
                              Place::info));
    };
    with_buffer(CellMajor{});
    with_buffer(SubstateMajor{});
    with_buffer(WarpTiled{});
}

const Registration variants([](Registry& registry) {
    add<double>(registry);
    add<float>(registry);
    add_sciara_fv3_hand_overs<double>(registry);
    add_sciara_fv3_hand_overs<float>(registry);
    leave_out_whole_generations(registry, workload);
    leave_out_records_and_textures(registry, workload);
    for (const TechniqueInfo& technique :
         {TwoElement::info, Packed::info, Packed::two_info, RowStream::info, ColumnStream::info})
        registry.leave_out(workload, technique.name, too_heavy);
    registry.leave_out(workload, FirstRows::info.name,
                       "stages seventeen fields of eight bytes: its wider blocks of them are more "
                       "than shared memory holds");
    registry.leave_out(workload, Constant::info.name, "reads no field that stays as it is");
});

}  // namespace
}  // namespace camber::sciara_fv3
