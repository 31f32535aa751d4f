// How long a warp that is alone takes for a piece of program text, from what the compiler wrote
// beside each instruction.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace camber {

// From compute capability 7.0 on an instruction carries the cycles until the next one of its warp
// may issue, and, where its result comes after an unknown time, a barrier, of six, that others wait
// for (Jia, Maggioni, Staiger and Scarpazza 2018, "Dissecting the NVIDIA Volta GPU Architecture via
// Microbenchmarking", section 2.1).
struct IssueControl {
    int stall = 1;             // cycles, at least 1
    std::optional<int> sets;   // the barrier that its result releases
    std::optional<int> frees;  // the one that is released when its operands are read
    unsigned waits = 0;        // for these: a bit each
};

// Of the upper 64 bits of an instruction.
IssueControl issue_control(std::uint64_t upper);

// What a wait for an instruction's result is for.
enum class Wait : std::uint8_t {
    brief,   // within the multiprocessor: shared and local memory, shuffles, constants, special
             // functions
    memory,  // global memory, textures
};

struct ScheduledInstruction {
    IssueControl control;
    Wait result = Wait::brief;
};

// A wait counts where what it waits for was issued after the last wait of its kind, or a longer
// one: else it was under way meanwhile. Of it, what the warp issued since then is covered.
struct Schedule {
    std::int64_t cycles = 0;  // of issuing alone
    std::int64_t memory_waits = 0;
    std::int64_t memory_covered = 0;  // cycles
    std::int64_t long_covered = 0;    // the same where the wait is long
    std::int64_t brief_waits = 0;
    std::int64_t brief_covered = 0;

    bool operator==(const Schedule&) const = default;
};

// A wait covers this many cycles at most: not more than it could last. Those for memory are in
// harness/base/text_counts.hpp.
inline constexpr std::int64_t longest_brief_wait = 25;

// `repeats`: a loop, of which a round begins with what the one before has under way.
Schedule schedule_of(const std::vector<ScheduledInstruction>& text, bool repeats);

// What each instruction adds to the schedule of the whole text.
std::vector<Schedule> parts_of_schedule(const std::vector<ScheduledInstruction>& text);

// Under the names of harness/base/text_counts.hpp.
void add_schedule(const Schedule& schedule, std::map<std::string, std::int64_t>& counts);

}  // namespace camber
