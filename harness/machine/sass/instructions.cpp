#include "harness/machine/sass/instructions.hpp"

#include <algorithm>
#include <charconv>

#include "harness/record/metric_names.hpp"

namespace camber {
namespace {

constexpr int barriers = 6;

// State of a single warp that goes through code.
class Warp {
  public:
    Schedule step(const ScheduledInstruction& instruction) {
        const IssueControl& control = instruction.control;
        Schedule counted{control.stall};
        for (std::size_t b = 0; b < barriers; ++b)
            if ((control.waits >> b & 1u) != 0) wait(pending_[b], counted);
        const auto set = [&](const std::optional<int>& barrier, Wait kind) {
            if (barrier)
                pending_[static_cast<std::size_t>(*barrier)][static_cast<std::size_t>(kind)] = now_;
        };
        set(control.sets, instruction.result);
        set(control.frees, Wait::brief);
        now_ += control.stall;
        return counted;
    }

  private:
    using Pending = std::array<std::optional<std::int64_t>, 2>;  // latest issue time, by Wait

    void wait(Pending& pending, Schedule& counted) {
        for (std::size_t kind = 0; kind < pending.size(); ++kind) {
            if (!pending[kind] || *pending[kind] < waited_[kind]) continue;
            ++counted[1 + 2 * kind];
            counted[2 + 2 * kind] += std::min(now_ - *pending[kind], longest_wait_cycles[kind]);
            std::fill(waited_.begin() + static_cast<std::ptrdiff_t>(kind), waited_.end(), now_);
            break;
        }
        pending = {};
    }

