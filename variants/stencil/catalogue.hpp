// Catalogue in which techniques describe and register their variants, and building blocks of
// multi-step pipelines and of kernels that are compiled per radius.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "harness/groups/pipeline.hpp"
#include "harness/registry/registry.hpp"
#include "variants/stencil/linked_stage.hpp"
#include "variants/stencil/stencil_stage.hpp"
#include "variants/stencil/views.hpp"

// Registration of the variants that techniques offer.
CAMBER_TARGET_BEGIN

// Blocks of 256 threads, the shapes of the published kernels.
inline constexpr std::array<Region, 4> published_blocks{{{16, 16}, {32, 8}, {64, 4}, {128, 2}}};

// Bytes of shared memory for one tile per field that `Rule` reads beyond its own cell.
template <class Rule>
std::size_t staged_bytes(Region tile) {
    std::size_t bytes = 0;
    Rule::Inputs::for_each([&]<class Tag>(Tag) {
        if (Tag::radius > 0) bytes += sizeof(typename Tag::Type) * tile.columns * tile.rows;
    });
    return bytes;
}

// Reason for excluding techniques that compute several generations per launch.
inline constexpr const char* needs_iteration =
    "does not write the field that it reads: there is no second generation";

// Reason for excluding techniques that need a single kernel per generation.
inline constexpr const char* needs_one_kernel =
    "computes a generation in several kernels, and the technique needs it in one";

// True if a rule's code is so long that the number of its instantiations must be limited.
template <class Rule>
constexpr bool is_heavy() {
    return requires {
        Rule::heavy;
    };
}

// Reason for excluding techniques that instantiate such a rule many times.
inline constexpr const char* too_heavy =
    "would unroll a long rule many times over: more registers than there are";

// True if a rule reads very many cells; its kernels are then compiled for few shapes only.
template <class Rule>
constexpr bool is_large() {
    int cells = 0;
    Rule::Inputs::for_each(
        [&]<class Tag>(Tag) { cells += (2 * Tag::radius + 1) * (2 * Tag::radius + 1); });
    return cells > 30;
}

// Maximum number of cells that one access of at most 16 bytes moves, for every field of the rule.
template <class Rule>
constexpr int widest_pack() {
    int largest = 1;
    const auto take = [&]<class Tag>(Tag) {
        largest = static_cast<int>(sizeof(typename Tag::Type)) > largest
                      ? static_cast<int>(sizeof(typename Tag::Type))
                      : largest;
    };
    Rule::Inputs::for_each(take);
    Rule::Outputs::for_each(take);
    return 16 / largest;
}

// CUDA C++ Programming Guide, table of compute capabilities: a grid has at most 65535 rows of
// blocks.
inline std::optional<std::string> too_many_block_rows(int rows, int rows_per_block) {
    constexpr int limit = 65535;
    const int needed = (rows + rows_per_block - 1) / rows_per_block;
    if (needed <= limit) return std::nullopt;
    return "needs " + std::to_string(needed) + " rows of blocks, a grid has at most " +
           std::to_string(limit);
}

inline constexpr Backend target_backend = CAMBER_ON_DEVICE ? Backend::cuda : Backend::simt;

// Collects what techniques offer for a rule: variants of a workload with one step, or choices for
// one step of several.
class PlanCatalogue {
  public:
    // Registers variants. `cell` distinguishes instantiations of a workload; `name`, if set,
    // distinguishes rules that compute a generation of the same workload.
    PlanCatalogue(Registry& registry, std::string workload, ElementType cell, std::string name)
        : registry_(&registry),
          workload_(std::move(workload)),
          cell_(cell),
          name_(std::move(name)) {}
    // Appends techniques to `choices` for the step.
    explicit PlanCatalogue(std::vector<StepPlan>& choices) : choices_(&choices) {}

    // Adds a plan with its own stage factory; see Catalogue::plan_of().
    void add(StepPlan plan) {
        if (registry_) return add_whole(std::move(plan), {});
        limit_block_rows(plan);
        choices_->push_back(std::move(plan));
    }
    // Adds a technique with its own field storage, which cannot be a step among others.
    void add_whole(StepPlan plan, const ExecutionFactory& factory) {
        if (!registry_) return;
        limit_block_rows(plan);
        add_step_variant(*registry_, workload_, cell_, target_backend, name_, plan, factory);
    }
    // Excludes a technique that makes no sense for this rule; `reason` is one clause.
    void leave_out(const TechniqueInfo& technique, std::string reason) {
        if (registry_) registry_->leave_out(workload_, technique.name, std::move(reason));
    }

