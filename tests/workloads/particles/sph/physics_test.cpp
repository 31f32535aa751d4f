// Formulas compared with numbers that were computed independently from the equations.
#include <cmath>

#include "tests/catch.hpp"
#include "workloads/particles/sph/parameters.hpp"
#include "workloads/particles/sph/physics.hpp"

namespace camber::sph::physics_test {

namespace {

constexpr double dp = 4e-3;

Approx near(double value) {
    return Approx(value).epsilon(5e-9);
}

Constants<double> weightless(double alpha, double nu) {
    Constants<double> k = constants_of<double>({.dp = dp, .alpha = alpha, .nu = nu});
    k.gravity = 0;
    return k;
}

Particle<double> fluid(double x, double vx, double density) {
    const Constants<double> k = constants_of<double>({.dp = dp});
    return {x, 0, 0, density, vx, 0, 0, pressure(k, density)};
}

Force<double> force_of(const Constants<double>& k, const Particle<double>& j,
                       const Particle<double>& i) {
    ForceSum<double> sum(k, j);
    sum.add(k, i.x, i.y, i.z, i.density, [&] {
        return Motion<double>{i.vx, i.vy, i.vz, i.pressure};
    });
    return sum.total(k);
}

// Force if the neighbor, one spacing away, approaches at 1 m/s.
Force<double> approached(double alpha, double nu) {
    return force_of(weightless(alpha, nu), fluid(0, 0, 1000), fluid(dp, -1, 1001));
}

}  // namespace

TEST_CASE("the kernel and its slope", "[sph]") {
    const Constants<double> k = constants_of<double>({.dp = dp});
    CHECK(k.h == near(5.2e-3));
    CHECK(k.mass == near(6.4e-5));
    const double golden[][3] = {
        {0, 2971251.46, -5.494178e11},     {0.25, 2612539.59, -3.68067003e11},
        {0.5, 1880245.07, -2.31785634e11}, {1 / 1.3, 1081674.36, -1.28039105e11},
        {1, 557109.649, -6.8677225e10},    {1.5, 46425.8041, -8.58465312e9},
        {1.9, 89.1375439, -68677225}};
    for (const auto& [q, w, f] : golden) {
        CAPTURE(q);
        CHECK(weight(k, q * k.h) == near(w));
        CHECK(slope(k, q * k.h) == near(f));
    }
    CHECK(weight(k, 2.0 * k.h) == 0);
    CHECK(slope(k, 2.1 * k.h) == 0);
}

TEST_CASE("a lattice has 80 neighbours, whose kernels add to one", "[sph]") {
    const Constants<double> k = constants_of<double>({.dp = dp});
    int neighbours = -1;
    double sum = 0;
    for (int x = -3; x <= 3; ++x)
        for (int y = -3; y <= 3; ++y)
            for (int z = -3; z <= 3; ++z) {
                const double r = dp * std::sqrt(1.0 * x * x + y * y + z * z);
                if (r * r < k.radius_2) ++neighbours;
                sum += k.mass / rest_density * weight(k, r);
            }
    CHECK(neighbours == 80);
    CHECK(sum == near(1.00950078));
}

TEST_CASE("pressure and the speed of sound by density", "[sph]") {
    const Constants<double> k = constants_of<double>({.dp = dp});
    CHECK(k.sound == near(34.31034829));
    CHECK(k.stiffness == near(168171.4286));
    CHECK(pressure(k, 990.0) == near(-11424.6675));
    CHECK(pressure(k, 1001.0) == near(1180.73749));
    CHECK(pressure(k, 1010.0) == near(12131.1052));
    CHECK(pressure(k, 1100.0) == near(159547.11));
    CHECK(sound_speed(k, 990.0) == near(33.2912966));
    CHECK(sound_speed(k, 1010.0) == near(35.3499862));
}

// Slope of the energy: P / rho^2, and 0 for water at rest.
TEST_CASE("the energy of compressed water", "[sph]") {
    const Constants<double> k = constants_of<double>({.dp = dp});
    CHECK(elastic_energy(k, 1000.0) == Approx(0).margin(1e-9));
    for (const double density : {950.0, 990.0, 1010.0, 1100.0}) {
        CAPTURE(density);
        CHECK(elastic_energy(k, density) > 0);
        const double slope =
            (elastic_energy(k, density + 0.01) - elastic_energy(k, density - 0.01)) / 0.02;
        CHECK(slope == Approx(pressure(k, density) / (density * density)).epsilon(1e-5));
    }
}

TEST_CASE("what a pair does to each other", "[sph]") {
    CHECK(approached(4, 0).rate == near(32745.2656038));
    CHECK(force_of(weightless(4, 0), fluid(dp, -1, 1001), fluid(0, 0, 1000)).rate ==
          near(32810.7888803));
    CHECK(approached(4, 0).x == near(-5795.28047514));
    CHECK(approached(4, 1e-6).x == near(-5795.29685596));
    CHECK(approached(0.3, 0).x == near(-470.409831208));
    CHECK(approached(0, 1e-6).x == near(-38.6799435994));
    for (const double alpha : {0.0, 0.3, 4.0}) {
        const Constants<double> k = weightless(alpha, 1e-6);
        const Force<double> other = force_of(k, fluid(dp, -1, 1001), fluid(0, 0, 1000));
        CHECK(other.x == -approached(alpha, 1e-6).x);  // bit-equal
    }
    // Receding particles have no artificial viscosity.
    const Force<double> receding =
        force_of(weightless(4, 0), fluid(0, 0, 1000), fluid(dp, 1, 1001));
    CHECK(receding.rate == near(-32745.2656038));
    CHECK(receding.x == near(-38.6635627803));
    CHECK(receding.y == 0);
}

TEST_CASE("walls repel within a spacing", "[sph]") {
    const Constants<double> k = weightless(0.3, 1e-6);
    const Particle<double> wall{};
    const auto push = [&](double r) { return force_of(k, fluid(r, 0, 1000), wall).x; };
    CHECK(push(0.9 * dp) == near(9041.712074));
    CHECK(push(0.75 * dp) == near(169717.1601));
    CHECK(push(dp) == Approx(0).margin(1e-6));
    CHECK(push(1.2 * dp) == 0);
    CHECK(force_of(k, fluid(0.9 * dp, 1, 1000), wall).rate == 0);
}

TEST_CASE("the step that forces allow", "[sph]") {
    const Constants<double> k = constants_of<double>({.dp = dp});
    const double limit = step_limit(k, 1000.0, Force<double>{1e4, 0, 0, 0});
    CHECK(limit == Approx(1.5156e-4).epsilon(1e-4));
    CHECK(step_of(k, limit) == Approx(4.5467e-5).epsilon(1e-4));
    CHECK(step_limit(k, 1000.0, Force<double>{1e6, 0, 0, 0}) == Approx(7.2111e-5).epsilon(1e-4));
    CHECK(k.viscous_step == Approx(27.04));
    CHECK(step_of(k, 1e9) == Approx(0.3 * 27.04));
    CHECK(step_of(constants_of<double>({.dp = dp, .nu = 0}), 1e9) == Approx(0.3e9));
}

TEST_CASE("a step of a particle alone", "[sph]") {
    const Constants<double> k = constants_of<double>({.dp = dp});
    const Force<double> weight = ForceSum<double>(k, fluid(0, 0, 1000)).total(k);
    CHECK(weight.x == 0);
    CHECK(weight.z == -9.81);
    CHECK(weight.rate == 0);
    const double dt = 0.25;
    const Particle<double> ahead = predicted(k, fluid(0, 0, 1000), weight, dt);
    CHECK(ahead.vz == -9.81 * dt);
    CHECK(ahead.z == -9.81 * dt * dt);
    const Particle<double> next = corrected(k, fluid(0, 0, 1000), weight, dt);
    CHECK(next.vz == -9.81 * dt);
    CHECK(next.z == -9.81 * dt * dt / 2);
    CHECK(next.density == 1000);
    const Particle<double> wall{1, 2, 3, 0, 0, 0, 0, 0};
    CHECK(predicted(k, wall, weight, dt).z == 3);
    CHECK(corrected(k, wall, weight, dt).z == 3);
}

TEST_CASE("a particle that is no water any more", "[sph]") {
    const Constants<double> k = constants_of<double>({.dp = dp});
    CHECK_FALSE(has_blown_up(k, fluid(0, 0, 1000), 1e-4));
    CHECK_FALSE(has_blown_up(k, Particle<double>{}, 1e-4));
    CHECK(has_blown_up(k, fluid(0, 0, 400), 1e-4));
    CHECK(has_blown_up(k, fluid(0, 0, 1600), 1e-4));
    CHECK(has_blown_up(k, fluid(0, 0, -3), 1e-4));
    CHECK(has_blown_up(k, fluid(0, 0, NAN), 1e-4));
    CHECK(has_blown_up(k, fluid(0, NAN, 1000), 1e-4));
    CHECK(has_blown_up(k, fluid(0, 2.1 * k.h / 1e-4, 1000), 1e-4));
}

}  // namespace camber::sph::physics_test
