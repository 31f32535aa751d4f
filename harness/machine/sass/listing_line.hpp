// Lines of what `cuobjdump -sass` prints.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "harness/machine/sass/schedule.hpp"

namespace camber {

// Its views are of the listing.
struct ListedInstruction {
    std::int64_t address = 0;
    std::string_view opcode;
    std::string_view operands;            // the first word, up to a blank
    std::string_view last;                // the last word: a branch's target
    bool conditional = false;             // behind a predicate
    std::optional<IssueControl> control;  // nothing where the listing has no encodings
};

// Cuts the first word, up to a blank or a semicolon, off the text.
std::string_view next_word(std::string_view& text);

// From "        /*0040*/              @!P0 BRA 0x360;   /* encoding */".
std::optional<ListedInstruction> instruction_in(std::string_view line);

// The upper half of an instruction's encoding has a line to itself: "/* 0x000fe20000000800 */".
std::optional<std::uint64_t> upper_half_in(std::string_view line);

// Where a branch goes.
std::optional<std::int64_t> target_of(const ListedInstruction& branch);

}  // namespace camber
