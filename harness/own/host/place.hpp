// Places in a kernel's file, in the form in which the executor names them.
#pragma once

#include <bit>
#include <cstdint>
#include <source_location>
#include <string>
#include <type_traits>

namespace camber {

// What a std::source_location of the compiler's points to, laid out as GCC and Clang agreed on: so
// a place that was read from debug information can be one. The pieces that it points to must
// outlive the location.
struct Place {
    const char* file;
    const char* function;
    std::uint32_t line;
    std::uint32_t column;

    std::source_location location() const {
        static_assert(sizeof(std::source_location) == sizeof(const Place*) &&
                      std::is_trivially_copyable_v<std::source_location>);
        return std::bit_cast<std::source_location>(this);
    }
};

}  // namespace camber
