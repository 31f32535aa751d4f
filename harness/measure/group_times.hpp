// What a timeline says of the places that compute a board together.
#pragma once

#include "analysis/timeline/quantities.hpp"
#include "harness/groups/communicator.hpp"
#include "harness/record/case_record.hpp"
#include "harness/registry/execution.hpp"

namespace camber {

// Fills in a group's exposed transfers, waits and imbalance. The timeline has `generations` of
// them. `ranks`: each of which calls this with the timeline of its own place; nullptr: no others.
void describe_group(results::GroupRecord& group, const timeline::Quantities& quantities,
                    int generations, Communicator* ranks);

// Fills in the rows that the places of an execution have now, where rows change their place, and
// how those of a box were divided until now.
void note_rows(results::GroupRecord& group, const Execution& execution);

}  // namespace camber
