// What the executor does for kernels that are written without the words of harness/machine/kernel:
// whoever sees their accesses tells it of them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <source_location>
#include <string>

#include "harness/machine/simt/fault.hpp"
#include "harness/machine/simt/recorder.hpp"

namespace camber::simt {

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
