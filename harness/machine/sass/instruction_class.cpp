#include "harness/machine/sass/instruction_class.hpp"

#include <algorithm>
#include <array>

namespace camber {
namespace {

using Class = InstructionClass;

constexpr std::array<std::string_view, instruction_classes> names{
    "global_loads", "global_stores",  "shared_loads", "shared_stores",
    "local_loads",  "local_stores",   "texture",      "atomics",
    "fp32",         "fp64",           "integer",      "integer_multiply",
    "logic",        "shifts",         "conversions",  "control",
    "barriers",     "constant_loads", "moves",        "predicates",
    "uniform",      "other"};

struct Opcode {
    std::string_view name;  // up to the first dot
    Class which;
};

constexpr Opcode opcodes[] = {
    // memory
    {"LDG", Class::global_loads},
    {"LD", Class::global_loads},
    {"LDGSTS", Class::global_loads},
    {"STG", Class::global_stores},
    {"ST", Class::global_stores},
    {"LDS", Class::shared_loads},
    {"LDSM", Class::shared_loads},
    {"STS", Class::shared_stores},
    {"STSM", Class::shared_stores},
    {"LDL", Class::local_loads},
    {"STL", Class::local_stores},
    {"TEX", Class::texture},
    {"TLD", Class::texture},
    {"TLD4", Class::texture},
    {"TMML", Class::texture},
    {"TXD", Class::texture},
    {"TXQ", Class::texture},
    {"SULD", Class::texture},
    {"SUST", Class::texture},
    {"SUATOM", Class::texture},
    {"SURED", Class::texture},
    {"ATOM", Class::atomics},
    {"ATOMG", Class::atomics},
    {"ATOMS", Class::atomics},
    {"RED", Class::atomics},
    {"REDG", Class::atomics},
    {"REDAS", Class::atomics},
    // floating point
    {"FADD", Class::fp32},
    {"FADD32I", Class::fp32},
    {"FMUL", Class::fp32},
    {"FMUL32I", Class::fp32},
    {"FFMA", Class::fp32},
    {"FFMA32I", Class::fp32},
    {"FFMA2", Class::fp32},
    {"FADD2", Class::fp32},
    {"FMUL2", Class::fp32},
    {"FSWZADD", Class::fp32},
    {"FCHK", Class::fp32},
    {"FRND", Class::conversions},
    {"MUFU", Class::fp32},
    {"HADD2", Class::fp32},
    {"HADD2_32I", Class::fp32},
    {"HMUL2", Class::fp32},
    {"HMUL2_32I", Class::fp32},
    {"HFMA2", Class::fp32},
    {"HFMA2_32I", Class::fp32},
    {"DADD", Class::fp64},
    {"DMUL", Class::fp64},
    {"DFMA", Class::fp64},
    {"DMNMX", Class::fp64},
    // integer
    {"IADD", Class::integer},
    {"IADD3", Class::integer},
    {"IADD32I", Class::integer},
    {"VIADD", Class::integer},
    {"LEA", Class::integer},
    {"IABS", Class::integer},
    {"IMNMX", Class::integer},
    {"VIMNMX", Class::integer},
    {"VIMNMX3", Class::integer},
    {"VIADDMNMX", Class::integer},
    {"VABSDIFF", Class::integer},
    {"VABSDIFF4", Class::integer},
    {"ISCADD", Class::integer},
    {"IMAD", Class::integer_multiply},
    {"IMUL", Class::integer_multiply},
    {"IMUL32I", Class::integer_multiply},
    {"XMAD", Class::integer_multiply},
    {"IDP", Class::integer_multiply},
    {"IDP4A", Class::integer_multiply},
    {"LOP", Class::logic},
    {"LOP3", Class::logic},
    {"LOP32I", Class::logic},
    {"PRMT", Class::logic},
    {"POPC", Class::logic},
    {"FLO", Class::logic},
    {"BREV", Class::logic},
    {"BMSK", Class::logic},
    {"SGXT", Class::logic},
    {"SHF", Class::shifts},
    {"SHL", Class::shifts},
    {"SHR", Class::shifts},
    {"I2F", Class::conversions},
    {"I2FP", Class::conversions},
    {"I2I", Class::conversions},
    {"I2IP", Class::conversions},
    {"F2I", Class::conversions},
    {"F2IP", Class::conversions},
    {"F2F", Class::conversions},
    {"F2FP", Class::conversions},
    // flow
    {"BRA", Class::control},
    {"BRX", Class::control},
    {"BRXU", Class::control},
    {"JMP", Class::control},
    {"JMX", Class::control},
    {"JMXU", Class::control},
    {"BSSY", Class::control},
    {"BSYNC", Class::control},
    {"BREAK", Class::control},
    {"BMOV", Class::control},
    {"BPT", Class::control},
    {"CALL", Class::control},
    {"RET", Class::control},
    {"EXIT", Class::control},
    {"KILL", Class::control},
    {"RTT", Class::control},
    {"WARPSYNC", Class::control},
    {"YIELD", Class::control},
    {"NANOSLEEP", Class::control},
    {"BAR", Class::barriers},
    {"MEMBAR", Class::barriers},
    {"DEPBAR", Class::barriers},
    {"LDGDEPBAR", Class::barriers},
    {"ERRBAR", Class::barriers},
    {"FENCE", Class::barriers},
    {"SYNCS", Class::barriers},
    {"CCTL", Class::barriers},
    {"CGABAR_ARV", Class::barriers},
    {"CGABAR_WAIT", Class::barriers},
    {"MOV", Class::moves},
    {"MOV32I", Class::moves},
    {"LDC", Class::constant_loads},
    {"S2R", Class::moves},
    {"CS2R", Class::moves},
    {"S2UR", Class::moves},
    {"R2UR", Class::moves},
    {"P2R", Class::moves},
    {"R2P", Class::moves},
    // compares, also where it takes one of the two: the ALU pipe
    {"FMNMX", Class::predicates},
    {"FMNMX3", Class::predicates},
    {"HMNMX2", Class::predicates},
    {"ISETP", Class::predicates},
    {"FSETP", Class::predicates},
    {"DSETP", Class::predicates},
    {"HSETP2", Class::predicates},
    {"ISET", Class::predicates},
    {"FSET", Class::predicates},
    {"HSET2", Class::predicates},
    {"PSETP", Class::predicates},
    {"PLOP3", Class::predicates},
    {"SEL", Class::predicates},
    {"FSEL", Class::predicates},
    // what begins with U but is not of the uniform datapath
    {"UTMALDG", Class::global_loads},
    {"UBLKCP", Class::global_loads},
    {"UTMASTG", Class::global_stores},
    {"USYNCS", Class::barriers},
};

}  // namespace

std::string_view name(InstructionClass which) {
    return names[static_cast<std::size_t>(which)];
}

InstructionClass classify(std::string_view opcode) {
    // A move on the FMA pipe; the compiler chooses it where the ALU is the busier one.
    if (opcode.starts_with("IMAD.MOV")) return Class::moves;
    const auto name = opcode.substr(0, opcode.find('.'));
    const auto* known = std::ranges::find(opcodes, name, &Opcode::name);
    if (known != std::end(opcodes)) return known->which;
    return name.starts_with('U') ? Class::uniform : Class::other;
}

}  // namespace camber
