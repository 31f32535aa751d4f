#include "analysis/scaling/results_series.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "harness/base/error.hpp"

namespace camber::scaling {

namespace {

using results::Case;
using results::ResultSet;

std::string machine_of(const ResultSet& set, const std::string& backend) {
    const auto text = [&](const char* pointer) {
        const nlohmann::ordered_json::json_pointer place{std::string(pointer)};
        return set.context.contains(place) && set.context[place].is_string()
                   ? set.context[place].get<std::string>()
                   : std::string();
    };
    return backend == "cuda" ? text("/camber/gpu/name") : text("/camber/cpu/model");
}

Run run_of(const ResultSet& set, const Case& one) {
    Run run;
    run.workload = one.text("workload");
    run.variant = one.text("variant");
    run.backend = one.text("backend");
    run.machine = machine_of(set, run.backend);
    run.precision = one.text("cell");
    run.columns = static_cast<long>(one.number("/size/columns").value_or(0));
    run.rows = static_cast<long>(one.number("/size/rows").value_or(0));
    run.steps = static_cast<long>(one.number("/generations").value_or(0));
    run.units = static_cast<int>(one.number("/scaling/units").value_or(0));
    run.samples_ns = one.samples();
    run.per_step = true;
    run.share_of_copy = one.number("/derived/share_of_copy");
    return run;
}

struct Group {
    std::string key;
    Unit unit;
    Mode mode;
    int unit_size;
    std::vector<Run> runs;
};

}  // namespace

std::vector<Series> series_of_results(const ResultSet& set) {
    std::vector<Group> groups;
    for (const Case& one : set.cases) {
        if (one.status != results::Status::ok || !one.camber.contains("scaling")) continue;
        const auto& scaling = one.camber["scaling"];
        const auto unit = scaling.at("unit").get<std::string>();
        const auto mode = scaling.at("mode").get<std::string>();
        const std::string key = fmt::format("{} {} {}", one.text("variant"), unit, mode);
        auto group = std::ranges::find(groups, key, &Group::key);
        if (group == groups.end())
            group = groups.insert(
                groups.end(),
                {key, parse_unit(unit), parse_mode(mode), scaling.at("unit_size").get<int>(), {}});
        group->runs.push_back(run_of(set, one));
    }
    if (groups.empty())
        throw Error(ExitCode::usage,
                    fmt::format("{} has no case that passed on a stated number of units: give a "
                                "file that `camber scale` wrote",
                                set.source));
    std::vector<Series> all;
    for (const Group& group : groups)
        all.push_back(series_of(group.runs, group.unit, group.unit_size, group.mode));
    return all;
}

}  // namespace camber::scaling
