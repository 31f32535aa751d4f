// SCIARA-fv2 in conflict-free tiles and by atomic additions: the reference's state up to the order
// of sums, with mass and signs correct in every step; tiles give the same bits in every run.
#include <algorithm>
#include <string>
#include <vector>

#include "harness/measure/correctness/verification.hpp"
#include "tests/catch.hpp"
#include "tests/variants/named_variant.hpp"
#include "tests/workloads/lava/sciara_fv2/cases.hpp"
#include "workloads/lava/sciara_fv2/reference.hpp"
#include "workloads/list/workloads.hpp"

namespace camber::sciara_fv2::scatter_test {

namespace {

const Variant& lava_variant(const std::string& path) {
    return executor_variant("sciara_fv2/" + path, ElementType::float64);
}

bool same_cells_have_lava(const State& a, const State& b) {
    return std::ranges::equal(a.field(thickness_field).cells<double>(),
                              b.field(thickness_field).cells<double>(),
                              [](double x, double y) { return (x > 0) == (y > 0); });
}

// Runs a variant and the reference side by side, and compares them every `stride` steps.
void follow_reference(const std::string& path, Arithmetic arithmetic, int steps, int stride) {
    const Variant& variant = lava_variant(path);
    CAPTURE(path);
    CHECK(variant.info.arithmetic == arithmetic);
    const ParameterSet set = etna_2006();
    State expected = slope();
    State other = expected;
    ExecutorRun run(variant, expected, set);
    const Tolerance tolerance =
        find_workload("sciara_fv2")
            ->tolerance({.cell = ElementType::float64, .generations = steps, .reordered = true});
    for (int n = 0; n < steps;) {
        for (const int end = n + stride; n < end; ++n) {
            step(expected, other, {Boundary::dead, set, n, 1});
            std::swap(expected, other);
        }
        CAPTURE(n);
        const State& actual = run.after(stride);
        const Verification verification = compare(expected, actual, tolerance, n, 1);
        CAPTURE(describe(verification));
        REQUIRE(verification.passed());
        REQUIRE(same_cells_have_lava(expected, actual));
        const double mass = expected.account.at(initial_account) +
                            expected.account.at(emitted_account) -
                            expected.account.at(lost_account);
        REQUIRE(tree_sum(actual.field(thickness_field).cells<double>()) +
                    tree_sum(actual.field(solidified_field).cells<double>()) ==
                Approx(mass).epsilon(1e-12));
        REQUIRE(std::ranges::min(actual.field(thickness_field).cells<double>()) >= 0);
    }
}

TEST_CASE("lava in other orders of sums follows the reference for a thousand steps",
          "[sciara_fv2]") {
    follow_reference("cfamo/three_kernels/16x16", Arithmetic::reordered, 1000, 20);
    follow_reference("atomics/five_kernels/16x16", Arithmetic::unordered, 1000, 20);
}

TEST_CASE("lava in other orders of sums follows the reference in every step", "[sciara_fv2]") {
    for (const char* block : {"8x8", "32x8", "32x16"})
        follow_reference(std::string("cfamo/three_kernels/") + block, Arithmetic::reordered, 60, 1);
    for (const char* block : {"8x8", "32x8"})
        follow_reference(std::string("atomics/five_kernels/") + block, Arithmetic::unordered, 60,
                         1);
}

TEST_CASE("lava in other orders of sums has its known history", "[sciara_fv2]") {
    for (const char* path : {"cfamo/three_kernels/16x16", "atomics/five_kernels/16x16"}) {
        CAPTURE(path);
        ExecutorRun run(lava_variant(path), slope(), etna_2006());
        const State& state = run.after(20);
        const auto h = state.field(thickness_field).cells<double>();
        CHECK(std::ranges::count_if(h, [](double x) { return x > 0; }) == 74);
        CHECK(tree_sum(h) == Approx(72).epsilon(1e-9));
        CHECK(std::ranges::max(h) == Approx(3.71764491063).epsilon(1e-9));
        CHECK(at(state, thickness_field, 8, 16) == Approx(1.23780761131).epsilon(1e-9));
        CHECK(at(state, temperature_field, 8, 16) == Approx(1359.84126963).epsilon(1e-9));
    }
}

std::vector<std::byte> thickness_after(const std::string& path, int steps, int cpu_threads) {
    ExecutorRun run(lava_variant(path), slope(), etna_2006(), cpu_threads);
    const auto bytes = run.after(steps).field(thickness_field).bytes();
    return {bytes.begin(), bytes.end()};
}

TEST_CASE("conflict-free tiles give the same bits in every run and every block", "[sciara_fv2]") {
    constexpr int steps = 60;
    const auto first = thickness_after("cfamo/three_kernels/16x16", steps, 1);
    CHECK(thickness_after("cfamo/three_kernels/16x16", steps, 1) == first);
    CHECK(thickness_after("cfamo/three_kernels/16x16", steps, 3) == first);
    CHECK(thickness_after("cfamo/three_kernels/8x8", steps, 2) == first);
    // The order of sums differs from the reference's, although it is fixed.
    CHECK(thickness_after("cfame/three_kernels/16x16", steps, 1) != first);
}

TEST_CASE("atomic additions of lava are right in any order of threads", "[sciara_fv2]") {
    // Blocks of another shape add in another order.
    CHECK(thickness_after("atomics/five_kernels/8x8", 60, 1) !=
          thickness_after("atomics/five_kernels/32x8", 60, 1));
    const ParameterSet set = etna_2006();
    State expected = slope();
    State other = expected;
    for (int n = 0; n < 60; ++n) {
        step(expected, other, {Boundary::dead, set, n, 1});
        std::swap(expected, other);
    }
    const Tolerance tolerance =
        find_workload("sciara_fv2")
            ->tolerance({.cell = ElementType::float64, .generations = 60, .reordered = true});
    for (const char* block : {"8x8", "16x16"}) {
        ExecutorRun run(lava_variant(std::string("atomics/five_kernels/") + block), slope(), set,
                        3);
        CHECK(compare(expected, run.after(60), tolerance, 60, 1).passed());
    }
}

}  // namespace
}  // namespace camber::sciara_fv2::scatter_test
