#include "harness/own/source/settings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <iterator>
#include <system_error>

#include "harness/base/error.hpp"
#include "harness/own/source/code_text.hpp"
#include "harness/own/source/directive.hpp"

namespace camber {

namespace {

constexpr std::size_t most_combinations = 1000;

bool is_identifier(std::string_view name) {
    return !name.empty() && !std::isdigit(static_cast<unsigned char>(name.front())) &&
           std::ranges::all_of(name, is_word_character);
}

bool is_whole_number(std::string_view text) {
    constexpr std::size_t most_digits = 9;
    return !text.empty() && text.size() <= most_digits &&
           std::ranges::all_of(text, [](unsigned char c) { return std::isdigit(c); });
}

// Positions of name and value in a `#define NAME VALUE` line.
struct Definition {
    std::string_view name;
    std::size_t begin = 0;  // of the value
    std::size_t end = 0;
};

std::vector<Definition> definitions_in(std::string_view code) {
    std::vector<Definition> all;
    for (std::size_t at = 0; at < code.size();) {
        const std::size_t end = std::min(code.find('\n', at), code.size());
        std::size_t i = at;
        at = end + 1;
        const auto blanks = [&] {
            while (i < end && (code[i] == ' ' || code[i] == '\t')) ++i;
        };
        const auto take = [&](std::string_view word) {
            blanks();
            if (!code.substr(i, end - i).starts_with(word)) return false;
            i += word.size();
            return true;
        };
        if (!take("#") || !take("define")) continue;
        blanks();
        const std::size_t name = i;
        while (i < end && is_word_character(code[i])) ++i;
        const std::string_view word = code.substr(name, i - name);
        if (word.empty() || (i < end && code[i] == '(')) continue;  // function-like macro
        blanks();
        std::size_t last = end;
        while (last > i && std::isspace(static_cast<unsigned char>(code[last - 1]))) --last;
        all.push_back({word, i, last});
    }
    return all;
}

[[noreturn]] void reject_sweep(const std::string& text) {
    throw Error(ExitCode::usage,
                fmt::format("'{}' is not NAME=VALUE[,VALUE...]: write for example --sweep "
                            "block=32x4,64x4 or --sweep UNROLL=1,2,4",
                            text));
}

// A name and its values.
std::pair<std::string, std::vector<std::string>> parsed(const std::string& text) {
    const std::size_t equals = text.find('=');
    if (equals == text.npos || !is_identifier(std::string_view(text).substr(0, equals)) ||
        std::ranges::any_of(text, [](unsigned char c) { return std::iscntrl(c); }))
        reject_sweep(text);
    std::vector<std::string> values;
    for (std::size_t start = equals + 1; start <= text.size();) {
        const std::size_t end = std::min(text.find(',', start), text.size());
        std::string value = text.substr(start, end - start);
        if (value.empty()) reject_sweep(text);
        if (std::ranges::find(values, value) != values.end())
            throw Error(ExitCode::usage, fmt::format("value {} occurs twice in --sweep {}: leave "
                                                     "out one",
                                                     value, text));
        values.push_back(std::move(value));
        start = end + 1;
    }
    return {text.substr(0, equals), std::move(values)};
}

}  // namespace

bool is_compiler_flag(std::string_view name) {
    return name.starts_with('-');
}

Settings compiler_flags(const std::vector<std::string>& definitions,
                        const std::vector<std::string>& folders) {
    Settings flags;
    for (const std::string& text : definitions) {
        const std::string_view name = std::string_view(text).substr(0, text.find('='));
        if (!is_identifier(name) ||
            std::ranges::any_of(text, [](unsigned char c) { return std::iscntrl(c); }))
            throw Error(
                ExitCode::usage,
                fmt::format("-D '{}' is not NAME or NAME=VALUE: write for example -D N=4", text));
        flags.emplace_back("-D", text);
    }
    for (const std::string& folder : folders) {
        std::error_code error;
        if (!std::filesystem::is_directory(folder, error))
            throw Error(ExitCode::usage,
                        fmt::format("-I {} is no folder: name one with headers", folder));
        flags.emplace_back("-I", std::filesystem::absolute(folder).string());
    }
    return flags;
}

std::vector<std::filesystem::path> include_folders(const Settings& settings) {
    std::vector<std::filesystem::path> folders;
    for (const auto& [name, value] : settings)
        if (name == "-I") folders.emplace_back(value);
    return folders;
}

namespace {

// Name and value of a -D option; a macro without a value is 1.
std::pair<std::string, std::string> definition_of(const std::string& text) {
    const std::size_t equals = text.find('=');
    if (equals == text.npos) return {text, "1"};
    return {text.substr(0, equals), text.substr(equals + 1)};
}

}  // namespace

std::string text_of(const Settings& settings) {
    std::string text;
    for (const auto& [name, value] : settings)
        if (!is_compiler_flag(name))
            text += fmt::format("{}{}={}", text.empty() ? "" : " ", name, value);
    return text;
}

std::vector<Settings> combinations(const std::vector<std::string>& texts) {
    std::vector<Settings> all{{}};
    for (const std::string& text : texts) {
        const auto [name, values] = parsed(text);
        if (std::ranges::find(all.front(), name, &Settings::value_type::first) != all.front().end())
            throw Error(ExitCode::usage,
                        fmt::format("--sweep gives {} twice: write its values behind one", name));
        std::vector<Settings> more;
        for (const Settings& settings : all)
            for (const std::string& value : values) {
                more.push_back(settings);
                more.back().emplace_back(name, value);
            }
        if (more.size() > most_combinations)
            throw Error(ExitCode::usage,
                        fmt::format("--sweep means {} combinations or more, and {} are the most: "
                                    "give fewer values",
                                    more.size(), most_combinations));
        all = std::move(more);
    }
    return all;
}

TextWithMacros with_macros(std::string text, std::string_view code, const Settings& settings,
                           const std::string& file) {
    TextWithMacros result{std::move(text), ""};
    const std::vector<Definition> known = definitions_in(code);
    std::vector<std::pair<Definition, std::string>> changes;
    for (const auto& [key, text_of_key] : settings) {
        const bool flag = key == "-D";
        if (is_directive_key(key) || (is_compiler_flag(key) && !flag)) continue;
        const auto [name, value] = flag ? definition_of(text_of_key) : std::pair(key, text_of_key);
        if (!flag && !has_word(code, name))
            throw Error(ExitCode::usage,
                        fmt::format("nothing in {} is called {}, which --sweep sets: choose a "
                                    "macro of the file, or a key such as block",
                                    file, name));
        bool found = false;
        for (const Definition& definition : known)
            if (definition.name == name) {
                changes.emplace_back(definition, value);
                found = true;
            }
        if (!found) result.defined += fmt::format("#define {} {}\n", name, value);
    }
    // From the end, because a replacement shifts all later positions.
    std::ranges::sort(changes, std::greater<>{}, [](const auto& one) { return one.first.begin; });
    for (const auto& [definition, value] : changes)
        result.text.replace(definition.begin, definition.end - definition.begin,
                            definition.begin == definition.end ? " " + value : value);
    return result;
}

std::map<std::string, std::string, std::less<>> numeric_macros(std::string_view code,
                                                               const Settings& settings) {
    std::map<std::string, std::string, std::less<>> macros;
    for (const Definition& definition : definitions_in(code)) {
        const std::string_view value =
            code.substr(definition.begin, definition.end - definition.begin);
        if (is_whole_number(value)) macros[std::string(definition.name)] = value;
    }
    for (const auto& [name, value] : settings) {
        const auto [macro, number] = name == "-D" ? definition_of(value) : std::pair(name, value);
        if (is_directive_key(macro) || name == "-I") continue;
        if (is_whole_number(number))
            macros[macro] = number;
        else
            macros.erase(macro);
    }
    return macros;
}

std::string with_numbers_for_words(std::string_view text,
                                   const std::map<std::string, std::string, std::less<>>& macros) {
    std::string result;
    for (std::size_t at = 0; at < text.size();) {
        std::size_t end = at;
        while (end < text.size() && is_word_character(text[end])) ++end;
        if (end == at) {
            result += text[at++];
            continue;
        }
        const std::string_view word = text.substr(at, end - at);
        const auto found = macros.find(word);
        const bool member = at > 0 && text[at - 1] == '.';
        result += found == macros.end() || member ? word : std::string_view(found->second);
        at = end;
    }
    return result;
}

std::string with_numbers(std::string_view value,
                         const std::map<std::string, std::string, std::less<>>& macros) {
    std::string text;
    while (!value.empty()) {
        // Take the longest macro name that ends before an 'x' or at the end.
        std::string_view longest;
        for (const auto& [name, number] : macros)
            if (value.starts_with(name) && name.size() > longest.size() &&
                (value.size() == name.size() || value[name.size()] == 'x'))
                longest = name;
        if (!longest.empty()) {
            text += macros.find(longest)->second;
            value.remove_prefix(longest.size());
        }
        // Continue after the next 'x'.
        const std::size_t next = std::min(value.find('x'), value.size() - 1) + 1;
        if (value.empty()) break;
        text += value.substr(0, next);
        value.remove_prefix(next);
    }
    return text;
}

}  // namespace camber
