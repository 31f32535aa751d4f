// Functions that compare, shorten and format text. They match the names that users type, escape
// text from outside before it is printed, and write numbers for people.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace camber {

// Names that people type: globs, near misses, sizes.

// Shell-style match; `*` also crosses slashes.
bool matches_glob(std::string_view glob, std::string_view name);

// The candidates whose front part is nearest to `text` by edit distance, at most `count`, best
// first; those that share less than half of it are left out. Names are long, and people type their
// front.
std::vector<std::string> nearest(std::string_view text, const std::vector<std::string>& candidates,
                                 std::size_t count = 3);

// ": did you mean A, B or C?", or "" when nothing is near.
std::string suggestion(std::string_view text, const std::vector<std::string>& candidates);

// Text from outside (files, command lines, other programs) in a form that is safe to print: a
// terminal obeys control characters, and a sentence may quote a file of a gigabyte.

// Length limit of a sentence, in bytes.
inline constexpr std::size_t longest_sentence = 2000;

enum class LineFeeds { escaped, kept };

// The text with control characters (line feeds included, unless kept), characters that change the
// direction of writing, and bytes that are not UTF-8 as escapes: "\n", "\x1b", "\u202e".
std::string escaped(std::string_view text, LineFeeds line_feeds = LineFeeds::escaped);

// escaped(), at most `most` bytes long: the middle of a longer text is replaced by
// "[98765 bytes left out]".
std::string printable(std::string_view text, std::size_t most = longest_sentence,
                      LineFeeds line_feeds = LineFeeds::escaped);

// Numbers as a person reads them.

// 0.4567 -> "45.7 %"; "-" where there is none.
std::string percent(double share, int digits = 1);
std::string percent(const std::optional<double>& share, int digits = 1);

// "1.23 us", "1.234 ms" or "1.234 s".
std::string duration(double nanoseconds);

}  // namespace camber
