// Transfers particles between a state, ordered by number, and slots.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "harness/base/error.hpp"
#include "variants/particles/sph/search.hpp"
#include "workloads/particles/sph/neighbours.hpp"
#include "workloads/particles/sph/reference.hpp"
#include "workloads/particles/sph/state.hpp"

CAMBER_WORKLOAD_BEGIN(sph)

// Particles of the slots with these ids, below 0 if a slot is empty, at the positions in `at`.
template <class R>
std::vector<Particle<R>> particles_of(const State& state, const PositionFields& at,
                                      const std::vector<int>& ids) {
    const Constants<R> k = constants_of<R>({});
    const auto cells = [&](const char* name) { return state.field(name).template cells<R>(); };
    const auto x = cells(at[0]), y = cells(at[1]), z = cells(at[2]);
    const auto vx = cells("vx"), vy = cells("vy"), vz = cells("vz");
    const auto density = cells(density_field);
    std::vector<Particle<R>> particles(ids.size());
    each_below(ids.size(), [&](std::size_t s) {
        const int i = ids[s];
        if (i < 0) return;
        particles[s] = {x[i],  y[i],  z[i],  density[i],
                        vx[i], vy[i], vz[i], density[i] > 0 ? pressure(k, density[i]) : R(0)};
    });
    return particles;
}

template <class R>
void put_particles(State& state, const std::vector<int>& ids, const std::vector<Particle<R>>& now,
                   const std::vector<Particle<R>>& listed) {
    const auto cells = [&](const char* name) { return state.field(name).template cells<R>(); };
    const auto x = cells(position_fields[0]), y = cells(position_fields[1]),
               z = cells(position_fields[2]);
    const auto vx = cells(velocity_fields[0]), vy = cells(velocity_fields[1]),
               vz = cells(velocity_fields[2]);
    const auto listed_x = cells(listed_fields[0]), listed_y = cells(listed_fields[1]),
               listed_z = cells(listed_fields[2]);
    const auto density = cells(density_field);
    each_below(ids.size(), [&](std::size_t s) {
        const int i = ids[s];
        if (i < 0) return;
        x[i] = now[s].x;
        y[i] = now[s].y;
        z[i] = now[s].z;
        vx[i] = now[s].vx;
        vy[i] = now[s].vy;
        vz[i] = now[s].vz;
        density[i] = now[s].density;
        listed_x[i] = listed[s].x;
        listed_y[i] = listed[s].y;
        listed_z[i] = listed[s].z;
    });
}

[[noreturn]] inline void report_crowded(std::int64_t particle, std::int64_t iteration) {
    throw Error(ExitCode::usage,
                "the cell of particle " + std::to_string(particle) + " has more than " +
                    std::to_string(slots_per_cell) + " particles in iteration " +
                    std::to_string(iteration) +
                    ", which is all that cell_slots holds: choose another variant");
}
[[noreturn]] inline void report_strayed(std::int64_t particle, std::int64_t iteration) {
    throw Error(ExitCode::usage,
                "particle " + std::to_string(particle) +
                    " went farther than a cell before iteration " + std::to_string(iteration) +
                    ", and cell_slots looks for it no farther: give a smaller rebuild");
}

// Throws where a run went wrong, for what happened first. `most`: neighbors that a list holds.
inline void report_first_of(const std::vector<Fault>& faults, double time, int most) {
    FaultKind first = blow_up;
    for (const FaultKind kind : {overflow, crowded, strayed})
        if (faults[kind] < faults[first]) first = kind;
    if (faults[first] == no_fault) return;
    const auto particle = static_cast<std::int64_t>(faults[first] & 0xffffffffu);
    const auto iteration = static_cast<std::int64_t>(faults[first] >> 32);
    switch (first) {
        case overflow:
            report_overflow(particle, iteration, most);
        case crowded:
            report_crowded(particle, iteration);
        case strayed:
            report_strayed(particle, iteration);
        default:
            report_blow_up(particle, iteration, time);
    }
}

CAMBER_TARGET_END
