// Execution of one_kernel on one device or on several, and registration of its variants.
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "harness/base/error.hpp"
#include "harness/groups/group_place.hpp"
#include "harness/groups/runtime.hpp"
#include "harness/registry/registry.hpp"
#include "variants/lava/sciara_fv2/cell_arithmetic.hpp"
#include "variants/lava/sciara_fv2/lava_tiles.hpp"
#include "variants/stencil/catalogue.hpp"

// one_kernel on several devices. Each has its own rows and, on either side, as many of its
// neighbor's rows as lava crosses until the next exchange, and it computes both. Its results for
// the neighbors' rows become invalid from their far end, but not beyond its own rows, before the
// exchange replaces them.
CAMBER_WORKLOAD_BEGIN(sciara_fv2)

// Kernel of one_kernel and its properties.
template <class Physics>
struct OneKernelForm {
    Shape shape;
    int rim;  // threads around a tile; see LavaTile
    void (*kernel)(LavaBoard<Physics>, VentList, TileList);
};

// A launch writes all of its rows, so the neighbors' rows can be copied only after it, and
// must be there before the launch that needs them. No computation overlaps with the transfer.
template <class Physics>
class TilePartition final : public GroupPartition {
  public:
    // Throws Unsupported if the problem cannot be divided in this way.
    TilePartition(Group& group, const Problem& problem, const OneKernelForm<Physics>& form,
                  const camber::Division& division, const camber::Exchange& exchange)
        : group_(group),
          problem_(problem),
          form_(form),
          depth_(division.halo_depth),
          borrowed_(depth_ * crossed_rows * form.shape.generations),
          through_host_(exchange.path == ExchangePath::everything) {
        if (is_by_kernels(exchange.path))
            throw Unsupported(
                "the step's own kernel cannot send edge rows: the technique has no "
                "kernel that does");
        if (exchange.overlap)
            throw Unsupported(
                "computes a step in one launch, and nothing is left to compute while "
                "edge rows travel: choose no overlap");
        if (division.partition != Partition::rows)
            throw Unsupported("columns cannot be divided: its places have whole rows");
        if (division.balancing.rule != BalanceRule::none)
            throw Unsupported("computes all rows that a place allocates, and none can move");
        if (division.allocation == Allocation::whole)
            throw Unsupported("computes all rows that a place allocates: choose slabs");
        stripes_ = divided_rows(problem.size.rows, division.weights, borrowed_, false);
        lay_out();
    }

    GroupSchedule schedule() const {
        GroupSchedule schedule;
        schedule.depth = depth_;
        schedule.generations = form_.shape.generations;
        schedule.receives_first = true;
        return schedule;
    }
    ExchangeContext context() const override {
        return {group_,    fields(), {altitude_field, thickness_field, temperature_field},
                borrowed_, true,     false};
    }
    std::vector<PlaceFields> fields() const override {
        std::vector<PlaceFields> fields = GroupPartition::fields();
        for (std::size_t place = 0; place < fields.size(); ++place)
            fields[place].store = &tiles_[place]->tiles.fields();
        return fields;
    }

    int upload(const State& initial, GroupRuntime&) override {
        for (const auto& stripe : tiles_) {
            stripe->tiles.upload(initial, stripe->place.first_row);
            stripe->launches = stripe->tiles.template next_steps<Physics>();
        }
        if (through_host_) board_ = initial;
        return 0;
    }
    void download(State& result) override {
        for (const auto& stripe : tiles_)
            stripe->tiles.fields().download(result, stripe->place.first_row, stripe->place.own);
        if (Communicator* const ranks = group_.ranks())
            gather_rows(*ranks, stripes_, problem_.size, tiles_.front()->tiles.fields(), result);
    }
    void pass_through_host() override {
        download(board_);
        for (const auto& stripe : tiles_) {
            stripe->tiles.replace(board_, stripe->place.first_row);
            stripe->launches = stripe->tiles.template next_steps<Physics>();
        }
    }
    void poison(int, Poison poison) override {
        for (const auto& stripe : tiles_) stripe->tiles.poison(poison);
    }
    void complete(int, int) override {}

  private:
    // Rows that a step reads beyond its own: the outflows of the adjacent row, which depend on the
    // row beyond that.
    static constexpr int crossed_rows = 2;

    struct Stripe {
        Stripe(const Place& queues, int number, const Problem& slab, const Shape& shape)
            : place(queues, number), tiles(*place.middle, slab, shape) {}

        void launch_step(const OneKernelForm<Physics>& form) {
            auto& [board, list] = launches[0];
            tiles.begin_launch(list);
            launch(*place.middle, "step", tiles.launch_shape(), form.kernel, board,
                   tiles.emitting(form.shape.generations), list);
            tiles.end_launch(form.shape.generations, 1);
            tiles.swap_buffers();
            std::swap(launches[0], launches[1]);
        }

        GroupPlace place;
        LavaTiles tiles;
        std::array<LavaStep<Physics>, 2> launches{};  // next launch, and the launch after it
    };

    void lay_out() {
        const int count = static_cast<int>(stripes_.size());
        const Communicator* const ranks = group_.ranks();
        for (int i = 0; i < count; ++i) {
            if (ranks && ranks->rank() != i) continue;
            const Rows stripe = stripes_[static_cast<std::size_t>(i)];
            const int above = i > 0 ? borrowed_ : 0;
            const int below = i + 1 < count ? borrowed_ : 0;
            Problem slab = problem_;
            slab.size.rows = above + stripe.count() + below;
            const int here = static_cast<int>(tiles_.size());
            Stripe& made = *tiles_.emplace_back(
                std::make_unique<Stripe>(group_.at(here), here, slab, form_.shape));
            GroupPlace& place = made.place;
            add(place);
            place.set_neighbours(i, count);
            place.own = {above, above + stripe.count()};
            place.first_row = stripe.first - above;
            made.tiles.expect_changes(above, below, form_.rim, form_.shape.region);
            for (int launch = 0; launch < depth_; ++launch)
                place.phases.push_back({.middle = {place.middle, [this, &made](int, int) {
                                                       made.launch_step(form_);
                                                   }}});
        }
    }

    Group& group_;
    Problem problem_;
    OneKernelForm<Physics> form_;
    int depth_;     // launches between two exchanges
    int borrowed_;  // number of a neighbor's rows
    bool through_host_;
    std::vector<Rows> stripes_;                   // of all devices
    std::vector<std::unique_ptr<Stripe>> tiles_;  // of this process
    State board_;  // host buffer if everything passes through the host
};

CAMBER_TARGET_END

// Launches of one_kernel on one device, and registration of its variants.
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
    // The loop is short, because the device waits for it.
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
    int steps_;  // steps per launch
    Kernel kernel_;
    std::array<LavaStep<Physics>, 2> launches_{};  // next launch, and the launch after it
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
            return divide<TilePartition<Physics>>(lead, choice, problem, form);
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
