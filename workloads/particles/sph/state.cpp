#include "workloads/particles/sph/state.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "workloads/core/state_cells.hpp"
#include "workloads/particles/sph/neighbors.hpp"
#include "workloads/particles/sph/parameters.hpp"
#include "workloads/particles/sph/physics.hpp"

namespace camber::sph {

namespace {

// Density of water at rest under its own weight, with the surface at the scene's depth.
double density_at(const Settings& settings, double z) {
    if (settings.scene == Scene::falling_block) return rest_density;
    const double stiffness = constants_of<double>(settings).stiffness;
    const double above = std::max(0.0, depth - z);
    return rest_density * std::pow(1 + rest_density * gravity * above / stiffness, 1.0 / 7);
}

void fill(State& state, const Settings& settings) {
    const auto kinds = state.field(kind_field).cells<std::uint8_t>();
    with_real_cells(state.field(density_field), [&](auto density) {
        using R = typename decltype(density)::value_type;
        std::array<std::span<R>, 3> at;
        std::array<std::span<R>, 3> listed;
        for (int axis = 0; axis < 3; ++axis) {
            at[axis] = state.field(position_fields[axis]).cells<R>();
            listed[axis] = state.field(listed_fields[axis]).cells<R>();
        }
        std::size_t id = 0;
        for (const Lattice& lattice : scene_of(settings))
            for (std::int64_t k = 0; k < lattice.nz; ++k)
                for (std::int64_t j = 0; j < lattice.ny; ++j)
                    for (std::int64_t i = 0; i < lattice.nx; ++i, ++id) {
                        const Point& corner = lattice.corner;
                        const double point[] = {corner.x + 1.0 * i * settings.dp,
                                                corner.y + 1.0 * j * settings.dp,
                                                corner.z + 1.0 * k * settings.dp};
                        for (int axis = 0; axis < 3; ++axis)
                            listed[axis][id] = at[axis][id] = static_cast<R>(point[axis]);
                        kinds[id] = static_cast<std::uint8_t>(lattice.kind);
                        if (lattice.kind == Kind::fluid)
                            density[id] = static_cast<R>(density_at(settings, point[2]));
                    }
        state.field(step_field).cells<R>()[0] = static_cast<R>(first_step);
    });
}

}  // namespace

int iterations_of(const State& state) {
    return static_cast<int>(state.account.at(iterations_account));
}

Size board_of(std::int64_t particles) {
    return {static_cast<int>(particles), 1};
}

State initial_state(const Settings& settings, ElementType real) {
    const Size size = board_of(particle_count(settings));
    State state;
    for (const auto& names : {position_fields, velocity_fields, listed_fields})
        for (const char* name : names) state.fields.emplace_back(name, real, size);
    state.fields.emplace_back(density_field, real, size);
    state.fields.emplace_back(kind_field, ElementType::uint8, size);
    state.fields.emplace_back(step_field, real, Size{1, 1});
    state.fields.emplace_back(time_field, ElementType::float64, Size{1, 1});
    state.account = {{spacing_account, settings.dp},
                     {list_radius_account, list_radius(settings)},
                     {iterations_account, 0}};
    fill(state, settings);
    return state;
}

Figures figures_of(const State& state) {
    const double dp = state.account.at(spacing_account);
    Figures figures;
    figures.time_s = state.field(time_field).cells<double>()[0];
    figures.iterations = iterations_of(state);
    figures.particles = state.field(kind_field).size().cells();
    figures.density_min = std::numeric_limits<double>::max();
    std::int64_t fluid = 0;
    double heights = 0;
    const Constants<double> k = constants_of<double>({.dp = dp});
    with_real_cells(state.field(density_field), [&](auto density) {
        using R = typename decltype(density)::value_type;
        const auto x = state.field(position_fields[0]).cells<R>();
        const auto z = state.field(position_fields[2]).cells<R>();
        const auto vx = state.field(velocity_fields[0]).cells<R>();
        const auto vy = state.field(velocity_fields[1]).cells<R>();
        const auto vz = state.field(velocity_fields[2]).cells<R>();
        const auto kinds = state.field(kind_field).cells<std::uint8_t>();
        for (std::size_t id = 0; id < kinds.size(); ++id) {
            if (kinds[id] != static_cast<std::uint8_t>(Kind::fluid)) continue;
            ++fluid;
            heights += z[id];
            if (z[id] < 2 * dp) figures.front_m = std::max(figures.front_m, 1.0 * x[id]);
            figures.density_min = std::min(figures.density_min, 1.0 * density[id]);
            figures.density_max = std::max(figures.density_max, 1.0 * density[id]);
            const double v[] = {vx[id], vy[id], vz[id]};
            figures.kinetic_j += k.mass / 2 * (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
            figures.elastic_j += k.mass * elastic_energy(k, 1.0 * density[id]);
        }
    });
    figures.mean_height_m = heights / static_cast<double>(fluid);
    figures.potential_j = k.mass * gravity * heights;
    figures.missed_pairs = missed_pairs(state, dp, state.account.at(list_radius_account));
    return figures;
}

FinalState final_of(const State& state) {
    const double dp = state.account.at(spacing_account);
    const auto kinds = state.field(kind_field).cells<std::uint8_t>();
    const auto fluid = std::ranges::count(kinds, static_cast<std::uint8_t>(Kind::fluid));
    Checksum checksum;
    for (const auto& names : {position_fields, velocity_fields})
        for (const char* name : names) checksum.add(state.field(name).bytes());
    checksum.add(state.field(density_field).bytes());
    const Figures figures = figures_of(state);
    return {"mass",
            static_cast<double>(fluid) * rest_density * dp * dp * dp,
            checksum.value(),
            {{"time_s", figures.time_s},
             {"iterations", static_cast<double>(figures.iterations)},
             {"particles", static_cast<double>(figures.particles)},
             {"front_m", figures.front_m},
             {"mean_height_m", figures.mean_height_m},
             {"density_min", figures.density_min},
             {"density_max", figures.density_max},
             {"kinetic_j", figures.kinetic_j},
             {"potential_j", figures.potential_j},
             {"elastic_j", figures.elastic_j},
             {"missed_pairs", static_cast<double>(figures.missed_pairs)}}};
}

}  // namespace camber::sph
