// Particles on several devices: for any number of devices and any exchange, every particle and
// every step length are bit-equal to the reference; and errors are detected.
#include <algorithm>
#include <functional>
#include <memory>
#include <numeric>
#include <string>
#include <vector>

#include "harness/base/error.hpp"
#include "harness/predict/check_variant.hpp"
#include "tests/catch.hpp"
#include "tests/harness/registry/exchange_ways.hpp"
#include "tests/variants/particles/sph/places.hpp"

namespace camber::sph::group_test {
namespace {

// Comparing and poisoning wait for all work; without either, a missing wait can show.
void check_iterations(const Start& start, Execution& execution, const std::vector<State>& states,
                      int at_once) {
    execution.upload(start.state);
    State state = start.state;
    const int iterations = static_cast<int>(states.size()) - 1;
    for (int done = 0; done < iterations;) {
        const int now = std::min(at_once, iterations - done);
        if (at_once == 1) execution.poison(Poison::first);
        execution.advance(now);
        done += now;
        execution.download(state);
        CAPTURE(done);
        REQUIRE(are_same(states[static_cast<std::size_t>(done)], state));
    }
}

// Number of particles whose slice along an axis has changed since the start.
int migrated(const State& a, const State& b, const Settings& settings, Principal axis) {
    const auto slices = [&](const State& state) {
        return slices_of<float>(
            {state.field("x").cells<float>(), state.field("y").cells<float>(),
             state.field("z").cells<float>(), state.field(kind_field).cells<std::uint8_t>()},
            cell_grid<float>(settings), axis);
    };
    const std::vector<int> first = slices(a);
    const std::vector<int> last = slices(b);
    return std::inner_product(first.begin(), first.end(), last.begin(), 0, std::plus(),
                              std::not_equal_to());
}

}  // namespace

TEST_CASE("particles on any number of places are those of one", "[sph][group]") {
    const Start start = stirred({{"dp", 0.08}, {"rebuild", 3}});
    const std::vector<State> states = history(start, 40);
    const Settings settings = settings_of(start.problem.parameters);
    for (const int places : {1, 2, 3, 7}) {
        const Principal axis =
            slice_axis<float>(settings, counts_of_cells<float>(settings), places);
        CHECK(migrated(states.front(), states.back(), settings, axis) > 10);
        for (const bool overlap : {false, true})
            for (const int at_once : {1, 40}) {
                CAPTURE(places, overlap, at_once);
                simt::HostQueue lead(1);
                const auto execution =
                    on_places(lead, start, choice_of(places, {ExchangePath::copies, overlap}));
                check_iterations(start, *execution, states, at_once);
            }
    }
    // A second run in the same memory.
    simt::HostQueue lead(1);
    const auto execution = on_places(lead, start, choice_of(3));
    check_iterations(start, *execution, states, 40);
    check_iterations(start, *execution, states, 7);
}

TEST_CASE("particles may travel every way", "[sph][group]") {
    const Start start = stirred({{"dp", 0.08}, {"rebuild", 2}});
    const std::vector<State> states = history(start, 8);
    for (const Exchange& exchange : exchanges()) {
        if (exchange.path == ExchangePath::everything) continue;
        for (const int edge_share : {0, 3, 16}) {
            CAPTURE(camber::name(exchange.path), exchange.overlap, edge_share);
            simt::HostQueue lead(1);
            GroupChoice choice = choice_of({2, 1, 3}, exchange);
            choice.division.edge_share = edge_share;
            const auto execution = on_places(lead, start, choice);
            check_iterations(start, *execution, states, 8);
        }
    }
}

TEST_CASE("every divisible variant of sph gives the bits of one place", "[sph][group]") {
    int divided = 0;
    for (const ElementType cell : {ElementType::float32, ElementType::float64}) {
        const Start start = stirred({{"dp", 0.1}, {"rebuild", 2}}, cell);
        const std::vector<State> states = history(start, 5);
        for (const Variant& variant : registry().variants()) {
            if (variant.info.workload != "sph" || variant.info.cell != cell) continue;
            CAPTURE(variant.info.name());
            if (!variant.group_factories.contains(Backend::simt)) {
                CHECK(variant.undivided ==
                      "has its particles in no slices that places could share: neighbour_list has");
                continue;
            }
            ++divided;
            State expected = states.back();
            if (variant.info.arithmetic != Arithmetic::canonical) {
                simt::HostQueue queue(1);
                const auto whole = variant.factories.at(Backend::simt)(queue, start.problem);
                whole->upload(start.state);
                whole->advance(5);
                whole->download(expected);
            }
            simt::HostQueue lead(1);
            const auto execution = on_places(lead, start, choice_of(2), variant);
            State state = start.state;
            execution->upload(start.state);
            execution->advance(5);
            execution->download(state);
            CHECK(are_same(expected, state));
        }
    }
    CHECK(divided >= 20);
}

TEST_CASE("particles on several places are clean", "[sph][group][check]") {
    const Start start = stirred({{"dp", 0.1}, {"rebuild", 2}});
    for (const bool overlap : {false, true})
        for (const ExchangePath path : {ExchangePath::copies, ExchangePath::stores}) {
            GroupChoice choice = choice_of({3, 1, 1}, {path, overlap});
            choice.division.allocation = Allocation::whole;
            for (const BalanceRule rule : {BalanceRule::none, BalanceRule::improved}) {
                choice.division.balancing = {rule, 2, 1};
                CAPTURE(camber::name(path), overlap, camber::name(rule));
                const Variant divided = on_group(usual(), choice);
                const CheckResult result = check_variant(divided, start.problem, start.state, 5, 1);
                INFO(describe(result));
                CHECK(result.clean());
            }
        }
}

// Half of the devices begin with most of the water.
TEST_CASE("slices change their place for balance, and no bit changes", "[sph][group][balance]") {
    const Start start = stirred({{"dp", 0.08}, {"rebuild", 2}, {"scene", 2}});
    const std::vector<State> states = history(start, 30);
    for (const BalanceRule rule : balance_rules)
        for (const int at_once : {1, 30}) {
            CAPTURE(camber::name(rule), at_once);
            simt::HostQueue lead(1);
            GroupChoice choice = choice_of({3, 1, 1});
            choice.division.allocation = Allocation::whole;
            choice.division.balancing = {rule, 4, 1};
            const auto execution = on_places(lead, start, choice);
            check_iterations(start, *execution, states, at_once);
            CHECK(execution->divided()->moved_rows > 1);
        }
    // Loads that make a device in the middle pass slices on repeatedly.
    simt::HostQueue lead(1);
    GroupChoice choice = choice_of(5);
    choice.division.allocation = Allocation::whole;
    choice.division.balancing = {BalanceRule::published, 2, 1};
    struct Alternating final : UsualSlices {
        using UsualSlices::UsualSlices;
        std::vector<double> loads(const std::vector<Rows>&, const std::vector<std::int64_t>&,
                                  std::vector<double>) override {
            return ++round % 4 < 2 ? std::vector<double>{4, 1, 1, 1, 0}
                                   : std::vector<double>{0, 1, 1, 1, 4};
        }
        int round = 0;
    };
    const auto execution = in_slices<Alternating>(lead, start, choice, choice.exchange);
    check_iterations(start, *execution, states, 30);
    CHECK(execution->divided()->moved_rows >= 10);
}

// A single particle in the air, so fast that it leaves its slice and the next one before the second
// list.
TEST_CASE("a particle that no place looks for is an error", "[sph][group]") {
    Start start({{"dp", 0.08}, {"rebuild", 3}});
    const auto kinds = start.state.field(kind_field).cells<std::uint8_t>();
    const std::size_t id = kinds.size() - 1;
    REQUIRE(kinds[id] == 0);
    const auto set = [&](const char* field, float value) {
        start.state.field(field).cells<float>()[id] = value;
    };
    set("x", 0.7f);
    set("y", 0.12f);
    set("z", 0.5f);
    set("vx", 150.0f);
    start.state.field(step_field).cells<float>()[0] = 1e-3f;
    const auto run = [&](int places, int iterations) {
        simt::HostQueue lead(1);
        const auto execution = on_places(lead, start, choice_of(places));
        execution->upload(start.state);
        execution->advance(iterations);
        State state = start.state;
        execution->download(state);
    };
    CHECK_NOTHROW(run(1, 4));
    CHECK_NOTHROW(run(7, 3));
    CHECK_THROWS_WITH(run(7, 4), contains("particle " + std::to_string(id) +
                                          " went farther than a slice of cells before iteration 3, "
                                          "where no other place looks for it"));
}

TEST_CASE("faults of kernels on several places are those of one", "[sph][group]") {
    Start start({{"dp", 0.1}});
    const auto kinds = start.state.field(kind_field).cells<std::uint8_t>();
    const std::size_t id = kinds.size() - 1;
    REQUIRE(kinds[id] == 0);
    start.state.field("vx").cells<float>()[id] = 1e6f;
    const auto error_of = [&](Execution& execution) -> std::string {
        State state = start.state;
        try {
            execution.upload(start.state);
            execution.advance(1);
            execution.download(state);
        } catch (const Error& error) {
            return error.what();
        }
        return "";
    };
    simt::HostQueue queue(1);
    simt::HostQueue lead(1);
    const auto whole = usual().factories.at(Backend::simt)(queue, start.problem);
    const auto divided = on_places(lead, start, choice_of(3));
    const std::string error = error_of(*divided);
    CHECK_THAT(error, contains("blows up in iteration 0"));
    CHECK(error == error_of(*whole));
}

TEST_CASE("where particles cannot be divided is said", "[sph][group]") {
    const Start start({{"dp", 0.1}});
    simt::HostQueue lead(1);
    const auto refused = [&](const auto& change, const std::string& why) {
        GroupChoice choice = choice_of(2);
        change(choice);
        CHECK_THROWS_WITH(on_places(lead, start, choice), "particles cannot be divided so: " + why);
        CHECK_THROWS_AS(on_places(lead, start, choice), Unsupported);
    };
    refused([](GroupChoice& choice) { choice.division.partition = Partition::columns; },
            "places have whole slices of cells, which lie side by side as rows do");
    refused([](GroupChoice& choice) { choice.exchange.path = ExchangePath::kernel; },
            "no kernel of an iteration sends what others wait for");
    refused([](GroupChoice& choice) { choice.exchange.path = ExchangePath::everything; },
            "forces of edges travel, and never all that places have: choose staged");
    refused([](GroupChoice& choice) { choice.division.halo_depth = 2; },
            "places share the step's length in the middle of every iteration, which a deeper halo "
            "does not save");
    refused(
        [](GroupChoice& choice) {
            choice.division.balancing = {BalanceRule::improved, 10, 2};
        },
        "slices change their place one by one, because a place holds one beside its own");
    CHECK_THROWS_WITH(on_places(lead, start, choice_of(8)),
                      "each of 8 places needs a slice of cells, and with dp = 0.1 m there are at "
                      "most 7 along an axis: give fewer GPUs or a smaller dp");
    // The division is fixed within a recording.
    const auto execution = on_places(lead, start, choice_of(2));
    execution->upload(start.state);
    CHECK_THROWS_AS(lead.record([&] { execution->advance(1); }), Unsupported);
}

// All water is in one slice, while each of the devices that store it has room for a share only.
TEST_CASE("a place without room for its particles is an error", "[sph][group]") {
    Start start({{"dp", 0.08}});
    const auto kinds = start.state.field(kind_field).cells<std::uint8_t>();
    for (std::size_t id = 0; id < kinds.size(); ++id)
        if (kinds[id] == 0) {
            float& x = start.state.field("x").cells<float>()[id];
            x = 0.7f + 0.1f * x;
        }
    simt::HostQueue lead(1);
    GroupChoice choice = choice_of(7);
    const auto few = on_places(lead, start, choice);
    CHECK_THROWS_WITH(few->upload(start.state),
                      contains(" of 7 needs room for ") && contains(" particles in iteration 0 ") &&
                          contains(": give --allocation whole, with which it has room for all"));
    choice.division.allocation = Allocation::whole;
    CHECK_NOTHROW(on_places(lead, start, choice)->upload(start.state));
}

}  // namespace camber::sph::group_test
