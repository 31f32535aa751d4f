// How a technique describes its variants, and how they enter the registry.
#pragma once

#include <array>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "harness/registry/pipeline.hpp"
#include "harness/registry/registry.hpp"
#include "variants/stencil/stencil_stage.hpp"
#include "variants/stencil/views.hpp"

CAMBER_TARGET_BEGIN

struct TechniqueInfo {
    const char* name;
    const char* summary;  // one line: how memory is touched
    const char* source;   // author year, section
};

// Blocks of threads of the published kernels and their like, 256 threads each.
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

// Why a technique of several generations per launch is left out.
inline constexpr const char* needs_iteration =
    "does not write the field that it reads: there is no second generation";

// Whether a rule's code is so long that every instantiation counts.
template <class Rule>
constexpr bool is_heavy() {
    return requires {
        Rule::heavy;
    };
}

// Why a technique is left out for such rules.
inline constexpr const char* too_heavy =
    "would unroll a long rule many times over: more registers than there are";

// Whether a rule reads so many cells that its kernels are compiled for a few shapes only.
template <class Rule>
constexpr bool is_large() {
    int cells = 0;
    Rule::Inputs::for_each(
        [&]<class Tag>(Tag) { cells += (2 * Tag::radius + 1) * (2 * Tag::radius + 1); });
    return cells > 30;
}

// The most cells that one access of at most 16 bytes moves, of every field of the rule.
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

// Collects what techniques offer: variants of a workload of one step, or the choices for one step
// of several.
class PlanCatalogue {
  public:
    // `cell` distinguishes instantiations of a workload; `name`, if any, the rule from others that
    // compute a generation of the same workload.
    PlanCatalogue(Registry& registry, std::string workload, ElementType cell, std::string name)
        : workload_(std::move(workload)),
          add_([&registry, workload = workload_, cell, name](const StepPlan& plan) {
              add_step_variant(registry, workload, cell, target_backend, name, plan);
          }),
          add_whole_([&registry, workload = workload_, cell, name](
                         const StepPlan& plan, const ExecutionFactory& factory) {
              add_step_variant(registry, workload, cell, target_backend, name, plan, factory);
          }),
          leave_out_([&registry, workload = workload_](const TechniqueInfo& technique,
                                                       std::string reason) {
              registry.leave_out(workload, technique.name, std::move(reason));
          }) {}
    // Techniques of the step are added to `choices`.
    explicit PlanCatalogue(std::vector<StepPlan>& choices)
        : add_([&choices](const StepPlan& plan) { choices.push_back(plan); }),
          add_whole_([](const StepPlan&, const ExecutionFactory&) {}),
          leave_out_([](const TechniqueInfo&, std::string) {}) {}

    // A plan that makes stages of its own; see Catalogue::plan_of().
    void add(StepPlan plan) {
        limit_block_rows(plan);
        add_(plan);
    }
    // A technique that keeps its fields in a way of its own and so cannot be a step among others.
    void add_whole(StepPlan plan, const ExecutionFactory& factory) {
        limit_block_rows(plan);
        add_whole_(plan, factory);
    }
    // The technique makes no sense for this rule: one clause that says why.
    void leave_out(const TechniqueInfo& technique, std::string reason) {
        leave_out_(technique, std::move(reason));
    }

  private:
    static void limit_block_rows(StepPlan& plan) {
        const auto own = std::move(plan.unsupported);
        plan.unsupported = [own, rows = plan.region.rows](const Problem& problem) {
            auto reason = too_many_block_rows(problem.size.rows, rows);
            return reason || !own ? reason : own(problem);
        };
    }

    std::string workload_;
    std::function<void(const StepPlan&)> add_;
    std::function<void(const StepPlan&, const ExecutionFactory&)> add_whole_;
    std::function<void(const TechniqueInfo&, std::string)> leave_out_;
};

inline std::optional<std::string> unsupported_on_torus(const Problem& problem) {
    if (problem.boundary != Boundary::torus) return std::nullopt;
    return "is compiled for a closed board only";
}

// What techniques offer for one rule.
template <class Rule>
class Catalogue : public PlanCatalogue {
  public:
    Catalogue(Registry& registry, std::string workload, ElementType cell, std::string name = "")
        : PlanCatalogue(registry, std::move(workload), cell, std::move(name)) {}
    explicit Catalogue(std::vector<StepPlan>& choices) : PlanCatalogue(choices) {}
    // For the fields of a rule that computes the same: several steps then have their kernels in
    // common. Not for techniques that make stages of their own.
    template <class Fields>
    static Catalogue for_fields_of(std::vector<StepPlan>& choices) {
        Catalogue catalogue(choices);
        catalogue.fields_ = fields_of<Fields>;
        catalogue.make_ = make<Fields>;
        return catalogue;
    }

    using PlanCatalogue::add;
    void add(const TechniqueInfo& technique, const StencilVariant<Rule>& variant) {
        StepPlan plan = plan_of(technique, variant);
        if (!runs_on_torus<Rule>()) plan.unsupported = unsupported_on_torus;
        plan.fields = fields_();
        plan.make = [variant, make = make_](const StageContext& context) {
            return make(context, variant);
        };
        add(std::move(plan));
    }

    // What a plan says of a variant; how to make its stage is left to the caller.
    static StepPlan plan_of(const TechniqueInfo& technique, const StencilVariant<Rule>& variant) {
        StepPlan plan;
        if constexpr (requires { Rule::step; }) plan.step = Rule::step;
        plan.technique = technique.name;
        plan.path = variant.path;
        plan.summary = technique.summary;
        plan.source = technique.source;
        plan.block = variant.block;
        plan.region = variant.region;
        plan.halo = variant.halo;
        plan.alignment = variant.alignment;
        plan.elements_per_thread = variant.elements_per_thread;
        plan.generations = variant.generations;
        plan.shared_bytes = variant.shared_bytes;
        plan.fields = fields_of<Rule>();
        plan.stand_in = variant.stand_in;
        if (plan.stand_in.empty()) plan.stand_in = stand_in_of(variant);
        return plan;
    }

  private:
    // The plainest technique of the same block and layout.
    static std::string stand_in_of(const StencilVariant<Rule>& variant) {
        const std::string block = variant.block.name();
        if (variant.alignment != unaligned)
            return "halo/" + block + "/align" + std::to_string(variant.alignment);
        return (variant.halo > 0 ? "halo/" : "global/") + block + "/unaligned";
    }
    template <class Fields>
    static std::unique_ptr<Stage> make(const StageContext& context,
                                       const StencilVariant<Rule>& variant) {
        return std::make_unique<StencilStage<Rule, Fields>>(context, variant);
    }

    std::vector<FieldUse> (*fields_)() = fields_of<Rule>;
    std::unique_ptr<Stage> (*make_)(const StageContext&, const StencilVariant<Rule>&) = make<Rule>;
};

CAMBER_TARGET_END
