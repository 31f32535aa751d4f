#include "harness/own/candidate_variant.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <memory>
#include <string_view>
#include <utility>

#include "harness/groups/pipeline.hpp"
#include "harness/own/candidate_stage.hpp"
#include "harness/own/kernel_plan.hpp"

namespace camber {

namespace {

// The kernel's name, with a number where it runs several times in a generation; "" where it is the
// only one.
std::string step_name(const CandidateProgram& program, std::size_t number) {
    const auto& kernels = program.kernels();
    if (kernels.size() == 1) return "";
    const std::string name = kernels[number].directive.function();
    std::size_t before = 0;
    for (std::size_t i = 0; i < number; ++i)
        before += std::size_t{kernels[i].directive.function() == name};
    return before == 0 ? name : fmt::format("{}_{}", name, before + 1);
}

StepPlan plan_of(const std::shared_ptr<CandidateProgram>& program, std::size_t number) {
    StepPlan plan =
        kernel_plan(program->kernels()[number],
                    {program->name(), program->summary(), program->origin(), Family::other},
                    [program, number](const StageContext& context) -> std::unique_ptr<Stage> {
                        return std::make_unique<CandidateStage>(context, program, number);
                    });
    plan.step = step_name(*program, number);
    plan.shape.shared_bytes += program->host().static_shared(program->host().kernel(number));
    return plan;
}

}  // namespace

Variant candidate_variant(const std::filesystem::path& path, const Workload& workload,
                          ElementType cell, const CandidateOptions& options) {
    const auto program = std::make_shared<CandidateProgram>(path, workload, cell, options);
    std::vector<StepPlan> plans;
    for (std::size_t i = 0; i < program->kernels().size(); ++i)
        plans.push_back(plan_of(program, i));
    const std::string name(workload.name());
    Variant variant = pipeline_variant(name, cell, Backend::simt, "", plans.front(), plans);
    Variant on_device = pipeline_variant(name, cell, Backend::cuda, "", plans.front(), plans);
    variant.factories.merge(on_device.factories);
    variant.group_factories.merge(on_device.group_factories);
    variant.file = program->origin();
    // Then no region tiles the board.
    if (std::ranges::any_of(program->kernels(),
                            [](const BoundKernel& kernel) { return !kernel.grid.empty(); }))
        variant.info.regions.clear();
    std::vector<std::string> kernels;
    for (const BoundKernel& kernel : program->kernels())
        kernels.push_back(kernel.directive.plain_function());
    variant.info.parameters.push_back({"kernel", fmt::format("{}", fmt::join(kernels, "+"))});
    return variant;
}

}  // namespace camber
