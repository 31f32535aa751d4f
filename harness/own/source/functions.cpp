#include "harness/own/source/functions.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdlib>
#include <string_view>
#include <utility>

#include "harness/own/source/code_text.hpp"

namespace camber {

namespace {

// Returns true for words that may precede a '(' but are no function names.
bool is_attribute(std::string_view word) {
    static constexpr std::array<std::string_view, 9> attributes{
        "__launch_bounds__", "__maxnreg__", "__align__", "__attribute__",   "alignas",
        "decltype",          "__declspec",  "noexcept",  "__cluster_dims__"};
    return std::ranges::find(attributes, word) != attributes.end();
}

std::string_view word_before(std::string_view code, std::size_t end) {
    while (end > 0 && std::isspace(static_cast<unsigned char>(code[end - 1]))) --end;
    std::size_t begin = end;
    while (begin > 0 && is_word_character(code[begin - 1])) --begin;
    return code.substr(begin, end - begin);
}

// Splits a list at commas outside of brackets.
std::vector<std::string_view> parts_of(std::string_view list) {
    std::vector<std::string_view> parts;
    int depth = 0;
    std::size_t begin = 0;
    for (std::size_t i = 0; i < list.size(); ++i) {
        const char c = list[i];
        depth += int{c == '(' || c == '[' || c == '{' || c == '<'} -
                 int{c == ')' || c == ']' || c == '}' || c == '>'};
        if (c != ',' || depth > 0) continue;
        parts.push_back(list.substr(begin, i - begin));
        begin = i + 1;
    }
    parts.push_back(list.substr(begin));
    return parts;
}

std::string one_line(std::string_view text) {
    std::string line;
    for (const char c : text) {
        const bool blank = std::isspace(static_cast<unsigned char>(c));
        if (!blank)
            line += c;
        else if (!line.empty() && line.back() != ' ')
            line += ' ';
    }
    while (!line.empty() && line.back() == ' ') line.pop_back();
    return line;
}

std::vector<FunctionParameter> parameters_in(std::string_view list) {
    std::vector<FunctionParameter> parameters;
    if (trimmed_text(list).empty() || trimmed_text(list) == "void") return parameters;
    for (std::string_view part : parts_of(list)) {
        part = trimmed_text(part.substr(0, part.find('=')));
        FunctionParameter parameter;
        // An array is a pointer: "const float in[]".
        const std::size_t bracket = part.find('[');
        const bool array = bracket != part.npos;
        if (array) part = trimmed_text(part.substr(0, bracket));
        std::size_t begin = part.size();
        while (begin > 0 && is_word_character(part[begin - 1])) --begin;
        const std::string_view before = trimmed_text(part.substr(0, begin));
        if (before.empty()) {
            parameter.type = one_line(part);
        } else {
            parameter.name = part.substr(begin);
            parameter.type = one_line(before) + (array ? "*" : "");
        }
        parameters.push_back(std::move(parameter));
    }
    return parameters;
}

class Scanner {
  public:
    explicit Scanner(std::string code) : text_(std::move(code)), code_(text_) {}

    std::optional<std::vector<CodeFunction>> scan() {
        std::size_t begin = 0;  // start of the current declaration
        int scopes = 0;         // depth of open namespaces and classes
        for (std::size_t i = 0; i < code_.size();) {
            const char c = code_[i];
            if (c == '(' || c == '[') {
                i = behind_brackets(code_, i);
                if (i == code_.npos) return std::nullopt;
            } else if (c == ';') {
                take(begin, i, 0, i + 1);
                begin = ++i;
            } else if (c == '}') {
                if (--scopes < 0) return std::nullopt;
                begin = ++i;
            } else if (c == ':' && is_access_label(begin, i)) {
                begin = ++i;
            } else if (c == '{') {
                if (is_scope(begin, i)) {
                    ++scopes;
                    begin = ++i;
                    continue;
                }
                const std::size_t end = behind_brackets(code_, i);
                if (end == code_.npos) return std::nullopt;
                if (initializes_member(begin, i)) {
                    i = end;
                    continue;
                }
                const bool function = take(begin, i, i, end);
                i = end;
                // `int a[] = {1, 2};` and `struct {} x;` continue up to their ';'.
                if (function) begin = end;
            } else {
                ++i;
            }
        }
        if (scopes != 0) return std::nullopt;
        return std::move(functions_);
    }

  private:
    std::string_view header(std::size_t begin, std::size_t end) const {
        return trimmed_text(code_.substr(begin, end - begin));
    }

    bool is_access_label(std::size_t begin, std::size_t colon) const {
        const std::string_view text = header(begin, colon);
        return text == "public" || text == "private" || text == "protected";
    }

