#include "harness/machine/sass/instruction_mix.hpp"

#include <algorithm>
#include <numeric>
#include <optional>
#include <vector>

#include "harness/machine/sass/control_flow.hpp"
#include "harness/machine/sass/instructions.hpp"
#include "harness/record/metric_names.hpp"

namespace camber {

namespace {

using Class = InstructionClass;
using Instruction = ListedInstruction;

bool branches_to_itself(const Instruction& instruction) {
    return instruction.opcode == "BRA" && target_of(instruction) == instruction.address;
}

// Returns true if access counts or synchronization reveal that the instruction is executed.
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

// Marks the instructions that forward branches may skip, considering only branches for which
// `counts(index)` is true.
template <class Counts>
std::vector<bool> which_skippable(const std::vector<Instruction>& instructions,
                                  const Counts& counts) {
    std::vector<bool> skippable(instructions.size());
    for (std::size_t i = 0; i < instructions.size(); ++i) {
        if (!instructions[i].conditional || !counts(i)) continue;
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

// Input of find_loops() and find_basic_blocks().
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
        step.ends = name == "EXIT";
        step.calls = name == "CALL" || name == "RET";
        step.goes_anywhere = name == "BRX" || name == "BRXU" || name == "JMX" || name == "JMXU";
        if (const auto target = target_of(instruction)) {
            const auto to =
                std::ranges::lower_bound(instructions, *target, {}, &Instruction::address);
            if (to != instructions.end()) step.target = to - instructions.begin();
        }
    }
    return steps;
}

// Class name; for accesses to global or shared memory, followed by the bytes per lane (at least a
// word for shared memory, the width of its banks).
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

// Spilled registers are loaded from L1, with about the latency of shared memory.
Wait result_of(const Instruction& instruction) {
    switch (classify(instruction.opcode)) {
        case Class::atomics:
            return instruction.opcode.starts_with("ATOMS") ? Wait::brief : Wait::memory;
        case Class::global_loads:
        case Class::texture:
            return Wait::memory;
        default:
            return Wait::brief;
    }
}

ScheduledInstruction scheduled(const Instruction& instruction) {
    return {*instruction.control, result_of(instruction)};
}

// Schedule of the instructions of a region; nullopt if the listing has no encodings.
std::optional<Schedule> schedule_in(const std::vector<Instruction>& instructions,
                                    const std::vector<std::size_t>& region_of, std::size_t region) {
    std::vector<ScheduledInstruction> text;
    for (std::size_t i = 0; i < instructions.size(); ++i) {
        if (!region_of.empty() && region_of[i] != region) continue;
        if (!instructions[i].control) return std::nullopt;
        text.push_back(scheduled(instructions[i]));
    }
    return schedule_of(text, region > 0);
}

std::vector<InstructionRegion> regions_of(const std::vector<Instruction>& instructions,
                                          const std::vector<bool>& skippable,
                                          const LoopForest& forest) {
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
    for (std::size_t region = forest.first_uncounted; region < regions.size(); ++region) {
        auto& counts = regions[region].instructions;
        counts[std::string(text_counts::rounds)] = 1;
        // A branch that skips the whole loop does not skip part of an iteration.
        const auto of_loop = [&](std::size_t i) { return forest.loop_of[i] == region; };
        const std::vector<bool> of_round = which_skippable(instructions, of_loop);
        counts.erase(std::string(text_counts::skippable));
        for (std::size_t i = 0; i < instructions.size(); ++i)
            if (of_loop(i) && of_round[i]) ++counts[std::string(text_counts::skippable)];
    }
    for (std::size_t region = 0; region < regions.size(); ++region)
        if (const auto schedule = schedule_in(instructions, forest.loop_of, region))
            add_schedule(*schedule, regions[region].instructions);
    return regions;
}

// Empty if the listing has no encodings.
std::vector<BasicBlock> blocks_of(const std::vector<Instruction>& instructions,
                                  const std::vector<FlowStep>& flow, const LoopForest& forest) {
    std::vector<ScheduledInstruction> text;
    for (const Instruction& instruction : instructions) {
        if (!instruction.control) return {};
        text.push_back(scheduled(instruction));
    }
    const std::vector<Schedule> parts = parts_of_schedule(text);
    std::vector<BlockStep> steps;
    for (std::size_t i = 0; i < instructions.size(); ++i) {
        const Instruction& instruction = instructions[i];
        BlockStep& step = steps.emplace_back();
        step.flow = flow[i];
        step.loop = static_cast<int>(forest.counted_loop_of(i));
        step.counts = {{"total", 1}, {name_with_width(instruction), 1}};
        add_schedule(parts[i], step.counts);
        step.access = is_access(instruction);
        step.predicated = instruction.conditional;
        step.noticed = is_noticed(instruction);
    }
    return find_basic_blocks(steps);
}

InstructionMix mix_of(std::vector<Instruction>& instructions) {
    while (!instructions.empty() && instructions.back().opcode == "NOP") instructions.pop_back();
    if (!instructions.empty() && branches_to_itself(instructions.back())) instructions.pop_back();
    InstructionMix mix;
    for (const Instruction& instruction : instructions)
        ++mix.count[static_cast<std::size_t>(classify(instruction.opcode))];
    const auto all = [](std::size_t) { return true; };
    const std::vector<bool> skippable = which_skippable(instructions, all);
    mix.skippable = std::ranges::count(skippable, true);
    mix.schedule = schedule_in(instructions, {}, 0);
    std::vector<bool> accesses;
    for (const Instruction& instruction : instructions) accesses.push_back(is_access(instruction));
    const std::vector<FlowStep> flow = flow_of(instructions);
    const LoopForest forest = find_loops(flow, accesses);
    mix.regions = regions_of(instructions, skippable, forest);
    mix.basic_blocks = blocks_of(instructions, flow, forest);
    return mix;
}

}  // namespace

std::int64_t InstructionMix::total() const {
    return std::accumulate(count.begin(), count.end(), std::int64_t{0});
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
        } else if (const auto half = upper_half_in(line); half && !instructions.empty()) {
            instructions.back().control = issue_control(*half);
        }
    }
    finish();
    return mixes;
}

}  // namespace camber
