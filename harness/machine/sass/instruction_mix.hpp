// The machine instructions of a kernel by class, as the disassembler lists them.
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

// A loop, or what stands in none: the instructions that stand in no loop inside of it.
struct InstructionRegion {
    int within = 0;  // number of the region around it; the first one, which is no loop, has itself
    // By class, with "total", "skippable" (see InstructionMix) where there are some, and accesses
    // to global and shared memory by the bytes that a lane takes at once: "global_loads_16". Of a
    // loop without accesses "rounds" is 1: see count_round().
    std::map<std::string, std::int64_t> instructions;

    bool operator==(const InstructionRegion&) const = default;
};

struct InstructionMix {
    std::array<std::int64_t, instruction_classes> count{};
    // Of them, those that a forward branch may jump over and that stand where nothing touches
    // memory, meets other threads or ends the kernel: no count of memory accesses tells whether
    // they are executed. Of an if with an else, they are the first side.
    std::int64_t skippable = 0;
    // The text by loops, an outer one before those inside of it, and those without accesses last.
    // Empty where there is no loop, and where a jump goes to an address that only the run tells.
    std::vector<InstructionRegion> regions;
    // The text between branches (see find_basic_blocks()).
    std::vector<BasicBlock> basic_blocks;
    // Of the whole text, as if it had no loops. Nothing where the listing has no encodings.
    std::optional<Schedule> schedule;

    std::int64_t operator[](InstructionClass which) const {
        return count[static_cast<std::size_t>(which)];
    }
    std::int64_t total() const;
};

// By mangled name: the mix of every kernel in a listing of `cuobjdump -sass`. What follows a
// kernel's end (a branch to itself and NOPs, which fill it up) does not count. Lines that are no
// instructions are passed over.
std::map<std::string, InstructionMix> parse_listing(std::string_view listing);

}  // namespace camber
