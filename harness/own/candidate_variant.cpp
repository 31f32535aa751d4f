#include "harness/own/candidate_variant.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <iterator>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "harness/base/files.hpp"
#include "harness/groups/pipeline.hpp"
#include "harness/own/program.hpp"

namespace camber {

ExpressionValue BoundArguments::value(const Argument& argument, int generation) const {
    using Kind = Argument::Kind;
    const auto whole = [](int number) {
        return ExpressionValue{static_cast<double>(number), true};
    };
    switch (argument.kind) {
        case Kind::columns:
            return whole(context_.problem.size.columns);
        case Kind::rows:
            return whole(context_.problem.size.rows);
        case Kind::pitch:
            return whole(context_.store.layout(argument.field).pitch);
        case Kind::halo:
            return whole(kernel_.fields.empty()
                             ? 0
                             : context_.store.layout(kernel_.fields.front().name).halo);
        case Kind::generation:
            return whole(generation);
        case Kind::expression:
            return argument.expression->evaluate(
                [&](std::size_t word) { return value(argument.words[word], generation); });
        default:
            if (argument.number.empty()) return {argument.value, argument.whole};
            return {numbers(argument.number).at(argument.index), false};
    }
}

void* BoundArguments::cells(const Argument& argument) const {
    const FieldStore& store = context_.store;
    void* const base = argument.kind == Argument::Kind::output ? store.next(argument.field)
                                                               : store.current(argument.field);
    return static_cast<std::byte*>(base) +
           store.layout(argument.field).origin() * info(store.element(argument.field)).size;
}

namespace {

std::optional<std::string> why_not(const Problem& problem, const KernelDirective& directive) {
    if (directive.cooperative)
        return std::nullopt;  // the number of resident blocks limits the
                              // grid
    const Region region = directive.region;
    if (directive.overhang == false &&
        (problem.size.columns % region.columns != 0 || problem.size.rows % region.rows != 0))
        return fmt::format("needs a board that blocks of {} cells divide (overhang=no)",
                           region.name());
    if (!directive.grid.empty()) return std::nullopt;  // checked when the extents are known
    constexpr int limit = 65535;  // CUDA C++ Programming Guide, table of compute capabilities
    const int needed = (problem.size.rows + region.rows - 1) / region.rows;
    if (needed <= limit) return std::nullopt;
    return fmt::format("needs {} rows of blocks, a grid has at most {}", needed, limit);
}

// Settings that do not appear in the variant's name otherwise: "/UNROLL=2".
std::string settings_in_names(const KernelDirective& directive) {
    static constexpr std::string_view shown[] = {"block", "cells", "region", "align"};
    std::string text;
    for (const auto& [name, value] : directive.settings)
        if (!is_compiler_flag(name) && std::ranges::find(shown, name) == std::end(shown))
            text += "/" + CacheFolder::part(name) + "=" + CacheFolder::part(value);
    return text;
}

}  // namespace

StepPlan kernel_plan(const BoundKernel& kernel, const TechniqueInfo& technique,
                     const MakeStage& make) {
    const KernelDirective& directive = kernel.directive;
    StepPlan plan;
    plan.technique = technique;
    Shape& shape = plan.shape;
    shape.block = directive.block;
    shape.region = directive.region;
    shape.halo = directive.halo;
    shape.alignment = directive.alignment;
    shape.elements_per_thread = std::max(1, directive.region.columns * directive.region.rows /
                                                (directive.block.columns * directive.block.rows));
    shape.generations = directive.generations;
    shape.shared_bytes = directive.shared_bytes;
    shape.path = directive.block_name();
    if (directive.region != directive.block) shape.path += "/" + directive.region.name();
    shape.path += settings_in_names(directive);
    plan.arithmetic = directive.arithmetic;
    plan.fields = kernel.fields;
    // The rows can be divided among devices: a part's halo then contains neighboring rows of the
    // board.
    const bool divisible = directive.halo > 0 && directive.generations == 1 &&
                           directive.grid.empty() && directive.outputs.empty();
    plan.make = divisible ? StageMaker(make, directive.halo) : StageMaker(make);
    plan.unsupported = [directive](const Problem& problem) { return why_not(problem, directive); };
    return plan;
}

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
