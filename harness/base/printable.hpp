// Text from outside (files, command lines, other programs) in a form that is safe to print: a
// terminal obeys control characters, and a sentence may quote a file of a gigabyte.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace camber {

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

}  // namespace camber
