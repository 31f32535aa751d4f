// Shared library of a candidate's kernels, compiled for the host and loaded, with its symbols and the
// source location of each instruction in the form that the executor reports.
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
#include <vector>

#include "harness/own/host/interface.h"

namespace camber {

// Symbols and source lines of a compiled ELF file: addresses of functions and variables, and the
// source location of each instruction from DWARF line tables.

struct CodeSymbol {
    std::string name;  // mangled
    std::uint64_t address = 0;
    std::uint64_t size = 0;
    bool global = false;  // visible to other files
};

struct CodeLine {
    std::uint64_t address = 0;  // of the first byte of the line's code
    std::string file;
    std::uint32_t line = 0;  // 0: end of the preceding code
    std::uint32_t column = 0;
};

struct CodeImage {
    std::vector<CodeSymbol> functions;               // sorted by address
    std::vector<CodeSymbol> variables;               // sorted by address
    std::vector<CodeSymbol> thread_local_variables;  // sorted by offset in the thread-local block
    std::vector<CodeLine> lines;                     // sorted by address
    std::uint64_t thread_local_bytes = 0;
    // Section ".camber_constant"; 0 bytes if it does not exist.
    std::uint64_t constant_address = 0;
    std::uint64_t constant_bytes = 0;
    std::uint64_t end = 0;  // end of the loaded image
};

// Throws std::runtime_error if the file is no supported ELF file or is damaged.
CodeImage read_code_image(std::string_view file);

// Entry that contains an address, from a list sorted by address; nullptr if there is none.
const CodeSymbol* symbol_at(const std::vector<CodeSymbol>& symbols, std::uint64_t address);
const CodeLine* line_at(const std::vector<CodeLine>& lines, std::uint64_t address);

// Data of a std::source_location, in the layout that GCC and Clang share, so that a location read
// from debug information can be converted to one. The pointers must remain valid as long as the
// location is used.
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
    // `library`: the bytes from compile_for_host(); `file`: the compiled file, for messages. Throws
    // Error(unavailable) if the library cannot be loaded.
    explicit HostLibrary(std::string_view library, const std::string& file = "a kernel");
    ~HostLibrary();
    HostLibrary(const HostLibrary&) = delete;
    HostLibrary& operator=(const HostLibrary&) = delete;

    // In the order of the directives, followed by unit.hpp's torus kernels.
    const CamberKernel& kernel(std::size_t number) const { return file_->kernels[number]; }
    // In the order in which the directives name them.
    const CamberConstant& constant(std::size_t number) const { return file_->constants[number]; }
    // Symbol name in the device code; "" if the kernel has internal linkage.
    std::string symbol(const CamberKernel& kernel) const;
    // Size of the kernel's own __shared__ variables of fixed length.
    std::size_t static_shared(const CamberKernel& kernel) const;

    // Directs all later instrumentation calls to `host`.
    void bind(const CamberHost* host) const { *file_->host = host; }

    const CodeImage& image() const { return image_; }
    // Load address of the image.
    std::uintptr_t base() const { return base_; }
    // Addresses in the calling thread's copy of the __shared__ variables: their beginning
    // (image().thread_local_bytes in size), and the beginning of arrays without a fixed length.
    std::uintptr_t shared_begin() const;
    std::uintptr_t dynamic_shared() const;

    // Source location of the call that returns to `pc`. Calls on the same line get distinct
    // columns. `piece`: index, for an access that consists of several. Thread-safe.
    const CodeLocation& place(const void* pc, unsigned piece = 0) const {
        const std::size_t i = code_index(pc);
        if (piece == 0 && i < first_places_.size())
            if (const CodeLocation* const known = first_places_[i].load(std::memory_order_acquire))
                return *known;
        return find_place(pc, piece);
    }
    // Index of the function that contains the call that returns to `pc`; -1 if there is none.
    int function_of(const void* pc) const {
        const std::size_t i = code_index(pc);
        return i < functions_.size() ? functions_[i] : -1;
    }

  private:
    // Index in functions_ and first_places_ of the last byte of the call instruction, because the
    // return address may belong to the next line. Beyond their ends if it is not in a function.
    std::size_t code_index(const void* pc) const {
        return reinterpret_cast<std::uintptr_t>(pc) - base_ - 1 - code_begin_;
    }
    void index_code();
    const CodeLocation& find_place(const void* pc, unsigned piece) const;

    void* handle_ = nullptr;
    const CamberFile* file_ = nullptr;
    std::uintptr_t base_ = 0;
    std::uint64_t anchor_ = 0;  // offset among the thread-local variables
    CodeImage image_;
    std::uint64_t code_begin_ = 0;  // address of the first function
    std::vector<int> functions_;    // by byte of code: index of its function, or -1
    // By byte of code: location of the call that ends there, once it is known.
    mutable std::vector<std::atomic<const CodeLocation*>> first_places_;

    mutable std::mutex mutex_;
    mutable std::unordered_map<std::uint64_t, const CodeLocation*> places_;  // by address and piece
    mutable std::deque<CodeLocation> all_places_;
    mutable std::map<std::string, std::string> names_;
    mutable std::map<std::tuple<const char*, std::uint32_t, std::uint32_t>, unsigned> used_;
};

// Last component of a mangled name: "tile" from "_ZZ4stepPfE4tile".
std::string plain_name(const std::string& mangled);
// Function name without parameters: "step<float>" from "_Z4stepIfEvPT_".
std::string function_name(const std::string& mangled);

}  // namespace camber
