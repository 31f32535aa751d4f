// Classes of machine instructions, by what executes them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

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

}  // namespace camber
