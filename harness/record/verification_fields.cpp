// The keys of a verification (results/schema/camber-results.schema.json, definition
// "verification").
#include "harness/record/verification_fields.hpp"

#include "harness/record/names.hpp"

namespace camber::results {

template <class A>
void fields(A& a, Of<A, DifferingCell>& difference) {
    a("field", difference.field);
    a("row", difference.row);
    a("column", difference.column);
    a("expected", difference.expected);
    a("actual", difference.actual);
}

// What every comparison of two flows has.
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
