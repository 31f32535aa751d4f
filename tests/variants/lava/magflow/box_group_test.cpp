// Box of cells that lava has reached, on several devices: for any division, and whenever another
// device joins, every cell and every step length are those of one device.
#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "tests/catch.hpp"
#include "tests/harness/registry/exchange_ways.hpp"
#include "tests/harness/registry/forgetful_exchange.hpp"
#include "tests/variants/lava/active/magflow_scenes.hpp"
#include "variants/lava/magflow/active_sets.hpp"

namespace camber::magflow_box_group_test {
namespace {

using launch_sets::history;
using launch_sets::Scene;

constexpr const char* tight = "bounding_box/host/64x4/tight/align128";

// A vent from which lava flows in all directions: the box begins with three rows and grows across
// every edge between devices.
Scene growing(ElementType cell = ElementType::float32) {
    lava::Event event;
    event.map.size = {24, 48};
    event.map.cell_size = 10;
    event.vents = {{1, 12, 12}};
    event.rates = {86400, {{1, {3000}}}};
    for (int row = 0; row < 48; ++row)
        for (int column = 0; column < 24; ++column)
            event.altitude.push_back(5000 - 6 * row + (row * 31 + column * 17) % 13 * 0.1);
    return launch_sets::magflow_scene("growing box of MAGFLOW", event, cell);
}

GroupChoice choice_of(std::vector<int> weights, const Exchange& exchange, int blocks) {
    GroupChoice choice;
    choice.devices.assign(weights.size(), 0);
    choice.division.weights = std::move(weights);
    choice.division.allocation = Allocation::whole;
    choice.division.start = {blocks > 0, std::max(1, blocks), {}};
    choice.exchange = exchange;
    return choice;
}
GroupChoice choice_of(int places, const Exchange& exchange, int blocks) {
    return choice_of(std::vector<int>(static_cast<std::size_t>(places), 1), exchange, blocks);
}

std::unique_ptr<Execution> on_places(Queue& lead, const Scene& scene, const GroupChoice& choice,
                                     const std::string& name = tight) {
    return launch_sets::variant_of(scene, name)
        .group_factories.at(Backend::simt)(lead, scene.problem(), choice);
}

// Execution with small blocks of threads, in which the host reads the box every few steps.
template <class Boxes = BoxPartition>
std::unique_ptr<Execution> in_small_blocks(Queue& lead, const Scene& scene,
                                           const GroupChoice& choice, int read_every,
                                           const GroupExchange::HaloMaker& make = make_exchange) {
    using Model = magflow::MagflowSets<float>;
    StepPlan like;
    like.technique = LaunchSets::bounding_box;
    like.shape = {.block = {16, 4}, .alignment = LaunchSets::alignment};
    return divide<Boxes>(std::make_unique<Group>(lead, choice.devices),
                         GroupExchange(choice.exchange, make), scene.problem(),
                         BoxGroupForm{like.shape.block,
                                      1,
                                      read_every,
                                      [like](GivenBox* box) { return Model::plans(like, box); },
                                      Model::find_active,
                                      {Model::common_fields.begin(), Model::common_fields.end()}},
                         choice.division);
}

// Compares states after every `at_once` steps.
void check_steps(const Scene& scene, const GroupChoice& choice, Execution& execution,
                 const std::vector<State>& states, int at_once) {
    CAPTURE(choice.division.weights, camber::name(choice.exchange.path), choice.exchange.overlap,
            choice.division.start.blocks_per_multiprocessor);
    execution.upload(scene.initial);
    State state = scene.initial;
    const int steps = static_cast<int>(states.size()) - 1;
    for (int done = 0; done < steps;) {
        const int now = std::min(at_once, steps - done);
        // Comparing and poisoning wait for all work; without either, a missing wait can show.
        if (at_once == 1) execution.poison(Poison::first);
        execution.advance(now);
        done += now;
        execution.download(state);
        CAPTURE(done);
        REQUIRE(differing_fields(states[static_cast<std::size_t>(done)], state).empty());
    }
}

constexpr int steps = 60;

}  // namespace

TEST_CASE("places join a growing box, and every cell and step is that of one place",
          "[magflow][group][start]") {
    const Scene scene = growing();
    const std::vector<State> states = history(scene, steps);
    for (int places = 1; places <= 4; ++places)
        for (const Exchange& exchange : exchanges()) {
            simt::HostQueue lead(1);
            const GroupChoice choice = choice_of(places, exchange, 1);
            const auto execution = in_small_blocks(lead, scene, choice, 1);
            check_steps(scene, choice, *execution, states, places % 2 == 0 ? 1 : steps);
            const ExchangeContext& divided = *execution->divided();
            // One device began, and all are active at the end.
            CHECK(divided.divisions.front().generation == 0);
            CHECK(divided.divisions.front().rows == std::vector<int>{3});
            CHECK(divided.box_rows.size() == static_cast<std::size_t>(places));
            CHECK((divided.moved_rows > 0) == (places > 1));
        }
    // A second run in the same memory, by the registry's variant, whose host reads the box in every
    // step.
    simt::HostQueue lead(1);
    const GroupChoice choice = choice_of(4, {ExchangePath::copies, true}, 1);
    const auto execution = on_places(lead, scene, choice);
    check_steps(scene, choice, *execution, states, steps);
    check_steps(scene, choice, *execution, states, 7);
    CHECK(execution->divided()->divisions.front().rows == std::vector<int>{3});
    CHECK(execution->divided()->box_rows.size() == 4);
}

TEST_CASE("the host may read the box every few steps only", "[magflow][group][start]") {
    const Scene scene = growing();
    const std::vector<State> states = history(scene, steps);
    for (const Exchange& exchange : exchanges()) {
        simt::HostQueue lead(1);
        const GroupChoice choice = choice_of(5, exchange, 2);
        const auto execution = in_small_blocks(lead, scene, choice, 4);
        check_steps(scene, choice, *execution, states, steps);
        // Three rows and halos for three steps: too few for two devices with two blocks each.
        const auto& divisions = execution->divided()->divisions;
        CHECK(divisions.front().rows == std::vector<int>{5, 4});
        CHECK(divisions.back().rows.size() >= 3);
        for (const RowDivision& division : divisions) CHECK(division.generation % 4 == 0);
    }
}

TEST_CASE("a place joins when those at work are saturated", "[magflow][group][start]") {
    const Scene scene = growing();
    const std::vector<State> states = history(scene, steps);
    simt::HostQueue lead(1);
    const GroupChoice choice = choice_of(4, {ExchangePath::copies, true}, 3);
    const auto execution = in_small_blocks(lead, scene, choice, 1);
    check_steps(scene, choice, *execution, states, steps);
    const auto& divisions = execution->divided()->divisions;
    std::size_t at_work = 1;
    int box = 0;
    for (const RowDivision& division : divisions) {
        int rows = 0;
        for (const int of_place : division.rows) rows += of_place;
        CHECK(rows >= box);
        // Three blocks of 16x4 threads per device: lava is at most two blocks wide.
        if (division.rows.size() > at_work) CHECK(rows >= 5 * static_cast<int>(at_work));
        at_work = division.rows.size();
        box = rows;
    }
    CHECK(divisions.front().rows == std::vector<int>{3});
    CHECK(at_work >= 2);
    CHECK(at_work < 4);
}

TEST_CASE("all places may begin, with three rows each or fewer of them",
          "[magflow][group][start]") {
    const Scene scene = growing();
    const std::vector<State> states = history(scene, steps);
    for (const Exchange& exchange :
         {Exchange{ExchangePath::copies, true}, Exchange{ExchangePath::stores, true},
          Exchange{ExchangePath::staged, false}}) {
        simt::HostQueue lead(1);
        const GroupChoice choice = choice_of(6, exchange, 0);
        const auto execution = in_small_blocks(lead, scene, choice, 1);
        check_steps(scene, choice, *execution, states, 1);
        const auto& divisions = execution->divided()->divisions;
        // A division into two devices with three rows each is followed by others.
        REQUIRE(divisions.size() > 1);
        CHECK(divisions[0].rows == std::vector<int>{3});
        const auto several = std::ranges::find_if(
            divisions, [](const RowDivision& division) { return division.rows.size() > 1; });
        REQUIRE(several != divisions.end());
        CHECK(std::ranges::count(several->rows, 3) >= 1);
        for (const RowDivision& division : divisions)
            CHECK(std::ranges::all_of(division.rows, [](int rows) { return rows >= 3; }));
    }
}

TEST_CASE("a box is divided by weights, in other forms and types too", "[magflow][group][start]") {
    for (const ElementType cell : {ElementType::float32, ElementType::float64}) {
        const Scene scene = growing(cell);
        const std::vector<State> states = history(scene, steps / 2);
        for (const char* name : {"bounding_box/host/64x4/from32/align128",
                                 "bounding_box/host/64x4/from32/k32/align128"})
            for (const int blocks : {0, 2}) {
                CAPTURE(name);
                simt::HostQueue lead(1);
                GroupChoice choice = choice_of({2, 1, 3}, {ExchangePath::stores, true}, blocks);
                choice.division.edge_share = blocks == 0 ? 0 : 3;
                const auto execution = on_places(lead, scene, choice, name);
                check_steps(scene, choice, *execution, states, 7);
                CHECK(execution->divided()->box_rows.size() >= 2);
            }
    }
}

TEST_CASE("lava all over the board is divided from the start", "[magflow][group][start]") {
    for (const Scene& scene : {launch_sets::magflow_far_vents(ElementType::float32),
                               launch_sets::magflow_pile(ElementType::float64)}) {
        CAPTURE(scene.name);
        const std::vector<State> states = history(scene, 12);
        simt::HostQueue lead(1);
        const GroupChoice choice = choice_of(3, {ExchangePath::copies, true}, 1);
        const auto execution = on_places(lead, scene, choice);
        check_steps(scene, choice, *execution, states, 3);
        CHECK(execution->divided()->divisions.front().rows.size() == 3);
    }
}

namespace {

// True if a box on three devices that join early reaches the expected state.
template <class Boxes = BoxPartition>
bool is_right(const Scene& scene, const State& expected, bool overlap,
              const GroupExchange::HaloMaker& make = make_exchange, int read_every = 6) {
    simt::HostQueue lead(1);
    const GroupChoice choice = choice_of(3, {ExchangePath::copies, overlap}, 1);
    // Every read of the box waits for all work.
    const auto group = in_small_blocks<Boxes>(lead, scene, choice, read_every, make);
    group->upload(scene.initial);
    group->advance(steps);
    State state = scene.initial;
    group->download(state);
    return differing_fields(expected, state).empty();
}

struct LeavesHeatBehind final : BoxPartition {
    using BoxPartition::BoxPartition;
    void move(const RowMovement& movement, Queue& queue) override {
        RowMovement less = movement;
        std::erase(less.fields, "heat");
        move_rows(less, queue);
    }
};
struct LeavesHaloBehind final : BoxPartition {
    using BoxPartition::BoxPartition;
    void move(const RowMovement& movement, Queue& queue) override {
        RowMovement less = movement;
        less.halo = 0;
        move_rows(less, queue);
    }
};
struct CopiesNothingCommon final : BoxPartition {
    using BoxPartition::BoxPartition;
    void copy_common(int) override {}
};
// Faulty exchange that sends the rows beside the edge rows.
struct MistakesItsEdges final : Forgetful {
    using Forgetful::Forgetful;
    void divide_anew(const std::vector<PlaceFields>& places) override {
        std::vector<PlaceFields> mistaken = places;
        for (PlaceFields& place : mistaken)
            if (place.own.count() > 0) --place.own.end;
        Forgetful::divide_anew(mistaken);
    }
};

}  // namespace

TEST_CASE("a divided box that goes wrong is found out", "[magflow][group][start][mutants]") {
    const Scene scene = growing();
    const State expected = history(scene, steps).back();
    for (const bool overlap : {false, true}) {
        CAPTURE(overlap);
        CHECK(is_right(scene, expected, overlap));
        CHECK_FALSE(is_right(scene, expected, overlap, forgets<SendsNothing>));
        CHECK_FALSE(is_right(scene, expected, overlap, forgets<SendsUpOnly>));
        CHECK_FALSE(is_right(scene, expected, overlap, forgets<SendsDownOnly>));
        CHECK_FALSE(is_right(scene, expected, overlap, forgets<ReleasesAtOnce>));
        CHECK_FALSE(is_right(scene, expected, overlap, forgets<MistakesItsEdges>));
        CHECK_FALSE(is_right<LeavesHeatBehind>(scene, expected, overlap));
        CHECK_FALSE(is_right<LeavesHaloBehind>(scene, expected, overlap));
        // Fault: a joining device begins at time 0.
        CHECK(is_right(scene, expected, overlap, make_exchange, 1));
        CHECK_FALSE(is_right<CopiesNothingCommon>(scene, expected, overlap, make_exchange, 1));
    }
}

TEST_CASE("where a box cannot be divided is said", "[magflow][group][start]") {
    const Scene scene = growing();
    simt::HostQueue lead(1);
    const GroupChoice usual = choice_of(2, {ExchangePath::copies, true}, 1);
    const auto refused = [&](const auto& change, const std::string& why) {
        GroupChoice choice = usual;
        change(choice);
        CHECK_THROWS_WITH(on_places(lead, scene, choice),
                          "the box of cells at work cannot be divided: " + why);
    };
    refused([](GroupChoice& choice) { choice.division.allocation = Allocation::slab; },
            "its rows may come to any place, and a slab has its own rows only: choose whole "
            "boards");
    refused([](GroupChoice& choice) { choice.exchange.path = ExchangePath::kernel; },
            "no kernel of its steps sends edge rows");
    refused([](GroupChoice& choice) { choice.division.halo_depth = 2; },
            "its places share something in the middle of every generation, which a deeper halo "
            "does not save");
    refused([](GroupChoice& choice) { choice.division.balancing.rule = BalanceRule::improved; },
            "its rows are divided by the box, not by the places' times");
    refused([](GroupChoice& choice) { choice.division.partition = Partition::columns; },
            "its places have whole rows");
    // The division is fixed within a recording.
    const auto execution = on_places(lead, scene, usual);
    execution->upload(scene.initial);
    CHECK_THROWS_AS(lead.record([&] { execution->advance(1); }), Unsupported);

    const Variant& kept =
        launch_sets::variant_of(scene, "bounding_box/device/64x4/from32/align128");
    CHECK(kept.group_factories.empty());
    CHECK(kept.undivided ==
          "the host, which divides cells at work among places, does not read where they are: "
          "bounding_box/host does");
}

}  // namespace camber::magflow_box_group_test
