#include "harness/machine/sass/instruction_mix.hpp"

#include <algorithm>
#include <optional>
#include <vector>

#include "harness/machine/sass/control_flow.hpp"
#include "harness/machine/sass/instructions.hpp"
#include "harness/record/metric_names.hpp"

namespace camber {

namespace {

using Class = InstructionClass;
using Listing = std::vector<ListedInstruction>;

bool is_access(Class which) {
    return which <= Class::atomics;
}

// Class name; for accesses to global or shared memory, followed by the bytes per lane (at least a
// word for shared memory, the width of its banks).
std::string name_with_width(const ListedInstruction& instruction) {
    const Class which = classify(instruction.opcode);
    const std::string plain(name(which));
    if (which > Class::shared_stores) return plain;
    const auto has = [&](std::string_view modifier) {
        return instruction.opcode.find(modifier) != std::string_view::npos;
    };
    if (has(".128")) return plain + "_16";
    if (has(".64")) return plain + "_8";
    const bool global = which <= Class::global_stores;
    if (global && (has(".U16") || has(".S16"))) return plain + "_2";
    if (global && (has(".U8") || has(".S8"))) return plain + "_1";
    return plain + "_4";
}

// Spilled registers are loaded from L1, with about the latency of shared memory.
Wait result_of(std::string_view opcode) {
    const Class which = classify(opcode);
    const bool memory = which == Class::global_loads || which == Class::texture ||
                        (which == Class::atomics && !opcode.starts_with("ATOMS"));
    return memory ? Wait::memory : Wait::brief;
}

auto at_address(const Listing& code, std::int64_t address) {
    return std::ranges::lower_bound(code, address, {}, &ListedInstruction::address);
}

std::vector<FlowStep> steps_of(const Listing& code) {
    std::vector<FlowStep> steps;
    for (const ListedInstruction& instruction : code) {
        FlowStep& step = steps.emplace_back();
        const auto name = instruction.opcode.substr(0, instruction.opcode.find('.'));
        const Class which = classify(instruction.opcode);
        // "BRA.U !UP0, 0x40" and "BRA P0, 0x40" have their condition as an operand.
        step.goes_on = (name != "EXIT" && name != "RET" && name != "BRA") ||
                       instruction.conditional || instruction.operands != instruction.last;
        step.ends = name == "EXIT";
        step.calls = name == "CALL" || name == "RET";
        step.goes_anywhere = name == "BRX" || name == "BRXU" || name == "JMX" || name == "JMXU";
        step.access = is_access(which);
        step.predicated = instruction.conditional;
        // `other`: shuffles, votes, tensor instructions.
        step.noticed = step.access || which == Class::barriers || which == Class::other ||
                       step.ends || name == "RET" || step.goes_anywhere;
        step.counts = {{"total", 1}, {name_with_width(instruction), 1}};
        if (const auto target = target_of(instruction))
            if (const auto to = at_address(code, *target); to != code.end())
                step.target = to - code.begin();
    }
    return steps;
}

enum class Skippable : std::uint8_t {
    never,
    with_loop,  // only by a branch that skips a whole loop without accesses
    alone,
};

// By instruction. A branch that skips a whole loop does not skip part of an iteration.
std::vector<Skippable> which_skippable(const Listing& code, const std::vector<FlowStep>& steps,
                                       const LoopForest& forest) {
    std::vector<Skippable> skippable(code.size(), Skippable::never);
    for (std::size_t branch = 0; branch < code.size(); ++branch) {
        const auto target = target_of(code[branch]);
        if (!code[branch].conditional || !target || *target <= code[branch].address) continue;
        const auto end = static_cast<std::size_t>(at_address(code, *target) - code.begin());
        const auto first = steps.begin() + static_cast<std::ptrdiff_t>(branch) + 1;
        if (std::any_of(first, steps.begin() + static_cast<std::ptrdiff_t>(end),
                        [](const FlowStep& step) { return step.noticed; }))
            continue;
        for (std::size_t i = branch + 1; i < end; ++i) {
            const std::size_t loop = forest.loop_of[i];
            const bool alone = loop < forest.first_uncounted || loop == forest.loop_of[branch];
            skippable[i] = std::max(skippable[i], alone ? Skippable::alone : Skippable::with_loop);
        }
    }
    return skippable;
}

// Adds the schedule of a region's instructions, or of all.
void add_schedule_of(const std::vector<ScheduledInstruction>& text, bool repeats,
                     std::map<std::string, std::int64_t>& counts) {
    add_schedule({}, counts);
    for (const Schedule& part : parts_of_schedule(text, repeats)) add_schedule(part, counts);
}

results::Kernel kernel_of(Listing& code) {
    while (!code.empty() && code.back().opcode == "NOP") code.pop_back();
    if (!code.empty() && code.back().opcode == "BRA" &&
        target_of(code.back()) == code.back().address)
        code.pop_back();
    results::Kernel kernel;
    if (code.empty()) return kernel;
    for (std::size_t which = 0; which < instruction_classes; ++which)
        kernel.instructions[std::string(name(static_cast<Class>(which)))] = 0;
    std::vector<FlowStep> steps = steps_of(code);
    const LoopForest forest = find_loops(steps);
    const std::vector<Skippable> skippable = which_skippable(code, steps, forest);
    std::vector<ScheduledInstruction> text;
    std::vector<std::vector<ScheduledInstruction>> texts(forest.within.size());
    for (const std::size_t around : forest.within)
        kernel.regions.push_back({static_cast<int>(around), {{"total", 0}}});
    for (std::size_t i = 0; i < code.size(); ++i) {
        ++kernel.instructions[std::string(name(classify(code[i].opcode)))];
        auto& counts = kernel.regions[forest.loop_of[i]].instructions;
        for (const auto& [name, count] : steps[i].counts) counts[name] += count;
        if (skippable[i] == Skippable::alone) ++counts[std::string(text_counts::skippable)];
        if (!code[i].control) continue;
        text.push_back({*code[i].control, result_of(code[i].opcode)});
        texts[forest.loop_of[i]].push_back(text.back());
    }
    kernel.instructions[std::string(text_counts::total)] = static_cast<std::int64_t>(code.size());
    kernel.instructions[std::string(text_counts::skippable)] =
        std::ranges::count_if(skippable, [](Skippable one) { return one != Skippable::never; });
    const bool scheduled = text.size() == code.size();
    if (scheduled) add_schedule_of(text, false, kernel.instructions);
    for (std::size_t region = 0; region < texts.size(); ++region) {
        auto& counts = kernel.regions[region].instructions;
        if (region >= forest.first_uncounted) counts[std::string(text_counts::rounds)] = 1;
        if (scheduled) add_schedule_of(texts[region], region > 0, counts);
    }
    if (texts.size() < 2) kernel.regions.clear();
    if (!scheduled) return kernel;
    const std::vector<Schedule> parts = parts_of_schedule(text);
    for (std::size_t i = 0; i < code.size(); ++i) add_schedule(parts[i], steps[i].counts);
    kernel.basic_blocks = find_basic_blocks(steps, forest);
    return kernel;
}

}  // namespace

Mixes parse_listing(std::string_view listing) {
    constexpr std::string_view head = "Function : ";
    Mixes kernels;
    std::string function;
    Listing code;
    const auto finish = [&] {
        if (!function.empty() && !code.empty()) kernels[function] = kernel_of(code);
        code.clear();
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
            code.push_back(*instruction);
        } else if (const auto half = upper_half_in(line); half && !code.empty()) {
            code.back().control = issue_control(*half);
        }
    }
    finish();
    return kernels;
}

}  // namespace camber
