#include "harness/registry/pipeline_fields.hpp"

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
            // A step that reads the field knows its outside value.
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

}  // namespace camber
