#include "harness/cli/list/listings.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <string_view>
#include <vector>

#include "workloads/list/workloads.hpp"

namespace camber {

namespace {

std::string joined(const std::vector<std::string>& words) {
    return fmt::format("{}", fmt::join(words, ", "));
}

// The cell types of every name.
using CellTypes = std::map<std::string, std::vector<std::string>>;

std::string parameters_text(const VariantInfo& info, const std::vector<std::string>& cells) {
    std::vector<std::string> parts;
    const Workload* workload = find_workload(info.workload);
    if (workload && workload->facts().cell_types.size() != cells.size())
        parts.push_back(fmt::format("cells={}", fmt::join(cells, "/")));
    for (const Parameter& parameter : info.parameters)
        parts.push_back(std::visit(
            [&](const auto& value) { return fmt::format("{}={}", parameter.name, value); },
            parameter.value));
    return joined(parts);
}

// "sigma=0 cells: ...", as --param takes it.
std::string parameter_line(const ParameterInfo& parameter) {
    return fmt::format("{}={}{}{}: {}", parameter.name, fmt::join(parameter.values, ","),
                       parameter.unit.empty() ? "" : " ", parameter.unit, parameter.summary);
}

// Words in lines of at most 100 columns, each after `indent` spaces.
std::string wrapped(const std::vector<std::string>& words, std::size_t indent) {
    constexpr std::size_t width = 100;
    std::string out;
    std::string line;
    const auto end_line = [&] {
        if (!line.empty()) out += std::string(indent, ' ') + line + "\n";
        line.clear();
    };
    for (const std::string& word : words) {
        if (indent + line.size() + 2 + word.size() > width) end_line();
        line += (line.empty() ? "" : "  ") + word;
    }
    end_line();
    return out;
}

}  // namespace

std::string workload_list() {
    std::string out;
    const auto line = std::back_inserter(out);
    for (const auto& workload : workloads()) {
        std::vector<std::string> cells;
        for (const ElementType cell : workload->facts().cell_types)
            cells.emplace_back(info(cell).name);
        std::vector<std::string> boundaries;
        for (const Boundary boundary : workload->facts().boundaries)
            boundaries.emplace_back(name(boundary));
        fmt::format_to(line, "{}\n  {}\n  source: {}\n", workload->name(),
                       workload->facts().summary, workload->facts().source);
        fmt::format_to(line, "  cells: {}; boundaries: {}; files: {}", joined(cells),
                       joined(boundaries), workload->facts().file_format);
        if (const auto size = workload->facts().usual_size)
            fmt::format_to(line, "; usual size: {}x{}", size->columns, size->rows);
        out += '\n';
        if (workload->facts().parameters.empty()) continue;
        out += "  parameters (--param), with their values by default:\n";
        for (const ParameterInfo& parameter : workload->facts().parameters)
            fmt::format_to(line, "    {}\n", parameter_line(parameter));
    }
    return out;
}

std::string variant_list(const Registry& registry) {
    std::vector<std::string> techniques;
    std::map<std::string, std::vector<const Variant*>> by_technique;
    CellTypes cells;
    for (const Variant& variant : registry.variants()) {
        auto& types = cells[variant.info.name()];
        types.emplace_back(info(variant.info.cell).name);
        if (types.size() > 1) continue;
        const std::string technique(variant.info.technique.name);
        auto& variants = by_technique[technique];
        if (variants.empty()) techniques.push_back(technique);
        variants.push_back(&variant);
    }
    std::string out;
    const auto line = std::back_inserter(out);
    for (const std::string& technique : techniques) {
        const TechniqueInfo& first = by_technique[technique].front()->info.technique;
        fmt::format_to(line, "{}: {}\n  source: {}\n", technique, first.summary, first.source);
        for (const Variant* variant : by_technique[technique]) {
            std::vector<std::string> backends;
            for (const auto& [backend, factory] : variant->factories)
                backends.emplace_back(name(backend));
            fmt::format_to(line, "    {:<58} {} [{}]\n", variant->info.name(),
                           parameters_text(variant->info, cells[variant->info.name()]),
                           joined(backends));
        }
    }
    return out;
}

std::string step_list(const Registry& registry) {
    std::string out;
    std::set<std::string_view> shown;  // every backend and cell type has the same steps
    for (const Composer& composer : registry.composers()) {
        if (!shown.insert(composer.workload).second) continue;
        out += composer.workload + "\n";
        for (const Composer::Step& step : composer.steps) {
            const auto& first =
                *std::ranges::find(composer.steps, step.choices, &Composer::Step::choices);
            out += first.name == step.name ? "  " + step.name + "\n" + wrapped(step.choices, 4)
                                           : fmt::format("  {}: as {}\n", step.name, first.name);
        }
    }
    return out;
}

}  // namespace camber
