#include "harness/record/case_record.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "harness/record/fields.hpp"

namespace camber {

std::string_view name(Verification::Status status) {
    using enum Verification::Status;
    return status == passed ? "passed" : status == failed ? "failed" : "skipped";
}

void FlowSpread::add(const FlowDifference& from_first) {
    ++runs;
    FlowStatistics& cells = worst.cells;
    const FlowStatistics& other = from_first.cells;
    cells.jaccard = std::min(cells.jaccard, other.jaccard);
    cells.share_within_tenth = std::min(cells.share_within_tenth, other.share_within_tenth);
    cells.largest_difference = std::max(cells.largest_difference, other.largest_difference);
    cells.mean_difference = std::max(cells.mean_difference, other.mean_difference);
    cells.differing_cells = std::max(cells.differing_cells, other.differing_cells);
    worst.mass_difference = std::max(worst.mass_difference, from_first.mass_difference);
    if (from_first.time_difference)
        worst.time_difference =
            std::max(worst.time_difference.value_or(0), *from_first.time_difference);
}

namespace results {

std::string GroupRecord::exchange_words() const {
    std::string words = exchange;
    if (overlap) words += ", overlap";
    if (partition != "rows") words += ", " + partition;
    if (halo_depth != 1) words += fmt::format(", depth {}", halo_depth);
    if (border_buffers == 1) words += ", one buffer";
    if (host_wait) words += fmt::format(", {} wait", *host_wait);
    if (minimum) words += fmt::format(", {} minimum", *minimum);
    if (balancing) {
        const BalancingRecord usual;
        words += ", balance " + balancing->rule;
        if (balancing->every != usual.every) words += fmt::format(" every {}", balancing->every);
        if (balancing->rows != usual.rows) words += fmt::format(" by {} rows", balancing->rows);
    } else if (start) {
        words += fmt::format(", {} start", start->rule);
        if (start->blocks_per_multiprocessor != StartRecord().blocks_per_multiprocessor)
            words += fmt::format(" at {} blocks", start->blocks_per_multiprocessor);
    } else if (allocation != "slab") {
        words += ", " + allocation;
    }
    if (std::ranges::any_of(weights, [&](int weight) { return weight != weights.front(); }))
        words += fmt::format(", weights {}", fmt::join(weights, ":"));
    return words;
}

std::string Identity::circumstances() const {
    std::string words = suffix(conditions());
    if (group)
        words += fmt::format(", {} {}, {}", group->places,
                             group->places == 1 ? "device" : "devices", group->exchange_words());
    return words;
}

std::string_view name(Status status) {
    switch (status) {
        case Status::ok:
            return "ok";
        case Status::skipped:
            return "skipped";
        case Status::failed:
            return "failed";
    }
    return "";
}

}  // namespace results

}  // namespace camber

