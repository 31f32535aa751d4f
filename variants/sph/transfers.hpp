// Particles between a state, which has them by number, and slots.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "harness/base/error.hpp"
#include "variants/sph/search.hpp"
#include "workloads/sph/neighbours.hpp"
#include "workloads/sph/reference.hpp"
#include "workloads/sph/state.hpp"

CAMBER_WORKLOAD_BEGIN(sph)

// Of the slots with these particles, below 0 where there is none, at the positions in these fields.
template <class R>
std::vector<Particle<R>> particles_of(const State& state, const std::array<const char*, 3>& at,
                                      const std::vector<int>& ids) {
    const Constants<R> k = constants_of<R>({});
    const auto cells = [&](const char* name) { return state.field(name).template cells<R>(); };
    const auto x = cells(at[0]), y = cells(at[1]), z = cells(at[2]);
    const auto vx = cells("vx"), vy = cells("vy"), vz = cells("vz");
    const auto density = cells(density_field);
    std::vector<Particle<R>> particles;
    for (const int i : ids) {
        if (i < 0) {
            particles.push_back({});
            continue;
        }
        particles.push_back({x[i], y[i], z[i], density[i], vx[i], vy[i], vz[i],
                             density[i] > 0 ? pressure(k, density[i]) : R(0)});
    }
    return particles;
}

template <class R>
void put_particles(State& state, const std::vector<int>& ids, const std::vector<Particle<R>>& now,
                   const std::vector<Particle<R>>& listed) {
    using P = Particle<R>;
    using Member = R P::*;
    const auto put = [&](const char* name, const std::vector<P>& particles, Member member) {
        const auto cells = state.field(name).template cells<R>();
        for (std::size_t s = 0; s < ids.size(); ++s)
            if (ids[s] >= 0) cells[ids[s]] = particles[s].*member;
    };
    constexpr Member place[] = {&P::x, &P::y, &P::z};
    constexpr Member velocity[] = {&P::vx, &P::vy, &P::vz};
    for (int axis = 0; axis < 3; ++axis) {
        put(position_fields[axis], now, place[axis]);
        put(velocity_fields[axis], now, velocity[axis]);
        put(listed_fields[axis], listed, place[axis]);
    }
    put(density_field, now, &P::density);
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

// Throws where a run went wrong, for what happened first. `most`: neighbours that a list holds.
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
