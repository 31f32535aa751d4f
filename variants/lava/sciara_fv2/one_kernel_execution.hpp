// Launches of one_kernel, and registration of its variants.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "variants/lava/sciara_fv2/canonical_lava.hpp"
#include "variants/lava/sciara_fv2/lava_tiles.hpp"
#include "variants/lava/sciara_fv2/one_kernel_group.hpp"
#include "variants/lava/sciara_fv2/rounded_lava.hpp"
#include "variants/lava/sciara_fv2/short_lava.hpp"
#include "variants/stencil/catalogue.hpp"

CAMBER_WORKLOAD_BEGIN(sciara_fv2)

template <class Physics>
class OneKernelExecution final : public Execution {
  public:
    using Kernel = void (*)(LavaBoard<Physics>, VentList, TileList);

    OneKernelExecution(Queue& queue, const Problem& problem, const Shape& shape, Kernel kernel)
        : queue_(queue),
          tiles_(queue, problem, shape),
          shape_(tiles_.launch_shape()),
          steps_(shape.generations),
          kernel_(kernel) {
        shape_.early = true;  // the launch takes about as long as a step
    }

    void upload(const State& initial) override {
        tiles_.upload(initial);
        launches_ = tiles_.next_steps<Physics>();
    }
    void download(State& result) override { tiles_.download(result); }
    void poison(Poison poison) override { tiles_.poison(poison); }
    // The loop is kept short: the device waits for it.
    void advance(int generations) override {
        for (int done = 0; done < generations; done += steps_) {
            auto& [board, list] = launches_[0];
            tiles_.begin_launch(list);
            launch(queue_, "step", shape_, kernel_, board, tiles_.emitting(steps_), list);
            tiles_.end_launch(steps_, 1);
            std::swap(launches_[0], launches_[1]);
        }
        if (generations / steps_ % 2 != 0) tiles_.swap_buffers();
    }

  private:
    Queue& queue_;
    LavaTiles tiles_;
    LaunchShape shape_;
    int steps_;  // a launch
    Kernel kernel_;
    std::array<LavaStep<Physics>, 2> launches_{};  // the next one, and the one after it
};

struct OneKernel {
    static constexpr TechniqueInfo info{
        "one_kernel",
        "a step, or several, in one launch; tiles that lava cannot reach are left out",
        "extends D'Ambrosio, De Rango, Fiorentino, Barbara, Rizzo, Mendicino and Sabatino, SSRN "
        "5056757",
        Family::shared_memory};

    template <class Physics, int BX, int BY, int Steps = 1>
    static StepPlan plan() {
        using Tile = LavaTile<BX, BY, Steps, Physics>;
        const Region block{BX, BY};
        StepPlan plan;
        plan.technique = info;
        plan.shape.block = block;
        plan.shape.region = {Tile::columns, Tile::rows};
        plan.shape.generations = Steps;
        plan.shape.shared_bytes =
            sizeof(double) * (2 * (BX + 2) * (BY + 2) + (2 + neighbours) * BX * BY) +
            Physics::Tables::bytes;
        plan.shape.path =
            Physics::path + block.name() + (Steps > 1 ? "/n" + std::to_string(Steps) : "");
        plan.arithmetic = Physics::arithmetic;
        for (const char* field :
             {altitude_field, thickness_field, temperature_field, solidified_field})
            plan.fields.push_back({field, ElementType::float64, {}, true, true});
        plan.fields.push_back({frame_field, ElementType::uint8, {}, true, false});
        plan.unsupported = unsupported;
        return plan;
    }

    template <class Physics, int BX, int BY, int Steps = 1>
    static void add(Registry& registry) {
        using Tile = LavaTile<BX, BY, Steps, Physics>;
        const StepPlan plan = OneKernel::plan<Physics, BX, BY, Steps>();
        const OneKernelForm<Physics> form{plan.shape, Tile::rim,
                                          one_kernel<BX, BY, Steps, Physics>};
        Variant variant =
            pipeline_variant("sciara_fv2", ElementType::float64, target_backend, "", plan, {plan});
        variant.factories[target_backend] = [form](Queue& queue, const Problem& problem) {
            return std::make_unique<OneKernelExecution<Physics>>(queue, problem, form.shape,
                                                                 form.kernel);
        };
        variant.group_factories[target_backend] = [form](Queue& lead, const Problem& problem,
                                                         const GroupChoice& choice) {
            return std::make_unique<OneKernelGroup<Physics>>(
                std::make_unique<Group>(lead, choice.devices, choice.ranks,
                                        choice.exchange.host_wait),
                problem, form, choice.division, choice.exchange);
        };
        registry.add(std::move(variant));
    }

    static std::optional<std::string> unsupported(const Problem& problem) {
        const std::size_t vents = emission_parameters(problem.parameters).rates.vents.size();
        if (vents <= VentList::capacity) return std::nullopt;
        return "takes at most " + std::to_string(VentList::capacity) + " vents, there are " +
               std::to_string(vents);
    }
};

CAMBER_TARGET_END
