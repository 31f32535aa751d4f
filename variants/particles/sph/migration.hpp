// Migration of particles between devices before a new neighbor list, and messages about particles
// between devices of different processes.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

#include "harness/base/error.hpp"
#include "harness/groups/communicator.hpp"
#include "variants/particles/sph/particle_device.hpp"

// Messages between ranks: particles per slice, errors, moved slices, and finally the locations of
// all particles.
CAMBER_WORKLOAD_BEGIN(sph)

// Serializes values as message text, and back.
template <class T>
std::string packed(const std::vector<T>& values) {
    static_assert(std::is_trivially_copyable_v<T>);
    return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T)};
}
template <class T>
std::vector<T> unpacked(const std::string& text) {
    std::vector<T> values(text.size() / sizeof(T));
    std::memcpy(values.data(), text.data(), values.size() * sizeof(T));
    return values;
}

// Combines each number with the corresponding numbers of all ranks, which must have equally many.
template <class T, class Together>
std::vector<T> over_ranks(Communicator& ranks, const std::vector<T>& own,
                          const Together& together) {
    std::vector<T> result;
    for (const std::string& text : ranks.all_of(packed(own))) {
        const std::vector<T> theirs = unpacked<T>(text);
        if (result.empty())
            result = theirs;
        else
            std::ranges::transform(result, theirs, result.begin(), together);
    }
    return result;
}

// Bytes of a device's slices in transit between two ranks.
template <class Form>
class SliceMessage {
  public:
    // `other` is the rank that has the slices now, or will have them.
    SliceMessage(const ParticlePlace<Form>& place, Rows slices, int other)
        : areas_(slice_areas(place, slices)), queue_(place.middle()), other_(other) {
        std::size_t bytes = 0;
        for (const ByteArea& area : areas_) bytes += area.width;
        buffer_.resize(bytes);
    }

    void send(Communicator& ranks) {
        std::byte* to = buffer_.data();
        for (const ByteArea& area : areas_) {
            queue_.download(to, area.width, area.first, area.pitch, {area.width, area.rows});
            to += area.width;
        }
        message_ = ranks.send(other_, tag, buffer_);
    }
    void receive(Communicator& ranks) { message_ = ranks.receive(other_, tag, buffer_); }
    void wait(Communicator& ranks) { ranks.wait(message_); }
    // Copies received data to the device's slices.
    void bring() {
        const std::byte* from = buffer_.data();
        for (const ByteArea& area : areas_) {
            queue_.upload(area.first, area.pitch, from, area.width, {area.width, area.rows});
            from += area.width;
        }
    }

  private:
    static constexpr int tag = 2;  // differs from the tags of edge forces

    std::vector<ByteArea> areas_;
    Queue& queue_;
    int other_;
    std::vector<std::byte> buffer_;
    Communicator::Message message_;
};

// Performs the moves that begin or end at this rank's device, after its queues have finished the
// slices.
template <class Form>
void move_between(Communicator& ranks, const ParticlePlace<Form>& place,
                  const std::vector<SliceMove>& moves) {
    std::vector<SliceMessage<Form>> coming;
    std::vector<SliceMessage<Form>> leaving;
    for (const SliceMove& move : moves) {
        if (move.to == ranks.rank()) coming.emplace_back(place, move.slices, move.from);
        if (move.from == ranks.rank()) leaving.emplace_back(place, move.slices, move.to);
    }
    for (auto& message : coming) message.receive(ranks);
    for (auto& message : leaving) message.send(ranks);
    for (auto& message : coming) {
        message.wait(ranks);
        message.bring();
    }
    for (auto& message : leaving) message.wait(ranks);
}

// Collects the own particles of all ranks in the state of each rank; returns their number.
template <class Form>
std::size_t gather_particles(Communicator& ranks, const ParticlePlace<Form>& own, State& result) {
    using Particles = std::vector<Particle<typename Form::Fields::Real>>;
    const auto [ids, now, listed] = own.own_particles();
    std::size_t found = 0;
    for (int rank = 0; rank < ranks.size(); ++rank) {
        const bool is_own = rank == ranks.rank();
        const auto of_rank = [&](const auto& values) {
            using Value = typename std::decay_t<decltype(values)>::value_type;
            return unpacked<Value>(ranks.broadcast(rank, is_own ? packed(values) : ""));
        };
        const std::vector<int> their_ids = of_rank(ids);
        const Particles their_now = of_rank(now);
        put_particles(result, their_ids, their_now, of_rank(listed));
        found += their_ids.size();
    }
    return found;
}

CAMBER_TARGET_END

// Moves particles between devices before a new neighbor list: which device claims them, how slices
// travel, and detection of particles that are lost on the way.
CAMBER_WORKLOAD_BEGIN(sph)

template <class Form>
using Places = std::vector<std::unique_ptr<ParticlePlace<Form>>>;

// Slices that a device claims among the particles that it stores, from `claimed` on. `slices`
// contains the slices of all devices.
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

// Makes every device sort the particles that it claims. Returns the number of particles per slice
// over all devices, including other ranks. `slices` contains the slices of all devices;
// claimed(own) returns the slices from which a device with these slices claims particles.
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

// Throws Error(usage) on all ranks for the first fault on any device. `capacity` is that of a list.
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

// Throws for faults by which devices lost particles or counted some twice.
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
