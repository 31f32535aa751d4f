// Fields that the steps of a pipeline share, on one device and between devices that divide the
// board.
#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/base/layout.hpp"
#include "harness/registry/step.hpp"

namespace camber {

// Fields shared by the steps of a pipeline

// Returns the step's use of a field; nullptr if it does not use the field.
const FieldUse* use_of(const StepPlan& plan, std::string_view field);

// A step that reads and writes a field needs two buffers: neighbors still read the cells that are
// overwritten. Otherwise one buffer is enough, as steps run one after another.
Buffers buffers_of(const std::vector<StepPlan>& plans, std::string_view field);

// Adds every field that the steps use once, for a board of `size`; rows have the largest alignment
// that any step needs.
void add_fields(FieldStore& store, const std::vector<StepPlan>& plans, Size size, int halo);

// Arrangement of one-bit cells in the words of fields; nullopt for other cell types.
std::optional<BitOrder> bit_order_of(const Problem& problem, const std::vector<StepPlan>& plans);

// Names of the fields that a step writes.
std::vector<std::string> outputs_of(const StepPlan& plan);

template <class Value>
Value largest(const std::vector<StepPlan>& plans, Value Shape::*member) {
    Value value{};
    for (const StepPlan& plan : plans) value = std::max(value, plan.shape.*member);
    return value;
}

// Fields and steps that devices exchange if they divide a pipeline

// Reason why these steps cannot be divided among devices; nullopt if they can.
std::optional<std::string> why_undivided(const std::vector<StepPlan>& plans);

// For each step: true if every device computes its own rows only, because the step's output enters
// only the minimum over all devices.
std::vector<bool> steps_of_own_rows(const std::vector<StepPlan>& plans);

// Names of the fields that devices send each other.
std::vector<std::string> sent_fields(const std::vector<StepPlan>& plans);

// Returns true if the field's rows may arrive while the previous ones are still read: if the field
// has one buffer, or if several steps write it, received rows reuse the memory of earlier ones.
bool may_come_early(const std::vector<StepPlan>& plans, const std::string& field);

// All fields that the steps use. Some steps change fields in place, cell by cell, that they do not
// list as written.
std::vector<std::string> used_fields(const std::vector<StepPlan>& plans);

}  // namespace camber
