// Reading C++ text without a compiler: words, brackets and comments.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace camber {

// A character of identifiers and numbers.
bool is_word_character(char c);

// Position of `word` as a whole word, from `from` on; npos if there is none.
std::size_t find_word(std::string_view code, std::string_view word, std::size_t from = 0);
bool has_word(std::string_view code, std::string_view word);

// Position behind the bracket that closes the one at `open`, which is '(', '[', '{' or '<';
// npos if none does.
std::size_t behind_brackets(std::string_view code, std::size_t open);

// Without blanks at both ends.
std::string_view trimmed_text(std::string_view text);

// The text with blanks for comments and for the contents of strings and characters. Lengths and
// line breaks stay.
std::string without_comments(std::string_view text);

// The code with blanks for preprocessor lines.
std::string without_directives(std::string_view code);

// Overwrites [begin, end) with blanks; line breaks stay.
void blank_out(std::string& text, std::size_t begin, std::size_t end);

// A file and a line of it.
struct SourceLine {
    std::string file;
    int line = 1;
};
// Location of a position in a text of `file`, by the last `#line` before it.
SourceLine line_at(std::string_view text, std::size_t position, const std::string& file);

}  // namespace camber
