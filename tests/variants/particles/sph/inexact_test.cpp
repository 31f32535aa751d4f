// Variants of `sph` that add in another order than the reference: their error in one evaluation,
// and verification of their final figures.
#include <algorithm>
#include <array>
#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "harness/measure/correctness/verification.hpp"
#include "harness/registry/registry.hpp"
#include "tests/catch.hpp"
#include "tests/variants/particles/sph/start.hpp"
#include "workloads/core/optional_interfaces.hpp"
#include "workloads/list/workloads.hpp"
#include "workloads/particles/sph/state.hpp"

namespace camber::sph::inexact_test {
namespace {

const Workload& workload() {
    return *find_workload("sph");
}

using sph_test::Start;

std::vector<const Variant*> inexact_variants() {
    std::vector<const Variant*> found;
    for (const Variant& variant : registry().variants())
        if (variant.info.workload == "sph" && (variant.info.arithmetic == Arithmetic::reordered ||
                                               variant.info.arithmetic == Arithmetic::unordered))
            found.push_back(&variant);
    return found;
}

double largest_difference(const State& a, const State& b, const char* name) {
    const auto of_a = a.field(name).cells<float>();
    const auto of_b = b.field(name).cells<float>();
    double largest = 0;
    for (std::size_t i = 0; i < of_a.size(); ++i)
        largest = std::max(largest, std::abs(1.0 * of_a[i] - of_b[i]));
    return largest;
}
double largest(const State& state, const char* name) {
    double found = 0;
    for (const float value : state.field(name).cells<float>())
        found = std::max(found, std::abs(1.0 * value));
    return found;
}

}  // namespace

// After one iteration from rest, each particle has the velocity dt F, so velocities show forces.
TEST_CASE("forces added in another order differ by a millionth", "[sph]") {
    Start start({{"dp", 0.08}});
    const auto kinds = start.state.field(kind_field).cells<std::uint8_t>();
    std::mt19937 random(2);
    std::uniform_real_distribution<float> jitter(-0.016f, 0.016f);
    for (const char* axis : position_fields)
        for (std::size_t id = 0; id < kinds.size(); ++id)
            if (kinds[id] == 0) start.state.field(axis).cells<float>()[id] += jitter(random);
    const State expected = start.expected(1);
    CHECK_FALSE(inexact_variants().empty());
    for (const Variant* variant : inexact_variants()) {
        CAPTURE(variant->info.name());
        const State actual = start.computed(*variant, 1);
        double speed = 0;
        for (const char* axis : velocity_fields) speed = std::max(speed, largest(expected, axis));
        CHECK(speed > 1e-4);
        for (const char* axis : velocity_fields) {
            CAPTURE(axis, largest_difference(expected, actual, axis) / speed);
            CHECK(largest_difference(expected, actual, axis) <= 1e-6 * speed);
        }
        // Checks that the sums differ: with the same order, this test would be meaningless.
        double difference = 0;
        for (const char* axis : velocity_fields)
            difference += largest_difference(expected, actual, axis);
        CHECK(difference > 0);
    }
}

TEST_CASE("particles stay within the tolerance for as long as they are compared", "[sph]") {
    const Start start({{"dp", 0.08}});
    for (const int iterations : {8, 50}) {
        const State expected = start.expected(iterations);
        const Tolerance tolerance =
            workload().tolerance({ElementType::float32, iterations, false, true});
        CHECK_FALSE(tolerance.exact());
        for (const Variant* variant : inexact_variants()) {
            const State actual = start.computed(*variant, iterations);
            for (const std::string_view field : workload().facts().written_fields) {
                if (field == time_field) continue;
                const std::string name(field);
                const double difference = largest_difference(expected, actual, name.c_str());
                CAPTURE(variant->info.name(), iterations, name, difference);
                CHECK(difference <=
                      tolerance.of(field).absolute +
                          tolerance.of(field).relative * largest(expected, name.c_str()));
            }
        }
    }
    CHECK(workload().tolerance({ElementType::float32, 50, false, false}).exact());
    // In a scene as small as this one, no particle may be an outlier.
    CHECK(workload().tolerance({ElementType::float32, 50, false, true}).outliers *
              static_cast<double>(start.state.field("x").size().cells()) <
          1);
}

TEST_CASE("long runs of particles are judged by their figures", "[sph]") {
    const Start start({{"dp", 0.08}});
    const BulkFigures& figures = *workload().capabilities().bulk_figures;
    CHECK(find_workload("life")->capabilities().bulk_figures == nullptr);
    CHECK(figures.figure_limits({ElementType::float32, 1000, false, false}).empty());
    CHECK(figures.figure_limits({ElementType::float32, 50, false, true}).empty());
    const auto limits = figures.figure_limits({ElementType::float32, 1000, false, true});
    CHECK(limits.size() == 5);

    const auto judged = [&](const State& state) {
        State actual = state;
        actual.account.clear();
        Verification found;
        found.status = Verification::Status::failed;
        const bool passed =
            judge_figures(workload(), start.state, actual, limits, found).has_value();
        CHECK(passed == found.passed());
        CHECK(passed == found.exceeded.empty());
        CHECK(found.by_statistics());
        return found;
    };
    const auto scaled = [&](const char* name, float factor) {
        State state = start.state;
        for (float& value : state.field(name).cells<float>()) value *= factor;
        return state;
    };
    CHECK(judged(start.state).passed());
    CHECK(judged(scaled("x", 1.01f)).passed());
    CHECK_THAT(judged(scaled("x", 1.03f)).exceeded.at(0), contains("front_m by 0.0291"));
    CHECK_THAT(judged(scaled("z", 1.03f)).exceeded.at(0), contains("mean_height_m by 0.0291"));
    CHECK(judged(scaled(density_field, 0.97f)).exceeded.size() == 2);
    State state = start.state;
    state.field("vx").cells<float>()[7] = std::nanf("");
    CHECK_THAT(judged(state).exceeded.at(0), contains("1 cells are no finite numbers"));
    state = start.state;
    state.field(kind_field).cells<std::uint8_t>()[7] ^= 1;
    CHECK_FALSE(judged(state).passed());
}

}  // namespace camber::sph::inexact_test
