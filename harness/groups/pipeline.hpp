// Variants that consist of steps: each step in a technique of its own, over common fields.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/base/layout.hpp"
#include "harness/registry/registry.hpp"
#include "harness/registry/step.hpp"

namespace camber {

// Runs the steps of a generation one after another. A field has the widest halo and the largest
// alignment that any step needs, and two buffers if one step reads and writes it. Fields in
// constant memory are stored one after another, whichever steps read them. One-bit cells are stored
// in words; the pipeline packs and unpacks them.
class PipelineExecution final : public Execution {
  public:
    PipelineExecution(Queue& queue, const Problem& problem, const std::vector<StepPlan>& plans);

    void upload(const State& initial) override;
    void download(State& result) override;
    std::optional<CellsView> view(std::string_view field) const override;
    // Poisons the next generation's outputs, each before the step that must write it.
    void poison(Poison poison) override { poison_ = poison; }
    void advance(int generations) override;

  private:
    struct Step {
        std::string name;  // empty if there is only one step
        std::unique_ptr<Stage> stage;
        std::vector<std::string> outputs;
    };

    Problem problem_;
    std::optional<BitOrder> bits_;  // of one-bit cells in words
    FieldStore store_;
    ConstantOffsets constants_;
    std::vector<Step> steps_;
    int generations_per_launch_;
    int number_ = 0;                // number of the next generation
    std::optional<Poison> poison_;  // the next generation's outputs
    bool refreshes_halo_ = false;
};

// Returns the variant that consists of `plans`, named after the plan `lead` and `form`: see
// VariantInfo.
Variant pipeline_variant(const std::string& workload, ElementType cell, Backend backend,
                         std::string form, const StepPlan& lead,
                         const std::vector<StepPlan>& plans);

// Adds the variant that computes a generation in one step, run by a pipeline or by the product of
// `factory`. `name`: as in add_pipelines().
void add_step_variant(Registry& registry, const std::string& workload, ElementType cell,
                      Backend backend, const std::string& name, const StepPlan& plan,
                      const ExecutionFactory& factory = {});

// Plans for every step of a workload, in the order in which the steps run.
using StepChoices = std::vector<std::vector<StepPlan>>;

// For every technique, shape and alignment of any step, adds the variant in which all steps use it.
// A step that lacks it uses its stand-in instead, if the stand-in can share fields with the others.
// `name` distinguishes several pipelines of one workload and comes first in the path; empty if
// there is only one.
void add_pipelines(Registry& registry, const std::string& workload, ElementType cell,
                   Backend backend, const std::string& name, const StepChoices& choices);

// Adds a composer for the pipeline, which combines any choices for the steps. Its variants are
// called "<workload>/composed/<step>=<choice>+...".
void add_composer(Registry& registry, const std::string& workload, ElementType cell,
                  Backend backend, const StepChoices& choices);

}  // namespace camber
