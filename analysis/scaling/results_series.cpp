#include "analysis/scaling/results_series.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

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
    if (const auto& group = identity.group)
        run.places = {group->exposed_transfer_ns, group->barrier_wait_ns, group->imbalance};
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

// True if several devices or ranks computed the case together, outside of a series.
bool is_divided(const CaseRecord& one) {
    const results::Identity& identity = one.identity;
    return identity.group && !identity.scaling && identity.group->places > 1 &&
           identity.group->kind != "emulated";
}

// Converts a case on several devices to a point of a series named after its exchange.
CaseRecord on_places(CaseRecord one, Mode mode) {
    const results::GroupRecord& group = *one.identity.group;
    one.identity.scaling =
        ScalingPlace{group.kind == "ranks" ? Unit::rank : Unit::gpu, group.places, 1, mode};
    one.identity.variant += ", " + group.exchange_words();
    return one;
}

// True if one device computed its share of the divided problem.
bool has_share(const CaseRecord& one, const CaseRecord& divided, Mode mode) {
    const Size& own = one.identity.size;
    const Size& all = divided.identity.size;
    if (mode == Mode::strong) return own == all;
    const double places = divided.identity.group->places;
    return std::abs(places * static_cast<double>(own.cells()) / static_cast<double>(all.cells()) -
                    1) <= tolerated_growth;
}

// Converts the same case on one device to the first point of its series. nullopt: no such case.
std::optional<CaseRecord> alone(CaseRecord one, const CaseRecord& divided, Mode mode) {
    const results::Identity& identity = one.identity;
    if (one.status != results::Status::ok || identity.scaling ||
        (identity.group && identity.group->places > 1) ||
        identity.variant != divided.identity.variant || !has_share(one, divided, mode) ||
        identity.cell != divided.identity.cell || identity.backend != divided.identity.backend ||
        identity.conditions() != divided.identity.conditions())
        return std::nullopt;
    const CaseRecord place = on_places(divided, mode);
    one.identity.variant = place.identity.variant;
    one.identity.scaling = place.identity.scaling;
    one.identity.scaling->units = 1;
    return one;
}

// Converts cases to points of series; drops cases that fit no series.
std::vector<CaseRecord> points_of(const Document& document, Mode of_places) {
    std::vector<CaseRecord> points;
    const auto has = [&](const CaseRecord& one) {
        return std::ranges::any_of(points, [&](const CaseRecord& known) {
            return known.identity.variant == one.identity.variant &&
                   known.identity.scaling->unit == one.identity.scaling->unit &&
                   known.identity.scaling->units == one.identity.scaling->units;
        });
    };
    for (const CaseRecord& record : document.cases) {
        if (record.status != results::Status::ok) continue;
        if (record.identity.scaling) points.push_back(record);
        if (ran_on_stated_threads(record)) points.push_back(on_threads(record));
        if (!is_divided(record)) continue;
        for (const CaseRecord& other : document.cases)
            if (const auto one = alone(other, record, of_places); one && !has(*one))
                points.push_back(*one);
        points.push_back(on_places(record, of_places));
    }
    return points;
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

std::vector<Series> series_of_results(const Document& document, Mode of_places) {
    std::vector<Group> groups;
    const bool foreign = std::ranges::any_of(document.cases, ran_on_stated_threads);
    for (const CaseRecord& one : points_of(document, of_places)) {
        auto group = std::ranges::find_if(
            groups, [&](const Group& candidate) { return candidate.takes(one.identity); });
        if (group == groups.end())
            group = groups.insert(group, {one.identity.variant, *one.identity.scaling, {}});
        group->runs.push_back(run_of(document, one));
    }
    if (groups.empty())
        throw Error(
            ExitCode::usage,
            fmt::format(
                "{} has no case that passed on a stated number of units: give a "
                "file of camber scale, of camber run on several GPUs or ranks, or of Google "
                "Benchmark with threads",
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
