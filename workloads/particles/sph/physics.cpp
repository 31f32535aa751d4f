#include "workloads/particles/sph/physics.hpp"

#include <cmath>
#include <cstdint>
#include <limits>
#include <numbers>

#include "workloads/particles/sph/parameters.hpp"

namespace camber::sph {

double list_radius(const Settings& settings) {
    // The skin is in units of the distance that two particles can approach in the k iterations that
    // share a list. Each moves at up to a tenth of the speed of sound (Rustico 2012, section 7.1.3)
    // in steps of at most cfl h / c: 2 v k dt = 0.2 k cfl h.
    const double h = smoothing_factor * settings.dp;
    return 2 * h + settings.skin * 0.2 * settings.rebuild * settings.cfl * h;
}

int list_capacity(const Settings& settings) {
    if (settings.skin == 0) return most_neighbours;
    constexpr int line = 128 / sizeof(std::int32_t);
    const double wider = list_radius(settings) / (2 * smoothing_factor * settings.dp);
    return line * static_cast<int>(std::ceil(most_neighbours * wider * wider * wider / line));
}

template <class R>
Constants<R> constants_of(const Settings& settings) {
    const double h = smoothing_factor * settings.dp;
    const double h_3 = h * h * h;
    const double shape = 21 / (16 * std::numbers::pi);
    const double mass = rest_density * settings.dp * settings.dp * settings.dp;
    // Speed of sound: ten times the speed of water after a fall through the depth (Rustico 2012,
    // section 4.8.2).
    const double sound = std::sqrt(300 * depth * gravity);
    const double slope_factor = -5 * shape / (h_3 * h * h);
    const auto r = [](double value) { return static_cast<R>(value); };
    Constants<R> k;
    k.h = r(h);
    k.inverse_radius = r(1 / (2 * h));
    k.radius_2 = r(4 * h * h);
    k.list_radius_2 = r(list_radius(settings) * list_radius(settings));
    k.density_factor = r(shape / h_3);
    k.slope_factor = r(slope_factor);
    k.mass = r(mass);
    k.slope_mass = r(slope_factor * mass);
    k.inverse_density = r(1 / rest_density);
    k.stiffness = r(rest_density * sound * sound / 7);
    k.sound = r(sound);
    k.alpha_h = r(settings.alpha * h);
    k.softening = r(0.01 * h * h);
    k.nu = r(settings.nu);
    k.gravity = r(gravity);
    k.wall_distance_2 = r(settings.dp * settings.dp);
    k.wall_strength = r(5 * gravity * depth);
    k.cfl = r(settings.cfl);
    k.viscous_step = settings.nu > 0 ? r(h * h / settings.nu) : std::numeric_limits<R>::max();
    return k;
}

template Constants<float> constants_of(const Settings& settings);
template Constants<double> constants_of(const Settings& settings);

}  // namespace camber::sph
