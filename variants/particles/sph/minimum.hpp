// Finds the longest step that all particles allow, and advances the clock by it.
#pragma once

#include <limits>
#include <vector>

#include "variants/particles/sph/fields.hpp"

CAMBER_WORKLOAD_BEGIN(sph)

template <class R>
inline constexpr R longest_step = std::numeric_limits<R>::max();  // of a particle that allows any

// The length of the next step, and the time so far.
template <class R>
CAMBER_DEVICE void advance_clock(const Grid<R>& step, const Grid<double>& time,
                                 const Constants<R>& k, R limit) {
    const double so_far = time(0, 0);
    const R dt = step(0, 0);
    time(0, 0) = so_far + static_cast<double>(dt);
    step(0, 0) = step_of(k, limit);
}

// Limits as they are poisoned: as bytes, which are a negative number. A minimum would find that,
// and might ignore a NaN.
template <class R>
ByteArea poisoned_limits(const Row<R>& limits) {
    ByteArea area = limits.area();
    area.element = ElementType::uint8;
    return area;
}

// A thread.
template <class R>
__global__ void clock_kernel(const Grid<R> least, const Grid<R> step, const Grid<double> time,
                             const Constants<R> k) {
    const R limit = least(0, 0);
    advance_clock(step, time, k, limit);
}

// Each particle's limit goes to memory, and a library finds the least (Rustico 2012,
// section 7.3.1).
template <class R>
class LibraryMinimum {
  public:
    struct Limits {
        Grid<R> all;
        bool second;  // of an iteration's two evaluations: the shorter step of both

        // Called for every slot by all threads; `exists`: the slot has a particle.
        CAMBER_DEVICE void take(int slot, bool exists, bool is_fluid, R limit) const {
            if (!exists || (second && !is_fluid)) return;
            if (second) {
                const R earlier = all(0, slot);
                limit = limit < earlier ? limit : earlier;
            }
            all(0, slot) = limit;
        }
    };

    LibraryMinimum(Queue& queue, std::size_t count)
        : limits_(queue, count, "limit"), least_(queue, 1, "least") {}

    void upload(Queue&) {}
    std::vector<ByteArea> areas() const { return {poisoned_limits(limits_), least_.area()}; }
    Limits limits(bool second) const { return {limits_.grid(), second}; }
    void advance(Queue& queue, const Grid<R>& step, const Grid<double>& time,
                 const Constants<R>& k) const {
        queue.minimum(limits_.data(), limits_.count(), least_.data());
        launch(queue, "clock", {{1}, {1}}, clock_kernel<R>, least_.grid(), step, time, k);
    }

  private:
    Row<R> limits_;
    Row<R> least_;
};

CAMBER_TARGET_END
