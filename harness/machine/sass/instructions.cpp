#include "harness/machine/sass/instructions.hpp"

#include <algorithm>
#include <array>
#include <charconv>

#include "harness/record/metric_names.hpp"

namespace camber {
namespace {

constexpr int barriers = 6;

class Warp {
  public:
    void go_through(const std::vector<ScheduledInstruction>& text) {
        counted_ = {};
        for (const ScheduledInstruction& instruction : text) step(instruction);
    }
    const Schedule& counted() const { return counted_; }

    // Returns the contribution of one instruction.
    Schedule go_through(const ScheduledInstruction& instruction) {
        counted_ = {};
        step(instruction);
        return counted_;
    }

  private:
    struct Pending {
        std::optional<std::int64_t> memory;  // issue time of the latest one
        std::optional<std::int64_t> brief;
    };

    void step(const ScheduledInstruction& instruction) {
        const IssueControl& control = instruction.control;
        for (int b = 0; b < barriers; ++b)
            if ((control.waits >> b & 1u) != 0) wait(pending_[static_cast<std::size_t>(b)]);
        const auto set = [&](const std::optional<int>& barrier, Wait kind) {
            if (!barrier) return;
            Pending& pending = pending_[static_cast<std::size_t>(*barrier)];
            (kind == Wait::memory ? pending.memory : pending.brief) = now_;
        };
        set(control.sets, instruction.result);
        set(control.frees, Wait::brief);
        now_ += control.stall;
        counted_.cycles += control.stall;
    }

    void wait(Pending& pending) {
        if (pending.memory && *pending.memory >= memory_waited_) {
            ++counted_.memory_waits;
            counted_.memory_covered += std::min(now_ - *pending.memory, longest_memory_wait);
            memory_waited_ = now_;
            brief_waited_ = now_;
        } else if (pending.brief && *pending.brief >= brief_waited_) {
            ++counted_.brief_waits;
            counted_.brief_covered += std::min(now_ - *pending.brief, longest_brief_wait);
            brief_waited_ = now_;
        }
        pending = {};
    }

    std::int64_t now_ = 0;
    std::int64_t memory_waited_ = 0;
    std::int64_t brief_waited_ = 0;
    std::array<Pending, barriers> pending_;
    Schedule counted_;
};

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

Schedule schedule_of(const std::vector<ScheduledInstruction>& text, bool repeats) {
    Warp warp;
    warp.go_through(text);
    if (repeats) warp.go_through(text);
    return warp.counted();
}

std::vector<Schedule> parts_of_schedule(const std::vector<ScheduledInstruction>& text) {
    Warp warp;
    std::vector<Schedule> parts;
    for (const ScheduledInstruction& instruction : text)
        parts.push_back(warp.go_through(instruction));
    return parts;
}

void add_schedule(const Schedule& schedule, std::map<std::string, std::int64_t>& counts) {
    counts[std::string(text_counts::cycles)] = schedule.cycles;
    counts[std::string(text_counts::memory_waits)] = schedule.memory_waits;
    counts[std::string(text_counts::memory_covered)] = schedule.memory_covered;
    counts[std::string(text_counts::brief_waits)] = schedule.brief_waits;
    counts[std::string(text_counts::brief_covered)] = schedule.brief_covered;
}

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
    std::string_view name;  // prefix up to the first dot
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
    // comparisons, and selections of one of two values: the ALU pipe
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
    // begins with U but does not run on the uniform datapath
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
    // A move on the FMA pipe, which the compiler chooses if the ALU is busier.
    if (opcode.starts_with("IMAD.MOV")) return Class::moves;
    const auto name = opcode.substr(0, opcode.find('.'));
    const auto* known = std::ranges::find(opcodes, name, &Opcode::name);
    if (known != std::end(opcodes)) return known->which;
    return name.starts_with('U') ? Class::uniform : Class::other;
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
    ListedInstruction instruction;
    const char* end = word.data() + word.size() - 2;
    const auto parsed = std::from_chars(word.data() + 2, end, instruction.address, 16);
    if (parsed.ec != std::errc() || parsed.ptr != end) return std::nullopt;
    const auto stop = line.find(';');
    if (stop == std::string_view::npos) return std::nullopt;
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
    constexpr std::string_view prefix = "0x";
    if (next_word(line) != "/*") return std::nullopt;
    const std::string_view word = next_word(line);
    if (!word.starts_with(prefix) || next_word(line) != "*/") return std::nullopt;
    std::uint64_t half = 0;
    const char* const end = word.data() + word.size();
    const auto parsed = std::from_chars(word.data() + prefix.size(), end, half, 16);
    if (parsed.ec != std::errc() || parsed.ptr != end) return std::nullopt;
    return half;
}

std::optional<std::int64_t> target_of(const ListedInstruction& branch) {
    if (!branch.opcode.starts_with("BRA") || !branch.last.starts_with("0x")) return std::nullopt;
    const auto digits = branch.last.substr(2);
    std::int64_t target = 0;
    const auto [end, error] =
        std::from_chars(digits.data(), digits.data() + digits.size(), target, 16);
    if (error != std::errc() || end != digits.data() + digits.size()) return std::nullopt;
    return target;
}

}  // namespace camber
