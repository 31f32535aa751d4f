#include "analysis/scaling/series.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "analysis/scaling/metrics.hpp"
#include "harness/base/error.hpp"
#include "harness/base/statistics.hpp"

namespace camber::scaling {

namespace {

// fixed, so that the intervals depend only on the samples
constexpr std::uint64_t interval_seed = 1;
constexpr double normal_quantile = 1.959964;  // 97.5 %

[[noreturn]] void refuse(const std::string& sentence) {
    throw Error(ExitCode::incomparable, sentence);
}

void refuse_differing(const Run& first, const Run& other, const char* what, const std::string& one,
                      const std::string& two) {
    if (one == two) return;
    if (first.units == other.units)
        refuse(
            fmt::format("a scaling measure between {} {} and {} does not exist, because p did "
                        "not change: that is a plain ratio of times",
                        what, one, two));
    refuse(
        fmt::format("T1 with {} {} and T(p) with {} make a speedup of two causes: measure every "
                    "p with the same {}",
                    what, one, two, what));
}

std::string size_text(const Run& run) {
    return fmt::format("{}x{}", run.columns, run.rows);
}

void check_alike(const Run& first, const Run& other, Mode mode) {
    refuse_differing(first, other, "workload", first.workload, other.workload);
    refuse_differing(first, other, "variant", first.variant, other.variant);
    refuse_differing(first, other, "backend", first.backend, other.backend);
    refuse_differing(first, other, "precision", first.precision, other.precision);
    refuse_differing(first, other, "machine", first.machine, other.machine);
    if (mode == Mode::strong)
        refuse_differing(first, other, "size", size_text(first), size_text(other));
    if (first.per_step != other.per_step)
        refuse("the points have both times per step and times of whole runs: give one of the two");
    if (first.steps != other.steps && !first.per_step)
        refuse(
            fmt::format("runs of {} and {} steps are no scaling series: compare the time per "
                        "step",
                        first.steps, other.steps));
}

// Effective p of unequal devices, from the rate that each reaches alone.
std::optional<double> effective_p(const Run& run) {
    const bool unequal = std::ranges::any_of(run.device_models, [&](const std::string& model) {
        return model != run.device_models.front();
    });
    if (!unequal) return std::nullopt;
    if (run.device_rates.size() != run.device_models.size())
        refuse(
            fmt::format("p of unequal devices ({}) is undefined: measure the rate of each alone "
                        "for an effective p",
                        fmt::join(run.device_models, ", ")));
    return effective_units(run.device_rates);
}

}  // namespace

Mode parse_mode(std::string_view text) {
    for (const Mode mode : {Mode::strong, Mode::weak})
        if (key(mode) == text) return mode;
    throw Error(ExitCode::usage, fmt::format("mode '{}' is unknown: choose strong or weak", text));
}

double p_of(const Series& series, const Point& point) {
    return point.effective_p.value_or(static_cast<double>(point.units) / series.unit_size);
}

double median_of(const Point& point) {
    return point.samples_ns.empty() ? point.median_ns.value() : median(point.samples_ns);
}

std::optional<double> sigma_of(const Series& series, const Point& point) {
    if (point.samples_ns.size() > 1) {
        const SampleStatistics statistics = summarize(point.samples_ns, interval_seed);
        const double sigma = (statistics.ci95_high - statistics.ci95_low) / (2 * normal_quantile);
        if (sigma > 0) return sigma;
    } else if (point.samples_ns.empty() && point.sigma_ns && *point.sigma_ns > 0) {
        return point.sigma_ns;
    }
    if (!series.assumed_relative_error) return std::nullopt;
    return *series.assumed_relative_error * median_of(point);
}

Series checked(Series series) {
    if (series.unit_size < 1)
        throw Error(ExitCode::usage, fmt::format("a unit of p cannot be {} {}: give at least 1",
                                                 series.unit_size, key(series.unit)));
    if (series.points.size() < 2)
        throw Error(ExitCode::usage,
                    "a scaling series needs times on at least two numbers of units: measure more");
    std::ranges::sort(series.points, {}, [&](const Point& point) { return p_of(series, point); });
    double before = 0;
    for (const Point& point : series.points) {
        const double p = p_of(series, point);
        if (point.samples_ns.empty() && !point.median_ns)
            throw Error(ExitCode::usage, fmt::format("p = {} has no time: measure it", p));
        if (!(median_of(point) > 0) || !std::isfinite(median_of(point)))
            throw Error(ExitCode::usage,
                        fmt::format("the time {} ns at p = {} is not above 0: measure it again",
                                    median_of(point), p));
        if (p == before)
            throw Error(ExitCode::usage,
                        fmt::format("p = {} occurs twice: join its samples in one point", p));
        before = p;
    }
    if (p_of(series, series.points.front()) != 1)
        throw Error(ExitCode::usage,
                    fmt::format("the smallest p is {}, but speedups are against T(1): measure one "
                                "unit too",
                                p_of(series, series.points.front())));
    return series;
}

Series series_of(std::span<const Run> runs, Unit unit, int unit_size, Mode mode) {
    if (runs.empty()) throw Error(ExitCode::usage, "a scaling series needs runs: give some");
    const Run& first = *std::ranges::min_element(runs, {}, &Run::units);
    Series series;
    series.workload = first.workload;
    series.variant = first.variant;
    series.backend = first.backend;
    series.machine = first.machine;
    series.unit = unit;
    series.unit_size = unit_size;
    series.mode = mode;
    series.columns = first.columns;
    series.rows = first.rows;
    bool steps_differ = false;
    for (const Run& run : runs) {
        if (run.by_counter_pass)
            refuse(
                fmt::format("the times on {} units are from a pass that collects counters, "
                            "which makes kernels wait for one another: measure without counters",
                            run.units));
        check_alike(first, run, mode);
        steps_differ = steps_differ || run.steps != first.steps;
        series.points.push_back({.units = run.units,
                                 .samples_ns = run.samples_ns,
                                 .median_ns = {},
                                 .sigma_ns = {},
                                 .share_of_copy = run.share_of_copy,
                                 .effective_p = effective_p(run),
                                 .places = run.places});
        if (mode == Mode::weak) {
            const double growth =
                static_cast<double>(run.columns) * static_cast<double>(run.rows) /
                (static_cast<double>(first.columns) * static_cast<double>(first.rows));
            const double p = p_of(series, series.points.back());
            if (std::abs(growth - p) > tolerated_growth * p)
                refuse(
                    fmt::format("weak scaling needs a problem {} times as large on p = {}, but "
                                "{} is {:.3g} times {}: choose the sizes so",
                                p, p, size_text(run), growth, size_text(first)));
        }
    }
    if (steps_differ) series.notes.push_back("the runs differ in steps: times are per step");
    if (std::ranges::any_of(series.points,
                            [](const Point& point) { return point.effective_p.has_value(); }))
        series.notes.push_back(
            "the units are unequal: p is effective, the sum of their single rates over the "
            "first's");
    return checked(std::move(series));
}

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

// "/threads:4", which Google Benchmark appends to the names of multithreaded benchmarks.
std::string threads_part(const CaseRecord& one) {
    return fmt::format("/threads:{}", one.threads);
}

bool ran_on_stated_threads(const CaseRecord& one) {
    return !one.by_camber && one.name.ends_with(threads_part(one));
}

// Converts a case of another Google Benchmark program to one of camber's with that number of
// threads.
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
    ScalingPlace place;  // of the first case
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
