// The machine instructions of a kernel by class, as the disassembler lists them.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace camber {

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
    moves,             // MOV, IMAD.MOV, S2R, LDC, ...
    predicates,        // ISETP, FSETP, SEL, PLOP3, VOTE excluded
    uniform,           // U...: the uniform datapath, once per warp
    other,             // SHFL, VOTE, tensor instructions, NOP in the middle, ...
};
inline constexpr std::size_t instruction_classes = 21;

// As the results file names it, e.g. "global_loads".
std::string_view name(InstructionClass which);

// A loop, or what stands in none: the instructions that stand in no loop inside of it.
struct InstructionRegion {
    int within = 0;  // number of the region around it; the first one, which is no loop, has itself
    // By class, with "total", "skippable" (see InstructionMix) where there are some, and accesses
    // to global and shared memory by the bytes that a lane takes at once: "global_loads_16".
    std::map<std::string, std::int64_t> instructions;

    bool operator==(const InstructionRegion&) const = default;
};

struct InstructionMix {
    std::array<std::int64_t, instruction_classes> count{};
    // Of them, those that a forward branch may jump over and that stand where nothing touches
    // memory, meets other threads or ends the kernel: no count of memory accesses tells whether
    // they are executed. Of an if with an else, they are the first side.
    std::int64_t skippable = 0;
    // The text by loops, an outer one before those inside of it. Empty where no loop touches
    // memory, and where a jump goes to an address that only the run tells. A loop without accesses
    // belongs to what is around it.
    std::vector<InstructionRegion> regions;

    std::int64_t operator[](InstructionClass which) const {
        return count[static_cast<std::size_t>(which)];
    }
    std::int64_t total() const;
};

// `opcode` with its modifiers and without its predicate, e.g. "LDG.E.64". The classes follow the
// instruction set tables of NVIDIA's CUDA Binary Utilities.
InstructionClass classify(std::string_view opcode);

// By mangled name: the mix of every kernel in a listing of `cuobjdump -sass`. What follows a
// kernel's end (a branch to itself and NOPs, which fill it up) does not count. Lines that are no
// instructions are passed over.
std::map<std::string, InstructionMix> parse_listing(std::string_view listing);

}  // namespace camber
