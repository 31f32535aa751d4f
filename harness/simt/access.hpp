// What the host versions of Grid and Tile do on each access: check, and offer it to the recorder.
#pragma once

#include <cstddef>
#include <cstdint>
#include <source_location>
#include <string>
#include <type_traits>

#include "analysis/memory/request.hpp"
#include "harness/kernel/layout.hpp"
#include "harness/simt/thread.hpp"

namespace camber::simt {

using camber::Operation;
using camber::Space;

// One access of one CUDA thread. Lanes of a warp whose accesses agree in (site, occurrence) form
// one warp request.
struct Access {
    std::source_location site;
    std::uint32_t occurrence;  // how often this thread was at this site before, in this launch
    const void* address;  // shared memory: an offset from the start of the block's shared memory
    std::uint32_t size;   // bytes
    Operation operation;
    Space space;
    Index3 block;
    std::uint32_t thread;   // linear index in the block; warp = thread / 32, lane = thread % 32
    std::uint32_t barrier;  // block barriers this thread has passed
};

// Receives every access of a launch, block after block; within a block in the order in which the
// executor runs the threads.
class Recorder {
  public:
    virtual ~Recorder() = default;
    virtual void record(const Access& access) = 0;
};

void record(const void* address, std::size_t size, Operation operation, Space space,
            const std::source_location& site);

template <class T>
inline void offer(const T& cell, Operation operation, Space space,
                  const std::source_location& site) {
    if (current->recording) [[unlikely]]
        record(&cell, sizeof(T), operation, space, site);
}

// An assignable cell: reading it is a load, assigning to it a store. It stands in for `T&` on the
// host, so write `const T value = grid(row, column);`, not `auto`.
template <class T>
class Ref {
  public:
    Ref(T& cell, Space space, const std::source_location& site)
        : cell_(cell), space_(space), site_(site) {}
    Ref(const Ref&) = default;

    operator T() const {
        offer(cell_, Operation::load, space_, site_);
        return cell_;
    }
    const Ref& operator=(const T& value) const {
        offer(cell_, Operation::store, space_, site_);
        cell_ = value;
        return *this;
    }
    const Ref& operator=(const Ref& other) const { return *this = static_cast<T>(other); }
    const Ref& operator+=(const T& value) const { return *this = static_cast<T>(*this) + value; }

  private:
    T& cell_;
    Space space_;
    std::source_location site_;
};

template <class T>
inline auto access(T& cell, Space space, const std::source_location& site) {
    if constexpr (std::is_const_v<T>) {
        offer(cell, Operation::load, space, site);
        return std::remove_const_t<T>(cell);
    } else {
        return Ref<T>(cell, space, site);
    }
}

// A `__shared__` variable's memory: `bytes` of the running block's shared memory, taken at its
// first touch and kept until the block ends.
class SharedStorage {
  public:
    void* bytes(std::size_t size, const std::source_location& site) {
        if (epoch_ != current->block_epoch) [[unlikely]] {
            base_ = allocate(size, site);
            epoch_ = current->block_epoch;
        }
        return base_;
    }

  private:
    static void* allocate(std::size_t size, const std::source_location& site);

    void* base_ = nullptr;
    std::uint64_t epoch_ = 0;
};

// The launch's dynamic shared memory from byte `offset` on; throws when `offset + size` exceeds it.
void* dynamic_shared(std::size_t offset, std::size_t size, const std::source_location& site);

[[noreturn]] void report_outside_grid(const char* field, int row, int column, const Layout& layout,
                                      const std::source_location& site);
[[noreturn]] void report_outside_tile(int row, int column, int height, int width,
                                      const std::source_location& site);

}  // namespace camber::simt
