// A variant on several places that divide the board by columns, and store it transposed: what a
// place has of the board is whole rows in memory, and its edges are contiguous. Rustico 2012,
// section 6.1, for boards whose columns are shorter than their rows.
//
// The kernels work on rows as ever, and read a cell's neighbours with rows and columns in each
// other's place (see StepPlan::across), so that every cell comes out the same to the last bit.
#pragma once

#include <memory>
#include <vector>

#include "harness/groups/group_pipeline.hpp"

namespace camber {

// Rows and columns of every field of that size change places; the others stay as they are.
State transposed(const State& state, Size board);

// Throws Unsupported where the problem cannot be divided so.
std::unique_ptr<Execution> make_transposed(std::unique_ptr<Group> group, const Problem& problem,
                                           const std::vector<StepPlan>& plans,
                                           const Division& division, const Exchange& exchange,
                                           const GroupPipeline::Substitutes& substitutes = {});

}  // namespace camber
