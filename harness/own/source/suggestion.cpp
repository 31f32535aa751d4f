#include "harness/own/source/suggestion.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <map>
#include <optional>
#include <set>

#include "harness/own/source/code_text.hpp"
#include "harness/own/source/settings.hpp"

namespace camber {

namespace {

constexpr int line_of_threads = 256;

enum class Use { none, read, written, both };

// Determines whether the body reads or writes the elements of a pointer.
Use use_of(std::string_view body, const std::string& name) {
    bool read = false;
    bool written = false;
    for (std::size_t at = find_word(body, name); at != body.npos;
         at = find_word(body, name, at + 1)) {
        std::size_t end = body.find_first_not_of(" \t\n", at + name.size());
        if (end == body.npos || body[end] != '[') {
            read = written = true;  // passed to another function: may be either
            continue;
        }
        end = behind_brackets(body, end);
        if (end == body.npos) break;
        end = std::min(body.find_first_not_of(" \t\n", end), body.size());
        const std::string_view next = body.substr(end, 2);
        if (next.starts_with('=') && next != "==")
            written = true;
        else if (next.size() == 2 && next[1] == '=' &&
                 std::string_view("+-*/|&^%").find(next[0]) != std::string_view::npos)
            read = written = true;
        else
            read = true;
    }
    return read && written ? Use::both : written ? Use::written : read ? Use::read : Use::none;
}

std::string lower(std::string_view text) {
    std::string result(text);
    for (char& c : result) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return result;
}

bool is_one_of(const std::string& name, const std::set<std::string_view>& names) {
    return names.contains(name);
}

class Suggester {
  public:
    Suggester(const CodeFunction& kernel, std::string_view code)
        : kernel_(kernel),
          body_(code.substr(kernel.body, kernel.end - kernel.body)),
          macros_(numeric_macros(code, {})),
          two_dimensional_(body_.find("Idx.y") != body_.npos) {}

    Suggestion suggest() {
        Suggestion suggestion;
        std::vector<std::string> types;
        for (const FunctionParameter& parameter : kernel_.parameters)
            types.push_back(plain_type(parameter.type));
        const std::string instance = kernel_.name + instantiation();
        suggestion.signature = fmt::format("{}({})", instance, fmt::join(types, ", "));
        suggestion.line =
            fmt::format("// camber: {}({}) {}", instance, fmt::join(arguments(), ", "), launch());
        return suggestion;
    }

  private:
    // Removes qualifiers that do not matter to the caller.
    static std::string plain_type(std::string type) {
        for (const std::string_view word : {"__restrict__", "__restrict", "restrict"})
            for (std::size_t at = find_word(type, word); at != type.npos;
                 at = find_word(type, word))
                type.erase(at, word.size());
        std::string result;
        for (const char c : type) {
            const bool blank = c == ' ';
            if (blank && (result.empty() || result.back() == ' ')) continue;
            if (c == '*' && !result.empty() && result.back() == ' ') result.pop_back();
            result += c;
        }
        while (!result.empty() && result.back() == ' ') result.pop_back();
        return result;
    }

    std::string instantiation() const {
        if (kernel_.template_parameters.empty()) return "";
        std::vector<std::string> values;
        for (const FunctionParameter& parameter : kernel_.template_parameters) {
            const bool type = parameter.type == "class" || parameter.type == "typename";
            values.push_back(type ? "float" : parameter.type == "bool" ? "true" : "16");
        }
        return fmt::format("<{}>", fmt::join(values, ", "));
    }

    std::vector<std::string> arguments() const {
        int pointers = 0;
        std::map<Use, int> uses;
        for (const FunctionParameter& parameter : kernel_.parameters)
            if (parameter.is_pointer()) {
                ++pointers;
                ++uses[use(parameter)];
            }
        // Exactly one input and one output mean one field before and after the launch.
        const bool one_field = pointers == 2 && uses[Use::read] == 1 && uses[Use::written] == 1;
        std::vector<std::string> texts;
        for (const FunctionParameter& parameter : kernel_.parameters) {
            if (!parameter.is_pointer()) {
                texts.push_back(number(parameter));
                continue;
            }
            std::string text = use(parameter) == Use::both      ? "inout"
                               : use(parameter) == Use::written ? "out"
                                                                : "in";
            if (!one_field && !parameter.name.empty()) text += "." + parameter.name;
            texts.push_back(text);
        }
        return texts;
    }

    Use use(const FunctionParameter& parameter) const {
        return has_word(parameter.type, "const") ? Use::read : use_of(body_, parameter.name);
    }

