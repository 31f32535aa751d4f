#include "harness/own/candidate_variant.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "harness/groups/pipeline.hpp"
#include "harness/own/candidate_stage.hpp"
#include "harness/own/kernel_plan.hpp"
#include "harness/own/program.hpp"

namespace camber {

namespace {

// Kernel name, with a number if the kernel runs several times in a generation; "" if it is the only
// kernel.
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
                    [program, number](const StageContext& context) {
                        return make_candidate_stage(context, program, number);
                    });
    plan.step = step_name(*program, number);
    plan.shape.shared_bytes += program->host().static_shared(program->host().kernel(number));
    return plan;
}

std::map<const Workload*, CandidateMaker>& makers() {
    static std::map<const Workload*, CandidateMaker> all;
    return all;
}

}  // namespace

void set_candidate_maker(const Workload& workload, CandidateMaker maker) {
    makers()[&workload] = std::move(maker);
}

bool has_candidate_maker(const Workload& workload) {
    return makers().contains(&workload);
}

bool has_any_candidate_maker() {
    return !makers().empty();
}

Variant candidate_variant(const std::filesystem::path& path, const Workload& workload,
                          ElementType cell, const CandidateOptions& options) {
    if (const auto maker = makers().find(&workload); maker != makers().end())
        return maker->second(path, cell, options);
    const auto program = std::make_shared<CandidateProgram>(path, workload, cell, options);
    std::vector<StepPlan> plans;
    for (std::size_t i = 0; i < program->kernels().size(); ++i)
        plans.push_back(plan_of(program, i));
    const std::string name(workload.name());
    Variant variant = pipeline_variant(name, cell, Backend::simt, "", plans.front(), plans);
    Variant on_device = pipeline_variant(name, cell, Backend::cuda, "", plans.front(), plans);
    variant.factories.merge(on_device.factories);
    variant.group_factories.merge(on_device.group_factories);
    if (!program->arrays().empty()) {
        for (auto& [backend, factory] : variant.factories)
            factory = [program](Queue& queue, const Problem& problem) {
                return array_execution(queue, problem, program);
            };
        variant.group_factories.clear();
        variant.info.threads_per_block = 0;
        for (const BoundKernel& kernel : program->kernels())
            variant.info.threads_per_block =
                std::max(variant.info.threads_per_block, kernel.directive.threads());
        for (Parameter& parameter : variant.info.parameters)
            if (parameter.name == "block")
                parameter.value = program->kernels().front().directive.block_name();
        variant.info.bytes_per_cell = moved_bytes_per_cell(workload, cell);
    }
    if (!program->source().device_only.empty()) variant.factories.erase(Backend::simt);
    variant.file = program->origin();
    // With explicit grid extents, no region tiles the board.
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
