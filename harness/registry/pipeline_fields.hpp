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

// The fields that the steps of a pipeline have in common.

// The step's use of a field; nullptr where it has none.
const FieldUse* use_of(const StepPlan& plan, std::string_view field);

// A step that reads a field and writes it needs two buffers: neighbours still read what a cell
// overwrites. Steps one after another need one.
Buffers buffers_of(const std::vector<StepPlan>& plans, std::string_view field);

// Adds every field that the steps use, each once, for a board of that size; rows begin as aligned
// as any step asks for.
void add_fields(FieldStore& store, const std::vector<StepPlan>& plans, Size size, int halo);

// How cells of one bit lie in the words of fields; nullopt: cells are of another type.
std::optional<BitOrder> bit_order_of(const Problem& problem, const std::vector<StepPlan>& plans);

// The fields that a step writes.
std::vector<std::string> outputs_of(const StepPlan& plan);

template <class Value>
Value largest(const std::vector<StepPlan>& plans, Value Shape::*member) {
    Value value{};
    for (const StepPlan& plan : plans) value = std::max(value, plan.shape.*member);
    return value;
}

// What places that divide a pipeline need of each other: which fields, and for which steps.

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
