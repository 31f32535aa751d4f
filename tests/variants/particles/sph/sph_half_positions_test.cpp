// Positions in half precision: errors of forces, particle by particle within a bound; forces of
// pairs remain equal and opposite; and bytes that loads move.
#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "harness/measure/correctness/verification.hpp"
#include "harness/registry/registry.hpp"
#include "tests/catch.hpp"
#include "tests/variants/particles/sph/start.hpp"
#include "workloads/core/optional_interfaces.hpp"
#include "workloads/list/workloads.hpp"
#include "workloads/particles/sph/neighbors.hpp"
#include "workloads/particles/sph/physics.hpp"
#include "workloads/particles/sph/state.hpp"

namespace camber::sph::half_positions_test {

namespace {

const Workload& workload() {
    return *find_workload("sph");
}

struct Start : sph_test::Start {
    using sph_test::Start::Start;
    void stir(float way) {
        std::mt19937 random(2);
        std::uniform_real_distribution<float> jitter(-way, way);
        const auto kinds = state.field(kind_field).cells<std::uint8_t>();
        for (const char* axis : position_fields)
            for (std::size_t id = 0; id < kinds.size(); ++id)
                if (kinds[id] == 0) state.field(axis).cells<float>()[id] += jitter(random);
    }
};

const Variant& variant_named(const std::string& name) {
    const auto& all = registry().variants();
    return *std::ranges::find_if(all, [&](const Variant& variant) {
        return variant.info.workload == "sph" && variant.info.name() == name &&
               variant.info.cell == ElementType::float32;
    });
}
const Variant& half_positions() {
    return variant_named("sph/neighbour_list_half_positions/float4/plain/b128");
}

double largest_difference(const State& a, const State& b, const char* name) {
    const auto of_a = a.field(name).cells<float>();
    const auto of_b = b.field(name).cells<float>();
    double largest = 0;
    for (std::size_t i = 0; i < of_a.size(); ++i)
        largest = std::max(largest, std::abs(1.0 * of_a[i] - of_b[i]));
    return largest;
}

struct Bound {
    double acceleration = 0;  // m/s^2
    double rate = 0;          // of density, kg/(m^3 s)
};

// Bound of the change of forces if each coordinate of a difference of two positions changes by 2 *
// 2^-13 of a cell's side, so that the difference changes by e = sqrt(3) 2^-12 side. With F the
// slope, a term A x F of a pair changes by (|F| + r |F'|) |A| e + r |F| |dA|; 5 % are added for
// terms of higher order in e. Densities change by 2^-12 of their deviation, which is less.
std::vector<Bound> bounds_of(const State& state, const Settings& settings) {
    const Constants<double> k = constants_of<double>(settings);
    const double e = std::sqrt(3.0) * 0x1p-12 * std::sqrt(k.radius_2) * (1 + 1e-4);
    const auto at = [&](const char* name) { return state.field(name).cells<float>(); };
    const Positions<float> listed{at("listed_x"), at("listed_y"), at("listed_z"),
                                  state.field(kind_field).cells<std::uint8_t>()};
    const NeighbourList list = neighbours_of(listed, settings, list_capacity(settings), 1);
    std::vector<Bound> bounds(listed.count());
    for (std::size_t j = 0; j < listed.count(); ++j) {
        if (!listed.is_fluid(j)) continue;
        for (const std::int32_t i : list.of(j)) {
            const auto between = [&](const auto& names) {
                std::array<double, 3> d{};
                for (int n = 0; n < 3; ++n) d[n] = 1.0 * at(names[n])[j] - at(names[n])[i];
                return d;
            };
            const auto dot = [](const auto& a, const auto& b) {
                return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
            };
            const auto x = between(position_fields);
            const double r = std::sqrt(dot(x, x));
            if (!listed.is_fluid(i)) {
                if (r - e > settings.dp) continue;
                const double s = settings.dp / (r - e);
                const double s_6 = std::pow(s, 6);
                bounds[j].acceleration +=
                    k.wall_strength * (15 * s_6 * s_6 + 9 * s_6) / ((r - e) * (r - e)) * e;
                continue;
            }
            if (r - e > std::sqrt(k.radius_2)) continue;
            const auto v = between(velocity_fields);
            const double speed = std::sqrt(dot(v, v));
            const double t = std::max(0.0, 1 - (r - e) * k.inverse_radius);
            const double f = std::abs(k.slope_mass) * t * t * t;
            const double f_changes = std::abs(k.slope_mass) * 3 * t * t * k.inverse_radius;
            const double rho_j = at(density_field)[j], rho_i = at(density_field)[i];
            const double approach = std::abs(dot(x, v));
            const double softened = r * r + k.softening;
            const double viscosity =
                k.alpha_h * (sound_speed(k, rho_j) + sound_speed(k, rho_i)) / (rho_j + rho_i);
            const double a = std::abs(pressure(k, rho_j) + pressure(k, rho_i)) / (rho_j * rho_i) +
                             viscosity * approach / softened;
            const double a_changes =
                viscosity * (speed / softened + approach * 2 * r / (softened * softened));
            const double drag = k.nu * (rho_j + rho_i) / (rho_j * rho_i) * speed;
            bounds[j].acceleration +=
                1.05 * e * (a * (f + r * f_changes) + a_changes * r * f + drag * f_changes);
            bounds[j].rate += 1.05 * e * rho_j / rho_i * (speed * f + approach * f_changes);
        }
    }
    return bounds;
}

// Counts the bytes that loads from each array move.
struct LoadedBytes final : simt::Recorder {
    void record(const simt::Access& access) override {
        if (access.operation == simt::Operation::load) of[access.field->name] += access.size;
    }
    std::map<std::string, std::int64_t> of;
};

}  // namespace

TEST_CASE("forces of rounded positions are within their bound", "[sph]") {
    for (const double dp : {0.08, 0.06}) {
        Start start({{"dp", dp}});
        start.stir(static_cast<float>(dp) / 5);
        // Water that moves, in all directions.
        std::mt19937 random(4);
        std::uniform_real_distribution<float> speed(-0.5f, 0.5f);
        const auto kinds = start.state.field(kind_field).cells<std::uint8_t>();
        for (const char* axis : velocity_fields)
            for (std::size_t id = 0; id < kinds.size(); ++id)
                if (kinds[id] == 0) start.state.field(axis).cells<float>()[id] = speed(random);
        for (int n = 0; n < 3; ++n)
            std::ranges::copy(start.state.field(position_fields[n]).cells<float>(),
                              start.state.field(listed_fields[n]).cells<float>().begin());
        // A step so short that nothing moves between the two evaluations.
        const float dt = 1e-6f;
        start.state.field(step_field).cells<float>()[0] = dt;
        const State expected = start.expected(1);
        const State actual = start.computed(half_positions(), 1);
        const auto bounds = bounds_of(start.state, settings_of(start.problem.parameters));
        double closest = 0;
        for (std::size_t id = 0; id < kinds.size(); ++id) {
            if (kinds[id] != 0) continue;
            double difference_2 = 0;
            for (const char* axis : velocity_fields) {
                const double difference = (1.0 * expected.field(axis).cells<float>()[id] -
                                           actual.field(axis).cells<float>()[id]) /
                                          dt;
                difference_2 += difference * difference;
            }
            // Rounding error of a float of 0.5 m/s, divided by the step.
            const double rounding = 2 * 0x1p-24 / dt;
            const double difference = std::sqrt(difference_2);
            CAPTURE(dp, id, difference, bounds[id].acceleration);
            CHECK(difference <= bounds[id].acceleration + rounding);
            closest = std::max(closest, difference / bounds[id].acceleration);
            const double rates = std::abs(1.0 * expected.field(density_field).cells<float>()[id] -
                                          actual.field(density_field).cells<float>()[id]) /
                                 dt;
            CAPTURE(rates, bounds[id].rate);
            // Densities of 1000 kg/m^3 are multiples of 2^-14.
            CHECK(rates <= bounds[id].rate + 0x1p-13 / dt);
        }
        // The bound is not too loose: the largest error is at least a twentieth of it.
        CHECK(closest > 0.05);
    }
}

// Without walls and gravity: one particle of a pair gains what the other loses, as with floats.
TEST_CASE("rounded positions keep forces of pairs equal and opposite", "[sph]") {
    Start start({{"dp", 0.04}, {"scene", 4}});
    start.stir(0.01f);
    std::ranges::fill(start.state.field(density_field).cells<float>(), 1010.0f);
    start.state.field(step_field).cells<float>()[0] = 1e-6f;
    const State actual = start.computed(half_positions(), 1);
    for (const char* axis : {"vx", "vy"}) {
        double sum = 0, sizes = 0;
        for (const float v : actual.field(axis).cells<float>()) {
            sum += v;
            sizes += std::abs(v);
        }
        CAPTURE(axis, sum, sizes);
        CHECK(sizes > 1e-4);
        CHECK(std::abs(sum) < 1e-6 * sizes);
    }
}

TEST_CASE("particles with rounded positions stay within their tolerance", "[sph]") {
    for (const double dp : {0.08, 0.05}) {
        const Start start({{"dp", dp}});
        for (const int iterations : {1, 8, 50}) {
            const State expected = start.expected(iterations);
            const State actual = start.computed(half_positions(), iterations);
            const Tolerance tolerance =
                workload().tolerance({ElementType::float32, iterations, false, true, true});
            for (const std::string_view field : workload().facts().written_fields) {
                if (field == time_field) continue;
                const std::string name(field);
                CAPTURE(dp, iterations, name);
                CHECK(largest_difference(expected, actual, name.c_str()) <=
                      tolerance.of(field).absolute);
            }
        }
    }
    CHECK(workload().tolerance({ElementType::float32, 8, false, true, true}).of("vx").absolute >
          workload().tolerance({ElementType::float32, 8, false, true, false}).of("vx").absolute);
}

// The column has run through the box and returned.
TEST_CASE("a run with rounded positions comes to the reference's figures", "[sph]") {
    const Start start({{"dp", 0.08}});
    const int iterations = 1700;
    const State expected = start.expected(iterations);
    CHECK(expected.field(time_field).cells<double>()[0] > 1.4);
    State actual = start.computed(half_positions(), iterations);
    const auto limits = workload().capabilities().bulk_figures->figure_limits(
        {ElementType::float32, iterations, false, true, true});
    Verification found;
    found.status = Verification::Status::failed;
    judge_figures(workload(), expected, actual, limits, found);
    CAPTURE(found.exceeded);
    CHECK(found.passed());
    CHECK(largest_difference(expected, actual, "x") > 0);
}

// 24 bytes per neighbor instead of 32, in as many loads.
TEST_CASE("half positions take a quarter less of each neighbour", "[sph]") {
    const Start start({{"dp", 0.08}});
    LoadedBytes halves, floats;
    start.computed(half_positions(), 1, &halves);
    start.computed(variant_named("sph/neighbour_list/float4/plain/b128"), 1, &floats);
    const auto particles = static_cast<std::int64_t>(start.problem.size.cells());
    CHECK(halves.of["list"] == floats.of["list"]);
    CHECK(halves.of["motion"] - floats.of["motion"] == 0);
    const std::int64_t pairs = halves.of["list"] / 4;  // of two evaluations
    const std::int64_t fluid =
        std::ranges::count(start.state.field(kind_field).cells<std::uint8_t>(), std::uint8_t{0});
    CHECK(pairs > 50 * 2 * fluid);
    // Includes each particle's own.
    CHECK(halves.of["packed"] == 8 * (pairs + 2 * particles));
    // Packing loads the current and the previous place of each particle, twice, where forces loaded
    // one.
    CHECK(floats.of["place"] - halves.of["place"] == 16 * pairs - 16 * 2 * particles);
}

}  // namespace camber::sph::half_positions_test
