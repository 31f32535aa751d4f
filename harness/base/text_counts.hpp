// What is told of a kernel's program text beside its instructions by class, under the same keys.
#pragma once

#include <algorithm>
#include <array>
#include <string_view>

namespace camber::text_counts {

inline constexpr std::string_view total = "total";
inline constexpr std::string_view skippable = "skippable";
inline constexpr std::string_view rounds = "rounds";  // 1 of a loop without accesses

// Of a warp that is alone (harness/machine/sass/schedule.hpp).
inline constexpr std::string_view cycles = "cycles";
inline constexpr std::string_view memory_waits = "memory_waits";
inline constexpr std::string_view memory_covered = "memory_covered";
inline constexpr std::string_view long_covered = "long_covered";  // of waits for far memory
inline constexpr std::string_view brief_waits = "brief_waits";
inline constexpr std::string_view brief_covered = "brief_covered";

// What is covered of a wait for memory is told for two lengths of it, in cycles: about as long as
// L2 takes to answer, and longer than memory beyond it does.
inline constexpr int short_wait = 250;  // memory_covered
inline constexpr int long_wait = 1000;  // long_covered

inline constexpr std::array schedule{cycles,       memory_waits, memory_covered,
                                     long_covered, brief_waits,  brief_covered};

constexpr bool is_of_schedule(std::string_view name) {
    return std::ranges::find(schedule, name) != schedule.end();
}
constexpr bool is_class(std::string_view name) {
    return name != total && name != skippable && name != rounds && !is_of_schedule(name);
}

}  // namespace camber::text_counts
