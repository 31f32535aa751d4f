// What a kernel must not do, and how it is reported.
#pragma once

#include <cstddef>
#include <source_location>
#include <string>

#include "harness/base/error.hpp"
#include "harness/base/layout.hpp"

namespace camber::simt {

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

}  // namespace camber::simt
