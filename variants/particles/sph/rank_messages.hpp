// Messages about particles between devices in different processes: particles per slice, errors,
// slices that move, and finally the locations of all particles.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "harness/groups/communicator.hpp"
#include "variants/particles/sph/particle_place.hpp"

CAMBER_WORKLOAD_BEGIN(sph)

// Serializes values as the text of a message, and back.
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

// Each of the numbers that all ranks have, put together with those of the others; all have as many.
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
    // Between the device and the rank that has the slices now, or will have them.
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
    static constexpr int tag = 2;  // beside those of the edges' forces

    std::vector<ByteArea> areas_;
    Queue& queue_;
    int other_;
    std::vector<std::byte> buffer_;
    Communicator::Message message_;
};

// Moves that begin or end at this rank's device, after its queues have finished the slices.
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
