// Memory accesses of kernels on the executor: bounds and alignment checks, the faults that they
// throw, and reports to the recorder. Grid, Tile, Texture and plain kernels go through these
// functions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <source_location>
#include <string>
#include <type_traits>

#include "harness/base/error.hpp"
#include "harness/base/kernel_launch.hpp"
#include "harness/base/layout.hpp"
#include "harness/machine/simt/recorder.hpp"
#include "harness/machine/simt/thread.hpp"

namespace camber::simt {

// What a kernel must not do, and how it is reported.
enum class FaultKind {
    launch,         // a shape that no device takes
    out_of_bounds,  // left its grid, tile or texture
    misaligned,     // an element at an address that is no multiple of its size
    barrier,        // threads diverged at __syncthreads()
    collective,     // lanes diverged at a warp collective
    shared_memory,  // more shared memory than there is
    cluster,        // shared memory of a block that may not have begun, or have ended
    bulk_copy,      // a copy that nobody waits for, or a barrier of copies that nothing completes
};

// A kernel that did what a kernel must not. The sentence names launch, block, thread and site.
class KernelFault : public Error {
  public:
    KernelFault(FaultKind kind, const std::string& sentence)
        : Error(ExitCode::wrong_result, sentence), kind_(kind) {}
    FaultKind kind() const { return kind_; }

  private:
    FaultKind kind_;
};

// Each throws a KernelFault of the running thread.
[[noreturn]] void report_outside_grid(const char* field, int row, int column, const Layout& layout,
                                      const std::source_location& site);
[[noreturn]] void report_outside_tile(int row, int column, int height, int width,
                                      const std::source_location& site);
[[noreturn]] void report_misaligned(const volatile void* address, std::size_t size,
                                    const char* field, const std::source_location& site);

// What the host versions of Grid, Tile and Texture do on each access: check, and offer it to the
// recorder.
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

// What the executor does for kernels that are written without the words of harness/machine/kernel:
// whoever sees their accesses tells it of them.
struct PlainAccess {
    const void* address = nullptr;  // shared memory: block_shared_memory() and the offset in it
    std::size_t size = 0;           // bytes
    Operation operation = Operation::load;
    Space space = Space::global;
    const Field* field = nullptr;  // nullptr in shared memory
    std::uint32_t occurrence = 0;  // see Access; the caller counts
};

// Records an access of the running thread; while recording only.
void record_visit(const PlainAccess& access, const std::source_location& site);

// Where the running block's shared memory begins for the recorder.
std::byte* block_shared_memory();

// Index of the running thread in its block.
std::uint32_t linear_thread();

// Throws a KernelFault of the running thread.
[[noreturn]] void report_fault(FaultKind kind, const std::string& what,
                               const std::source_location& site);

}  // namespace camber::simt
