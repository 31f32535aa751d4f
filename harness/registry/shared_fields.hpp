// What places that divide a pipeline need of each other: which fields, and for which steps.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "harness/registry/step.hpp"

namespace camber {

// Why these steps cannot be divided; nothing where they can.
std::optional<std::string> why_undivided(const std::vector<StepPlan>& plans);

// Of which steps every place computes its own rows only: what they leave goes into the least of all
// places and nowhere else.
std::vector<bool> steps_of_own_rows(const std::vector<StepPlan>& plans);

// What the places send each other.
std::vector<std::string> sent_fields(const std::vector<StepPlan>& plans);

// Whether rows of the field may come while those before them are still read: they come into the
// same memory where that is not exchanged, or exchanged more than once before they do.
bool may_come_early(const std::vector<StepPlan>& plans, const std::string& field);

// All that the steps use. Some change what they do not say they write: a cell of its own in place.
std::vector<std::string> used_fields(const std::vector<StepPlan>& plans);

}  // namespace camber
