// The fields that the steps of a pipeline have in common.
#pragma once

#include <algorithm>
#include <optional>
#include <string_view>
#include <vector>

#include "harness/base/bit_words.hpp"
#include "harness/registry/step.hpp"

namespace camber {

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

}  // namespace camber
