#include "harness/cli/list/listings.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include "harness/base/error.hpp"
#include "harness/base/text/text.hpp"
#include "harness/cli/common/files.hpp"
#include "harness/registry/kernels.hpp"
#include "workloads/list/workloads.hpp"

namespace camber {

namespace {

std::string joined(const std::vector<std::string>& words) {
    return fmt::format("{}", fmt::join(words, ", "));
}

// Cell types by variant name.
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

// "sigma=0 cells: ...", in the format of --param.
std::string parameter_line(const ParameterInfo& parameter) {
    return fmt::format("{}={}{}{}: {}", parameter.name, fmt::join(parameter.values, ","),
                       parameter.unit.empty() ? "" : " ", parameter.unit, parameter.summary);
}

// Wraps words to lines of at most page_width() columns, each indented by `indent` spaces.
std::string wrapped(const std::vector<std::string>& words, std::size_t indent) {
    const std::size_t width = page_width();
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

std::vector<std::string> cell_names(const Workload& workload) {
    std::vector<std::string> cells;
    for (const ElementType cell : workload.facts().cell_types) cells.emplace_back(info(cell).name);
    return cells;
}

std::vector<std::string> boundary_names(const Workload& workload) {
    std::vector<std::string> boundaries;
    for (const Boundary boundary : workload.facts().boundaries)
        boundaries.emplace_back(name(boundary));
    return boundaries;
}

// Throws Error(usage) with similar names if no variant passes the filter.
void require_found(const Registry& registry, const VariantFilter& filter, bool nothing) {
    if (!nothing) return;
    std::vector<std::string> techniques;
    for (const Variant& variant : registry.variants())
        if (filter.workload.empty() || variant.info.workload == filter.workload)
            if (std::string technique(variant.info.technique.name);
                std::ranges::find(techniques, technique) == techniques.end())
                techniques.push_back(std::move(technique));
    throw Error(
        ExitCode::usage,
        fmt::format("no variant{} has technique '{}'{}: choose {}",
                    filter.workload.empty() ? "" : " of " + filter.workload, filter.technique,
                    suggestion(filter.technique, techniques), fmt::join(techniques, ", ")));
}

// Number of distinct variant names of a workload; nullopt if its kernels are not built yet, because
// a list does not wait for the build.
std::optional<std::size_t> variant_count(const std::string& workload) {
    if (!load_built_kernels(workload)) return std::nullopt;
    std::set<std::string> names;
    for (const Variant& variant : registry().variants())
        if (variant.info.workload == workload) names.insert(variant.info.name());
    return names.size();
}

}  // namespace

std::string front_page() {
    TextTable table({"workload", "what it computes", "cells", "variants"}, 3);
    bool all_built = true;
    for (const auto& workload : workloads()) {
        const auto variants = variant_count(std::string(workload->name()));
        all_built = all_built && variants;
        table.add({std::string(workload->name()), std::string(workload->facts().summary),
                   joined(cell_names(*workload)), variants ? std::to_string(*variants) : "-"});
    }
    return table.plain() +
           (all_built ? ""
                      : "-: the kernels of this workload are built when they are first asked "
                        "for.\n") +
           "\n"
           "camber list workloads                 sources, parameters, boundaries, files\n"
           "camber list variants --workload life  the variants of a workload\n"
           "camber list steps                     steps that --compose combines\n"
           "camber list backends                  usable GPUs and other backends\n";
}

std::string workload_list() {
    std::string out;
    const auto line = std::back_inserter(out);
    for (const auto& workload : workloads()) {
        fmt::format_to(line, "{}\n  {}\n  source: {}\n", workload->name(),
                       workload->facts().summary, workload->facts().source);
        fmt::format_to(line, "  cells: {}; boundaries: {}; files: {}",
                       joined(cell_names(*workload)), joined(boundary_names(*workload)),
                       workload->facts().file_format);
        if (const auto size = workload->facts().usual_size)
            fmt::format_to(line, "; usual size: {}x{}", size->columns, size->rows);
        out += '\n';
        for (const WorkloadOption& option : workload->facts().options)
            fmt::format_to(line, "  option --{} {}, default {}: {}\n", option.name,
                           value_form(option), option.usual, option.help);
        if (workload->facts().parameters.empty()) continue;
        out += "  parameters (--param) and their default values:\n";
        for (const ParameterInfo& parameter : workload->facts().parameters)
            fmt::format_to(line, "    {}\n", parameter_line(parameter));
    }
    return out;
}

bool VariantFilter::takes(const VariantInfo& info) const {
    return (workload.empty() || info.workload == workload) &&
           (technique.empty() || info.technique.name == technique);
}

std::string technique_list(const Registry& registry) {
    std::string out;
    for (const auto& workload : workloads()) {
        std::vector<std::string> techniques;
        std::set<std::string> names;
        for (const Variant& variant : registry.variants()) {
            if (variant.info.workload != workload->name()) continue;
            const std::string technique(variant.info.technique.name);
            if (std::ranges::find(techniques, technique) == techniques.end())
                techniques.push_back(technique);
            names.insert(variant.info.name());
        }
        out += fmt::format("{}: {} variants, {} techniques\n", workload->name(), names.size(),
                           techniques.size());
        out += wrapped(techniques, 2);
    }
    return out +
           "\nAdd --workload W to see the variants of one workload, and --technique T for one "
           "technique.\n";
}

std::string variant_list(const Registry& registry, const VariantFilter& filter) {
    std::vector<std::string> techniques;
    std::map<std::string, std::vector<const Variant*>> by_technique;
    CellTypes cells;
    for (const Variant& variant : registry.variants()) {
        if (!filter.takes(variant.info)) continue;
        auto& types = cells[variant.info.name()];
        types.emplace_back(info(variant.info.cell).name);
        if (types.size() > 1) continue;
        const std::string technique(variant.info.technique.name);
        auto& variants = by_technique[technique];
        if (variants.empty()) techniques.push_back(technique);
        variants.push_back(&variant);
    }
    require_found(registry, filter, techniques.empty());
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

// Keys of `camber list --format json`.

namespace {

using Json = nlohmann::ordered_json;

}  // namespace

std::string workloads_json() {
    Json all = Json::array();
    for (const auto& workload : workloads()) {
        const WorkloadFacts& facts = workload->facts();
        Json entry{{"workload", workload->name()},
                   {"summary", facts.summary},
                   {"source", facts.source},
                   {"files", facts.file_format}};
        entry["cells"] = Json::array();
        for (const ElementType cell : facts.cell_types) entry["cells"].push_back(info(cell).name);
        entry["boundaries"] = Json::array();
        for (const Boundary boundary : facts.boundaries)
            entry["boundaries"].push_back(name(boundary));
        if (const auto size = facts.usual_size)
            entry["usual_size"] = {{"columns", size->columns}, {"rows", size->rows}};
        entry["options"] = Json::array();
        for (const WorkloadOption& option : facts.options)
            entry["options"].push_back({{"name", option.name},
                                        {"form", value_form(option)},
                                        {"usual", option.usual},
                                        {"summary", option.help}});
        entry["parameters"] = Json::array();
        for (const ParameterInfo& parameter : facts.parameters)
            entry["parameters"].push_back({{"name", parameter.name},
                                           {"values", parameter.values},
                                           {"unit", parameter.unit},
                                           {"summary", parameter.summary}});
        all.push_back(std::move(entry));
    }
    return all.dump(2) + "\n";
}

std::string variants_json(const Registry& registry, const VariantFilter& filter) {
    Json all = Json::array();
    std::map<std::string, std::size_t> places;  // index by name: one entry for all cell types
    for (const Variant& variant : registry.variants()) {
        if (!filter.takes(variant.info)) continue;
        const std::string cell(info(variant.info.cell).name);
        const auto [place, first] = places.try_emplace(variant.info.name(), all.size());
        if (!first) {
            all[place->second]["cells"].push_back(cell);
            continue;
        }
        const TechniqueInfo& technique = variant.info.technique;
        Json entry{{"variant", variant.info.name()},   {"workload", variant.info.workload},
                   {"technique", technique.name},      {"family", name(technique.family)},
                   {"summary", technique.summary},     {"source", technique.source},
                   {"cells", {cell}}};
        entry["backends"] = Json::array();
        for (const auto& [backend, factory] : variant.factories)
            entry["backends"].push_back(name(backend));
        entry["parameters"] = Json::object();
        for (const Parameter& parameter : variant.info.parameters)
            std::visit([&](const auto& value) { entry["parameters"][parameter.name] = value; },
                       parameter.value);
        all.push_back(std::move(entry));
    }
    return all.dump(2) + "\n";
}

}  // namespace camber
