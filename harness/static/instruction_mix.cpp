#include "harness/static/instruction_mix.hpp"

#include <algorithm>
#include <charconv>
#include <numeric>
#include <optional>
#include <vector>

#include "harness/static/code_loops.hpp"

namespace camber {

namespace {

using Class = InstructionClass;

constexpr std::array<std::string_view, instruction_classes> names{
    "global_loads", "global_stores",    "shared_loads", "shared_stores", "local_loads",
    "local_stores", "texture",          "atomics",      "fp32",          "fp64",
    "integer",      "integer_multiply", "logic",        "shifts",        "conversions",
    "control",      "barriers",         "moves",        "predicates",    "uniform",
    "other"};

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
    {"FMNMX", Class::fp32},
    {"FMNMX3", Class::fp32},
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
    {"HMNMX2", Class::fp32},
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
    // moves: constants are no memory that a technique chooses
    {"MOV", Class::moves},
    {"MOV32I", Class::moves},
    {"LDC", Class::moves},
    {"S2R", Class::moves},
    {"CS2R", Class::moves},
    {"S2UR", Class::moves},
    {"R2UR", Class::moves},
    {"P2R", Class::moves},
    {"R2P", Class::moves},
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

std::string_view next_word(std::string_view& text) {
    const auto start = text.find_first_not_of(" \t");
    if (start == std::string_view::npos) return text = {};
    text.remove_prefix(start);
    const auto end = std::min(text.find_first_of(" \t;"), text.size());
    const auto word = text.substr(0, end);
    text.remove_prefix(end);
    return word;
}

struct Instruction {
    std::int64_t address = 0;
    std::string_view opcode;
    std::string_view operands;  // the first word, up to a blank
    std::string_view last;      // the last word: a branch's target
    bool conditional = false;   // behind a predicate
};

// From "        /*0040*/              @!P0 BRA 0x360;   /* encoding */".
std::optional<Instruction> instruction_in(std::string_view line) {
    std::string_view word = next_word(line);
    if (!word.starts_with("/*") || !word.ends_with("*/") || word.size() < 5) return std::nullopt;
    Instruction instruction;
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

std::optional<std::int64_t> target_of(const Instruction& branch) {
    if (!branch.opcode.starts_with("BRA") || !branch.last.starts_with("0x")) return std::nullopt;
    const auto digits = branch.last.substr(2);
    std::int64_t target = 0;
    const auto [end, error] =
        std::from_chars(digits.data(), digits.data() + digits.size(), target, 16);
    if (error != std::errc() || end != digits.data() + digits.size()) return std::nullopt;
    return target;
}

bool branches_to_itself(const Instruction& instruction) {
    return instruction.opcode == "BRA" && target_of(instruction) == instruction.address;
}

// Whether the counts of memory accesses, or other threads, would tell that it is executed.
bool is_noticed(const Instruction& instruction) {
    switch (classify(instruction.opcode)) {
        case Class::global_loads:
        case Class::global_stores:
        case Class::shared_loads:
        case Class::shared_stores:
        case Class::local_loads:
        case Class::local_stores:
        case Class::texture:
        case Class::atomics:
        case Class::barriers:
        case Class::other:  // shuffles, votes, tensor instructions
            return true;
        default:
            break;
    }
    const auto name = instruction.opcode.substr(0, instruction.opcode.find('.'));
    return name == "EXIT" || name == "RET" || name == "BRX" || name == "BRXU" || name == "JMX";
}

std::vector<bool> which_skippable(const std::vector<Instruction>& instructions) {
    std::vector<bool> skippable(instructions.size());
    for (std::size_t i = 0; i < instructions.size(); ++i) {
        if (!instructions[i].conditional) continue;
        const auto target = target_of(instructions[i]);
        if (!target || *target <= instructions[i].address) continue;
        const auto first = instructions.begin() + static_cast<std::ptrdiff_t>(i) + 1;
        const auto last =
            std::ranges::lower_bound(first, instructions.end(), *target, {}, &Instruction::address);
        if (std::any_of(first, last, is_noticed)) continue;
        std::fill(skippable.begin() + (first - instructions.begin()),
                  skippable.begin() + (last - instructions.begin()), true);
    }
    return skippable;
}

// For find_loops().
std::vector<FlowStep> flow_of(const std::vector<Instruction>& instructions) {
    std::vector<FlowStep> steps;
    for (const Instruction& instruction : instructions) {
        FlowStep& step = steps.emplace_back();
        const auto name = instruction.opcode.substr(0, instruction.opcode.find('.'));
        const bool ends = name == "EXIT" || name == "RET" || name == "BRA";
        // "BRA.U !UP0, 0x40" and "BRA P0, 0x40" have their condition as an operand.
        const bool falls_through =
            instruction.conditional || instruction.operands != instruction.last;
        step.goes_on = !ends || falls_through;
        step.goes_anywhere = name == "BRX" || name == "BRXU" || name == "JMX" || name == "JMXU";
        if (const auto target = target_of(instruction)) {
            const auto to =
                std::ranges::lower_bound(instructions, *target, {}, &Instruction::address);
            if (to != instructions.end()) step.target = to - instructions.begin();
        }
    }
    return steps;
}

// Of an access to global or shared memory, with the bytes that a lane takes at once: of shared
// memory at least a word, as its banks have it.
std::string name_with_width(const Instruction& instruction) {
    const Class which = classify(instruction.opcode);
    const std::string plain(name(which));
    const bool global = which == Class::global_loads || which == Class::global_stores;
    const bool shared = which == Class::shared_loads || which == Class::shared_stores;
    if (!global && !shared) return plain;
    const auto has = [&](std::string_view modifier) {
        return instruction.opcode.find(modifier) != std::string_view::npos;
    };
    if (has(".128")) return plain + "_16";
    if (has(".64")) return plain + "_8";
    if (global && (has(".U16") || has(".S16"))) return plain + "_2";
    if (global && (has(".U8") || has(".S8"))) return plain + "_1";
    return plain + "_4";
}

bool is_access(const Instruction& instruction) {
    const Class which = classify(instruction.opcode);
    return which <= Class::atomics;
}

std::vector<InstructionRegion> regions_of(const std::vector<Instruction>& instructions,
                                          const std::vector<bool>& skippable) {
    std::vector<bool> accesses;
    for (const Instruction& instruction : instructions) accesses.push_back(is_access(instruction));
    const LoopForest forest = find_loops(flow_of(instructions), accesses);
    if (forest.within.size() < 2) return {};
    std::vector<InstructionRegion> regions;
    for (const std::size_t around : forest.within)
        regions.push_back({static_cast<int>(around), {{"total", 0}}});
    for (std::size_t i = 0; i < instructions.size(); ++i) {
        auto& counts = regions[forest.loop_of[i]].instructions;
        ++counts["total"];
        ++counts[name_with_width(instructions[i])];
        if (skippable[i]) ++counts["skippable"];
    }
    return regions;
}

InstructionMix mix_of(std::vector<Instruction>& instructions) {
    while (!instructions.empty() && instructions.back().opcode == "NOP") instructions.pop_back();
    if (!instructions.empty() && branches_to_itself(instructions.back())) instructions.pop_back();
    InstructionMix mix;
    for (const Instruction& instruction : instructions)
        ++mix.count[static_cast<std::size_t>(classify(instruction.opcode))];
    const std::vector<bool> skippable = which_skippable(instructions);
    mix.skippable = std::ranges::count(skippable, true);
    mix.regions = regions_of(instructions, skippable);
    return mix;
}

}  // namespace

std::string_view name(InstructionClass which) {
    return names[static_cast<std::size_t>(which)];
}

std::int64_t InstructionMix::total() const {
    return std::accumulate(count.begin(), count.end(), std::int64_t{0});
}

InstructionClass classify(std::string_view opcode) {
    // A move on the FMA pipe; the compiler chooses it where the ALU is the busier one.
    if (opcode.starts_with("IMAD.MOV")) return Class::moves;
    const auto name = opcode.substr(0, opcode.find('.'));
    const auto* known = std::ranges::find(opcodes, name, &Opcode::name);
    if (known != std::end(opcodes)) return known->which;
    return name.starts_with('U') ? Class::uniform : Class::other;
}

std::map<std::string, InstructionMix> parse_listing(std::string_view listing) {
    constexpr std::string_view head = "Function : ";
    std::map<std::string, InstructionMix> mixes;
    std::string function;
    std::vector<Instruction> instructions;
    const auto finish = [&] {
        if (!function.empty() && !instructions.empty()) mixes[function] = mix_of(instructions);
        instructions.clear();
    };
    while (!listing.empty()) {
        const auto end = std::min(listing.find('\n'), listing.size());
        const auto line = listing.substr(0, end);
        listing.remove_prefix(std::min(end + 1, listing.size()));
        if (const auto start = line.find(head); start != std::string_view::npos) {
            finish();
            auto rest = line.substr(start + head.size());
            function = next_word(rest);
        } else if (const auto instruction = instruction_in(line)) {
            instructions.push_back(*instruction);
        }
    }
    finish();
    return mixes;
}

}  // namespace camber
