// SCIARA-fv3 by atomic additions: the reference's state up to the order of sums, with mass and
// signs correct in every step, for any order of threads; and the number of additions.
#include <algorithm>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "harness/measure/correctness/verification.hpp"
#include "tests/catch.hpp"
#include "tests/variants/named_variant.hpp"
#include "tests/workloads/lava/sciara_fv3/cases.hpp"
#include "workloads/list/workloads.hpp"

namespace camber::sciara_fv3::scatter_test {
namespace {

constexpr auto real64 = ElementType::float64;
constexpr auto real32 = ElementType::float32;

std::vector<std::string> forms(ElementType cell) {
    if (cell == real32) return {"atomics", "atomics_centre"};
    return {"atomics", "atomics_centre", "atomics_cas"};
}

const Variant& scatter(const std::string& form, const std::string& block, ElementType cell) {
    return executor_variant("sciara_fv3/" + form + "/" + block, cell);
}

Verification compared(const State& expected, const State& actual, ElementType cell, int steps) {
    const Tolerance tolerance =
        find_workload("sciara_fv3")
            ->tolerance({.cell = cell, .generations = steps, .reordered = true});
    return compare(expected, actual, tolerance, steps, 1);
}

bool same_cells_have_lava(const State& a, const State& b) {
    return std::ranges::equal(values_of(a.field(thickness_field)),
                              values_of(b.field(thickness_field)),
                              [](double x, double y) { return (x > 0) == (y > 0); });
}

// Runs variant and reference side by side.
void follow_reference(const Variant& variant, const State& start, const ParameterSet& set,
                      int steps) {
    const ElementType cell = variant.info.cell;
    CAPTURE(variant.info.name(), cell == real64);
    CHECK(variant.info.arithmetic == Arithmetic::unordered);
    ExecutorRun run(variant, start, set);
    State expected = start;
    for (int n = 1; n <= steps; ++n) {
        CAPTURE(n);
        advance_reference(expected, set, 1);
        const State& actual = run.after(1);
        const Verification verification = compared(expected, actual, cell, steps);
        CAPTURE(describe(verification));
        REQUIRE(verification.passed());
        if (cell == real64) REQUIRE(same_cells_have_lava(expected, actual));
        const double mass =
            expected.account.at(initial_account) + expected.account.at(emitted_account);
        REQUIRE(total(actual.field(thickness_field)) + total(actual.field(solidified_field)) ==
                Approx(mass).epsilon(cell == real64 ? 1e-12 : 1e-5));
        REQUIRE(std::ranges::min(values_of(actual.field(thickness_field))) >= 0);
    }
}

TEST_CASE("scattered lava with momentum follows the reference down a slope", "[sciara_fv3]") {
    for (const ElementType cell : {real64, real32})
        for (const std::string& form : forms(cell))
            follow_reference(scatter(form, "16x16", cell), with_vent({32, 32}, cell, 2, 8, 16),
                             etna_2006(), cell == real64 ? 200 : 100);
}

TEST_CASE("scattered lava with momentum follows the reference where all cells flow",
          "[sciara_fv3]") {
    for (const ElementType cell : {real64, real32})
        for (const std::string& form : forms(cell))
            follow_reference(scatter(form, "8x8", cell), disc({64, 64}, cell, 2), etna_2006({}),
                             20);
}

// Variants that launch only cells within reach of lava.
std::vector<const Variant*> on_sets(ElementType cell) {
    std::vector<const Variant*> found;
    for (const Variant& variant : registry().variants())
        for (const char* technique :
             {"atomics_bounding_box", "atomics_box_tile", "atomics_active_list",
              "atomics_sorted_list"})
            if (variant.info.technique.name == technique && variant.info.cell == cell &&
                variant.factories.contains(Backend::simt))
                found.push_back(&variant);
    return found;
}

TEST_CASE("lava with momentum that is scattered on launch sets follows the reference",
          "[sciara_fv3][launch_sets]") {
    for (const ElementType cell : {real64, real32}) {
        const auto variants = on_sets(cell);
        CHECK(variants.size() == 8);
        for (const Variant* variant : variants) {
            follow_reference(*variant, with_vent({32, 32}, cell, 2, 8, 16), etna_2006(), 100);
            follow_reference(*variant, disc({64, 64}, cell, 2), etna_2006({}), 20);
        }
    }
}

TEST_CASE("a scatter on launch sets reads the lava's surroundings only",
          "[sciara_fv3][launch_sets]") {
    // Records the cells whose temperature a step reads: those of the set, once for the heat.
    struct Reads final : simt::Recorder {
        void record(const simt::Access& access) override {
            if (access.operation == Operation::load && access.field &&
                std::string_view(access.field->name) == temperature_field)
                cells.insert(access.address);
        }
        std::set<const void*> cells;
    };
    const State start = with_vent({64, 64}, real64, 2, 20, 30);
    for (const Variant* variant : on_sets(real64)) {
        CAPTURE(variant->info.name());
        ExecutorRun run(*variant, start, etna_2006());
        const State after = run.after(60);
        const auto h = after.field(thickness_field).cells<double>();
        const auto lava =
            static_cast<std::size_t>(std::ranges::count_if(h, [](double x) { return x > 0; }));
        REQUIRE(lava > 10);
        Reads reads;
        run.queue().executor().set_recorder(&reads);
        run.after(1);
        run.queue().executor().set_recorder(nullptr);
        CHECK(reads.cells.size() > lava);
        // At most a tenth of the board; more only if the host grows the box for many steps.
        const bool for_many_steps = variant->info.path().find("/k32") != std::string::npos;
        CHECK(reads.cells.size() < 64 * 64 / (for_many_steps ? 1 : 10));
    }
}

TEST_CASE("scattered lava with momentum has its known history", "[sciara_fv3]") {
    for (const std::string& form : forms(real64)) {
        CAPTURE(form);
        ExecutorRun run(scatter(form, "32x8", real64), with_vent({32, 32}, real64, 2, 8, 16),
                        etna_2006());
        const State& state = run.after(20);
        const auto h = state.field(thickness_field).cells<double>();
        CHECK(std::ranges::count_if(h, [](double x) { return x > 0; }) == 11);
        CHECK(total(state.field(thickness_field)) == Approx(6.28636029569).epsilon(1e-8));
        CHECK(std::ranges::max(h) == Approx(1.09288307164).epsilon(1e-8));
        CHECK(total(state.field(momentum_y_field)) == Approx(-2.48552083767).epsilon(1e-8));
        CHECK(state.field(clock_field).cells<double>()[0] == Approx(1.78958511458).epsilon(1e-8));
    }
}

TEST_CASE("scattered sums are right in any order of threads", "[sciara_fv3]") {
    constexpr int steps = 12;
    const State start = disc({48, 40}, real64, 2);
    const ParameterSet set = etna_2006({});
    State expected = start;
    advance_reference(expected, set, steps);
    for (const std::string& form : forms(real64)) {
        CAPTURE(form);
        std::vector<State> results;
        for (const char* block : {"8x8", "16x16", "32x8"})
            for (const int cpu_threads : {1, 3}) {
                CAPTURE(block, cpu_threads);
                ExecutorRun run(scatter(form, block, real64), start, set, cpu_threads);
                results.push_back(run.after(steps));
                CHECK(compared(expected, results.back(), real64, steps).passed());
            }
        // Blocks of another shape add in another order, which on one CPU thread is the same every
        // time.
        const auto bytes = [&](int i) { return results[i].field(thickness_field).bytes(); };
        CHECK_FALSE(std::ranges::equal(bytes(0), bytes(4)));
        ExecutorRun again(scatter(form, "8x8", real64), start, set);
        CHECK(std::ranges::equal(again.after(steps).field(thickness_field).bytes(), bytes(0)));
    }
}

// Counts atomic additions to the accumulators.
struct Additions final : simt::Recorder {
    void record(const simt::Access& access) override {
        if (access.operation != Operation::atomic) return;
        const std::string field = access.field->name;
        count += field == thickness_field || field == "heat" || field == momentum_x_field ||
                 field == momentum_y_field;
    }
    int count = 0;
};

int additions_of(const std::string& form, double momentum_x, double momentum_y) {
    // Lava in the middle of a plane: eight outflows.
    constexpr Size size{7, 7};
    State state = bare_state(size, real64, plane(size, 0), {}, {});
    const auto put = [&](const char* field, double value) {
        state.field(field).cells<double>()[3 * 7 + 3] = value;
    };
    put(thickness_field, 4);
    put(temperature_field, 1360);
    put(momentum_x_field, momentum_x);
    put(momentum_y_field, momentum_y);
    ExecutorRun run(scatter(form, "8x8", real64), state, etna_2006({}));
    Additions additions;
    run.queue().executor().set_recorder(&additions);
    run.after(1);
    run.queue().executor().set_recorder(nullptr);
    return additions.count;
}

TEST_CASE("a cell that gives to all neighbours makes 48 additions, or 34", "[sciara_fv3]") {
    CHECK(additions_of("atomics", 0, 0) == 48);
    CHECK(additions_of("atomics_centre", 0, 0) == 34);
    CHECK(additions_of("atomics_cas", 0, 0) == 34);
    // Two more additions for the momentum of the lava that stays.
    CHECK(additions_of("atomics", 8, -2) == 50);
    CHECK(additions_of("atomics_centre", 8, -2) == 36);
    CHECK(additions_of("atomics_cas", 8, -2) == 36);
}

}  // namespace
}  // namespace camber::sciara_fv3::scatter_test
