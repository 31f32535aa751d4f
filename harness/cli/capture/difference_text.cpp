#include "harness/cli/capture/difference_text.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "harness/capture/replay/comparison.hpp"

namespace camber {

using namespace capture;

namespace {

// True if the first byte that differs is still the poison of an output.
bool is_poison(const Difference& difference) {
    ByteVector actual;
    from_hexadecimal(difference.actual, actual);
    const std::size_t at = difference.first_offset % sizeof(std::uint64_t);
    return at < actual.size() &&
           std::ranges::find(output_poisons, actual[at]) != output_poisons.end();
}

Element element_at(const std::vector<Part>& parts, const std::vector<Element>& elements,
                   std::uint64_t buffer, std::uint64_t offset) {
    for (std::size_t k = 0; k < parts.size(); ++k)
        if (parts[k].buffer == buffer && offset >= parts[k].begin && offset < parts[k].end)
            return elements[k];
    return Element::bytes;
}

}  // namespace

std::string layout_text(const std::vector<Parameter>& parameters) {
    std::vector<std::uint64_t> bytes;
    for (const Parameter& one : parameters) bytes.push_back(one.bytes);
    return bytes.empty() ? "none" : fmt::format("{} bytes", fmt::join(bytes, ", "));
}

std::string difference_text(const Difference& difference, const std::vector<Part>& parts,
                            const std::vector<Element>& elements) {
    const std::string place =
        fmt::format("{} bytes differ, first in buffer {} at byte {}", difference.bytes,
                    difference.first_buffer, difference.first_offset);
    if (is_poison(difference)) return place + ", which was not written";
    const Element element =
        element_at(parts, elements, difference.first_buffer, difference.first_offset);
    ByteVector expected;
    ByteVector actual;
    from_hexadecimal(difference.expected, expected);
    from_hexadecimal(difference.actual, actual);
    const std::size_t bytes = element_bytes(element);
    const std::size_t at = difference.first_offset % sizeof(std::uint64_t) / bytes * bytes;
    if (element == Element::bytes || at + bytes > expected.size())
        return fmt::format("{}: {} instead of {}", place, difference.actual, difference.expected);
    return fmt::format("{}: {} instead of {}", place, value_of(element, actual.data() + at),
                       value_of(element, expected.data() + at));
}

}  // namespace camber
