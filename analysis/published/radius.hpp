// Fastest technique at each neighborhood radius, with reasons, from runs of one workload that
// differ in the radius.
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

// Neighborhood radius of a case; 0 if the workload has no radius or camber cannot derive it from
// the recorded parameters.
int radius_of(const results::Identity& of);

}  // namespace camber

namespace camber::published {

// Cases of one workload with one cell type and one board.
struct RadiusSeries {
    std::string workload;
    std::string cell;
    Size size;
    // Fastest variant by radius and technique.
    std::map<int, std::map<std::string, const results::CaseRecord*>> fastest;

    // Names of the techniques at all radii.
    std::set<std::string> techniques() const;
};

// One series per workload and cell type that was timed at three radii or more: the board with the
// most radii, on a tie the largest. The records point into `documents`.
std::vector<RadiusSeries> over_radius(const std::vector<results::Document>& documents);

// Statement that the fastest of some techniques is faster than the fastest of others.
struct RadiusStatement {
    std::string text;
    std::vector<std::string_view> faster;
    std::vector<std::string_view> than;  // empty: all other techniques
};

// Statements to check for a workload and cell type; empty if there are none.
std::vector<RadiusStatement> radius_statements(const std::string& workload,
                                               const std::string& cell);

struct RadiusAnswer {
    int radius = 0;
    Judged measured;
    std::string reason;  // "" if there are no counters
};

// Outcome at each radius at which both sides were timed. Reasons use counters of the same radius,
// from a board of any size.
std::vector<RadiusAnswer> answers(const RadiusStatement& stated, const RadiusSeries& series,
                                  const std::vector<results::Document>& documents);

// "holds at radius 5 to 15, no difference at 3, reversed at 1 and 2"; "-" without answers. A range
// covers all measured radii between its ends.
std::string outcomes_text(const std::vector<RadiusAnswer>& answers);

}  // namespace camber::published