    // True if the '{' at `open` begins a namespace or a class.
    bool is_scope(std::size_t begin, std::size_t open) const {
        const std::string_view text = header(begin, open);
        if (has_word(text, "namespace")) return true;
        if (has_word(text, "extern") && text.ends_with('"')) return true;
        if (has_word(text, "enum") || text.find('=') != text.npos) return false;
        const bool class_word =
            has_word(text, "struct") || has_word(text, "class") || has_word(text, "union");
        return class_word && !parameters_at(begin, open);
    }

    // True if a word follows position `at` that cannot follow a function's parameters.
    bool is_declaration_at(std::size_t at, std::size_t end) const {
        static constexpr std::array<std::string_view, 8> qualifiers{
            "const", "volatile", "noexcept", "override", "final", "try", "mutable", "requires"};
        const std::string_view rest = header(at, end);
        std::size_t length = 0;
        while (length < rest.size() && is_word_character(rest[length])) ++length;
        const std::string_view word = rest.substr(0, length);
        return !word.empty() && !is_attribute(word) &&
               std::ranges::find(qualifiers, word) == qualifiers.end();
    }

    // The name before the '(' at `open`, or before the '<' of a specialization.
    std::string_view name_before(std::size_t open) const {
        const std::string_view before = trimmed_text(code_.substr(0, open));
        if (!before.ends_with('>')) return word_before(code_, open);
        int depth = 0;
        for (std::size_t i = before.size(); i-- > 0;) {
            depth += int{before[i] == '>'} - int{before[i] == '<'};
            if (depth == 0) return word_before(before, i);
        }
        return {};
    }

    // Position of the '(' of the parameters of a function declared in [begin, end). Advances
    // `begin` past macro calls before the declaration.
    std::optional<std::size_t> parameters_at(std::size_t& begin, std::size_t end) const {
        const bool is_operator = has_word(code_.substr(begin, end - begin), "operator");
        for (std::size_t i = begin; i < end;) {
            if (code_[i] == '=' && !is_operator) return std::nullopt;  // an initializer
            if (code_[i] == '<') {
                const std::size_t behind = behind_brackets(code_, i);
                if (!is_operator && behind != code_.npos && behind <= end) {
                    i = behind;
                    continue;
                }
            }
            if (code_[i] != '(') {
                ++i;
                continue;
            }
            const std::string_view name = name_before(i);
            const std::size_t behind = behind_brackets(code_, i);
            if (behind == code_.npos) return std::nullopt;
            const bool named = !is_attribute(name) && (!name.empty() || is_operator);
            const bool macro = named && !is_operator && is_declaration_at(behind, end);
            if (named && !macro) return i;
            i = behind;
            if (macro) begin = i;
        }
        return std::nullopt;
    }

    // True if the '{' belongs to a member in a constructor's initializers: `: a{1} {`.
    bool initializes_member(std::size_t begin, std::size_t open) const {
        const auto parameters = parameters_at(begin, open);
        if (!parameters) return false;
        std::size_t colon = behind_brackets(code_, *parameters);
        while (colon < open &&
               (code_[colon] != ':' || code_[colon + 1] == ':' || code_[colon - 1] == ':'))
            ++colon;
        if (colon >= open) return false;
        const char before = trimmed_text(code_.substr(colon, open - colon)).back();
        return is_word_character(before) || before == '>';
    }

    // Adds the function that [begin, close) declares, if any.
    bool take(std::size_t begin, std::size_t close, std::size_t body, std::size_t end) {
        const auto open = parameters_at(begin, close);
        if (!open) return false;
        const std::string_view before = header(begin, *open);
        if (has_word(before, "typedef") || has_word(before, "using") || has_word(before, "friend"))
            return false;
        CodeFunction function;
        function.name = name_before(*open);
        if (function.name.empty()) function.name = "operator";
        if (has_word(before, "operator")) function.name = "operator";
        function.begin = begin + (code_.substr(begin, close - begin).find(before));
        function.open = *open;
        function.body = body;
        function.end = end;
        function.is_kernel = has_word(before, "__global__");
        function.is_device = has_word(before, "__device__");
        function.is_constexpr = has_word(before, "constexpr");
        const std::size_t behind = behind_brackets(code_, *open);
        function.parameters = parameters_in(code_.substr(*open + 1, behind - *open - 2));
        if (before.starts_with("template")) {
            const std::size_t angle = code_.find('<', function.begin);
            const std::size_t after = behind_brackets(code_, angle);
            if (after != code_.npos)
                function.template_parameters =
                    parameters_in(code_.substr(angle + 1, after - angle - 2));
        }
        constexpr std::string_view bounds = "__launch_bounds__";
        if (const std::size_t at = find_word(before, bounds); at != before.npos) {
            const std::size_t bracket = before.find('(', at);
            if (bracket != before.npos)
                function.launch_bound =
                    std::atoi(std::string(trimmed_text(before.substr(bracket + 1))).c_str());
        }
        functions_.push_back(std::move(function));
        return body != 0;
    }

