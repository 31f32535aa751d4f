#include "harness/cli/completion/known_values.hpp"

#include <algorithm>
#include <map>

#include "analysis/published/table.hpp"
#include "harness/cli/campaign/parts.hpp"
#include "harness/cli/try/starting_points.hpp"
#include "harness/registry/division.hpp"
#include "harness/registry/kernels.hpp"
#include "harness/registry/registry.hpp"
#include "workloads/list/workloads.hpp"

namespace camber {

namespace {

using Words = std::vector<std::string>;

void add_once(Words& words, std::string word) {
    if (std::ranges::find(words, word) == words.end()) words.push_back(std::move(word));
}

Words workload_names() {
    Words names;
    for (const auto& workload : workloads()) names.emplace_back(workload->name());
    return names;
}

// Without the workload, as --variant takes them.
Words variant_names(const std::string& workload, bool techniques) {
    Words names;
    load_built_kernels(workload);
    for (const Variant& variant : registry().variants()) {
        if (variant.info.workload != workload) continue;
        const std::string name = variant.info.name();
        add_once(names, techniques ? std::string(variant.info.technique.name)
                                   : name.substr(workload.size() + 1));
    }
    return names;
}

Words facts_of(const std::string& option, const std::string& workload) {
    Words words;
    const Workload* const known = find_workload(workload);
    if (known == nullptr) return words;
    if (option == "cell")
        for (const ElementType cell : known->facts().cell_types)
            words.emplace_back(info(cell).name);
    if (option == "boundary")
        for (const Boundary boundary : known->facts().boundaries)
            words.emplace_back(name(boundary));
    if (option == "param")
        for (const ParameterInfo& parameter : known->facts().parameters)
            words.push_back(parameter.name + "=");
    return words;
}

// The way of edge rows, with and without ranks.
Words exchange_names() {
    Words names{"all"};
    for (const ExchangePath path : exchange_paths) add_once(names, std::string(name(path)));
    for (const ExchangePath path : rank_exchange_paths) add_once(names, std::string(name(path)));
    return names;
}

Words part_names() {
    Words names;
    for (const Part& part : campaign_parts({})) {
        add_once(names, part.name);
        add_once(names, part.group);
    }
    return names;
}

Words starting_point_names() {
    Words names;
    for (const StartingPoint& point : starting_points()) names.emplace_back(point.workload);
    return names;
}

Words table_names() {
    Words names;
    for (const published::Table& table : published::tables()) names.push_back(table.id);
    return names;
}

}  // namespace

Words known_values(const std::string& command, const std::string& option,
                   const std::string& workload) {
    static const std::map<std::string, Words> fixed{
        {"backend", {"auto", "cuda", "simt", "cpu"}},
        {"cache", {"hot", "cold", "both"}},
        {"mode", {"strong", "weak"}},
        {"counters", {"memory", "shared", "compute", "all"}},
        {"only", {"model", "deterministic", "time"}},
        {"shell", {"bash", "zsh"}},
    };
    if (option == "only" && command == "campaign") return part_names();
    if (const auto found = fixed.find(option); found != fixed.end()) return found->second;
    if (option == "exchange") return exchange_names();
    if (option == "workload") return workload_names();
    if (option == "technique") return variant_names(workload, true);
    if (option == "variant") return variant_names(workload, false);
    if (option == "TABLE") return table_names();
    if (option == "new") return starting_point_names();
    return facts_of(option, workload);
}

}  // namespace camber
