// Shared library of a candidate's kernels, compiled for the host and loaded, with the source
// location of each instruction in the form that the executor reports.
#pragma once

#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <mutex>
#include <source_location>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <unordered_map>

#include "harness/own/host/code_image.hpp"
#include "harness/own/host/interface.h"

namespace camber {

// Places in a kernel's file, in the form in which the executor names them.

// What a std::source_location of the compiler's points to, laid out as GCC and Clang agreed on: so
// a place that was read from debug information can be one. The pieces that it points to must
// outlive the location.
struct CodeLocation {
    const char* file;
    const char* function;
    std::uint32_t line;
    std::uint32_t column;

    std::source_location location() const {
        static_assert(sizeof(std::source_location) == sizeof(const CodeLocation*) &&
                      std::is_trivially_copyable_v<std::source_location>);
        return std::bit_cast<std::source_location>(this);
    }
};

// A kernel's file, compiled for the host and loaded.
class HostLibrary {
  public:
    // `library`: the bytes of compile_for_host(); `file`: from which they were compiled. Throws
    // Error(unavailable) where it cannot be loaded.
    explicit HostLibrary(std::string_view library, const std::string& file = "a kernel");
    ~HostLibrary();
    HostLibrary(const HostLibrary&) = delete;
    HostLibrary& operator=(const HostLibrary&) = delete;

    // In the order of the directives, then those of unit.hpp's torus_kernels.
    const CamberKernel& kernel(std::size_t number) const { return file_->kernels[number]; }
    // In the order in which the directives name them.
    const CamberConstant& constant(std::size_t number) const { return file_->constants[number]; }
    // As the device knows it; "" where the kernel is known in its file alone.
    std::string symbol(const CamberKernel& kernel) const;
    // Bytes of the kernel's own __shared__ variables of stated length.
    std::size_t static_shared(const CamberKernel& kernel) const;

    // Calls go to `host` from now on.
    void bind(const CamberHost* host) const { *file_->host = host; }

    const CodeImage& image() const { return image_; }
    // Addresses of the image as they are now.
    std::uintptr_t base() const { return base_; }
    // In the calling thread: where its __shared__ variables begin, image().thread_local_bytes of
    // them, and where those of no stated length do.
    std::uintptr_t shared_begin() const;
    std::uintptr_t dynamic_shared() const;

    // The place of a call that returns to `pc`, with a column of its own for each of several calls
    // in one place. `piece`: of an access that is made of several. Any thread may ask.
    const CodeLocation& place(const void* pc, unsigned piece = 0) const;
    // The number of the function that an address lies in; -1: none.
    int function_of(const void* pc) const;

  private:
    void* handle_ = nullptr;
    const CamberFile* file_ = nullptr;
    std::uintptr_t base_ = 0;
    std::uint64_t anchor_ = 0;  // its place among the thread-local variables
    CodeImage image_;

    mutable std::mutex mutex_;
    mutable std::unordered_map<std::uint64_t, const CodeLocation*> places_;  // by address and piece
    mutable std::deque<CodeLocation> all_places_;
    mutable std::map<std::string, std::string> names_;
    mutable std::map<std::tuple<const char*, std::uint32_t, std::uint32_t>, unsigned> used_;
};

// The last name of a mangled one: "tile" of "_ZZ4stepPfE4tile".
std::string plain_name(const std::string& mangled);
// A function's without its parameters: "step<float>" of "_Z4stepIfEvPT_".
std::string function_name(const std::string& mangled);

}  // namespace camber
