// Instruction mix of a kernel: its machine instructions by class, as listed by the disassembler.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/machine/sass/control_flow.hpp"
#include "harness/machine/sass/instructions.hpp"

namespace camber {

// Instructions of a loop outside its inner loops, or the instructions outside all loops.
struct InstructionRegion {
    // Number of the surrounding region; the first one, which is not a loop, contains itself.
    int within = 0;
    // Counts by class, with "total", "skippable" (see InstructionMix) if there are any, and
    // accesses to global and shared memory by bytes per lane: "global_loads_16". In a loop without
    // accesses, "rounds" is 1: see count_round().
    std::map<std::string, std::int64_t> instructions;

    bool operator==(const InstructionRegion&) const = default;
};

struct InstructionMix {
    std::array<std::int64_t, instruction_classes> count{};
    // Number of instructions that a forward branch may skip and that neither access memory,
    // synchronize with other threads nor end the kernel: access counts do not reveal if they are
    // executed. In an if with an else, they are the first side.
    std::int64_t skippable = 0;
    // Instructions by loop, outer loops before inner ones, and loops without accesses last. Empty
    // if there is no loop, or if a jump has an address that is only known at run time.
    std::vector<InstructionRegion> regions;
    // Basic blocks (see find_basic_blocks()).
    std::vector<BasicBlock> basic_blocks;
    // Schedule of the whole code, as if it had no loops; nullopt if the listing has no encodings.
    std::optional<Schedule> schedule;

    std::int64_t operator[](InstructionClass which) const {
        return count[static_cast<std::size_t>(which)];
    }
    std::int64_t total() const;
};

// Returns the mix of every kernel in a listing of `cuobjdump -sass`, by mangled name. Padding after
// a kernel's end (a branch to itself and NOPs) is not counted. Lines without instructions are
// ignored.
std::map<std::string, InstructionMix> parse_listing(std::string_view listing);

}  // namespace camber
