// MAGFLOW launched on the cells that lava can reach, and the published GPU program as one variant.
#include <memory>
#include <vector>

#include "variants/lava/magflow/active_sets.hpp"
#include "variants/lava/magflow/minimum.hpp"

// published: MAGFLOW's GPU program as described by its authors. Erupt has one thread per vent cell;
// fluxes are computed over the bounding box of all lava so far, with a halo; a library computes the
// shortest step, which the host reads; the update covers the same box, which the host reads and
// launches anew in every step. The blocks are those of the authors' tables.
// Bilotta et al. 2011, sections 5 and 6, Tables 2 to 7.
CAMBER_WORKLOAD_BEGIN(magflow)

// Same as LaunchSetStage, but cells outside of the box are set to the longest step, because the
// library's minimum includes them.
template <class Rule, class Cells>
class PublishedFluxStage final : public RuleStage<Rule> {
  public:
    PublishedFluxStage(const StageContext& context, const Cells* cells, CarveOut carve_out)
        : RuleStage<Rule>(context),
          longest_step_(static_cast<Real>(magflow::longest_step(context.problem.parameters))),
          cells_(*cells),
          carve_out_(carve_out) {}

    void uploaded() override { restore(); }
    void enqueue(int number) override {
        if (cells_.restores()) restore();
        LaunchShape shape = cells_.shape();
        shape.carve_out = carve_out_;
        launch(this->queue(), kernel_label<Rule>(), shape,
               launch_set_kernel<Rule, typename Cells::Set>, this->views(number), cells_.set());
    }

  private:
    using Real = typename FluxTraits<Rule>::Real;

    void restore() {
        restore_outputs<Rule>(this->queue(), this->store());
        std::byte longest[sizeof(Real)];
        std::memcpy(longest, &longest_step_, sizeof(Real));
        this->queue().fill(this->store().current(limit_field),
                           this->store().layout(limit_field).elements(), longest);
    }

    Real longest_step_;
    const Cells& cells_;
    CarveOut carve_out_;
};

template <CarveOut carve_out>
struct PublishedMagflow : MagflowOnSets<float> {
    template <class Cells>
    static std::vector<StepPlan> plans(const StepPlan& like, Cells* cells) {
        using Compensated = magflow::Flux<float, true, true>;
        using Plain = magflow::Flux<float, false, true>;
        std::vector<StepPlan> plans = MagflowOnSets<float>::plans(like, cells);
        StepPlan& flux = plans[1];
        flux.fields = fields_of<Compensated>();
        flux.make = [cells](const StageContext& context) -> std::unique_ptr<Stage> {
            if (magflow::compensated(context.problem.parameters))
                return std::make_unique<PublishedFluxStage<Compensated, Cells>>(context, cells,
                                                                                carve_out);
            return std::make_unique<PublishedFluxStage<Plain, Cells>>(context, cells, carve_out);
        };
        // Only cells with a vent read the emission.
        for (FieldUse& use : flux.fields)
            if (use.name == std::string_view("emission")) use.read = false;
        plans.insert(plans.begin() + 2, library_minimum_plan<float>(like, true));
        return plans;
    }
};

inline void add_published(Registry& registry) {
    static constexpr TechniqueInfo info{
        "published", "the authors' program: a box that the host reads, a library's minimum too",
        "Bilotta et al. 2011, Tables 2 to 7", Family::global_memory};
    constexpr BoxesForm form{.read_every = 1};
    LaunchSetVariants<PublishedMagflow<CarveOut::driver>> plain(registry);
    LaunchSetVariants<PublishedMagflow<CarveOut::l1>> more_l1(registry);
    LaunchSetVariants<PublishedMagflow<CarveOut::shared>> more_shared(registry);
    // Shapes of Tables 5 and 6.
    for (const Region block : {Region{8, 8}, Region{1, 64}, Region{64, 1}, Region{64, 2},
                               Region{64, 3}, Region{64, 4}, Region{128, 1}, Region{192, 1}})
        plain.add_boxes(info, block.name(), block, form);
    // Table 7.
    for (const Region block : {Region{64, 1}, Region{64, 2}, Region{64, 3}, Region{64, 4}}) {
        more_l1.add_boxes(info, block.name() + "/l1", block, form);
        more_shared.add_boxes(info, block.name() + "/shared", block, form);
    }
}

CAMBER_TARGET_END

namespace camber::magflow {

namespace {

const Registration magflow_active_sets_variants([](Registry& registry) {
    LaunchSetVariants<MagflowSets<float>>(registry).add_all();
    LaunchSetVariants<MagflowSets<double>>(registry).add_all();
    add_published(registry);
});

}  // namespace
}  // namespace camber::magflow
