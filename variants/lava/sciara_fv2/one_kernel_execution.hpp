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
#include "harness/groups/halo_exchange.hpp"
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
class OneKernelGroup final : public Execution {
  public:
    // Throws Unsupported if the problem cannot be divided in this way.
    OneKernelGroup(std::unique_ptr<Group> group, const Problem& problem,
                   const OneKernelForm<Physics>& form, const camber::Division& division,
                   const camber::Exchange& exchange)
        : group_(std::move(group)),
          problem_(problem),
          form_(form),
          depth_(division.halo_depth),
          borrowed_(depth_ * crossed_rows * form.shape.generations) {
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
        make_places();
        if (exchange.path == ExchangePath::stores) check_reach();
        ExchangeContext& context =
            context_.emplace(ExchangeContext{*group_,
                                             {},
                                             {altitude_field, thickness_field, temperature_field},
                                             borrowed_,
                                             true,
                                             false});
        for (auto& place : places_)
            context.places.push_back({&place->tiles.fields(),
                                      place->own,
                                      place->first_row,
                                      {place->neighbours[0], place->neighbours[1]}});
        context.buffers = exchange.buffers;
        if (exchange.path != ExchangePath::everything)
            exchange_ = make_exchange(exchange.path, context);
    }

    void upload(const State& initial) override {
        group_->synchronize();
        for (auto& place : places_) {
            place->tiles.upload(initial, place->first_row);
            place->launches = place->tiles.template next_steps<Physics>();
        }
        if (exchange_)
            exchange_->begin();
        else
            board_ = initial;
        group_->synchronize();
        since_exchange_ = 0;
        under_way_ = false;
    }
    void download(State& result) override {
        group_->synchronize();
        for (auto& place : places_)
            place->tiles.fields().download(result, place->first_row, place->own);
        if (Communicator* const ranks = group_->ranks())
            gather_rows(*ranks, stripes_, problem_.size, places_.front()->tiles.fields(), result);
    }
    void poison(Poison poison) override { poison_ = poison; }
    const ExchangeContext* divided() const override { return &context_.value(); }

    void advance(int generations) override {
        group_->fork();
        for (int done = 0; done < generations; done += form_.shape.generations) launch_all();
        // Rows that were sent last must be received within the same call, because a replay repeats
        // it unchanged.
        receive();
        group_->join();
    }

  private:
    // Rows that a step reads beyond its own: the outflows of the adjacent row, which depend on the
    // row beyond that.
    static constexpr int crossed_rows = 2;

    struct OnePlace {
        OnePlace(Queue& on, const Problem& problem, const Shape& shape)
            : queue(on), tiles(on, problem, shape) {}

        Queue& queue;
        LavaTiles tiles;
        Rows own;           // row numbers in the tiles' fields
        int first_row = 0;  // board row of the fields' first row
        int neighbours[2]{-1, -1};
        std::array<LavaStep<Physics>, 2> launches{};  // next launch, and the launch after it
    };

    void make_places() {
        const int count = static_cast<int>(stripes_.size());
        const Communicator* const ranks = group_->ranks();
        for (int i = 0; i < count; ++i) {
            if (ranks && ranks->rank() != i) continue;
            const Rows stripe = stripes_[static_cast<std::size_t>(i)];
            const int above = i > 0 ? borrowed_ : 0;
            const int below = i + 1 < count ? borrowed_ : 0;
            Problem slab = problem_;
            slab.size.rows = above + stripe.count() + below;
            Queue& queue = *group_->at(static_cast<int>(places_.size())).middle;
            OnePlace& place =
                *places_.emplace_back(std::make_unique<OnePlace>(queue, slab, form_.shape));
            place.own = {above, above + stripe.count()};
            place.first_row = stripe.first - above;
            if (i > 0) place.neighbours[0] = i - 1;
            if (i + 1 < count) place.neighbours[1] = i + 1;
            place.tiles.expect_changes(above, below, form_.rim, form_.shape.region);
        }
    }
    void check_reach() const {
        for (int place = 0; place < static_cast<int>(places_.size()); ++place)
            for (const int neighbour : places_[static_cast<std::size_t>(place)]->neighbours)
                if (neighbour >= 0) check_stores_reach(*group_, place, neighbour);
    }

    template <class F>
    void for_all_sides(const F& f) {
        for (int place = 0; place < static_cast<int>(places_.size()); ++place) {
            OnePlace& at = *places_[static_cast<std::size_t>(place)];
            for (const Side side : sides)
                if (at.neighbours[index(side)] >= 0) f(place, side, at.queue);
        }
    }

    void launch_all() {
        receive();
        if (poison_) {
            group_->meet();
            for (auto& place : places_) place->tiles.poison(*poison_);
            group_->meet();
            poison_.reset();
        }
        const int steps = form_.shape.generations;
        for (auto& place : places_) {
            auto& [board, list] = place->launches[0];
            place->tiles.begin_launch(list);
            launch(place->queue, "step", place->tiles.launch_shape(), form_.kernel, board,
                   place->tiles.emitting(steps), list);
            place->tiles.end_launch(steps, 1);
            place->tiles.swap_buffers();
            std::swap(place->launches[0], place->launches[1]);
        }
        if (++since_exchange_ < depth_) return;
        since_exchange_ = 0;
        if (!exchange_) return through_host();
        for_all_sides(
            [&](int place, Side side, Queue& queue) { exchange_->release(place, side, queue); });
        for_all_sides(
            [&](int place, Side side, Queue& queue) { exchange_->send(place, side, queue); });
        under_way_ = true;
    }
    void receive() {
        if (!std::exchange(under_way_, false)) return;
        for_all_sides(
            [&](int place, Side side, Queue& queue) { exchange_->receive(place, side, queue); });
    }
    void through_host() {
        download(board_);
        for (auto& place : places_) {
            place->tiles.replace(board_, place->first_row);
            place->launches = place->tiles.template next_steps<Physics>();
        }
        group_->synchronize();
    }

    std::unique_ptr<Group> group_;
    Problem problem_;
    OneKernelForm<Physics> form_;
    int depth_;                                      // launches between two exchanges
    int borrowed_;                                   // number of a neighbor's rows
    std::vector<Rows> stripes_;                      // of all devices
    std::vector<std::unique_ptr<OnePlace>> places_;  // of this process
    std::optional<ExchangeContext> context_;
    std::unique_ptr<HaloExchange> exchange_;  // nullptr: everything passes through the host
    State board_;                             // host buffer in that case
    int since_exchange_ = 0;
    bool under_way_ = false;  // rows were sent and not received yet
    std::optional<Poison> poison_;
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
