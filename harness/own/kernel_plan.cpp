#include "harness/own/kernel_plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <string_view>

#include "harness/base/files.hpp"

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

}  // namespace camber
