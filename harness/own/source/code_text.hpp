// Functions that read C++ code without a compiler: words, brackets and comments. LineReader parses
// a `camber:` line.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <string>
#include <string_view>

#include "harness/base/error.hpp"

namespace camber {

// Returns true for characters of identifiers and numbers.
bool is_word_character(char c);

// Position of `word` as a whole word at or after `from`; npos if there is none.
std::size_t find_word(std::string_view code, std::string_view word, std::size_t from = 0);
bool has_word(std::string_view code, std::string_view word);

// Position after the bracket that closes the one at `open`, which is '(', '[', '{' or '<'; npos if
// it is never closed.
std::size_t behind_brackets(std::string_view code, std::size_t open);

// Removes blanks at both ends.
std::string_view trimmed_text(std::string_view text);

// Replaces comments and the contents of string and character literals by blanks. Positions and line
// breaks do not change.
std::string without_comments(std::string_view text);

// Replaces preprocessor lines by blanks.
std::string without_directives(std::string_view code);

// Overwrites [begin, end) with blanks, except line breaks.
void blank_out(std::string& text, std::size_t begin, std::size_t end);

// File name and line number.
struct SourceLine {
    std::string file;
    int line = 1;
};
// Source location of a position in a text of `file`, according to the last `#line` before it.
SourceLine line_at(std::string_view text, std::size_t position, const std::string& file);

inline constexpr const char* example_line =
    "// camber: step(in, out, columns, rows, pitch) block=32x8 halo=1 align=128";

// Reads one `camber:` line from left to right.
class LineReader {
  public:
    LineReader(std::string_view text, const std::string& file, int line)
        : rest_(text), file_(file), line_(line) {}

    [[noreturn]] void reject(const std::string& why) const {
        throw Error(ExitCode::usage, fmt::format("{}:{}: {}", file_, line_, why));
    }

    bool at_end() {
        skip_spaces();
        return rest_.empty();
    }
    // Returns true if `c` comes next.
    bool at(char c) {
        skip_spaces();
        return rest_.starts_with(c);
    }
    bool take(char c) {
        skip_spaces();
        if (!rest_.starts_with(c)) return false;
        rest_.remove_prefix(1);
        return true;
    }
    // Reads letters, digits, '_' and the characters of `more`.
    std::string word(std::string_view more = "") {
        skip_spaces();
        std::size_t n = 0;
        while (n < rest_.size() && (std::isalnum(static_cast<unsigned char>(rest_[n])) ||
                                    rest_[n] == '_' || more.find(rest_[n]) != more.npos))
            ++n;
        return part(n);
    }
    // Reads up to the `close` that matches `open`, and consumes it.
    std::string until(char open, char close) {
        int depth = 1;
        for (std::size_t i = 0; i < rest_.size(); ++i) {
            depth += int{rest_[i] == open} - int{rest_[i] == close};
            if (depth == 0) {
                const std::string text = part(i);
                rest_.remove_prefix(1);
                return text;
            }
        }
        reject(fmt::format("a '{}' is missing: write for example {}", close, example_line));
    }
    std::string until_space() {
        skip_spaces();
        return part(std::min(rest_.find_first_of(" \t\r"), rest_.size()));
    }
    // Reads the rest of the line, trimmed.
    std::string until_end() {
        skip_spaces();
        std::string text = part(rest_.size());
        while (!text.empty() && std::isspace(static_cast<unsigned char>(text.back())))
            text.pop_back();
        return text;
    }

  private:
    void skip_spaces() {
        const std::size_t n = std::min(rest_.find_first_not_of(" \t\r"), rest_.size());
        rest_.remove_prefix(n);
    }
    std::string part(std::size_t n) {
        std::string text(rest_.substr(0, n));
        rest_.remove_prefix(n);
        return text;
    }

    std::string_view rest_;
    const std::string& file_;
    int line_;
};

}  // namespace camber
