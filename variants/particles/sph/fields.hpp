// Building blocks of particle layouts in kernel memory. A particle's index in these arrays is its
// slot.
#pragma once

#include <cstddef>
#include <cstdint>
#include <thread>
#include <type_traits>
#include <vector>

#include "harness/machine/kernel/vocabulary.hpp"
#include "workloads/core/parallel_rows.hpp"
#include "workloads/particles/sph/physics.hpp"

CAMBER_WORKLOAD_BEGIN(sph)

// Position of a particle.
template <class R>
struct Location {
    R x, y, z;
};
template <class R>
struct Place {
    R x, y, z, density;
};

// Calls f(i) for each i below `count`, by as many threads as there are cores.
template <class F>
void each_below(std::size_t count, const F& f) {
    parallel_each(worthwhile_threads(static_cast<std::int64_t>(count),
                                     static_cast<int>(std::thread::hardware_concurrency())),
                  count, f);
}

// A row of elements on a queue.
template <class T>
class Row {
  public:
    Row(Queue& queue, std::size_t count, const char* name)
        : memory_(queue, count * sizeof(T)), count_(count), name_(name) {}

    T* data() const { return static_cast<T*>(memory_.get()); }
    std::size_t count() const { return count_; }
    std::size_t bytes() const { return count_ * sizeof(T); }
    Layout layout() const {
        return Layout::make(static_cast<int>(count_), 1, 0, unaligned, sizeof(T));
    }
    Grid<T> grid() const { return {data(), layout(), name_}; }
    ByteArea area() const {
        return {.first = memory_.get(),
                .pitch = bytes(),
                .rows = 1,
                .width = bytes(),
                .element = poisoned_as<T>()};
    }

    void upload(Queue& queue, const std::vector<T>& values) const {
        queue.upload(data(), bytes(), values.data(), bytes(), {bytes(), 1});
    }
    std::vector<T> downloaded(Queue& queue) const {
        std::vector<T> values(count_);
        queue.download(values.data(), bytes(), data(), bytes(), {bytes(), 1});
        return values;
    }

  private:
    Memory memory_;
    std::size_t count_;
    const char* name_;
};

// How a kernel loads what no one writes while it runs.
enum class Read { plain, read_only, texture };

template <Read read, class T>
CAMBER_DEVICE T loaded(const Grid<T>& grid, int slot, Site site = Site::current()) {
    if constexpr (read == Read::read_only)
        return grid.read_only(0, slot, site);
    else
        return grid(0, slot, site);
}

// A particle's position, with its density where `Seen` is a Place: that is a load of its own where
// each number has an array.
template <class Seen, Read read, class Fields>
CAMBER_DEVICE Seen seen(const Fields& fields, int slot) {
    if constexpr (std::is_same_v<Seen, Location<typename Fields::Real>>)
        return fields.template point<read>(slot);
    else
        return fields.template place<read>(slot);
}

CAMBER_TARGET_END
