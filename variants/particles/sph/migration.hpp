// Moves particles between devices before a new neighbor list: which device claims them, how slices
// travel, and detection of particles that are lost on the way.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "harness/base/error.hpp"
#include "variants/particles/sph/rank_messages.hpp"

CAMBER_WORKLOAD_BEGIN(sph)

template <class Form>
using Places = std::vector<std::unique_ptr<ParticlePlace<Form>>>;

// Slices that a device claims among the particles that it holds, from `claimed` on. `slices`:
// slices of all devices.
template <class Form>
SliceClaim claim_of(const ParticlePlace<Form>& place, const std::vector<Rows>& slices,
                    Principal axis, Rows claimed) {
    const SliceLayout& layout = place.layout;
    const auto slices_at = [&](int neighbour) {
        return slices[static_cast<std::size_t>(neighbour)];
    };
    SliceClaim claim{axis, claimed, layout.own(), place.own_slots(), 0, 0};
    claim.lower_end = claim.own_slots.first;
    claim.upper_first = claim.own_slots.end;
    if (const int below = place.base.neighbours[0]; below >= 0) {
        claim.reach.first = slices_at(below).first;
        claim.lower_end = layout.elements_of(place.shared(Side::above)).end;
    }
    if (const int above = place.base.neighbours[1]; above >= 0) {
        claim.reach.end = slices_at(above).end;
        claim.upper_first = layout.elements_of(place.shared(Side::below)).first;
    }
    return claim;
}

// Every device sorts the particles that it claims. Returns the number of particles per slice over
// all devices, including those of other ranks. `slices`: of all devices. `claimed`: slices from
// which a device with these own slices claims particles.
template <class Form>
std::vector<std::int64_t> sort_by_slices(const Places<Form>& places, Communicator* ranks,
                                         const std::vector<Rows>& slices, unsigned block,
                                         Principal axis,
                                         const std::function<Rows(Rows own)>& claimed,
                                         int iteration) {
    for (const auto& place : places)
        place->order.sort(place->middle(), block, place->state.fields(), place->held_slots(),
                          place->ids, claim_of(*place, slices, axis, claimed(place->layout.own())),
                          place->faults.grid(), iteration);
    const CellGrid<typename Form::Fields::Real>& grid = places.front()->order.grid();
    std::vector<std::int64_t> counts(static_cast<std::size_t>(along(axis, grid.size)), 0);
    for (const auto& place : places) {
        const auto own = place->order.counts(place->middle());
        std::ranges::transform(counts, own, counts.begin(), std::plus());
    }
    return ranks ? over_ranks(*ranks, counts, std::plus()) : counts;
}

// Fetches a device's slices from another device, to their slots for the next iteration.
template <class Form>
void fetch(const ParticlePlace<Form>& from, const ParticlePlace<Form>& to, Rows slices) {
    const auto source = slice_areas(from, slices);
    const auto target = slice_areas(to, slices);
    for (std::size_t i = 0; i < source.size(); ++i)
        to.middle().copy({target[i].first,
                          target[i].pitch,
                          source[i].first,
                          source[i].pitch,
                          {source[i].width, source[i].rows}});
}

// Throws Error(usage) for the first fault on any device, at all ranks. `capacity`: of a list.
template <class Form>
void report_first_fault(const Places<Form>& places, Communicator* ranks, double time,
                        int capacity) {
    const auto least = [](Fault a, Fault b) { return std::min(a, b); };
    std::vector<Fault> first(fault_kinds, no_fault);
    for (const auto& place : places) {
        const std::vector<Fault> faults = place->faults.downloaded(place->middle());
        std::ranges::transform(first, faults, first.begin(), least);
    }
    if (ranks) first = over_ranks(*ranks, first, least);
    if (first[strayed] != no_fault && first[strayed] == std::ranges::min(first))
        throw Error(ExitCode::usage,
                    "particle " + std::to_string(first[strayed] & 0xffffffffu) +
                        " went farther than a slice of cells before iteration " +
                        std::to_string(first[strayed] >> 32) +
                        ", where no other place looks for it: give a smaller rebuild");
    report_first_of(first, time, capacity);
}

// Throws for the fault by which devices lost particles, or counted some twice.
template <class Form>
[[noreturn]] void report_lost(const Places<Form>& places, Communicator* ranks, std::int64_t found,
                              std::int64_t all, int iteration, int capacity) {
    auto& first = *places.front();
    report_first_fault(places, ranks, first.time.downloaded(first.middle())[0], capacity);
    const auto count = ranks ? static_cast<std::size_t>(ranks->size()) : places.size();
    throw std::logic_error(std::to_string(count) + " places have " + std::to_string(found) +
                           " of " + std::to_string(all) + " particles in iteration " +
                           std::to_string(iteration));
}

CAMBER_TARGET_END
