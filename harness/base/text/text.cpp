#include "harness/base/text/text.hpp"

#include <fmt/format.h>
#include <fnmatch.h>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <numeric>

namespace camber {

namespace {

struct Distance {
    std::size_t front;  // to the nearest prefix of the other text
    std::size_t whole;

    auto operator<=>(const Distance&) const = default;
};

// Levenshtein 1966. The last row contains the distances to every prefix of `b`.
Distance edit_distance(std::string_view a, std::string_view b) {
    std::vector<std::size_t> row(b.size() + 1);
    std::iota(row.begin(), row.end(), 0);
    for (std::size_t i = 1; i <= a.size(); ++i) {
        std::size_t diagonal = row[0];
        row[0] = i;
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const std::size_t replaced = diagonal + (a[i - 1] != b[j - 1]);
            diagonal = row[j];
            row[j] = std::min({row[j] + 1, row[j - 1] + 1, replaced});
        }
    }
    return {*std::ranges::min_element(row), row.back()};
}

}  // namespace

bool matches_glob(std::string_view glob, std::string_view name) {
    return fnmatch(std::string(glob).c_str(), std::string(name).c_str(), 0) == 0;
}

std::vector<std::string> nearest(std::string_view text, const std::vector<std::string>& candidates,
                                 std::size_t count) {
    std::vector<std::pair<Distance, std::string>> ranked;
    for (const std::string& candidate : candidates) {
        const Distance distance = edit_distance(text, candidate);
        if (2 * distance.front < text.size()) ranked.emplace_back(distance, candidate);
    }
    std::ranges::stable_sort(ranked, {}, &std::pair<Distance, std::string>::first);
    std::vector<std::string> names;
    for (const auto& [distance, name] : ranked)
        if (names.size() < count && std::ranges::find(names, name) == names.end())
            names.push_back(name);
    return names;
}

std::string suggestion(std::string_view text, const std::vector<std::string>& candidates) {
    const auto names = nearest(text, candidates);
    if (names.empty()) return "";
    std::string list = names.front();
    for (std::size_t i = 1; i < names.size(); ++i)
        list += (i + 1 == names.size() ? " or " : ", ") + names[i];
    return ": did you mean " + list + "?";
}

namespace {

unsigned char byte_at(std::string_view text, std::size_t at) {
    return static_cast<unsigned char>(text[at]);
}

bool is_continuation(std::string_view text, std::size_t at) {
    return (byte_at(text, at) & 0xc0) == 0x80;
}

struct Character {
    std::size_t bytes = 0;  // 0: not UTF-8
    std::uint32_t code = 0;
};

// Decodes a multi-byte character at the beginning of the text (RFC 3629).
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

// Returns true for control characters, line and paragraph separators, and marks that reorder the
// surrounding text: terminals interpret them.
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

// Returns the last position up to `at` that does not split a multi-byte character.
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
    // Inspects only the ends of a longer text.
    const std::size_t looked_at = std::min(text.size(), most);
    std::string head = escaped(text.substr(0, looked_at), line_feeds);
    if (text.size() <= most && head.size() <= most) return head;
    std::string tail =
        escaped(text.substr(boundary_before(text, text.size() - looked_at)), line_feeds);
    constexpr std::size_t notice = 40;  // more than the notice's bytes
    const std::size_t room = most - std::min(most, notice);
    // Keeps twice as much of the beginning, which names the object, as of the end, which names the
    // remedy.
    head.resize(boundary_before(head, std::min(2 * room / 3, head.size())));
    tail.erase(0, tail.size() - std::min(room - 2 * room / 3, tail.size()));
    while (!tail.empty() && is_continuation(tail, 0)) tail.erase(0, 1);
    const std::size_t shown = head.size() + tail.size();
    return fmt::format("{}[{} bytes left out]{}", head, text.size() - std::min(text.size(), shown),
                       tail);
}

bool parse_pair(std::string_view text, char separator, std::int64_t& first, std::int64_t& second) {
    const auto middle = text.find(separator);
    if (middle == std::string_view::npos) return false;
    const auto number = [](std::string_view digits, std::int64_t& value) {
        const auto [end, error] =
            std::from_chars(digits.data(), digits.data() + digits.size(), value);
        return error == std::errc() && end == digits.data() + digits.size();
    };
    return number(text.substr(0, middle), first) && number(text.substr(middle + 1), second);
}

std::string percent(double share, int digits) {
    return fmt::format("{:.{}f} %", 100 * share, digits);
}

std::string percent(const std::optional<double>& share, int digits) {
    return share ? percent(*share, digits) : "-";
}

std::string duration(double nanoseconds) {
    if (nanoseconds < 1e6) return fmt::format("{:.2f} us", nanoseconds * 1e-3);
    if (nanoseconds < 1e9) return fmt::format("{:.3f} ms", nanoseconds * 1e-6);
    return fmt::format("{:.3f} s", nanoseconds * 1e-9);
}

}  // namespace camber