  private:
    static void limit_block_rows(StepPlan& plan) {
        const auto own = std::move(plan.unsupported);
        plan.unsupported = [own, rows = plan.shape.region.rows](const Problem& problem) {
            auto reason = too_many_block_rows(problem.size.rows, rows);
            return reason || !own ? reason : own(problem);
        };
    }

    Registry* registry_ = nullptr;  // exactly one of registry_ and choices_ is set
    std::vector<StepPlan>* choices_ = nullptr;
    std::string workload_;
    ElementType cell_{};
    std::string name_;
};

inline std::optional<std::string> unsupported_on_torus(const Problem& problem) {
    if (problem.boundary != Boundary::torus) return std::nullopt;
    return "is compiled for a closed board only";
}

inline std::optional<std::string> unsupported_seam_in_word(const Problem& problem) {
    if (problem.boundary != Boundary::torus || problem.size.columns % bits_per_word == 0)
        return std::nullopt;
    return "looks for whole words beyond a torus' edge, and its last word is not full";
}

// Variants that techniques offer for one rule.
template <class Rule>
class Catalogue : public PlanCatalogue {
  public:
    Catalogue(Registry& registry, std::string workload, ElementType cell, std::string name = "")
        : PlanCatalogue(registry, std::move(workload), cell, std::move(name)) {}
    explicit Catalogue(std::vector<StepPlan>& choices) : PlanCatalogue(choices) {}
    // Registers the kernels of Rule for the field names of `Fields`, a rule with the same
    // computation, so that several steps share their kernels. Not for techniques with their own
    // stage factories.
    template <class Fields>
    static Catalogue for_fields_of(std::vector<StepPlan>& choices) {
        Catalogue catalogue(choices);
        catalogue.fields_ = fields_of<Fields>;
        catalogue.make_ = make<Fields>;
        catalogue.linked_ = linked_makers<Rule, Fields>;
        return catalogue;
    }

    using PlanCatalogue::add;
    void add(const TechniqueInfo& technique, const StencilVariant<Rule>& variant) {
        StepPlan plan = plan_of(technique, variant.shape);
        plan.stand_in = variant.stand_in;
        if (!runs_on_torus<Rule>()) plan.unsupported = unsupported_on_torus;
        if constexpr (has_bits<Rule>())
            if (variant.shape.halo == 0) plan.unsupported = unsupported_seam_in_word;
        plan.fields = fields_();
        plan.make = [variant, make = make_](const StageContext& context) {
            return make(context, variant);
        };
        // Rows assigned to a device have no board edge above or below, but a kernel with edge tests
        // would treat them as if they had. Only kernels with a halo can be divided.
        if (variant.shape.halo >= Rule::Inputs::radius && variant.shape.generations == 1)
            plan.make = StageMaker(std::move(plan.make), Rule::Inputs::radius, linked_(variant));
        plan.across = across(variant, plan.make);
        add(std::move(plan));
    }

    // Plan of a technique in one shape; the caller adds the stage factory.
    static StepPlan plan_of(const TechniqueInfo& technique, const Shape& shape) {
        StepPlan plan;
        plan.technique = technique;
        plan.shape = shape;
        plan.fields = fields_of<Rule>();
        plan.stand_in = plainest(shape);
        plan.rules = rules_of<Rule>();
        if constexpr (requires { Rule::step; }) plan.step = Rule::step;
        if constexpr (has_bits<Rule>()) plan.words_per_group = Rule::words_per_group;
        return plan;
    }

  private:
    // Stage factory for a board that is stored transposed; nullopt if the technique has none.
    std::optional<StageMaker> across(StencilVariant<Rule> variant, const StageMaker& own) const {
        if (!own.reach()) return std::nullopt;
        if (is_symmetric<Rule>()) return own;
        if (!variant.across_kernel.overhang) return std::nullopt;
        variant.kernel = variant.across_kernel;
        return StageMaker(
            [variant, make = make_](const StageContext& context) { return make(context, variant); },
            *own.reach());
    }

