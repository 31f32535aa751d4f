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

// Errors of kernels that the executor detects.
enum class FaultKind {
    launch,         // a launch shape that no device supports
    out_of_bounds,  // outside its grid, tile or texture
    misaligned,     // an element at an address that is not a multiple of its size
    barrier,        // threads diverged at __syncthreads()
    collective,     // lanes diverged at a warp collective
    shared_memory,  // more shared memory than the device has
    cluster,        // shared memory of a block that may not have started, or may have ended
    bulk_copy,      // a copy that no thread waits for, or a copy barrier that never completes
};

// A kernel error that the executor detected. The sentence names launch, block, thread and call
// site.
class KernelFault : public Error {
  public:
    KernelFault(FaultKind kind, const std::string& sentence)
        : Error(ExitCode::wrong_result, sentence), kind_(kind) {}
    FaultKind kind() const { return kind_; }

  private:
    FaultKind kind_;
};

// Each of these throws a KernelFault of the running thread.
[[noreturn]] void report_outside_grid(const char* field, int row, int column, const Layout& layout,
                                      const std::source_location& site);
[[noreturn]] void report_outside_tile(int row, int column, int height, int width,
                                      const std::source_location& site);
[[noreturn]] void report_misaligned(const volatile void* address, std::size_t size,
                                    const char* field, const std::source_location& site);

// Reports an access to the recorder. The host versions of Grid, Tile and Texture call this after
// their checks.
void record(const void* address, std::size_t size, Operation operation, Space space,
            const std::source_location& site, const Field* field);

// `field`: field that contains the cell; nullptr in shared memory.
template <class T>
inline void offer(const T& cell, Operation operation, Space space, const std::source_location& site,
                  const Field* field) {
    if (current->recording) [[unlikely]]
        record(&cell, sizeof(T), operation, space, site, field);
}

// Result of `&ref`: the argument of an atomic operation.
template <class T>
struct CellAddress {
    T& cell;
    Space space;
    std::source_location site;
    const Field* field;
};

// An assignable cell: reading it is a load, assigning to it a store. It replaces `T&` on the host,
// so write `const T value = grid(row, column);`, not `auto`.
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

// A cell of a field; faults if the address is misaligned for its type.
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

// Memory of a `__shared__` variable: `bytes` of the running block's shared memory, allocated at the
// first access and valid until the block ends. If blocks take turns, the block itself remembers the
// allocation.
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

// Address of byte `offset` in the launch's dynamic shared memory; throws if `offset + size` exceeds
// its size.
void* dynamic_shared(std::size_t offset, std::size_t size, const std::source_location& site);

// An access by a kernel that does not use harness/machine/kernel, reported by the code that
// observes the access.
struct PlainAccess {
    const void* address = nullptr;  // in shared memory: block_shared_memory() plus the offset
    std::size_t size = 0;           // bytes
    Operation operation = Operation::load;
    Space space = Space::global;
    const Field* field = nullptr;  // nullptr in shared memory
    std::uint32_t occurrence = 0;  // see Access; counted by the caller
};

// Records an access of the running thread; only valid while recording.
void record_visit(const PlainAccess& access, const std::source_location& site);

// Start of the running block's shared memory in recorded addresses.
std::byte* block_shared_memory();

// Index of the running thread in its block.
std::uint32_t linear_thread();

// Throws a KernelFault of the running thread.
[[noreturn]] void report_fault(FaultKind kind, const std::string& what,
                               const std::source_location& site);

}  // namespace camber::simt
