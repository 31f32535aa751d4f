// The keys of `camber list --format json`.
#include "harness/cli/list/json.hpp"

#include <map>
#include <nlohmann/json.hpp>
#include <utility>

#include "harness/base/number_text.hpp"
#include "workloads/list/workloads.hpp"

namespace camber {

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
        if (!facts.usual_rule.empty()) entry["usual_rule"] = facts.usual_rule;
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
    std::map<std::string, std::size_t> places;  // by name: one entry for all types of cells
    for (const Variant& variant : registry.variants()) {
        if (!filter.takes(variant.info)) continue;
        const std::string cell(info(variant.info.cell).name);
        const auto [place, first] = places.try_emplace(variant.info.name(), all.size());
        if (!first) {
            all[place->second]["cells"].push_back(cell);
            continue;
        }
        Json entry{
            {"variant", variant.info.name()},           {"workload", variant.info.workload},
            {"technique", variant.info.technique.name}, {"summary", variant.info.technique.summary},
            {"source", variant.info.technique.source},  {"cells", {cell}}};
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
