// Steps that read no neighbors and overwrite their inputs.
#pragma once

#include <memory>
#include <string_view>

#include "variants/stencil/catalogue.hpp"
#include "variants/techniques/global.hpp"

CAMBER_TARGET_BEGIN

// Counts a field that a step updates in place as two reads, so that the bytes of both reading and
// writing are counted. If the step declared the field as written, the field would get a second
// buffer, or its buffers would be swapped.
inline void count_as_updated(StepPlan& plan, std::string_view field) {
    for (std::size_t i = 0; i < plan.fields.size(); ++i) {
        FieldUse& use = plan.fields[i];
        if (use.name != field || !use.written) continue;
        use.written = false;
        if (use.read) plan.fields.push_back(FieldUse(use));
        plan.fields[i].read = true;
        return;
    }
}

template <class Rule>
class InPlaceStage final : public RuleStage<Rule> {
  public:
    InPlaceStage(const StageContext& context, Region block)
        : RuleStage<Rule>(context), shape_(covering(context.problem.size, block)) {}

    void enqueue(int number) override {
        Views<Rule> views = this->views(number);
        Rule::Outputs::for_each([&]<class Tag>(Tag) {
            get<Rule::Outputs::template index<Tag>>(views.outputs) =
                OutputGrid<Tag>(static_cast<typename Tag::Type*>(this->store().current(Tag::field)),
                                this->store().layout(Tag::field), Tag::field);
        });
        launch(this->queue(), kernel_label<Rule>(), shape_, global_kernel<Rule, Boundary::dead>,
               views);
    }

  private:
    LaunchShape shape_;
};

// Plan of the technique global for a rule of radius 0, in place.
template <class Rule>
StepPlan in_place(StepPlan plan) {
    static_assert(Rule::Inputs::radius == 0);
    Rule::Outputs::for_each([&]<class Tag>(Tag) { count_as_updated(plan, Tag::field); });
    plan.make = makes<InPlaceStage<Rule>>(plan.shape.block);
    return plan;
}

CAMBER_TARGET_END