    std::string number(const FunctionParameter& parameter) const {
        static const std::set<std::string_view> columns{
            "columns", "column_count", "cols", "ncols", "ncol",   "num_cols", "numcols", "width",
            "w",       "nx",           "dimx", "xdim",  "size_x", "sizex",    "n_cols",  "imagew"};
        static const std::set<std::string_view> rows{
            "rows", "row_count", "nrows", "nrow",   "num_rows", "numrows", "height", "h",
            "ny",   "dimy",      "ydim",  "size_y", "sizey",    "n_rows",  "imageh"};
        static const std::set<std::string_view> pitches{"pitch", "stride", "ld", "lda"};
        static const std::set<std::string_view> counts{
            "n",     "count",       "size",         "len",   "length", "num",
            "total", "numelements", "num_elements", "nelem", "cells",  "elements"};
        const std::string name = lower(parameter.name);
        if (is_one_of(name, columns)) return "columns";
        if (is_one_of(name, rows)) return "rows";
        if (is_one_of(name, pitches)) return "pitch";
        const bool real = has_word(parameter.type, "float") || has_word(parameter.type, "double");
        if (real) return "0.5";
        if (has_word(parameter.type, "bool")) return "true";
        if (is_one_of(name, counts)) return two_dimensional_ ? "columns" : "columns*rows";
        return "1";
    }

    // Block shape according to a tile in shared memory: `tile[16][16 + 1]`.
    std::string block_of_tile() const {
        const std::size_t shared = find_word(body_, "__shared__");
        if (shared == body_.npos) return "";
        const std::string_view declaration =
            body_.substr(shared, std::min(body_.find(';', shared), body_.size()) - shared);
        std::vector<int> extents;
        for (std::size_t at = declaration.find('['); at != declaration.npos;
             at = declaration.find('[', at + 1)) {
            const std::size_t close = std::min(declaration.find(']', at), declaration.size());
            // Use only the first word of "TILE + 1".
            const std::string_view inner = trimmed_text(declaration.substr(at + 1, close - at - 1));
            const std::string word(inner.substr(0, inner.find_first_of(" +-*")));
            const std::string text = with_numbers(word, macros_);
            int extent = 0;
            const auto [stop, error] =
                std::from_chars(text.data(), text.data() + text.size(), extent);
            if (error != std::errc() || stop != text.data() + text.size()) return "";
            extents.push_back(extent);
        }
        constexpr int most_threads = 1024;
        if (extents.size() != 2 || extents[0] < 1 || extents[1] < 1 ||
            extents[0] * extents[1] > most_threads)
            return "";
        return fmt::format("{}x{}", extents[1], extents[0]);
    }

    std::string launch() const {
        std::string text;
        int threads = line_of_threads;
        if (two_dimensional_) {
            const std::string tile = block_of_tile();
            text = "block=" + (tile.empty() ? std::string("32x8") : tile);
        } else {
            if (kernel_.launch_bound > 0) threads = kernel_.launch_bound;
            const bool strided = has_word(body_, "gridDim");
            text = strided ? fmt::format("block={} grid=64", threads)
                           : fmt::format("block={} grid=(columns*rows+{})/{}", threads, threads - 1,
                                         threads);
        }
        if (const std::size_t at = find_word(body_, "extern");
            at != body_.npos && has_word(body_.substr(at, 60), "__shared__"))
            text += fmt::format(" shared={}", 4 * threads);
        return text;
    }

    const CodeFunction& kernel_;
    std::string_view body_;
    std::map<std::string, std::string, std::less<>> macros_;
    bool two_dimensional_;
};

}  // namespace

std::vector<Suggestion> suggestions_for(std::string_view code) {
    std::vector<Suggestion> suggestions;
    const auto functions = functions_in(code);
    if (!functions) return suggestions;
    for (const CodeFunction& function : *functions)
        if (function.is_kernel && function.body != 0)
            suggestions.push_back(Suggester(function, code).suggest());
    return suggestions;
}

std::string missing_line_sentence(const std::string& file, std::string_view code) {
    const std::vector<Suggestion> suggestions = suggestions_for(code);
    if (suggestions.empty())
        return fmt::format(
            "{}: no `// camber:` line, which says how a kernel is launched: write for example "
            "`{}`",
            file, example_line);
    std::string text = fmt::format("{}: no `// camber:` line. ", file);
    if (suggestions.size() == 1)
        return text + fmt::format("Found `{}`; try: `{}`", suggestions.front().signature,
                                  suggestions.front().line);
    text += fmt::format("Found {} kernels; add the line of the one to launch:", suggestions.size());
    for (const Suggestion& one : suggestions)
        text += fmt::format("\n  `{}`: `{}`", one.signature, one.line);
    return text;
}

}  // namespace camber
