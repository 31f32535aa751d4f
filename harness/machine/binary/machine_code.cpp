#include "harness/machine/binary/machine_code.hpp"

#include <algorithm>
#include <array>
#include <cstring>

#include "harness/machine/sass/instructions.hpp"

namespace camber::binary {
namespace {

struct Opcode {
    std::uint16_t number;  // the lowest nine bits
    std::string_view name;
    // Architectures that have it, for numbers with two meanings.
    int first = 0;
    int last = 999;
};

// Opcodes as nvdisasm 13.0 prints them. They were read off samples of each 12-bit opcode that
// occurs in cuBLAS, cuBLASLt, cuDNN, cuFFT, cuRAND, cuSOLVER and cuSPARSE for compute
// capability 7.5 to 12.1, and off kernels with textures, surfaces and rare functions. The upper
// three of the 12 bits select the kinds of operands, the lower nine the operation, except for
// variants of one operation.
// clang-format off
constexpr Opcode opcodes[] = {
    {0x002, "MOV"}, {0x003, "P2R"}, {0x004, "R2P"}, {0x005, "CS2R"}, {0x006, "VOTE"},
    {0x007, "SEL"}, {0x008, "FSEL"}, {0x009, "FMNMX"}, {0x00a, "FSET"}, {0x00b, "FSETP"},
    {0x00c, "ISETP"}, {0x00f, "VIMNMX3"}, {0x010, "IADD3"}, {0x011, "LEA"}, {0x012, "LOP3"},
    {0x013, "IABS"}, {0x014, "VABSDIFF"}, {0x015, "VABSDIFF4"}, {0x016, "PRMT"}, {0x017, "IMNMX"},
    {0x019, "SHF"}, {0x01a, "SGXT"}, {0x01b, "BMSK"}, {0x01c, "PLOP3"}, {0x020, "FMUL"},
    {0x021, "FADD"}, {0x023, "FFMA"}, {0x024, "IMAD"}, {0x025, "IMAD"}, {0x026, "IDP"},
    {0x027, "IMAD"}, {0x028, "DMUL"}, {0x029, "DADD"}, {0x02a, "DSETP"}, {0x02b, "DFMA"},
    {0x02d, "PREEXIT"}, {0x02e, "ACQBULK"}, {0x02f, "ELECT"}, {0x030, "HADD2"}, {0x031, "HFMA2"},
    {0x032, "HMUL2"}, {0x033, "HSET2"}, {0x034, "HSETP2"}, {0x035, "HFMA2", 0, 99},
    {0x035, "IADD", 120, 999}, {0x036, "HMMA", 0, 79}, {0x036, "VIADD", 90, 999}, {0x037, "IMMA"},
    {0x039, "I2IP"}, {0x03a, "MOVM"}, {0x03b, "LDSM"}, {0x03c, "HMMA"}, {0x03d, "BMMA"},
    {0x03e, "F2FP"}, {0x03f, "DMMA"}, {0x040, "HMNMX2"}, {0x043, "F2IP"}, {0x044, "STSM"},
    {0x045, "I2FP"}, {0x046, "VIADDMNMX"}, {0x048, "VIMNMX"}, {0x049, "FFMA2"},
    {0x04a, "FMUL2", 100, 119}, {0x04a, "UVIMNMX", 120, 999}, {0x04b, "FADD2"},
    {0x04c, "UVIRTCOUNT"}, {0x051, "UFSEL"}, {0x053, "UFSETP"}, {0x054, "UFADD"}, {0x055, "UFFMA"},
    {0x056, "UFMUL"}, {0x05a, "UI2F"}, {0x05c, "UF2I"}, {0x05e, "UI2FP"}, {0x076, "FMNMX3"},
    {0x07a, "QMMA"}, {0x07f, "OMMA"}, {0x082, "UMOV"}, {0x083, "UP2UR"}, {0x085, "UIMNMX"},
    {0x086, "VOTEU"}, {0x087, "USEL"}, {0x08c, "UISETP"}, {0x090, "UIADD3"}, {0x091, "ULEA"},
    {0x092, "ULOP3"}, {0x096, "UPRMT"}, {0x097, "UIADD3"}, {0x099, "USHF"}, {0x09a, "USGXT"},
    {0x09c, "UPLOP3"}, {0x0a4, "UIMAD"}, {0x0a5, "UIMAD"}, {0x0a6, "UIMAD"}, {0x0b9, "ULDC"},
    {0x0ba, "UF2FP"}, {0x0bb, "ULDC"}, {0x0bd, "UFLO"}, {0x0bf, "UPOPC"}, {0x0ca, "R2UR"},
    {0x0cb, "CS2UR"}, {0x0cc, "CREDUX"}, {0x100, "FLO"}, {0x101, "BREV"}, {0x102, "FCHK"},
    {0x104, "F2F"}, {0x105, "F2I"}, {0x106, "I2F"}, {0x107, "FRND"}, {0x108, "MUFU"},
    {0x109, "POPC"}, {0x110, "F2F"}, {0x111, "F2I"}, {0x112, "I2F"}, {0x113, "FRND"},
    {0x118, "NOP"}, {0x119, "S2R"}, {0x11a, "DEPBAR"}, {0x11b, "ENDCOLLECTIVE"}, {0x11c, "B2R"},
    {0x11d, "BAR"}, {0x140, "CCTL"}, {0x141, "BSYNC"}, {0x142, "BREAK"}, {0x143, "CALL"},
    {0x144, "CALL"}, {0x145, "BSSY"}, {0x146, "YIELD"}, {0x147, "BRA"}, {0x148, "WARPSYNC"},
    {0x149, "BRX"}, {0x14d, "EXIT"}, {0x14e, "LEPC"}, {0x150, "RET"}, {0x152, "RPCMOV"},
    {0x153, "RPCMOV"}, {0x155, "BMOV"}, {0x156, "BMOV"}, {0x158, "BRXU"}, {0x15c, "BPT"},
    {0x15d, "NANOSLEEP"}, {0x160, "TEX"}, {0x163, "TLD4"}, {0x166, "TLD"}, {0x16c, "TXD"},
    {0x16f, "TXQ"}, {0x17e, "LDG"}, {0x17f, "STG"}, {0x180, "LD"}, {0x181, "LDG"}, {0x182, "LDC"},
    {0x183, "LDL"}, {0x184, "LDS"}, {0x185, "ST"}, {0x186, "STG"}, {0x187, "STL"}, {0x188, "STS"},
    {0x189, "SHFL"}, {0x18a, "ATOM"}, {0x18b, "ATOM"}, {0x18c, "ATOMS"}, {0x18d, "ATOMS"},
    {0x18e, "RED"}, {0x18f, "CCTL"}, {0x192, "MEMBAR"}, {0x199, "SULD"}, {0x19d, "SUST"},
    {0x19f, "SURED"}, {0x1a1, "MATCH"}, {0x1a2, "ATOM"}, {0x1a3, "ATOMG"}, {0x1a6, "REDG"},
    {0x1a7, "SYNCS"}, {0x1a8, "ATOMG"}, {0x1a9, "ATOMG"}, {0x1aa, "QSPC"}, {0x1ab, "ERRBAR"},
    {0x1ac, "LDCU"}, {0x1ae, "LDGSTS"}, {0x1af, "LDGDEPBAR"}, {0x1b0, "ARRIVES"}, {0x1b1, "SYNCS"},
    {0x1b2, "SYNCS"}, {0x1b4, "UTMALDG"}, {0x1b5, "UTMASTG"}, {0x1b7, "UTMACMDFLUSH"},
    {0x1b8, "UTMAPF"}, {0x1b9, "UTMACCTL"}, {0x1bd, "STAS"}, {0x1c2, "R2UR"}, {0x1c3, "S2UR"},
    {0x1c4, "REDUX"}, {0x1c5, "WARPGROUP"}, {0x1c6, "FENCE"}, {0x1c7, "UCGABAR_ARV"},
    {0x1c8, "USETMAXREG"}, {0x1c9, "USETSHMSZ"}, {0x1ca, "UGETNEXTWORKID"}, {0x1e3, "UTCATOMSWS"},
    {0x1e7, "UTCCP"}, {0x1e9, "UTCBAR"}, {0x1ea, "UTCHMMA"}, {0x1ed, "STTM"}, {0x1ee, "LDTM"},
    {0x1f0, "HGMMA"}, {0x1f1, "IGMMA"}, {0x1f3, "QGMMA"},
};
// clang-format on

constexpr unsigned opcode_bits = 0xfff;
constexpr unsigned number_bits = 0x1ff;
constexpr std::uint64_t no_register = 0xff;  // RZ, which reads as 0
constexpr std::size_t numbers = number_bits + 1;

constexpr unsigned opcode_of(std::uint64_t lower) {
    return static_cast<unsigned>(lower & opcode_bits);
}

// Kinds of operands, in bits 9 to 11.
enum class Form : unsigned {
    registers = 1,
    immediate_last = 2,
    constant_last = 3,
    immediate = 4,
    constant = 5,
    uniform = 6,
    uniform_last = 7,
};

Form form_of(std::uint64_t lower) {
    return static_cast<Form>(opcode_of(lower) >> 9);
}

std::uint64_t half(std::string_view code, std::size_t at) {
    std::uint64_t value = 0;
    std::memcpy(&value, code.data() + at, sizeof value);
    return value;
}

// IMAD with factors RZ and without carry, which disassemblers print as IMAD.MOV. The second factor
// is in the lower half, unless the last operand is not a register and takes its bits.
bool is_move(std::uint64_t lower, std::uint64_t upper) {
    constexpr std::uint64_t with_carry = 1 << 10;
    if ((upper & with_carry) != 0) return false;
    const std::uint64_t first = lower >> 24 & no_register;
    switch (form_of(lower)) {
        case Form::registers:
            return first == no_register && (lower >> 32 & no_register) == no_register;
        case Form::immediate_last:
        case Form::constant_last:
            return first == no_register && (upper & no_register) == no_register;
        default:
            return false;
    }
}

constexpr unsigned imad = 0x024;
constexpr unsigned nop = 0x918;
constexpr unsigned branch = 0x947;

constexpr std::string_view tensor = "tensor";
constexpr std::string_view unknown = "unknown";

std::string_view class_of(std::string_view opcode) {
    // HMMA, IMMA, DMMA, HGMMA, UTCHMMA, ...
    if (opcode.ends_with("MMA")) return tensor;
    // The successor of ULDC.
    if (opcode == "LDCU") return camber::name(InstructionClass::uniform);
    return camber::name(classify(opcode));
}

// Names of the opcode numbers of an architecture.
using OpcodeNames = std::array<std::string_view, numbers>;

OpcodeNames names_for(int architecture) {
    OpcodeNames names;
    for (const Opcode& known : opcodes)
        if (architecture >= known.first && architecture <= known.last)
            names[known.number] = known.name;
    return names;
}

// Position of a constant operand's offset; LDCU has one bit more.
int lowest_offset_bit(std::uint64_t lower) {
    constexpr unsigned ldcu = 0x1ac;
    return (opcode_of(lower) & number_bits) == ldcu ? 37 : 38;
}

// A jump to itself: by -16 bytes from its end, or -4 units of four bytes. The distance is in bits
// 34 to 81, in newer code above its lowest eight bits, which are in bits 16 to 23.
bool is_jump_to_itself(std::uint64_t lower, std::uint64_t upper) {
    constexpr std::uint64_t ones = 0x3ffff;
    if (opcode_of(lower) != branch || (upper & ones) != ones) return false;
    const std::uint64_t low_byte = lower >> 16 & 0xff;
    return (lower >> 32 == 0xfffffff0 && low_byte == 0) ||
           (lower >> 32 == 0xfffffffc && low_byte == 0xfc);
}

}  // namespace

std::uint64_t lower_half(std::string_view code, std::size_t index) {
    return half(code, index * instruction_bytes);
}

std::uint64_t upper_half(std::string_view code, std::size_t index) {
    return half(code, index * instruction_bytes + sizeof(std::uint64_t));
}

std::size_t instructions_without_padding(std::string_view code) {
    std::size_t count = code.size() / instruction_bytes;
    while (count > 0 && opcode_of(lower_half(code, count - 1)) == nop) --count;
    if (count > 0 && is_jump_to_itself(lower_half(code, count - 1), upper_half(code, count - 1)))
        --count;
    return count;
}

InstructionCounts count_instructions(std::string_view code, int architecture) {
    InstructionCounts counts;
    const std::size_t count = instructions_without_padding(code);
    std::array<std::int64_t, numbers> of_number{};
    std::int64_t moves = 0;
    for (std::size_t k = 0; k < count; ++k) {
        const std::uint64_t lower = lower_half(code, k);
        const unsigned number = opcode_of(lower) & number_bits;
        if (number == imad && is_move(lower, upper_half(code, k)))
            ++moves;
        else
            ++of_number[number];
    }
    counts.total = static_cast<std::int64_t>(count);
    if (moves > 0) counts.by_class[std::string(camber::name(InstructionClass::moves))] += moves;
    const OpcodeNames names = names_for(architecture);
    for (unsigned number = 0; number < numbers; ++number) {
        if (of_number[number] == 0) continue;
        const std::string_view name = names[number];
        counts.by_class[std::string(name.empty() ? unknown : class_of(name))] += of_number[number];
    }
    const auto count_of = [&](InstructionClass which) {
        const auto found = counts.by_class.find(std::string(camber::name(which)));
        return found == counts.by_class.end() ? 0 : found->second;
    };
    counts.local_loads = count_of(InstructionClass::local_loads);
    counts.local_stores = count_of(InstructionClass::local_stores);
    return counts;
}

std::string_view opcode_name(unsigned opcode, int architecture) {
    return names_for(architecture)[opcode & number_bits];
}

std::optional<ConstantOperand> constant_operand(std::uint64_t lower) {
    const Form form = form_of(lower);
    // BAR has the number of the barrier there, and SEL.64 registers.
    constexpr unsigned barrier = 0x11d;
    constexpr unsigned select = 0x607;
    if ((form != Form::constant && form != Form::constant_last) ||
        (opcode_of(lower) & number_bits) == barrier || opcode_of(lower) == select)
        return std::nullopt;
    const int low = lowest_offset_bit(lower);
    constexpr int bank_bit = 54;
    const std::uint64_t offset = lower >> low & ((std::uint64_t(1) << (bank_bit - low)) - 1);
    return ConstantOperand{static_cast<int>(lower >> bank_bit & 0x1f),
                           static_cast<std::uint32_t>(offset)};
}

std::uint64_t without_constant_offset(std::uint64_t lower) {
    constexpr std::uint64_t below_bank = (std::uint64_t(1) << 54) - 1;
    const std::uint64_t kept = (std::uint64_t(1) << lowest_offset_bit(lower)) - 1;
    return lower & ~(below_bank & ~kept);
}

std::optional<int> constant_index(std::uint64_t lower) {
    constexpr unsigned ldc = 0x182;
    const std::uint64_t index = lower >> 24 & no_register;
    if ((opcode_of(lower) & number_bits) != ldc || index == no_register) return std::nullopt;
    return static_cast<int>(index);
}

std::optional<MovedImmediate> moved_immediate(std::uint64_t lower) {
    // MOV, IMAD.MOV, and HFMA2 with factors of which one is 0.
    constexpr unsigned movers[] = {0x002, imad, 0x031, 0x035};
    const Form form = form_of(lower);
    if ((form != Form::immediate && form != Form::immediate_last) ||
        std::ranges::find(movers, opcode_of(lower) & number_bits) == std::end(movers))
        return std::nullopt;
    return MovedImmediate{static_cast<int>(lower >> 16 & no_register),
                          static_cast<std::uint32_t>(lower >> 32)};
}

std::uint64_t without_immediate(std::uint64_t lower) {
    return lower & 0xffffffff;
}

}  // namespace camber::binary
