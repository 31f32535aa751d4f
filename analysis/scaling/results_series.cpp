#include "analysis/scaling/results_series.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "analysis/scaling/series.hpp"
#include "harness/base/error.hpp"

namespace camber::scaling {

namespace {

using results::CaseRecord;
using results::Document;
using results::ScalingPlace;

std::string machine_of(const Document& document, std::optional<Backend> backend) {
    if (backend == Backend::cuda) return document.gpu();
    const results::Run* run = document.run();
    return run && run->cpu ? run->cpu->model.value_or("") : "";
}

Run run_of(const Document& document, const CaseRecord& one) {
    const results::Identity& identity = one.identity;
    Run run;
    run.workload = identity.workload;
    run.variant = identity.variant;
    run.backend = identity.backend ? name(*identity.backend) : "";
    run.machine = machine_of(document, identity.backend);
    run.precision = identity.cell;
    run.columns = identity.size.columns;
    run.rows = identity.size.rows;
    run.steps = identity.generations;
    run.units = identity.scaling->units;
    run.samples_ns = times_of(one);
    run.per_step = true;
    if (one.derived) run.share_of_copy = one.derived->share_of_copy;
    return run;
}

struct Group {
    std::string variant;
    ScalingPlace place;  // of its first case
    std::vector<Run> runs;

    bool takes(const results::Identity& identity) const {
        return variant == identity.variant && place.unit == identity.scaling->unit &&
               place.mode == identity.scaling->mode;
    }
};

}  // namespace

std::vector<Series> series_of_results(const Document& document) {
    std::vector<Group> groups;
    for (const CaseRecord& one : document.cases) {
        if (one.status != results::Status::ok || !one.identity.scaling) continue;
        auto group = std::ranges::find_if(
            groups, [&](const Group& candidate) { return candidate.takes(one.identity); });
        if (group == groups.end())
            group = groups.insert(group, {one.identity.variant, *one.identity.scaling, {}});
        group->runs.push_back(run_of(document, one));
    }
    if (groups.empty())
        throw Error(ExitCode::usage,
                    fmt::format("{} has no case that passed on a stated number of units: give a "
                                "file that `camber scale` wrote",
                                document.source));
    std::vector<Series> all;
    for (const Group& group : groups)
        all.push_back(
            series_of(group.runs, group.place.unit, group.place.unit_size, group.place.mode));
    return all;
}

}  // namespace camber::scaling
