// one_kernel on several devices. Each has its own rows and, on either side, as many of its
// neighbor's rows as lava crosses until the next exchange. It computes both. Its results for its
// neighbors' rows become invalid from their far end, up to its own rows and no farther, and are
// then replaced by the exchange.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "harness/base/unsupported.hpp"
#include "harness/groups/group_place.hpp"
#include "harness/groups/halo_exchange.hpp"
#include "harness/registry/registry.hpp"
#include "variants/lava/sciara_fv2/lava_tiles.hpp"

CAMBER_WORKLOAD_BEGIN(sciara_fv2)

// How a kernel of one_kernel works.
template <class Physics>
struct OneKernelForm {
    Shape shape;
    int rim;  // threads around a tile; see LavaTile
    void (*kernel)(LavaBoard<Physics>, VentList, TileList);
};

// A launch writes all of its rows: the neighbors' next ones may come after it only, and go before
// the launch that needs them. Nothing is left to compute while they travel.
template <class Physics>
class OneKernelGroup final : public Execution {
  public:
    // Throws Unsupported where the problem cannot be divided so.
    OneKernelGroup(std::unique_ptr<Group> group, const Problem& problem,
                   const OneKernelForm<Physics>& form, const Division& division,
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
        // The last sent rows belong to the work that sent them, which may be replayed unchanged.
        receive();
        group_->join();
    }

  private:
    // Rows that a step reads beyond its own: outflows of the adjacent row, which depend on the row
    // beyond that.
    static constexpr int crossed_rows = 2;

    struct OnePlace {
        OnePlace(Queue& on, const Problem& problem, const Shape& shape)
            : queue(on), tiles(on, problem, shape) {}

        Queue& queue;
        LavaTiles tiles;
        Rows own;           // as the tiles' fields count them
        int first_row = 0;  // of the fields, on the board
        int neighbours[2]{-1, -1};
        std::array<LavaStep<Physics>, 2> launches{};  // the next one, and the one after it
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
    int depth_;                                      // launches from exchange to exchange
    int borrowed_;                                   // rows of a neighbor
    std::vector<Rows> stripes_;                      // of all places
    std::vector<std::unique_ptr<OnePlace>> places_;  // of this process
    std::optional<ExchangeContext> context_;
    std::unique_ptr<HaloExchange> exchange_;  // nullptr: everything through the host
    State board_;                             // which then passes through here
    int since_exchange_ = 0;
    bool under_way_ = false;  // rows that were sent and not received yet
    std::optional<Poison> poison_;
};

CAMBER_TARGET_END
