// Functions that compare, shorten and format text. They match the names that users type, escape
// text from outside before it is printed, and write numbers for people.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace camber {

// Names that users type: globs, near misses

// Shell-style match; `*` also matches slashes.
bool matches_glob(std::string_view glob, std::string_view name);

// Returns the candidates with a prefix that is nearest to `text` by edit distance, at most `count`,
// best first, without those that share less than half of it. Compares prefixes, as names are long
// and users type their beginning.
std::vector<std::string> nearest(std::string_view text, const std::vector<std::string>& candidates,
                                 std::size_t count = 3);

// ": did you mean A, B or C?", or "" if no candidate is near.
std::string suggestion(std::string_view text, const std::vector<std::string>& candidates);

// Printable form of text from outside (files, command lines, other programs): a terminal interprets
// control characters, and a sentence may quote a file of a gigabyte

// Maximum length of a sentence, in bytes.
inline constexpr std::size_t longest_sentence = 2000;

enum class LineFeeds { escaped, kept };

// Replaces control characters (line feeds included, unless kept), characters that change the
// direction of writing, and invalid UTF-8 by escapes: "\n", "\x1b", "\u202e".
std::string escaped(std::string_view text, LineFeeds line_feeds = LineFeeds::escaped);

// escaped(), at most `most` bytes long: the middle of a longer text is replaced by "[98765 bytes
// left out]".
std::string printable(std::string_view text, std::size_t most = longest_sentence,
                      LineFeeds line_feeds = LineFeeds::escaped);

// Parses two integers around `separator`; false if the text is anything else.
bool parse_pair(std::string_view text, char separator, std::int64_t& first, std::int64_t& second);

// Human-readable numbers

// 0.4567 -> "45.7 %"; "-" for nullopt.
std::string percent(double share, int digits = 1);
std::string percent(const std::optional<double>& share, int digits = 1);

// "1.23 us", "1.234 ms" or "1.234 s".
std::string duration(double nanoseconds);

}  // namespace camber