    template <class Fields>
    static std::unique_ptr<Stage> make(const StageContext& context,
                                       const StencilVariant<Rule>& variant) {
        return std::make_unique<StencilStage<Rule, Fields>>(context, variant);
    }

    std::vector<FieldUse> (*fields_)() = fields_of<Rule>;
    std::unique_ptr<Stage> (*make_)(const StageContext&, const StencilVariant<Rule>&) = make<Rule>;
    LinkedMakers (*linked_)(const StencilVariant<Rule>&) = linked_makers<Rule, Rule>;
};

CAMBER_TARGET_END

// Building blocks of multi-step pipelines.
CAMBER_TARGET_BEGIN

// Returns `steps` under the name of technique `info` instead of the technique that makes the
// stages.
inline StepChoices renamed(StepChoices steps, const TechniqueInfo& info) {
    for (std::vector<StepPlan>& step : steps)
        for (StepPlan& plan : step) plan.technique = info;
    return steps;
}

// Stage factory that constructs an OwnStage from the context and these arguments.
template <class OwnStage, class... Arguments>
auto makes(Arguments... arguments) {
    return [=](const StageContext& context) -> std::unique_ptr<Stage> {
        return std::make_unique<OwnStage>(context, arguments...);
    };
}

// Field that a step reads.
inline FieldUse reads(std::string field, ElementType element) {
    return {.name = std::move(field), .element = element, .read = true};
}

// Plan without a stage factory for a step that processes each cell by itself, in a pipeline whose
// other steps have the plan `like`.
inline StepPlan own_cell_plan(const StepPlan& like, std::string step,
                              std::vector<FieldUse> fields) {
    StepPlan plan = like;
    plan.step = std::move(step);
    plan.shape.region = plan.shape.block;
    plan.shape.shared_bytes = 0;
    plan.fields = std::move(fields);
    plan.sharing = {};
    plan.across.reset();
    return plan;
}

// Applies make(plan) to every plan.
template <class Make>
std::vector<StepPlan> plans_like(const std::vector<StepPlan>& like, const Make& make) {
    std::vector<StepPlan> plans;
    for (const StepPlan& plan : like) plans.push_back(make(plan));
    return plans;
}

CAMBER_TARGET_END

// Kernels compiled per radius, for rules whose radius is a run parameter. The radius of the rule's
// input is the maximum.
CAMBER_TARGET_BEGIN

// Kernel that takes the number of rows of a block's region.
template <class Rule>
using RegionKernel = void (*)(Views<Rule>, int rows);

// Stage that launches the kernel compiled for the run's radius.
template <class Rule>
class RadiusStage final : public RuleStage<Rule> {
  public:
    // One kernel per radius, beginning with radius 1.
    using Kernels = std::array<RegionKernel<Rule>, Rule::Inputs::radius>;

    RadiusStage(const StageContext& context, const Shape& shape, const Kernels& kernels)
        : RuleStage<Rule>(context),
          shape_(covering(this->board(), shape)),
          rows_(shape.region.rows),
          kernel_(kernels[Rule::parameters(context.problem.parameters).radius - 1]) {}

    void enqueue(int number) override {
        launch(this->queue(), kernel_label<Rule>(), shape_, kernel_, this->views(number), rows_);
    }

  private:
    LaunchShape shape_;
    int rows_;
    RegionKernel<Rule> kernel_;
};

// Collects Source::kernel<radius>() for each radius.
template <class Source, class Rule, int... radius>
constexpr typename RadiusStage<Rule>::Kernels kernels_of(std::integer_sequence<int, radius...>) {
    return {Source::template kernel<radius + 1>()...};
}

// Plan whose stage launches the kernels of `Source`.
template <class Source, class Rule>
StepPlan radius_plan(const TechniqueInfo& info, Shape shape) {
    constexpr int largest = Rule::Inputs::radius;
    shape.halo = largest;
    shape.alignment = 128;
    StepPlan plan = Catalogue<Rule>::plan_of(info, shape);
    plan.stand_in = {"halo", "64x4", 128};
    const auto kernels = kernels_of<Source, Rule>(std::make_integer_sequence<int, largest>());
    plan.make = StageMaker(makes<RadiusStage<Rule>>(plan.shape, kernels), largest);
    return plan;
}

CAMBER_TARGET_END
