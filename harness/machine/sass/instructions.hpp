// Single machine instructions: lines of a cuobjdump listing, the pipe class of an opcode, and the
// issue schedule that the compiler encoded.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace camber {

// From compute capability 7.0 on, an instruction encodes the stall cycles until the warp's next
// instruction may issue and, if its latency is variable, one of six barriers that dependent
// instructions wait for (Jia, Maggioni, Staiger and Scarpazza 2018, "Dissecting the NVIDIA Volta
// GPU Architecture via Microbenchmarking", section 2.1).
struct IssueControl {
    int stall = 1;             // cycles, at least 1
    std::optional<int> sets;   // barrier released when the result is ready
    std::optional<int> frees;  // barrier released when the operands have been read
    unsigned waits = 0;        // bit mask of barriers to wait for
};

// Decodes the upper 64 bits of an instruction.
IssueControl issue_control(std::uint64_t upper);

// Kind of latency that a wait for an instruction's result has.
enum class Wait : std::uint8_t {
    memory,  // global memory, textures
    brief,   // within the SM: shared and local memory, shuffles, constants, special functions
};

struct ScheduledInstruction {
    IssueControl control;
    Wait result = Wait::brief;
};

// Issue cycles and waits of a single warp, in the order of text_counts::schedule. A wait counts
// only if the instruction that it waits for was issued after the last counted wait of its kind or
// of a longer kind; otherwise its latency overlapped with that wait. Covered cycles are those in
// which the warp issued other instructions since, at most about the latency of L2 or of shared
// memory per wait.
using Schedule = std::array<std::int64_t, 5>;
inline constexpr std::array<std::int64_t, 2> longest_wait_cycles{250, 25};  // by Wait

// Contribution of each instruction to the schedule of the code. `repeats`: the code is a loop, so
// that an iteration begins with the pending results of the previous one.
std::vector<Schedule> parts_of_schedule(const std::vector<ScheduledInstruction>& text,
                                        bool repeats = false);

// Adds the schedule under the names of harness/record/metric_names.hpp.
void add_schedule(const Schedule& schedule, std::map<std::string, std::int64_t>& counts);

// Classes of machine instructions, by execution unit; instructions.cpp lists their opcodes.
enum class InstructionClass : std::uint8_t {
    // Memory accesses; shared memory is also filled by global_loads (LDGSTS).
    global_loads,
    global_stores,
    shared_loads,
    shared_stores,
    local_loads,
    local_stores,
    texture,
    atomics,
    fp32,  // includes half precision and special functions
    fp64,
    integer,           // the ALU pipe
    integer_multiply,  // the FMA pipe
    logic,
    shifts,
    conversions,
    control,
    barriers,
    constant_loads,  // explicit loads, not constant operands
    moves,
    predicates,  // comparisons, and selections of one of two values: the ALU pipe
    uniform,     // the uniform datapath, once per warp
    other,       // SHFL, VOTE, tensor instructions, NOP in the middle, ...
};
inline constexpr std::size_t instruction_classes = 22;

// Name in result files, e.g. "global_loads".
std::string_view name(InstructionClass which);

// `opcode`: with its modifiers and without its predicate, e.g. "LDG.E.64".
InstructionClass classify(std::string_view opcode);

// An instruction of `cuobjdump -sass` output; its views refer to the listing.
struct ListedInstruction {
    std::int64_t address = 0;
    std::string_view opcode;
    std::string_view operands;            // first operand, up to a blank
    std::string_view last;                // last operand: a branch's target
    bool conditional = false;             // predicated
    std::optional<IssueControl> control;  // nullopt if the listing has no encodings
};

// Removes the first word, up to a blank or a semicolon, from the text and returns it.
std::string_view next_word(std::string_view& text);

// Parses " /*0040*/ @!P0 BRA 0x360; /* encoding */".
std::optional<ListedInstruction> instruction_in(std::string_view line);

// Parses the line with the upper half of an instruction's encoding: "/* 0x000fe20000000800 */".
std::optional<std::uint64_t> upper_half_in(std::string_view line);

// Target address of a branch.
std::optional<std::int64_t> target_of(const ListedInstruction& branch);

}  // namespace camber
