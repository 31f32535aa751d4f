#include "harness/registry/pipeline_fields.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <span>

namespace camber {

const FieldUse* use_of(const StepPlan& plan, std::string_view field) {
    const auto found =
        std::ranges::find_if(plan.fields, [&](const FieldUse& use) { return use.name == field; });
    return found == plan.fields.end() ? nullptr : &*found;
}

Buffers buffers_of(const std::vector<StepPlan>& plans, std::string_view field) {
    const bool two = std::ranges::any_of(plans, [&](const StepPlan& plan) {
        const FieldUse* use = use_of(plan, field);
        return use && use->read && use->written;
    });
    return two ? Buffers::two : Buffers::one;
}

void add_fields(FieldStore& store, const std::vector<StepPlan>& plans, Size size, int halo) {
    const int alignment = largest(plans, &Shape::alignment);
    for (const StepPlan& plan : plans)
        for (const FieldUse& use : plan.fields) {
            if (store.has(use.name)) continue;
            // Only a step that reads the field defines its value outside the board.
            const FieldUse* reader = &use;
            for (const StepPlan& other : plans)
                if (const FieldUse* found = use_of(other, use.name); found && found->read)
                    reader = found;
            const int bytes = info(use.element).size;
            store.add(use.name, use.element,
                      Layout::make(size.columns, size.rows, halo, alignment, bytes),
                      std::span(reader->outside).first(static_cast<std::size_t>(bytes)),
                      buffers_of(plans, use.name));
        }
}

std::optional<BitOrder> bit_order_of(const Problem& problem, const std::vector<StepPlan>& plans) {
    if (problem.cell != ElementType::bits) return std::nullopt;
    return BitOrder{plans.front().words_per_group};
}

std::vector<std::string> outputs_of(const StepPlan& plan) {
    std::vector<std::string> outputs;
    for (const FieldUse& use : plan.fields)
        if (use.written) outputs.push_back(use.name);
    return outputs;
}

namespace {

// Returns the fields that a generation passes to the next: written by a step and read by the same
// or an earlier step.
std::vector<std::string> carried_fields(const std::vector<StepPlan>& plans) {
    std::vector<std::string> carried;
    for (std::size_t writer = 0; writer < plans.size(); ++writer)
        for (const std::string& field : outputs_of(plans[writer])) {
            const bool is_read =
                std::any_of(plans.begin(), plans.begin() + static_cast<std::ptrdiff_t>(writer) + 1,
                            [&](const StepPlan& plan) {
                                const FieldUse* use = use_of(plan, field);
                                return use && use->read;
                            });
            if (is_read && std::ranges::find(carried, field) == carried.end())
                carried.push_back(field);
        }
    return carried;
}

}  // namespace

std::optional<std::string> why_undivided(const std::vector<StepPlan>& plans) {
    for (const StepPlan& plan : plans) {
        const std::string step = plan.step.empty() ? "" : fmt::format("step {} in ", plan.step);
        if (plan.arithmetic == Arithmetic::unordered)
            return fmt::format(
                "{}technique {} adds in an order that is left to chance, and two places would not "
                "agree on rows that both compute",
                step, plan.technique.name);
    }
    for (const StepPlan& plan : plans) {
        const std::string step = plan.step.empty() ? "" : fmt::format("step {} in ", plan.step);
        if (!plan.make.reach() || !plan.any_halo)
            return fmt::format("{}technique {} needs the whole board in one place", step,
                               plan.technique.name);
        if (std::ranges::any_of(plan.fields, &FieldUse::in_constant_memory))
            return fmt::format("{}technique {} keeps a whole field in constant memory", step,
                               plan.technique.name);
    }
    return std::nullopt;
}

std::vector<bool> steps_of_own_rows(const std::vector<StepPlan>& plans) {
    std::vector<bool> own(plans.size());
    for (std::size_t step = plans.size(); step-- > 0;) {
        const auto is_for_own_rows = [&](const std::string& field) {
            for (std::size_t reader = 0; reader < plans.size(); ++reader) {
                const FieldUse* use = use_of(plans[reader], field);
                if (use && use->read && (reader <= step || !own[reader])) return false;
            }
            return true;
        };
        const std::vector<std::string> outputs = outputs_of(plans[step]);
        own[step] = !plans[step].sharing.least.empty() ||
                    (!outputs.empty() && std::ranges::all_of(outputs, is_for_own_rows));
    }
    return own;
}

bool may_come_early(const std::vector<StepPlan>& plans, const std::string& field) {
    const auto writes = [&](const StepPlan& plan) {
        const FieldUse* use = use_of(plan, field);
        return use && use->written;
    };
    return buffers_of(plans, field) == Buffers::one || std::ranges::count_if(plans, writes) != 1;
}

std::vector<std::string> sent_fields(const std::vector<StepPlan>& plans) {
    for (const StepPlan& plan : plans)
        if (plan.sharing.sends()) return plan.sharing.sent;
    return carried_fields(plans);
}

std::vector<std::string> used_fields(const std::vector<StepPlan>& plans) {
    std::vector<std::string> used;
    for (const StepPlan& plan : plans)
        for (const FieldUse& use : plan.fields)
            if (std::ranges::find(used, use.name) == used.end()) used.push_back(use.name);
    return used;
}

}  // namespace camber
