// Hand-over of buffers by copies: a step's outputs are copied onto its inputs, plane by plane,
// instead of swapping two pointers.
#pragma once

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "harness/registry/step.hpp"
#include "variants/stencil/views.hpp"

CAMBER_TARGET_BEGIN

// Destination of a stage's results: the fields' next buffers or, in place, the current
// ones.
enum class Results { next, current };

// Stage followed by copies of some fields, all with the same element size, to their other buffers.
// Both buffers then have the same contents, so the pipeline's buffer swap has no effect.
class CopyingStage final : public Stage {
  public:
    CopyingStage(const StageContext& context, std::unique_ptr<Stage> stage,
                 std::vector<std::string> fields, std::size_t element_size, Results results)
        : context_(context),
          stage_(std::move(stage)),
          fields_(std::move(fields)),
          element_size_(element_size),
          results_(results) {}

    void uploaded() override { stage_->uploaded(); }
    void refresh_halo() override { stage_->refresh_halo(); }
    void enqueue(int number) override {
        stage_->enqueue(number);
        const FieldStore& store = context_.store;
        for (const std::string& field : fields_) {
            void* to = store.current(field);
            void* from = store.next(field);
            if (results_ == Results::current) std::swap(to, from);
            context_.queue.copy(to, from, store.layout(field).elements() * element_size_);
        }
    }

  private:
    StageContext context_;
    std::unique_ptr<Stage> stage_;
    std::vector<std::string> fields_;
    std::size_t element_size_;
    Results results_;
};

// Plan followed by copies of `fields`, each of which counts as one more read and one more write.
inline StepPlan copied_after(StepPlan plan, const std::vector<std::string>& fields,
                             Results results) {
    const auto found =
        std::find_if(plan.fields.begin(), plan.fields.end(),
                     [&](const FieldUse& candidate) { return candidate.name == fields.front(); });
    const FieldUse use = *found;
    for (const std::string& field : fields)
        for (int access = 0; access < 2; ++access)
            plan.fields.push_back({field, use.element, use.outside, true, false});
    plan.make = [make = std::move(plan.make), fields,
                 size = static_cast<std::size_t>(info(use.element).size),
                 results](const StageContext& context) {
        return std::make_unique<CopyingStage>(context, make(context), fields, size, results);
    };
    return plan;
}

CAMBER_TARGET_END
