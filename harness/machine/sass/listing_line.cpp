#include "harness/machine/sass/listing_line.hpp"

#include <algorithm>
#include <charconv>

namespace camber {

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