    std::string text_;
    std::string_view code_;
    std::vector<CodeFunction> functions_;
};

// Replaces the code between #else or #elif and #endif by blanks.
std::string first_branches(std::string_view code) {
    std::string text(code);
    std::vector<bool> left_out;  // of each open #if
    for (std::size_t at = 0; at < code.size();) {
        const std::size_t end = std::min(code.find('\n', at), code.size());
        const std::string_view line = trimmed_text(code.substr(at, end - at));
        std::string_view word;
        if (line.starts_with('#')) word = trimmed_text(line.substr(1));
        if (word.starts_with("if"))
            left_out.push_back(!left_out.empty() && left_out.back());
        else if (word.starts_with("el") && !left_out.empty())
            left_out.back() = true;
        else if (word.starts_with("endif") && !left_out.empty())
            left_out.pop_back();
        else if (!left_out.empty() && left_out.back())
            blank_out(text, at, end);
        at = end + 1;
    }
    return text;
}

}  // namespace

std::optional<std::vector<CodeFunction>> functions_in(std::string_view code) {
    if (auto functions = Scanner(without_directives(code)).scan()) return functions;
    return Scanner(without_directives(first_branches(code))).scan();
}

namespace {

// Returns true for calls of host libraries, such as cudaMalloc() or curandCreateGenerator().
bool calls_host_library(std::string_view code) {
    for (const std::string_view library : {"cuda", "curand", "cublas", "cufft", "cusparse"})
        for (std::size_t at = code.find(library); at != code.npos;
             at = code.find(library, at + 1)) {
            const std::size_t end = at + library.size();
            if ((at == 0 || !is_word_character(code[at - 1])) && end < code.size() &&
                std::isupper(static_cast<unsigned char>(code[end])))
                return true;
        }
    return false;
}

// True if the body contains constructs that are invalid in device code.
bool is_host_code(std::string_view body) {
    return body.find("<<<") != body.npos || has_word(body, "throw") || has_word(body, "try") ||
           calls_host_library(body);
}

// Returns true for functions that are called without their names: `a + b`, `for (x : list)`.
bool is_called_unnamed(std::string_view name) {
    return name == "operator" || name == "begin" || name == "end";
}

// Marks the functions that the kernels need, found by their names.
std::vector<bool> needed_functions(std::string_view code, const std::vector<CodeFunction>& all,
                                   const std::vector<std::string>& kernels) {
    std::string kept(code);
    for (const CodeFunction& function : all) blank_out(kept, function.begin, function.end);
    std::vector<bool> needed(all.size(), false);
    bool more = true;
    while (more) {
        more = false;
        for (std::size_t i = 0; i < all.size(); ++i) {
            const CodeFunction& function = all[i];
            if (needed[i]) continue;
            const bool launched =
                std::ranges::find(kernels, function.name) != kernels.end() && function.is_kernel;
            const bool called = !function.is_kernel &&
                                (is_called_unnamed(function.name) || has_word(kept, function.name));
            if (!launched && !called) continue;
            needed[i] = more = true;
            const std::string_view text =
                code.substr(function.begin, function.end - function.begin);
            if (function.is_device || function.is_kernel || !is_host_code(text)) {
                kept += '\n';
                kept += text;
            }
        }
    }
    return needed;
}

// Marks the characters of preprocessor lines other than #pragma.
std::vector<bool> directive_characters(std::string_view code) {
    const std::string rest = without_directives(code);
    std::vector<bool> kept(code.size(), false);
    for (std::size_t at = 0; at < code.size();) {
        const std::size_t end = std::min(code.find('\n', at), code.size());
        const std::string_view line = code.substr(at, end - at);
        const bool directive = trimmed_text(line) != trimmed_text(rest.substr(at, end - at));
        if (directive && !has_word(line, "pragma"))
            std::fill(kept.begin() + static_cast<std::ptrdiff_t>(at),
                      kept.begin() + static_cast<std::ptrdiff_t>(end), true);
        at = end + 1;
    }
    return kept;
}

}  // namespace

void leave_out_host_code(std::string& text, std::string& code,
                         const std::vector<std::string>& kernels) {
    const auto functions = functions_in(code);
    if (!functions) return;
    const std::vector<bool> needed = needed_functions(code, *functions, kernels);
    const std::vector<bool> directives = directive_characters(code);
    const auto leave_out = [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i)
            if (!directives[i] && text[i] != '\n') text[i] = code[i] = ' ';
    };
    for (std::size_t i = 0; i < functions->size(); ++i) {
        const CodeFunction& function = (*functions)[i];
        const bool for_device = function.is_kernel || function.is_device;
        const std::string_view body =
            std::string_view(code).substr(function.body, function.end - function.body);
        if (!needed[i] || function.name == "main")
            leave_out(function.begin, function.end);
        else if (function.body != 0 && !for_device && is_host_code(body))
            leave_out(function.body + 1, function.end - 1);
    }
}

}  // namespace camber
