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

// How long a warp that is alone takes for a piece of program text, from what the compiler wrote
// beside each instruction.

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

// Classes of machine instructions, by what executes them.
enum class InstructionClass : std::uint8_t {
    global_loads,      // LDG, generic LD, and LDGSTS: global memory to shared memory
    global_stores,     // STG, generic ST
    shared_loads,      // LDS, LDSM
    shared_stores,     // STS, STSM
    local_loads,       // LDL: spilled registers and indexed arrays
    local_stores,      // STL
    texture,           // TEX, TLD, SULD, ...
    atomics,           // ATOM, ATOMG, ATOMS, RED
    fp32,              // half precision and special functions included
    fp64,              // DADD, DMUL, DFMA, ...
    integer,           // IADD3, LEA, VIADD, ...: the ALU pipe
    integer_multiply,  // IMAD, also where it only adds, IMUL, IDP: the FMA pipe
    logic,             // LOP3, PRMT, POPC, ...
    shifts,            // SHF, SHL, SHR
    conversions,       // I2F, F2I, F2F, ...
    control,           // BRA, BSSY, BSYNC, EXIT, CALL, ...
    barriers,          // BAR, MEMBAR, DEPBAR, ...
    constant_loads,    // LDC: by an instruction, and not as an operand
    moves,             // MOV, IMAD.MOV, S2R, ...
    predicates,        // ISETP, FSETP, FMNMX, SEL, PLOP3, VOTE excluded: the ALU pipe
    uniform,           // U...: the uniform datapath, once per warp
    other,             // SHFL, VOTE, tensor instructions, NOP in the middle, ...
};
inline constexpr std::size_t instruction_classes = 22;

// As the results file names it, e.g. "global_loads".
std::string_view name(InstructionClass which);

// `opcode` with its modifiers and without its predicate, e.g. "LDG.E.64". The classes follow the
// instruction set tables of NVIDIA's CUDA Binary Utilities.
InstructionClass classify(std::string_view opcode);

// Lines of what `cuobjdump -sass` prints.

// Its views are of the listing.
struct ListedInstruction {
    std::int64_t address = 0;
    std::string_view opcode;
    std::string_view operands;            // the first word, up to a blank
    std::string_view last;                // the last word: a branch's target
    bool conditional = false;             // behind a predicate
    std::optional<IssueControl> control;  // nothing where the listing has no encodings
};

// Cuts the first word, up to a blank or a semicolon, off the text.
std::string_view next_word(std::string_view& text);

// From "        /*0040*/              @!P0 BRA 0x360;   /* encoding */".
std::optional<ListedInstruction> instruction_in(std::string_view line);

// The upper half of an instruction's encoding has a line to itself: "/* 0x000fe20000000800 */".
std::optional<std::uint64_t> upper_half_in(std::string_view line);

// Where a branch goes.
std::optional<std::int64_t> target_of(const ListedInstruction& branch);

}  // namespace camber