    std::int64_t now_ = 0;
    std::array<std::int64_t, 2> waited_{};
    std::array<Pending, barriers> pending_;
};

// Value of all digits, or nullopt.
template <class Number>
std::optional<Number> hexadecimal(std::string_view digits) {
    Number value = 0;
    const char* const end = digits.data() + digits.size();
    const auto parsed = std::from_chars(digits.data(), end, value, 16);
    return parsed.ec == std::errc() && parsed.ptr == end ? std::optional(value) : std::nullopt;
}

}  // namespace

IssueControl issue_control(std::uint64_t upper) {
    const auto bits = [upper](int from, int count) {
        return static_cast<int>(upper >> from & ((1u << count) - 1));
    };
    const auto barrier = [](int number) {
        return number < barriers ? std::optional(number) : std::nullopt;
    };
    return {std::max(1, bits(41, 4)), barrier(bits(46, 3)), barrier(bits(49, 3)),
            static_cast<unsigned>(bits(52, 6))};
}

std::vector<Schedule> parts_of_schedule(const std::vector<ScheduledInstruction>& text,
                                        bool repeats) {
    Warp warp;
    std::vector<Schedule> parts;
    for (int round = 0; round <= (repeats ? 1 : 0); ++round) {
        parts.clear();
        for (const ScheduledInstruction& instruction : text)
            parts.push_back(warp.step(instruction));
    }
    return parts;
}

void add_schedule(const Schedule& schedule, std::map<std::string, std::int64_t>& counts) {
    for (std::size_t i = 0; i < schedule.size(); ++i)
        counts[std::string(text_counts::schedule[i])] += schedule[i];
}

namespace {

struct ClassOpcodes {
    std::string_view name;
    std::string_view opcodes;  // up to their first dots
};

// By InstructionClass: NVIDIA's CUDA Binary Utilities, instruction set tables.
constexpr ClassOpcodes classes[] = {
    {"global_loads", " LDG LD LDGSTS UTMALDG UBLKCP "},
    {"global_stores", " STG ST UTMASTG "},
    {"shared_loads", " LDS LDSM "},
    {"shared_stores", " STS STSM "},
    {"local_loads", " LDL "},
    {"local_stores", " STL "},
    {"texture", " TEX TLD TLD4 TMML TXD TXQ SULD SUST SUATOM SURED "},
    {"atomics", " ATOM ATOMG ATOMS RED REDG REDAS "},
    {"fp32",
     " FADD FADD32I FMUL FMUL32I FFMA FFMA32I FFMA2 FADD2 FMUL2 FSWZADD FCHK MUFU HADD2 "
     "HADD2_32I HMUL2 HMUL2_32I HFMA2 HFMA2_32I "},
    {"fp64", " DADD DMUL DFMA DMNMX "},
    {"integer",
     " IADD IADD3 IADD32I VIADD LEA IABS IMNMX VIMNMX VIMNMX3 VIADDMNMX VABSDIFF VABSDIFF4 "
     "ISCADD "},
    {"integer_multiply", " IMAD IMUL IMUL32I XMAD IDP IDP4A "},
    {"logic", " LOP LOP3 LOP32I PRMT POPC FLO BREV BMSK SGXT "},
    {"shifts", " SHF SHL SHR "},
    {"conversions", " FRND I2F I2FP I2I I2IP F2I F2IP F2F F2FP "},
    {"control",
     " BRA BRX BRXU JMP JMX JMXU BSSY BSYNC BREAK BMOV BPT CALL RET EXIT KILL RTT WARPSYNC "
     "YIELD NANOSLEEP "},
    {"barriers",
     " BAR MEMBAR DEPBAR LDGDEPBAR ERRBAR FENCE SYNCS CCTL CGABAR_ARV CGABAR_WAIT USYNCS "},
    {"constant_loads", " LDC "},
    {"moves", " MOV MOV32I S2R CS2R S2UR R2UR P2R R2P "},
    {"predicates",
     " FMNMX FMNMX3 HMNMX2 ISETP FSETP DSETP HSETP2 ISET FSET HSET2 PSETP PLOP3 SEL FSEL "},
    {"uniform", ""},
    {"other", ""},
};
static_assert(std::size(classes) == instruction_classes);

}  // namespace

std::string_view name(InstructionClass which) {
    return classes[static_cast<std::size_t>(which)].name;
}

InstructionClass classify(std::string_view opcode) {
    // A move on the FMA pipe, which the compiler chooses if the ALU is busier.
    if (opcode.starts_with("IMAD.MOV")) return InstructionClass::moves;
    const auto name = opcode.substr(0, opcode.find('.'));
    const std::string word = ' ' + std::string(name) + ' ';
    for (std::size_t i = 0; i < instruction_classes; ++i)
        if (classes[i].opcodes.find(word) != std::string_view::npos)
            return static_cast<InstructionClass>(i);
    return name.starts_with('U') ? InstructionClass::uniform : InstructionClass::other;
}

std::string_view next_word(std::string_view& text) {
    const auto start = text.find_first_not_of(" \t");
    if (start == std::string_view::npos) return text = {};
    text.remove_prefix(start);
    const auto end = std::min(text.find_first_of(" \t;"), text.size());
    const auto word = text.substr(0, end);
    text.remove_prefix(end);
    return word;
}

std::optional<ListedInstruction> instruction_in(std::string_view line) {
    std::string_view word = next_word(line);
    if (!word.starts_with("/*") || !word.ends_with("*/") || word.size() < 5) return std::nullopt;
    const auto address = hexadecimal<std::int64_t>(word.substr(2, word.size() - 4));
    const auto stop = line.find(';');
    if (!address || stop == std::string_view::npos) return std::nullopt;
    ListedInstruction instruction;
    instruction.address = *address;
    line = line.substr(0, stop);
    word = next_word(line);
    if (word.starts_with('@')) {
        instruction.conditional = true;
        word = next_word(line);
    }
    if (word.empty()) return std::nullopt;
    instruction.opcode = word;
    instruction.operands = next_word(line);
    instruction.last = instruction.operands;
    while (!(word = next_word(line)).empty()) instruction.last = word;
    return instruction;
}

std::optional<std::uint64_t> upper_half_in(std::string_view line) {
    if (next_word(line) != "/*") return std::nullopt;
    const std::string_view word = next_word(line);
    if (!word.starts_with("0x") || next_word(line) != "*/") return std::nullopt;
    return hexadecimal<std::uint64_t>(word.substr(2));
}

std::optional<std::int64_t> target_of(const ListedInstruction& branch) {
    if (!branch.opcode.starts_with("BRA") || !branch.last.starts_with("0x")) return std::nullopt;
    return hexadecimal<std::int64_t>(branch.last.substr(2));
}

}  // namespace camber
