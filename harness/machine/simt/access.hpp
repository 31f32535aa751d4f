// What the host versions of Grid, Tile and Texture do on each access: check, and offer it to the
// recorder.
#pragma once

#include <cstddef>
#include <cstdint>
#include <source_location>
#include <type_traits>

#include "harness/base/layout.hpp"
#include "harness/base/warp_request.hpp"
#include "harness/machine/simt/fault.hpp"
#include "harness/machine/simt/recorder.hpp"
#include "harness/machine/simt/thread.hpp"

namespace camber::simt {

void record(const void* address, std::size_t size, Operation operation, Space space,
            const std::source_location& site, const Field* field);

// `field`: what the cell belongs to; nullptr in shared memory.
template <class T>
inline void offer(const T& cell, Operation operation, Space space, const std::source_location& site,
                  const Field* field) {
    if (current->recording) [[unlikely]]
        record(&cell, sizeof(T), operation, space, site, field);
}

// What `&ref` yields: the argument of an atomic operation.
template <class T>
struct CellAddress {
    T& cell;
    Space space;
    std::source_location site;
    const Field* field;
};

// An assignable cell: reading it is a load, assigning to it a store. It stands in for `T&` on the
// host, so write `const T value = grid(row, column);`, not `auto`.
template <class T>
class Ref {
  public:
    Ref(T& cell, Space space, const std::source_location& site, const Field* field = nullptr)
        : cell_(cell), space_(space), site_(site), field_(field) {}
    Ref(const Ref&) = default;

    operator T() const {
        offer(cell_, Operation::load, space_, site_, field_);
        return cell_;
    }
    const Ref& operator=(const T& value) const {
        offer(cell_, Operation::store, space_, site_, field_);
        cell_ = value;
        return *this;
    }
    const Ref& operator=(const Ref& other) const { return *this = static_cast<T>(other); }
    const Ref& operator+=(const T& value) const { return *this = static_cast<T>(*this) + value; }

    CellAddress<T> operator&() const { return {cell_, space_, site_, field_}; }

  private:
    T& cell_;
    Space space_;
    std::source_location site_;
    const Field* field_;
};

// A cell of a field; faults where the element's address is not one of its type's.
template <class T>
inline auto access(T* cell, Space space, const std::source_location& site, const Field& field) {
    if (reinterpret_cast<std::uintptr_t>(cell) % alignof(T) != 0) [[unlikely]]
        report_misaligned(cell, sizeof(T), field.name, site);
    if constexpr (std::is_const_v<T>) {
        offer(*cell, Operation::load, space, site, &field);
        return std::remove_const_t<T>(*cell);
    } else {
        return Ref<T>(*cell, space, site, &field);
    }
}

// A `__shared__` variable's memory: `bytes` of the running block's shared memory, taken at its
// first touch and kept until the block ends. Where blocks take turns, the block itself knows it.
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
    void* allocate(std::size_t size, const std::source_location& site);

    void* base_ = nullptr;
    std::uint64_t epoch_ = 0;
};

// The launch's dynamic shared memory from byte `offset` on; throws when `offset + size` exceeds it.
void* dynamic_shared(std::size_t offset, std::size_t size, const std::source_location& site);

}  // namespace camber::simt
