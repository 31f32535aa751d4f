// one_kernel, and persistent on the same tiles: bit-equal to the reference, even if tiles sleep and
// wake; and the error of their shorter arithmetic.
#include <algorithm>
#include <limits>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "harness/base/error.hpp"
#include "harness/machine/simt/host_queue.hpp"
#include "harness/measure/correctness/verification.hpp"
#include "harness/registry/registry.hpp"
#include "tests/catch.hpp"
#include "tests/variants/differing_fields.hpp"
#include "tests/workloads/lava/sciara_fv2/cases.hpp"
#include "workloads/lava/sciara_fv2/reference.hpp"

namespace camber::sciara_fv2::one_kernel_test {
namespace {

bool is_persistent(const Variant& variant) {
    return variant.info.technique.name == "persistent";
}

std::vector<const Variant*> one_kernel_variants(Arithmetic arithmetic) {
    std::vector<const Variant*> found;
    for (const Variant& variant : registry().variants())
        if (variant.info.workload == "sciara_fv2" &&
            (variant.info.technique.name == "one_kernel" || is_persistent(variant)) &&
            variant.info.arithmetic == arithmetic && variant.factories.contains(Backend::simt))
            found.push_back(&variant);
    return found;
}

Problem problem_of(const State& state, const ParameterSet& set) {
    return {state.field(altitude_field).size(), Boundary::dead, ElementType::float64, set};
}

// Runs a variant and the reference side by side. Nothing is poisoned, so sleeping tiles keep their
// values.
void compare_with_reference(const Variant& variant, const State& initial, const ParameterSet& set,
                            int steps) {
    CAPTURE(variant.info.name());
    simt::HostQueue queue(1);
    const Problem problem = problem_of(initial, set);
    const auto execution = variant.factories.at(Backend::simt)(queue, problem);
    execution->upload(initial);
    State expected = initial;
    State other = initial;
    State actual = initial;
    for (int n = 0; n < steps;) {
        // Launches have even and odd numbers of steps, one or several.
        const int launch = is_persistent(variant) ? std::min(1 + n % 6, steps - n)
                                                  : variant.info.shape.generations;
        execution->advance(launch);
        for (const int end = n + launch; n < end; ++n) {
            step(expected, other, {Boundary::dead, set, n, 1});
            std::swap(expected, other);
        }
        execution->download(actual);
        CAPTURE(n);
        REQUIRE(differing_fields(expected, actual).empty());
    }
}

// A valley between slopes, with adjacent vents, vents at tile borders and a vent near the edge.
State valley(const lava::EmissionRates& rates) {
    constexpr Size size{75, 66};
    std::vector<double> altitude;
    for (int row = 0; row < size.rows; ++row)
        for (int column = 0; column < size.columns; ++column)
            altitude.push_back(1500 - 3.0 * row + 0.5 * std::abs(column - 30) +
                               0.01 * (row * 7 % 5) + 0.02 * (column * 11 % 7));
    return bare_state(size, altitude,
                      {{1, 13, 29}, {2, 13, 30}, {3, 40, 60}, {4, 2, 1}, {5, 30, 30}}, rates);
}

double largest(const State& state, const char* field) {
    return std::ranges::max(state.field(field).cells<double>());
}

int cells_with_lava(const State& state) {
    return static_cast<int>(std::ranges::count_if(state.field(thickness_field).cells<double>(),
                                                  [](double h) { return h > 0; }));
}

// Two slots of emission with a long pause between them, in which all lava solidifies except in
// vents, where it stays hot.
lava::EmissionRates interrupted_rates() {
    constexpr double slot = 1200;  // ten steps
    return {slot,
            {{1, {20, 0, 0, 0, 10}},
             {2, {9, 0, 0, 0, 0}},
             {3, {30, 0, 0, 0, 20}},
             {4, {12, 0, 0, 0, 1}},
             {5, {0, 0, 0, 0, 25}}}};
}

TEST_CASE("one kernel has the reference's bits while lava comes, goes and comes again",
          "[one_kernel]") {
    const lava::EmissionRates rates = interrupted_rates();
    const ParameterSet set = changed(etna_2006(rates), {{"cooling", 3000}});
    const State initial = valley(rates);
    // Checks that the scene has the intended phases: lava spreads, vanishes, and spreads again.
    State state = initial;
    State other = initial;
    std::vector<int> cells;
    for (int n = 0; n < 56; ++n) {
        step(state, other, {Boundary::dead, set, n, 1});
        std::swap(state, other);
        cells.push_back(cells_with_lava(state));
    }
    CAPTURE(cells);
    REQUIRE(cells[12] > 30);
    REQUIRE(cells[34] <= 5);
    REQUIRE(cells[44] > 15);
    REQUIRE(largest(state, solidified_field) > 0);

    REQUIRE(one_kernel_variants(Arithmetic::canonical).size() > 3);
    for (const Variant* variant : one_kernel_variants(Arithmetic::canonical))
        compare_with_reference(*variant, initial, set, 56);
}

TEST_CASE("one kernel has the reference's bits of a flow that grows and runs over the edge",
          "[one_kernel]") {
    const lava::EmissionRates rates{86400, {{1, {30}}, {2, {10}}, {3, {45}}, {4, {25}}, {5, {1}}}};
    const ParameterSet set = etna_2006(rates);
    const State initial = valley(rates);
    for (const Variant* variant : one_kernel_variants(Arithmetic::canonical))
        compare_with_reference(*variant, initial, set, 48);
}

TEST_CASE("one kernel follows the known history of a slope", "[one_kernel]") {
    const State initial = slope();
    const ParameterSet set = etna_2006();
    for (const Variant* variant : one_kernel_variants(Arithmetic::canonical)) {
        CAPTURE(variant->info.name());
        simt::HostQueue queue(1);
        const auto execution =
            variant->factories.at(Backend::simt)(queue, problem_of(initial, set));
        execution->upload(initial);
        execution->advance(20);
        State state = initial;
        execution->download(state);
        int active = 0;
        double coldest = std::numeric_limits<double>::max();
        for (int row = 0; row < 32; ++row)
            for (int column = 0; column < 32; ++column)
                if (at(state, thickness_field, row, column) > 0) {
                    ++active;
                    coldest = std::min(coldest, at(state, temperature_field, row, column));
                }
        CHECK(active == 74);
        CHECK(tree_sum(state.field(thickness_field).cells<double>()) == Approx(72).epsilon(1e-9));
        CHECK(largest(state, thickness_field) == Approx(3.71764491063).epsilon(1e-9));
        CHECK(coldest == Approx(1332.40271764).epsilon(1e-9));
        CHECK(at(state, thickness_field, 8, 16) == Approx(1.23780761131).epsilon(1e-9));
        CHECK(at(state, temperature_field, 8, 16) == Approx(1359.84126963).epsilon(1e-9));
    }
}

// Records the blocks that access a field in each launch.
struct Touching final : simt::Recorder {
    explicit Touching(simt::Executor& executor) : executor_(executor) {
        executor_.set_recorder(this);
    }
    ~Touching() override { executor_.set_recorder(nullptr); }
    void record(const simt::Access& access) override {
        if (access.field) blocks[access.field->name].emplace(access.block.x, access.block.y);
    }
    std::map<std::string, std::set<std::pair<unsigned, unsigned>>> blocks;

