#include "harness/base/printable.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>

namespace camber {

namespace {

unsigned char byte_at(std::string_view text, std::size_t at) {
    return static_cast<unsigned char>(text[at]);
}

bool is_continuation(std::string_view text, std::size_t at) {
    return (byte_at(text, at) & 0xc0) == 0x80;
}

struct Character {
    std::size_t bytes = 0;  // 0: no UTF-8
    std::uint32_t code = 0;
};

// The character at the front of the text, which has more than one byte (RFC 3629).
Character multi_byte_character(std::string_view text) {
    const unsigned char first = byte_at(text, 0);
    const std::size_t bytes = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
    if (first < 0xc2 || first > 0xf4 || text.size() < bytes) return {};
    std::uint32_t code = first & (0xffU >> (bytes + 1));
    for (std::size_t k = 1; k < bytes; ++k) {
        if (!is_continuation(text, k)) return {};
        code = code << 6 | (byte_at(text, k) & 0x3fU);
    }
    constexpr std::uint32_t smallest[] = {0, 0, 0x80, 0x800, 0x10000};
    const bool surrogate = code >= 0xd800 && code <= 0xdfff;
    if (code < smallest[bytes] || code > 0x10ffff || surrogate) return {};
    return {bytes, code};
}

// Control characters, line and paragraph separators, and marks that reorder what stands around
// them.
bool is_obeyed(std::uint32_t code) {
    return code < 0xa0 || code == 0x200e || code == 0x200f || (code >= 0x2028 && code <= 0x202e) ||
           (code >= 0x2066 && code <= 0x2069) || code == 0xfeff;
}

void append_control(std::string& result, char c) {
    switch (c) {
        case '\n':
            result += "\\n";
            break;
        case '\r':
            result += "\\r";
            break;
        case '\t':
            result += "\\t";
            break;
        default:
            result += fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
    }
}

// The last place up to `at` at which no character of several bytes is cut.
std::size_t boundary_before(std::string_view text, std::size_t at) {
    for (std::size_t back = 0; back < 4 && at > back; ++back)
        if (at - back >= text.size() || !is_continuation(text, at - back)) return at - back;
    return at;
}

}  // namespace

std::string escaped(std::string_view text, LineFeeds line_feeds) {
    std::string result;
    result.reserve(text.size());
    for (std::size_t at = 0; at < text.size();) {
        const char c = text[at];
        if (byte_at(text, at) < 0x80) {
            if ((c >= ' ' && c != 0x7f) || (c == '\n' && line_feeds == LineFeeds::kept))
                result += c;
            else
                append_control(result, c);
            ++at;
            continue;
        }
        const Character character = multi_byte_character(text.substr(at));
        if (character.bytes == 0)
            append_control(result, c);
        else if (is_obeyed(character.code))
            result += fmt::format("\\u{:04x}", character.code);
        else
            result += text.substr(at, character.bytes);
        at += std::max<std::size_t>(character.bytes, 1);
    }
    return result;
}

std::string printable(std::string_view text, std::size_t most, LineFeeds line_feeds) {
    // Only the ends of a longer text are inspected.
    const std::size_t looked_at = std::min(text.size(), most);
    std::string head = escaped(text.substr(0, looked_at), line_feeds);
    if (text.size() <= most && head.size() <= most) return head;
    std::string tail =
        escaped(text.substr(boundary_before(text, text.size() - looked_at)), line_feeds);
    constexpr std::size_t notice = 40;  // more than its bytes
    const std::size_t room = most - std::min(most, notice);
    // The thing stands at the front of a sentence, the remedy at its end.
    head.resize(boundary_before(head, std::min(2 * room / 3, head.size())));
    tail.erase(0, tail.size() - std::min(room - 2 * room / 3, tail.size()));
    while (!tail.empty() && is_continuation(tail, 0)) tail.erase(0, 1);
    const std::size_t shown = head.size() + tail.size();
    return fmt::format("{}[{} bytes left out]{}", head, text.size() - std::min(text.size(), shown),
                       tail);
}

}  // namespace camber
