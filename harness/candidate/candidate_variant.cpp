#include "harness/candidate/candidate_variant.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <memory>
#include <string_view>
#include <utility>

#include "harness/candidate/candidate_stage.hpp"
#include "harness/registry/pipeline.hpp"

namespace camber {

namespace {

std::optional<std::string> why_not(const Problem& problem, const KernelDirective& directive) {
    const Region region = directive.region;
    if (!directive.overhang &&
        (problem.size.columns % region.columns != 0 || problem.size.rows % region.rows != 0))
        return fmt::format("needs a board that blocks of {} cells divide (overhang=no)",
                           region.name());
    constexpr int limit = 65535;  // CUDA C++ Programming Guide, table of compute capabilities
    const int needed = (problem.size.rows + region.rows - 1) / region.rows;
    if (needed <= limit) return std::nullopt;
    return fmt::format("needs {} rows of blocks, a grid has at most {}", needed, limit);
}

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

// Those that the name does not have anyway: "/UNROLL=2".
std::string settings_in_names(const KernelDirective& directive) {
    static constexpr std::string_view shown[] = {"block", "cells", "region", "align"};
    std::string text;
    for (const auto& [name, value] : directive.settings)
        if (std::ranges::find(shown, name) == std::end(shown))
            text += "/" + CacheFolder::part(name) + "=" + CacheFolder::part(value);
    return text;
}

StepPlan plan_of(const std::shared_ptr<CandidateProgram>& program, std::size_t number) {
    const BoundKernel& kernel = program->kernels()[number];
    const KernelDirective& directive = kernel.directive;
    StepPlan plan;
    plan.step = step_name(*program, number);
    plan.technique = {program->name(), program->summary(), program->origin(), Family::other};
    Shape& shape = plan.shape;
    shape.block = directive.block;
    shape.region = directive.region;
    shape.halo = directive.halo;
    shape.alignment = directive.alignment;
    shape.elements_per_thread = std::max(1, directive.region.columns * directive.region.rows /
                                                (directive.block.columns * directive.block.rows));
    shape.generations = directive.generations;
    shape.shared_bytes =
        directive.shared_bytes + program->host().static_shared(program->host().kernel(number));
    shape.path = directive.block.name();
    if (directive.region != directive.block) shape.path += "/" + directive.region.name();
    shape.path += settings_in_names(directive);
    plan.arithmetic = directive.arithmetic;
    plan.fields = kernel.fields;
    const auto make = [program, number](const StageContext& context) -> std::unique_ptr<Stage> {
        return std::make_unique<CandidateStage>(context, program, number);
    };
    // Rows in the middle of a board have neighbours where this one's edge has its halo.
    plan.make = directive.halo > 0 && directive.generations == 1 ? StageMaker(make, directive.halo)
                                                                 : StageMaker(make);
    plan.unsupported = [program, number](const Problem& problem) {
        return why_not(problem, program->kernels()[number].directive);
    };
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
    return variant;
}

}  // namespace camber
