#include "harness/own/source/code_text.hpp"

#include <algorithm>
#include <cctype>
#include <cstdlib>

namespace camber {

bool is_word_character(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) || c == '_';
}

std::size_t find_word(std::string_view code, std::string_view word, std::size_t from) {
    for (std::size_t at = code.find(word, from); at != code.npos; at = code.find(word, at + 1)) {
        const std::size_t end = at + word.size();
        const bool begins =
            at == 0 || !is_word_character(word.front()) || !is_word_character(code[at - 1]);
        const bool ends =
            end == code.size() || !is_word_character(word.back()) || !is_word_character(code[end]);
        if (begins && ends) return at;
    }
    return code.npos;
}

bool has_word(std::string_view code, std::string_view word) {
    return find_word(code, word) != code.npos;
}

std::size_t behind_brackets(std::string_view code, std::size_t open) {
    const char begin = code[open];
    const char end = begin == '(' ? ')' : begin == '[' ? ']' : begin == '{' ? '}' : '>';
    int depth = 0;
    for (std::size_t i = open; i < code.size(); ++i) {
        depth += int{code[i] == begin} - int{code[i] == end};
        if (depth == 0) return i + 1;
    }
    return code.npos;
}

std::string_view trimmed_text(std::string_view text) {
    constexpr const char* blanks = " \t\r\n";
    const std::size_t first = text.find_first_not_of(blanks);
    if (first == text.npos) return {};
    return text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

void blank_out(std::string& text, std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end && i < text.size(); ++i)
        if (text[i] != '\n') text[i] = ' ';
}

namespace {

// Position after the string or character literal that begins at `begin`.
std::size_t behind_quotes(std::string_view text, std::size_t begin) {
    std::size_t end = begin + 1;
    while (end < text.size() && text[end] != text[begin] && text[end] != '\n')
        end += text[end] == '\\' ? 2 : 1;
    return std::min(end + 1, text.size());
}

// Position after the raw string whose quote is at `quote`: R"name( ... )name".
std::size_t behind_raw_string(std::string_view text, std::size_t quote) {
    const std::size_t open = text.find('(', quote);
    if (open == text.npos) return text.size();
    const std::string close = ")" + std::string(text.substr(quote + 1, open - quote - 1)) + "\"";
    const std::size_t end = text.find(close, open);
    return end == text.npos ? text.size() : end + close.size();
}

}  // namespace

std::string without_comments(std::string_view text) {
    std::string code(text);
    for (std::size_t i = 0; i < code.size();) {
        if (text.substr(i).starts_with("//")) {
            const std::size_t end = std::min(text.find('\n', i), text.size());
            blank_out(code, i, end);
            i = end;
        } else if (text.substr(i).starts_with("/*")) {
            const std::size_t close = text.find("*/", i + 2);
            const std::size_t end = close == text.npos ? text.size() : close + 2;
            blank_out(code, i, end);
            i = end;
        } else if (code[i] == '"' && i > 0 && code[i - 1] == 'R' &&
                   (i == 1 || !is_word_character(code[i - 2]))) {
            const std::size_t end = behind_raw_string(text, i);
            blank_out(code, i + 1, end - 1);
            i = end;
        } else if (code[i] == '"' ||
                   (code[i] == '\'' && (i == 0 || !is_word_character(code[i - 1])))) {
            const std::size_t end = behind_quotes(text, i);
            if (end > i + 1) blank_out(code, i + 1, end - 1);
            i = end;
        } else {
            ++i;
        }
    }
    return code;
}

std::string without_directives(std::string_view code) {
    std::string text(code);
    for (std::size_t at = 0; at < text.size();) {
        std::size_t end = std::min(text.find('\n', at), text.size());
        const std::size_t first = text.find_first_not_of(" \t", at);
        if (first < end && text[first] == '#') {
            // A '\' at the end continues the line.
            while (end < text.size() && end > at && text[end - 1] == '\\')
                end = std::min(text.find('\n', end + 1), text.size());
            blank_out(text, at, end);
        }
        at = end + 1;
    }
    return text;
}

SourceLine line_at(std::string_view text, std::size_t position, const std::string& file) {
    SourceLine found{file, 1};
    constexpr std::string_view marker = "#line ";
    for (std::size_t at = 0; at < position;) {
        const std::size_t end = std::min(text.find('\n', at), text.size());
        if (end >= position) break;
        const std::string_view here = text.substr(at, end - at);
        const std::size_t quote = here.find('"');
        if (here.starts_with(marker) && quote != here.npos && here.ends_with('"')) {
            found.line = std::atoi(std::string(here.substr(marker.size())).c_str());
            found.file.clear();
            for (std::size_t i = quote + 1; i + 1 < here.size(); ++i) {
                if (here[i] == '\\') ++i;
                found.file += here[i];
            }
        } else {
            ++found.line;
        }
        at = end + 1;
    }
    return found;
}

}  // namespace camber
