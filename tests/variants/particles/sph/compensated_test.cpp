// Compensated sums of forces: they are closer to sums in double than plain sums are, within a
// bound.
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "harness/registry/registry.hpp"
#include "tests/catch.hpp"
#include "tests/variants/particles/sph/start.hpp"
#include "workloads/list/workloads.hpp"
#include "workloads/particles/sph/neighbors.hpp"
#include "workloads/particles/sph/physics.hpp"
#include "workloads/particles/sph/state.hpp"

namespace camber::sph::compensated_test {
namespace {

constexpr double unit = std::numeric_limits<float>::epsilon() / 2;  // of rounding

const Workload& workload() {
    return *find_workload("sph");
}

struct Start : sph_test::Start {
    using sph_test::Start::Start;
    // The same state in double.
    State doubled() const {
        State result = start_of(workload, {.cell = ElementType::float64}, problem.parameters);
        for (HostField& field : result.fields) {
            const HostField& own = state.field(field.name());
            if (field.element() == own.element())
                std::ranges::copy(own.bytes(), field.bytes().begin());
            else
                std::ranges::copy(own.cells<float>(), field.cells<double>().begin());
        }
        return result;
    }
};

const Variant& variant_named(const std::string& name) {
    const auto& all = registry().variants();
    return *std::ranges::find_if(all, [&](const Variant& variant) {
        return variant.info.workload == "sph" && variant.info.name() == name &&
               variant.info.cell == ElementType::float32;
    });
}

// RMS difference of velocities relative to their root mean square, in units of rounding.
double difference(const State& exact, const State& computed) {
    double sum = 0, all = 0;
    for (const char* axis : velocity_fields) {
        const auto expected = exact.field(axis).cells<double>();
        const auto actual = computed.field(axis).cells<float>();
        for (std::size_t i = 0; i < actual.size(); ++i) {
            sum += (actual[i] - expected[i]) * (actual[i] - expected[i]);
            all += expected[i] * expected[i];
        }
    }
    return std::sqrt(sum / all) / unit;
}

// A block of water without walls, stirred by a quarter of a spacing and compressed to `density`.
// Its first step is so short that nothing moves, so velocities are forces times the step length.
Start block_of(float density) {
    Start start({{"dp", 0.04}, {"scene", 4}});
    std::mt19937 random(3);
    std::uniform_real_distribution<float> jitter(-0.01f, 0.01f);
    for (const char* axis : position_fields)
        for (float& x : start.state.field(axis).cells<float>()) x += jitter(random);
    std::ranges::fill(start.state.field(density_field).cells<float>(), density);
    start.state.field(step_field).cells<float>()[0] = 1e-9f;
    return start;
}

// Force sums of one particle, and the sizes of their terms.
struct SumOfOne {
    std::array<double, 4> exact{};  // of terms in float
    std::array<double, 4> sizes{};  // sum of their absolute values
    std::array<float, 4> plain{};
    std::array<float, 4> compensated{};
    std::size_t terms = 0;
};

std::array<float, 4> numbers(const Force<float>& f) {
    return {f.x, f.y, f.z, f.rate};
}

// Sums for all water particles.
std::vector<SumOfOne> sums_of(const State& state, const Settings& settings) {
    const Constants<float> k = constants_of<float>(settings);
    const auto at = [&](const char* name) { return state.field(name).cells<float>(); };
    const auto particle = [&](std::size_t i) {
        const float density = at(density_field)[i];
        return Particle<float>{
            at("x")[i],  at("y")[i],  at("z")[i],  density,
            at("vx")[i], at("vy")[i], at("vz")[i], density > 0 ? pressure(k, density) : 0};
    };
    const Positions<float> listed{at("listed_x"), at("listed_y"), at("listed_z"),
                                  state.field(kind_field).cells<std::uint8_t>()};
    const NeighbourList list = neighbours_of(listed, settings, most_neighbours, 1);
    std::vector<SumOfOne> all;
    for (std::size_t id = 0; id < listed.count(); ++id) {
        if (!listed.is_fluid(id)) continue;
        const Particle<float> own = particle(id);
        ForceSum<float> plain(k, own);
        ForceSum<float, Sums::compensated> compensated(k, own);
        SumOfOne one;
        for (const std::int32_t other : list.of(id)) {
            const Particle<float> i = particle(static_cast<std::size_t>(other));
            ForceSum<float> alone(k, own);
            for (const auto add : {0, 1, 2}) {
                const auto motion = [&] { return Motion<float>{i.vx, i.vy, i.vz, i.pressure}; };
                if (add == 0) alone.add(k, i.x, i.y, i.z, i.density, motion);
                if (add == 1) plain.add(k, i.x, i.y, i.z, i.density, motion);
                if (add == 2) compensated.add(k, i.x, i.y, i.z, i.density, motion);
            }
            const auto term = numbers(alone.terms());
            for (int n = 0; n < 4; ++n) {
                one.exact[n] += term[n];
                one.sizes[n] += std::abs(1.0 * term[n]);
            }
        }
        one.terms = list.of(id).size();
        one.plain = numbers(plain.terms());
        one.compensated = numbers(compensated.terms());
        all.push_back(one);
    }
    return all;
}

}  // namespace

// Higham 2002, section 4.3: the error of the sum of n terms t is at most (n - 1) u S, with S = sum
// |t| and unit roundoff u = 2^-24; for a compensated sum it is at most (2 u + n u^2) S. The two
// therefore differ by at most (n + 1) u S.
TEST_CASE("compensated sums keep within their bound", "[sph]") {
    Start start({{"dp", 0.08}});
    camber::advance(workload(), start.state, {.parameters = start.problem.parameters}, 40);
    double plain = 0, compensated = 0;
    for (const SumOfOne& one : sums_of(start.state, settings_of(start.problem.parameters)))
        for (int n = 0; n < 4; ++n) {
            const double of_plain = std::abs(one.plain[n] - one.exact[n]);
            const double of_compensated = std::abs(one.compensated[n] - one.exact[n]);
            const double terms = static_cast<double>(one.terms);
            CHECK(of_plain <= terms * unit * one.sizes[n]);
            CHECK(of_compensated <= (2 + 2 * terms * unit) * unit * one.sizes[n]);
            plain += of_plain;
            compensated += of_compensated;
        }
    CHECK(compensated > 0);
    CHECK(compensated < 0.4 * plain);
}

// If forces differ by (n + 1) u S in each evaluation, velocities differ by dt times that in each
// iteration. Summed over all iterations in which every particle is compared, this is within the
// workload's tolerance, and so is the resulting difference of positions. In each iteration a
// density is rounded to 2^-14 kg/m^3, up or down: after m iterations the two densities differ by
// sqrt(m) roundings.
TEST_CASE("the tolerance of compensated sums is what follows from their bound", "[sph]") {
    Start start({{"dp", 0.08}});
    const int iterations = 50;
    const auto tolerance = workload().tolerance({ElementType::float32, iterations, false, true});
    State state = start.state;
    std::array<double, 3> bound{};
    for (int i = 0; i < iterations; ++i) {
        const double dt = state.field(step_field).cells<float>()[0];
        std::array<double, 3> largest{};
        for (const SumOfOne& one : sums_of(state, settings_of(start.problem.parameters)))
            for (int n = 0; n < 3; ++n)
                largest[n] =
                    std::max(largest[n], static_cast<double>(one.terms + 1) * unit * one.sizes[n]);
        for (int n = 0; n < 3; ++n) bound[n] += dt * largest[n];
        camber::advance(workload(), state, {.parameters = start.problem.parameters, .number = i},
                        1);
    }
    const State actual =
        start.computed(variant_named("sph/neighbour_list_kahan/float4/plain/b128"), iterations);
    const auto difference = [&](const char* name) {
        const auto wanted = state.field(name).cells<float>();
        const auto found = actual.field(name).cells<float>();
        double largest = 0;
        for (std::size_t i = 0; i < wanted.size(); ++i)
            largest = std::max(largest, std::abs(1.0 * wanted[i] - found[i]));
        return largest;
    };
    const double time = state.field(time_field).cells<double>()[0];
    for (int n = 0; n < 3; ++n) {
        CAPTURE(n, bound[n], difference(velocity_fields[n]), difference(position_fields[n]));
        CHECK(difference(velocity_fields[n]) > 0);
        CHECK(difference(velocity_fields[n]) < bound[n]);
        CHECK(bound[n] < tolerance.of(velocity_fields[n]).absolute);
        CHECK(difference(position_fields[n]) < time * bound[n]);
        CHECK(time * bound[n] < tolerance.of(position_fields[n]).absolute);
    }
    const double apart = std::sqrt(iterations) / 16384;
    CAPTURE(difference(density_field), apart);
    CHECK(difference(density_field) <= apart);
    CHECK(apart < tolerance.of(density_field).absolute);
}

// The reference in double starts from the same numbers. In water compressed by 40 %, the rounding
// error of its pressure is not much larger than that of the sums: the equation of state subtracts 1
// from (rho / rho_0)^7, which is 10.5 there. The errors of forces are 6.8 and 5.9 units of
// rounding.
TEST_CASE("compensated sums are nearer to the reference in double", "[sph]") {
    const Start start = block_of(1400);
    State exact = start.doubled();
    camber::advance(workload(), exact, {.parameters = start.problem.parameters}, 1);
    const double plain =
        difference(exact, start.computed(variant_named("sph/neighbour_list/float4/plain/b128"), 1));
    for (const char* name : {"sph/neighbour_list_kahan/float4/plain/b128",
                             "sph/neighbour_list_kahan/scalars/read_only/b128"}) {
        const double compensated = difference(exact, start.computed(variant_named(name), 1));
        CAPTURE(name, plain, compensated);
        CHECK(compensated > 0);
        CHECK(compensated < 0.9 * plain);
    }
}

// In water at rest, the equation of state loses a hundred times as much as the sums: its pressure
// is a small difference of large numbers, and forces have errors of a thousand units with either
// sum.
TEST_CASE("the pressure of water at rest hides what compensated sums gain", "[sph]") {
    const Start start = block_of(1002);
    State exact = start.doubled();
    camber::advance(workload(), exact, {.parameters = start.problem.parameters}, 1);
    const double plain =
        difference(exact, start.computed(variant_named("sph/neighbour_list/float4/plain/b128"), 1));
    const double compensated = difference(
        exact, start.computed(variant_named("sph/neighbour_list_kahan/float4/plain/b128"), 1));
    CAPTURE(plain, compensated);
    CHECK(plain > 100);
    CHECK(compensated == Approx(plain).epsilon(0.05));
}

}  // namespace camber::sph::compensated_test
