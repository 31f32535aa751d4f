// Single machine instructions: lines of a cuobjdump listing, the pipe class of an opcode, and the
// issue schedule that the compiler encoded.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace camber {

// Time that a single warp needs for a piece of machine code, from the schedule that the compiler
// encoded in each instruction

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
    brief,   // within the SM: shared and local memory, shuffles, constants, special functions
    memory,  // global memory, textures
};

struct ScheduledInstruction {
    IssueControl control;
    Wait result = Wait::brief;
};

// Issue cycles and waits. A wait counts only if the instruction that it waits for was issued after
// the last counted wait of its kind or of a longer kind; otherwise its latency overlapped with that
// wait. Covered cycles are those in which the warp issued other instructions since.
struct Schedule {
    std::int64_t cycles = 0;  // issue cycles without waits
    std::int64_t memory_waits = 0;
    std::int64_t memory_covered = 0;  // in cycles
    std::int64_t brief_waits = 0;
    std::int64_t brief_covered = 0;

    bool operator==(const Schedule&) const = default;
};

// Upper limits of covered cycles per wait: about the latencies of L2 and of shared memory.
inline constexpr std::int64_t longest_memory_wait = 250;
inline constexpr std::int64_t longest_brief_wait = 25;

// `repeats`: the code is a loop, so that an iteration begins with the pending results of the
// previous one.
Schedule schedule_of(const std::vector<ScheduledInstruction>& text, bool repeats);

// Contribution of each instruction to the schedule of the whole code.
std::vector<Schedule> parts_of_schedule(const std::vector<ScheduledInstruction>& text);

// Adds the schedule under the names of harness/record/metric_names.hpp.
void add_schedule(const Schedule& schedule, std::map<std::string, std::int64_t>& counts);

// Classes of machine instructions, by execution unit.
enum class InstructionClass : std::uint8_t {
    global_loads,      // LDG, generic LD, and LDGSTS: global memory to shared memory
    global_stores,     // STG, generic ST
    shared_loads,      // LDS, LDSM
    shared_stores,     // STS, STSM
    local_loads,       // LDL: spilled registers and indexed arrays
    local_stores,      // STL
    texture,           // TEX, TLD, SULD, ...
    atomics,           // ATOM, ATOMG, ATOMS, RED
    fp32,              // includes half precision and special functions
    fp64,              // DADD, DMUL, DFMA, ...
    integer,           // IADD3, LEA, VIADD, ...: the ALU pipe
    integer_multiply,  // IMAD (also if it only adds), IMUL, IDP: the FMA pipe
    logic,             // LOP3, PRMT, POPC, ...
    shifts,            // SHF, SHL, SHR
    conversions,       // I2F, F2I, F2F, ...
    control,           // BRA, BSSY, BSYNC, EXIT, CALL, ...
    barriers,          // BAR, MEMBAR, DEPBAR, ...
    constant_loads,    // LDC: explicit loads, not constant operands
    moves,             // MOV, IMAD.MOV, S2R, ...
    predicates,        // ISETP, FSETP, FMNMX, SEL, PLOP3, VOTE excluded: the ALU pipe
    uniform,           // U...: the uniform datapath, once per warp
    other,             // SHFL, VOTE, tensor instructions, NOP in the middle, ...
};
inline constexpr std::size_t instruction_classes = 22;

// Name in result files, e.g. "global_loads".
std::string_view name(InstructionClass which);

// `opcode`: with its modifiers and without its predicate, e.g. "LDG.E.64". The classes follow the
// instruction set tables of NVIDIA's CUDA Binary Utilities.
InstructionClass classify(std::string_view opcode);

// Parsing of `cuobjdump -sass` output

// An instruction; its views refer to the listing.
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
