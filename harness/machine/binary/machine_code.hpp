// Machine code without a disassembler: instructions by pipe, from the opcode bits, and the fields
// that relocation and layout change.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace camber::binary {

// Instructions have 16 bytes from compute capability 7.0 on. The opcode is in the lowest 12 bits,
// of which the upper three select the kinds of operands.
inline constexpr int first_architecture = 70;
inline constexpr std::size_t instruction_bytes = 16;

struct InstructionCounts {
    std::int64_t total = 0;  // without padding
    std::map<std::string, std::int64_t> by_class;
    std::int64_t local_loads = 0;
    std::int64_t local_stores = 0;
};

// Halves of instruction `index`: opcode and operands, and further operands with the schedule.
std::uint64_t lower_half(std::string_view code, std::size_t index);
std::uint64_t upper_half(std::string_view code, std::size_t index);

// Number of instructions without the padding at the end: NOPs, and the jump to itself before them.
std::size_t instructions_without_padding(std::string_view code);

// Counts the instructions by class: the names of harness/machine/sass/instructions.hpp, "tensor",
// and "unknown" for an opcode that is not in the table.
InstructionCounts count_instructions(std::string_view code, int architecture);

// Name of the opcode in these lowest 12 bits, as disassemblers print it: "LDG"; "" if unknown.
std::string_view opcode_name(unsigned opcode, int architecture);

// Operand in constant memory.
struct ConstantOperand {
    int bank = 0;
    std::uint32_t offset = 0;  // in bytes
};

// The constant operand of an instruction, from its lower half; nullopt if it has none.
std::optional<ConstantOperand> constant_operand(std::uint64_t lower);

// The lower half with the operand's offset set to 0.
std::uint64_t without_constant_offset(std::uint64_t lower);

// Register that is added to the offset of a load from constant memory (LDC); nullopt for another
// instruction, or without a register.
std::optional<int> constant_index(std::uint64_t lower);

// Value that an instruction moves to a register, if it is an immediate; the compiler uses
// instructions of several pipes for this.
struct MovedImmediate {
    int target = 0;  // register
    std::uint32_t value = 0;
};
std::optional<MovedImmediate> moved_immediate(std::uint64_t lower);

// The lower half with the immediate set to 0.
std::uint64_t without_immediate(std::uint64_t lower);

}  // namespace camber::binary
