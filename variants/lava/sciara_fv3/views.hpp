// Views of a rule's fields for kernels that store some of them elsewhere.
#pragma once

#include "variants/lava/sciara_fv3/uniform.hpp"
#include "variants/stencil/stencil_stage.hpp"

CAMBER_WORKLOAD_BEGIN(sciara_fv3)

// True if an input may share a buffer with other inputs.
template <class Tag>
CAMBER_HD constexpr bool has_slot() {
    return requires {
        Tag::slot;
    };
}

// Views of all inputs that are separate fields; the caller sets the outputs.
template <class Rule>
Views<Rule> input_views(const StageContext& context) {
    Views<Rule> views;
    Rule::Inputs::for_each([&]<class Tag>(Tag) {
        if constexpr (!has_slot<Tag>())
            get<Rule::Inputs::template index<Tag>>(views.inputs) = InputGrid<Tag>(
                static_cast<const typename Tag::Type*>(context.store.current(Tag::field)),
                context.store.layout(Tag::field), Tag::field);
    });
    views.parameters = parameters_of<Rule>(context.problem.parameters, 0);
    views.columns = context.problem.size.columns;
    views.rows = context.problem.size.rows;
    return views;
}

CAMBER_TARGET_END
