// Neighborhood radius of a measured case, and the fastest technique at each radius, with reasons,
// from runs of one workload that differ in the radius.
#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/published/outcome.hpp"
#include "harness/record/case_record.hpp"
#include "harness/record/document.hpp"

namespace camber {

// The radius of the neighbourhoods that a case computed.

// 0 where the workload's neighbourhoods have no radius, or what they follow from is nothing that
// camber knows.
int radius_of(const results::Identity& of);

}  // namespace camber

namespace camber::published {

// Which technique is the fastest at which radius of the neighbourhood, and why: from runs of one
// workload that differ in the radius.

// On one type of cells and one board.
struct RadiusSeries {
    std::string workload;
    std::string cell;
    Size size;
    // By radius and technique the fastest variant.
    std::map<int, std::map<std::string, const results::CaseRecord*>> fastest;

    // Of all radii.
    std::set<std::string> techniques() const;
};

// Of every workload and type of cells that were timed at three radii or more: the board that has
// the most radii, and of equals the largest. The records are the documents'.
std::vector<RadiusSeries> over_radius(const std::vector<results::Document>& documents);

// That the fastest of some techniques is faster than the fastest of others.
struct RadiusStatement {
    std::string text;
    std::vector<std::string_view> faster;
    std::vector<std::string_view> than;  // none: all techniques but those
};

// What is asked of a workload's techniques on cells of a type; none of others.
std::vector<RadiusStatement> radius_statements(const std::string& workload,
                                               const std::string& cell);

struct RadiusAnswer {
    int radius = 0;
    Judged measured;
    std::string reason;  // "" without counters
};

// At each radius at which both sides were timed. Reasons are of counters that were read at the same
// radius, on a board of any size.
std::vector<RadiusAnswer> answers(const RadiusStatement& stated, const RadiusSeries& series,
                                  const std::vector<results::Document>& documents);

// "holds at radius 5 to 15, no difference at 3, reversed at 1 and 2"; "-" without answers. From one
// measured radius to another: at all that were measured in between.
std::string fates_text(const std::vector<RadiusAnswer>& answers);

}  // namespace camber::published
