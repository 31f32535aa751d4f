// Movement of rows between devices during a run: the result is the same as on a single device,
// whichever rows move and when, and data that fail to move with their rows are detected.
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "harness/base/error.hpp"
#include "harness/groups/partition.hpp"
#include "harness/groups/pipeline_partitions.hpp"
#include "harness/machine/simt/host_queue.hpp"
#include "tests/catch.hpp"
#include "tests/harness/registry/exchange_ways.hpp"
#include "tests/harness/registry/forgetful_exchange.hpp"
#include "tests/harness/registry/toy_plans.hpp"
#include "tests/harness/registry/toy_state.hpp"
#include "tests/harness/registry/toy_steps.hpp"
#include "tests/workloads/core/rule_sequence.hpp"
#include "variants/techniques/techniques.hpp"

namespace camber::moved_rows_test {
namespace {

using namespace toy;

constexpr Size size{37, 41};
constexpr int generations = 12;

State expected(Boundary boundary) {
    State state = initial_state(size);
    add_scratch<std::uint32_t>(state, {"sums"});
    for (int g = 0; g < generations; ++g) run_rules<Spread, Blend>(state, {boundary});
    return state;
}

struct Setup {
    Boundary boundary = Boundary::dead;
    int places = 3;
    int depth = 1;
    Exchange exchange{ExchangePath::copies, true};
    Balancing balancing{};
    GroupExchange::HaloMaker make = make_exchange;
};

template <class Rows = RowPartition>
std::unique_ptr<GroupRuntime> pipeline_of(Queue& lead, const Setup& setup,
                                          Allocation allocation = Allocation::whole) {
    const auto places = static_cast<std::size_t>(setup.places);
    return divide<Rows>(
        std::make_unique<Group>(lead, std::vector<int>(places, 0)),
        GroupExchange(setup.exchange, setup.make),
        Problem{size, setup.boundary, ElementType::uint32}, toy_plans(),
        Division{std::vector<int>(places, 1), allocation, setup.depth, 4, setup.balancing});
}

bool is_right(GroupRuntime& pipeline, const Setup& setup) {
    State state = initial_state(size);
    pipeline.download(state);
    return same_bytes(state.field("cells"), expected(setup.boundary).field("cells"));
}

// A random division with at least `fewest` rows in every stripe.
std::vector<Rows> drawn(std::mt19937& random, int places, int fewest) {
    std::vector<int> weights;
    std::vector<Rows> found;
    do {
        weights.clear();
        for (int place = 0; place < places; ++place)
            weights.push_back(1 + static_cast<int>(random() % 9));
        found = stripes(size.rows, weights);
    } while (std::ranges::any_of(found, [&](Rows rows) { return rows.count() < fewest; }));
    return found;
}

// Assigns other rows to the devices after every exchange.
template <class Rows>
class Moving : public Rows {
  public:
    Moving(Group& group, const Problem& problem, const std::vector<StepPlan>& plans,
           const Division& division, const Exchange& exchange)
        : Rows(group, problem, plans, division, exchange),
          places_(group.places()),
          depth_(division.halo_depth),
          random_(group.places()) {}
    void after_launch(int number, GroupRuntime& runtime) override {
        // A generation reads three rows beyond its own.
        if (number % depth_ == 0) this->divide_anew(drawn(random_, places_, 3 * depth_), runtime);
    }

