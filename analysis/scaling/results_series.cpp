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

// "/threads:4", which Google Benchmark appends to the name of what it ran on several threads.
std::string threads_part(const CaseRecord& one) {
    return fmt::format("/threads:{}", one.threads);
}

bool ran_on_stated_threads(const CaseRecord& one) {
    return !one.by_camber && one.name.ends_with(threads_part(one));
}

// A case of another program of Google Benchmark's, as one of ours on so many threads.
CaseRecord on_threads(CaseRecord one) {
    one.identity.variant = one.name.substr(0, one.name.size() - threads_part(one).size());
    one.identity.scaling = ScalingPlace{Unit::thread, one.threads, 1, Mode::strong};
    return one;
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
    bool foreign = false;
    for (const CaseRecord& record : document.cases) {
        foreign = foreign || ran_on_stated_threads(record);
        const CaseRecord one = ran_on_stated_threads(record) ? on_threads(record) : record;
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
                                "file of camber scale, or of Google Benchmark with threads",
                                document.source));
    std::vector<Series> all;
    for (const Group& group : groups)
        all.push_back(
            series_of(group.runs, group.place.unit, group.place.unit_size, group.place.mode));
    if (foreign)
        for (Series& series : all)
            series.notes.push_back(
                "the times are Google Benchmark's real_time of an iteration, which it divides by "
                "the number of threads before version 1.9");
    return all;
}

}  // namespace camber::scaling
