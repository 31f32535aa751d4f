// library_minimum, read_back: minimum of all cells' longest steps by a library, over the field in
// memory. read_back also waits for it on the host, as the published program did in every step
// (Bilotta et al. 2011), whose host compared the time with the end of the run.
#pragma once

#include <cstring>
#include <memory>
#include <string>

#include "harness/base/error.hpp"
#include "variants/lava/magflow/minimum.hpp"
#include "variants/stencil/plans.hpp"

CAMBER_WORKLOAD_BEGIN(magflow)

inline constexpr const char* limit_field = "step_limit";

template <class R>
class LibraryMinimumStage final : public Stage {
  public:
    LibraryMinimumStage(const StageContext& context, bool reads_back)
        : context_(context),
          clock_(context.store),
          reads_back_(reads_back),
          longest_step_(static_cast<R>(magflow::longest_step(context.problem.parameters))) {}

    // Halo and padding count as cells: they hold the longest step that there may be.
    void uploaded() override {
        std::byte longest[sizeof(R)];
        std::memcpy(longest, &longest_step_, sizeof(R));
        context_.queue.fill(context_.store.current(limit_field),
                            context_.store.layout(limit_field).elements(), longest);
    }
    void enqueue(int number) override {
        const FieldStore& store = context_.store;
        // Bits of numbers: a library that writes a number writes them.
        R* const dt = static_cast<R*>(store.current("dt"));
        context_.queue.minimum(static_cast<const R*>(store.current(limit_field)),
                               store.layout(limit_field).elements(), dt);
        if (!reads_back_) return;
        R length = 0;
        context_.queue.download(&length, sizeof(R), dt, sizeof(R), {sizeof(R), 1});
        if (!(length > 0))
            throw Error(ExitCode::wrong_result, "step " + std::to_string(number) +
                                                    " of magflow would last " +
                                                    std::to_string(length) + " s");
    }

  private:
    StageContext context_;
    Clock<R> clock_;
    bool reads_back_;
    R longest_step_;
};

template <class R>
StepPlan library_minimum_plan(const StepPlan& like, bool reads_back) {
    StepPlan plan = minimum_plan<R>(like);
    plan.technique =
        reads_back
            ? TechniqueInfo{"read_back",
                            "as halo, the shortest step by a library and read by the host every "
                            "time",
                            "Bilotta et al. 2011", Family::global_memory}
            : TechniqueInfo{"library_minimum",
                            "as halo, the shortest step by a library, which stays on the device",
                            "after Bilotta et al. 2011, who read it back", Family::global_memory};
    plan.make = makes<LibraryMinimumStage<R>>(reads_back);
    return plan;
}

CAMBER_TARGET_END
