#include "harness/own/source/host_code.hpp"

#include <algorithm>
#include <cctype>
#include <string_view>

#include "harness/own/source/code_text.hpp"
#include "harness/own/source/functions.hpp"

namespace camber {

namespace {

// A call of a library for the host, such as cudaMalloc() or curandCreateGenerator().
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

// True if the body has something that device code cannot have.
bool is_host_code(std::string_view body) {
    return body.find("<<<") != body.npos || has_word(body, "throw") || has_word(body, "try") ||
           calls_host_library(body);
}

// Functions that are called without their names: `a + b`, `for (x : list)`.
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

// Preprocessor lines but #pragma.
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