namespace camber::results {

// JSON keys of samples, kernel times and intervals (results/schema/camber-results.schema.json,
// definition "case").
template <class A>
void fields(A& a, Of<A, Visit>& visit) {
    a("process", visit.process);
    a("round", visit.round);
    a("n", visit.n);
    a("stopped_by", visit.stopped_by);
}

// Fields of every sample summary.
template <class A>
void common_fields(A& a, Of<A, SampleStatistics>& statistics) {
    a("n", statistics.n);
    a("min_ns", statistics.min);
    a("median_ns", statistics.median);
    a("iqr_ns", statistics.iqr);
    std::pair interval{statistics.ci95_low, statistics.ci95_high};
    a("ci95_ns", interval);
    if constexpr (!A::writes) std::tie(statistics.ci95_low, statistics.ci95_high) = interval;
}

template <class A>
void fields(A& a, Of<A, KernelTime>& kernel) {
    a("name", kernel.name);
    common_fields(a, kernel.statistics);
    a.any_sign().null("clock_bias_ns", kernel.clock_bias_ns);
    a.may("shared_memory_bytes", kernel.shared_memory_bytes);
    a("samples_ns", kernel.samples_ns);
}

template <class A>
void all_fields(A& a, Of<A, KernelTimes>& times) {
    a("generations", times.generations);
    a("ns_per_generation", times.ns_per_generation);
    a.any_sign()("launch_gap_ns", times.launch_gap_ns);
    a("kernels", times.kernels);
}

// Statistics together with the reason why sampling ended, in one object.
struct Summary {
    SampleStatistics statistics;
    std::string stopped_by;
};
template <class A>
void fields(A& a, Of<A, Summary>& summary) {
    common_fields(a, summary.statistics);
    a("outliers", summary.statistics.outliers);
    a("stopped_by", summary.stopped_by);
}

// Times per generation, for the convenience of programs. Derived when written, ignored when read.
struct PerGeneration {
    SampleStatistics statistics;
};
void fields(Writer& a, const PerGeneration& time) {
    a("min_ns", time.statistics.min);
    a("median_ns", time.statistics.median);
    a("iqr_ns", time.statistics.iqr);
    a("ci95_ns", std::pair{time.statistics.ci95_low, time.statistics.ci95_high});
}

PerGeneration per_generation(const Samples& samples) {
    SampleStatistics statistics = samples.statistics;
    for (double* time : {&statistics.min, &statistics.median, &statistics.iqr, &statistics.ci95_low,
                         &statistics.ci95_high})
        *time /= samples.generations_per_sample;
    return {statistics};
}

void fields(Writer& a, const Samples& samples) {
    a("generations_per_sample", samples.generations_per_sample);
    a("samples_ns", samples.ns);
    a.some("visits", samples.visits);
    a("statistics", Summary{samples.statistics, samples.stopped_by});
    if (samples.generations_per_sample > 0) a("per_generation", per_generation(samples));
}

void fields(Reader& a, Samples& samples) {
    a("generations_per_sample", samples.generations_per_sample);
    a("samples_ns", samples.ns);
    a.some("visits", samples.visits);
    Summary summary;
    a("statistics", summary);
    samples.statistics = summary.statistics;
    samples.stopped_by = std::move(summary.stopped_by);
}

template <class A>
void all_fields(A& a, Of<A, IntervalKernel>& kernel) {
    a("name", kernel.name);
    a("ns_per_generation", kernel.ns_per_generation);
}

template <class A>
void all_fields(A& a, Of<A, Interval>& interval) {
    a("first", interval.first);
    a("last", interval.last);
    a("samples_ns", interval.samples_ns);
    a.some("kernels", interval.kernels);
}

void fields(Writer& a, const KernelTimes& times) {
    all_fields(a, times);
}
void fields(Reader& a, KernelTimes& times) {
    all_fields(a, times);
}
void fields(Writer& a, const IntervalKernel& kernel) {
    all_fields(a, kernel);
}
void fields(Reader& a, IntervalKernel& kernel) {
    all_fields(a, kernel);
}
void fields(Writer& a, const Interval& interval) {
    all_fields(a, interval);
}
void fields(Reader& a, Interval& interval) {
    all_fields(a, interval);
}

// JSON keys of a group (results/schema/camber-results.schema.json, definition "group").
template <class A>
void fields(A& a, Of<A, BalancingRecord>& balancing) {
    a("rule", balancing.rule);
    a("every", balancing.every);
    a("rows", balancing.rows);
}

template <class A>
void fields(A& a, Of<A, StartRecord>& start) {
    a("rule", start.rule);
    a("blocks_per_multiprocessor", start.blocks_per_multiprocessor);
}

template <class A>
void fields(A& a, Of<A, RowDivisionRecord>& division) {
    a("generation", division.generation);
    a("rows", division.rows);
    a("moved_rows", division.moved_rows);
}

namespace {

template <class A>
void all_fields(A& a, Of<A, GroupRecord>& group) {
    a("kind", group.kind);
    a("places", group.places);
    a.some("devices", group.devices);
    a("weights", group.weights);
    a("partition", group.partition);
    a("allocation", group.allocation);
    a("exchange", group.exchange);
    a("overlap", group.overlap);
    a("halo_depth", group.halo_depth);
    a("edge_share", group.edge_share);
    a.may("border_buffers", group.border_buffers);
    a.may("host_wait", group.host_wait);
    a.may("minimum", group.minimum);
    a.may("balancing", group.balancing);
    a.may("start", group.start);
    a.some("rows", group.rows);
    a.may("moved_rows", group.moved_rows);
    a.some("divisions", group.divisions);
    a.may("exposed_transfer_ns", group.exposed_transfer_ns);
    a.may("barrier_wait_ns", group.barrier_wait_ns);
    a.may("imbalance", group.imbalance);
}

}  // namespace

void fields(Writer& a, const GroupRecord& group) {
    all_fields(a, group);
}
void fields(Reader& a, GroupRecord& group) {
    all_fields(a, group);
}

// JSON keys of a verification (results/schema/camber-results.schema.json, definition
// "verification").
template <class A>
void fields(A& a, Of<A, DifferingCell>& difference) {
    a("field", difference.field);
    a("row", difference.row);
    a("column", difference.column);
    a("expected", difference.expected);
    a("actual", difference.actual);
}

// Fields of every comparison of two flows.
template <class A>
void common_fields(A& a, Of<A, FlowDifference>& difference) {
    auto& cells = difference.cells;
    a("jaccard", cells.jaccard);
    a("share_within_10_percent", cells.share_within_tenth);
    a("largest_difference", cells.largest_difference);
    a("mean_difference", cells.mean_difference);
    a("differing_cells", cells.differing_cells);
    a("mass_difference", difference.mass_difference);
    a.may("time_difference", difference.time_difference);
}

template <class A>
void fields(A& a, Of<A, FlowDifference>& difference) {
    a("expected_cells", difference.cells.expected_cells);
    a("covered_cells", difference.cells.covered_cells);
    common_fields(a, difference);
    a("mass_error", difference.mass_error);
    a.may("event_fit", difference.event_fit);
}

template <class A>
void fields(A& a, Of<A, FlowSpread>& spread) {
    a("runs", spread.runs);
    common_fields(a, spread.worst);
}

template <class A>
void fields(A& a, Of<A, FlowLimits>& limits) {
    a("mass_error", limits.mass_error);
    a.may("jaccard", limits.jaccard);
    a.may("largest_difference", limits.largest_difference);
    a.may("covered_difference", limits.covered_difference);
    a.may("time_difference", limits.time_difference);
}

namespace {

template <class A>
void all_fields(A& a, Of<A, Verification>& verification) {
    a("status", verification.status);
    a.usual("compared_cells", verification.compared_cells);
    a.usual("differing_cells", verification.differing_cells);
    a.usual("tolerance", verification.tolerance);
    a.some("tolerance_of", verification.tolerance_of);
    a.may("relative_tolerance", verification.relative_tolerance);
    a.may("total_tolerance", verification.total_tolerance);
    a.may("tolerated_outliers", verification.tolerated_outliers);
    a.may("outlying_cells", verification.outlying_cells);
    a.may("largest_difference", verification.largest_difference);
    a.usual("generations", verification.generations);
    a.may("method", verification.method);
    a.may("statistics", verification.statistics);
    a.may("limits", verification.limits);
    a.some("exceeded", verification.exceeded);
    a.may("spread", verification.spread);
    a.null("first_difference", verification.first_difference);
}

}  // namespace

void fields(Writer& a, const Verification& verification) {
    all_fields(a, verification);
}

void fields(Reader& a, Verification& verification) {
    all_fields(a, verification);
}

}  // namespace camber::results
