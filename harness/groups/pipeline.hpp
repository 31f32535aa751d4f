// Variants made of steps: each step in a technique of its own, over common fields.
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
// alignment that any step asks for, and two buffers where one step reads and writes it. Fields in
// constant memory lie side by side, whichever steps read them there. Cells of one bit lie in words,
// which the pipeline makes of them and takes apart again.
class PipelineExecution final : public Execution {
  public:
    PipelineExecution(Queue& queue, const Problem& problem, const std::vector<StepPlan>& plans);

    void upload(const State& initial) override;
    void download(State& result) override;
    std::optional<CellsView> view(std::string_view field) const override;
    // The next generation's outputs, each before the step that must write it.
    void poison(Poison poison) override { poison_ = poison; }
    void advance(int generations) override;

  private:
    struct Step {
        std::string name;  // empty where there is one step only
        std::unique_ptr<Stage> stage;
        std::vector<std::string> outputs;
    };

    Problem problem_;
    std::optional<BitOrder> bits_;  // of cells that lie in words
    FieldStore store_;
    ConstantOffsets constants_;
    std::vector<Step> steps_;
    int generations_per_launch_;
    int number_ = 0;                // of the generation to come
    std::optional<Poison> poison_;  // the next generation's outputs
    bool refreshes_halo_ = false;
};

// The variant that `plans` make, named after one of them, the `lead`, and its `form`: see
// VariantInfo.
Variant pipeline_variant(const std::string& workload, ElementType cell, Backend backend,
                         std::string form, const StepPlan& lead,
                         const std::vector<StepPlan>& plans);

// Adds the variant that computes a generation in one step, run by a pipeline or by what `factory`
// makes. `name`: as in add_pipelines().
void add_step_variant(Registry& registry, const std::string& workload, ElementType cell,
                      Backend backend, const std::string& name, const StepPlan& plan,
                      const ExecutionFactory& factory = {});

// The techniques of every step of a workload, in the order in which the steps run.
using StepChoices = std::vector<std::vector<StepPlan>>;

// Adds, for every technique, shape and alignment that a step has, the variant in which all steps
// use it, or its stand-in where they do not have it and the stand-in can share fields with it.
// `name` tells several pipelines of one workload apart and comes first in the path; empty where
// there is one.
void add_pipelines(Registry& registry, const std::string& workload, ElementType cell,
                   Backend backend, const std::string& name, const StepChoices& choices);

// Adds a composer for the pipeline: any choice of each step's. Its variants are called
// "<workload>/composed/<step>=<choice>+...".
void add_composer(Registry& registry, const std::string& workload, ElementType cell,
                  Backend backend, const StepChoices& choices);

}  // namespace camber