  private:
    simt::Executor& executor_;
};

TEST_CASE("tiles that lava cannot reach are not touched", "[one_kernel]") {
    const Variant* variant = nullptr;
    for (const Variant* candidate : one_kernel_variants(Arithmetic::canonical))
        if (candidate->info.path().ends_with("8x8")) variant = candidate;
    REQUIRE(variant);
    const State initial = slope();  // the vent is in tile (2, 1) of 6x6 cells each, of 6x6 tiles
    const ParameterSet set = etna_2006();
    simt::HostQueue queue(1);
    const auto execution = variant->factories.at(Backend::simt)(queue, problem_of(initial, set));
    execution->upload(initial);
    const auto touched = [&] {
        Touching recorder(queue.executor());
        execution->advance(1);
        return recorder.blocks;
    };
    // All tiles are computed at first, one per block.
    CHECK(touched()[thickness_field].size() == 36);
    auto blocks = touched();
    CHECK(blocks["counts"].size() == 36);
    CHECK_FALSE(blocks[thickness_field].empty());
    CHECK(blocks[thickness_field].size() < 10);
    for (const char* field : {altitude_field, temperature_field, frame_field})
        CHECK(blocks[field] == blocks[thickness_field]);
    CHECK(blocks[solidified_field].empty());
    // Poisoned tiles must be written.
    execution->poison(Poison::first);
    CHECK(touched()[thickness_field].size() == 36);
    CHECK(touched()[thickness_field].size() < 12);
}

TEST_CASE("tiles that lava has left leave the list when it is made anew", "[one_kernel]") {
    const lava::EmissionRates rates{
        1200, {{1, {100, 0}}, {2, {0, 0}}, {3, {0, 0}}, {4, {0, 0}}, {5, {0, 0}}}};
    const ParameterSet set = changed(etna_2006(rates), {{"cooling", 300}});
    const State initial = valley(rates);
    constexpr int renewal = 128;  // launches, TileList::renewal
    constexpr int steps = renewal + 4;
    State expected = initial;
    State other = initial;
    for (int n = 0; n < steps; ++n) {
        step(expected, other, {Boundary::dead, set, n, 1});
        std::swap(expected, other);
    }
    REQUIRE(largest(expected, solidified_field) > 0);
    REQUIRE(cells_with_lava(expected) <= 5);
    for (const Variant* variant : one_kernel_variants(Arithmetic::canonical)) {
        if (!variant->info.path().ends_with("8x8")) continue;
        CAPTURE(variant->info.name());
        simt::HostQueue queue(1);
        const auto execution =
            variant->factories.at(Backend::simt)(queue, problem_of(initial, set));
        execution->upload(initial);
        execution->advance(renewal - 1);
        const auto touched = [&] {
            Touching recorder(queue.executor());
            execution->advance(1);
            return recorder.blocks[altitude_field].size();
        };
        const std::size_t before = touched();
        touched();  // the launch that rebuilds the list
        const std::size_t after = touched();
        CHECK(after < before);
        execution->advance(2);
        State result = initial;
        execution->download(result);
        for (const char* field :
             {altitude_field, thickness_field, temperature_field, solidified_field})
            CHECK(std::ranges::equal(result.field(field).cells<double>(),
                                     expected.field(field).cells<double>()));
    }
}

TEST_CASE("one kernel in short arithmetic stays close to the reference", "[one_kernel]") {
    const lava::EmissionRates rates = interrupted_rates();
    const ParameterSet set = changed(etna_2006(rates), {{"cooling", 3000}});
    const State initial = valley(rates);
    State expected = initial;
    State other = initial;
    for (int n = 0; n < 56; ++n) {
        step(expected, other, {Boundary::dead, set, n, 1});
        std::swap(expected, other);
    }
    const Tolerance tolerance{.absolute = 1e-9, .absolute_of = {{temperature_field, 1e-6}}};
    const auto variants = one_kernel_variants(Arithmetic::reordered);
    REQUIRE(variants.size() > 3);
    std::vector<State> results;
    for (const Variant* variant : variants) {
        CAPTURE(variant->info.name());
        simt::HostQueue queue(2);
        const auto execution =
            variant->factories.at(Backend::simt)(queue, problem_of(initial, set));
        execution->upload(initial);
        execution->advance(56);
        State& actual = results.emplace_back(initial);
        execution->download(actual);
        CHECK(compare(expected, actual, tolerance, 56, 1).passed());
        // The arithmetic of a cell does not depend on the tile.
        CHECK(differing_fields(results.front(), actual).empty());
    }
}

TEST_CASE("one kernel refuses more vents than its list holds", "[one_kernel]") {
    const Variant& variant = *one_kernel_variants(Arithmetic::canonical).front();
    lava::EmissionRates rates{86400, {}};
    for (int id = 1; id <= 9; ++id) rates.vents.push_back({id, {1}});
    const auto reason = variant.unsupported(problem_of(slope(), etna_2006(rates)));
    REQUIRE(reason);
    CHECK(*reason == "takes at most 8 vents, there are 9");
    rates.vents.pop_back();
    CHECK_FALSE(variant.unsupported(problem_of(slope(), etna_2006(rates))));

    // A vent may open in several cells.
    const Size size{32, 32};
    std::vector<lava::VentCell> cells;
    for (int column = 4; column < 13; ++column) cells.push_back({1, 8, column});
    const std::vector<double> ground(static_cast<std::size_t>(size.cells()), 1000.0);
    const State wide = bare_state(size, ground, cells, {86400, {{1, {3}}}});
    simt::HostQueue queue(1);
    const auto execution =
        variant.factories.at(Backend::simt)(queue, problem_of(wide, etna_2006()));
    CHECK_THROWS_AS(execution->upload(wide), Unsupported);
}

}  // namespace
}  // namespace camber::sciara_fv2::one_kernel_test