  private:
    int places_;
    int depth_;
    std::mt19937 random_;
};

// Returns true if devices that get other rows after every exchange compute the same result as a
// single device.
template <class Rows = RowPartition>
bool is_right_with_moves(const Setup& setup) {
    simt::HostQueue lead(1);
    const auto pipeline = pipeline_of<Moving<Rows>>(lead, setup);
    pipeline->upload(initial_state(size));
    for (int done = 0; done < generations; done += setup.depth) pipeline->advance(setup.depth);
    return is_right(*pipeline, setup);
}

// Simulates a slow device 0.
struct SlowFirst final : RowPartition {
    using RowPartition::RowPartition;
    std::vector<double> loads(const std::vector<camber::Rows>& stripes,
                              const std::vector<double>&) override {
        std::vector<double> times;
        for (const camber::Rows& rows : stripes)
            times.push_back(rows.count() * (times.empty() ? 4.0 : 1.0));
        return times;
    }
};

}  // namespace

TEST_CASE("rows may change their place after any exchange", "[portable][group][balance]") {
    for (const Boundary boundary : {Boundary::dead, Boundary::torus})
        for (const Exchange& exchange : exchanges())
            for (const int places : {1, 2, 3, 5})
                for (const int depth : {1, 2}) {
                    CAPTURE(name(exchange.path), exchange.overlap, places, depth, boundary);
                    CHECK(is_right_with_moves({boundary, places, depth, exchange, {}}));
                }
}

TEST_CASE("places that balance their rows end as one place does", "[portable][group][balance]") {
    for (const BalanceRule rule : balance_rules)
        for (const Exchange& exchange : exchanges())
            for (const int every : {1, 3}) {
                const Setup setup{.exchange = exchange, .balancing = {rule, every, 1}};
                simt::HostQueue lead(1);
                const auto pipeline = pipeline_of<SlowFirst>(lead, setup);
                pipeline->upload(initial_state(size));
                pipeline->advance(generations - 1);
                pipeline->advance(1);
                CAPTURE(name(rule), name(exchange.path), exchange.overlap, every);
                CHECK(is_right(*pipeline, setup));
                const ExchangeContext& context = *pipeline->divided();
                CHECK(context.places[0].own.count() < size.rows / 3);
                CHECK(context.places[2].own.end == size.rows);
                CHECK(context.moved_rows > 0);
            }
}

TEST_CASE("the times that places take are measured", "[portable][group][balance]") {
    const Setup setup{.balancing = {BalanceRule::improved, 2, 1}};
    simt::HostQueue lead(1);
    const auto pipeline = pipeline_of(lead, setup);
    pipeline->upload(initial_state(size));
    pipeline->advance(generations);
    CHECK(is_right(*pipeline, setup));
}

namespace {

// Omits one of the fields that move with the rows.
struct LeavesRowsBehind : RowPartition {
    using RowPartition::RowPartition;
    void move(const RowMovement& movement, Queue& queue) override {
        RowMovement less = movement;
        std::erase(less.fields, "cells");
        move_rows(less, queue);
    }
};
// Moves the rows, but not their halo.
struct LeavesHaloBehind : RowPartition {
    using RowPartition::RowPartition;
    void move(const RowMovement& movement, Queue& queue) override {
        RowMovement less = movement;
        less.halo = 0;
        move_rows(less, queue);
    }
};
// Sends the rows that were at the edges before the movement.
struct KeepsItsEdges final : Forgetful {
    using Forgetful::Forgetful;
    void divide_anew(const std::vector<PlaceFields>&) override {}
};

}  // namespace

TEST_CASE("rows that move without their state are found out",
          "[portable][group][balance][mutants]") {
    for (const bool overlap : {false, true}) {
        Setup setup{.exchange = {ExchangePath::copies, overlap}};
        CAPTURE(overlap);
        CHECK(is_right_with_moves(setup));
        CHECK_FALSE(is_right_with_moves<LeavesRowsBehind>(setup));
        CHECK_FALSE(is_right_with_moves<LeavesHaloBehind>(setup));
        setup.make = forgets<KeepsItsEdges>;
        CHECK_FALSE(is_right_with_moves(setup));
    }
}

TEST_CASE("where rows cannot change their place is said", "[portable][group][balance]") {
    simt::HostQueue lead(1);
    const Setup balanced{.balancing = {BalanceRule::published, 10, 1}};
    CHECK_THROWS_WITH(pipeline_of(lead, balanced, Allocation::slab),
                      "rows cannot change their place: a place allocates its own rows only");
    Setup linked = balanced;
    linked.exchange = {ExchangePath::kernel, true};
    CHECK_THROWS_WITH(pipeline_of(lead, linked),
                      contains("the time of a kernel that waits for its neighbours"));
    // A recording cannot change its rows.
    const auto pipeline = pipeline_of(lead, balanced);
    pipeline->upload(initial_state(size));
    CHECK_THROWS_AS(lead.record([&] { pipeline->advance(1); }), Unsupported);
}

}  // namespace camber::moved_rows_test
