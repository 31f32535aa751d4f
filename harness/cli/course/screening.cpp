#include "harness/cli/course/trial.hpp"

#include <elf.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <regex>
#include <set>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "harness/own/host/host_library.hpp"
#include "harness/own/source/code_text.hpp"
#include "harness/own/source/unit.hpp"

namespace camber::course {

namespace {

// ---- source text

// Words that turn off the instrumentation, contain machine code, or address the program itself.
constexpr std::array forbidden_words{
    "asm",   "__asm",   "__asm__", "__attribute", "__attribute__", "gnu",         "__gnu__",
    "clang", "_Pragma", "undef",   "__thread",    "__label__",     "include_next"};
constexpr std::array forbidden_beginnings{"camber_", "CAMBER_", "__tsan",    "__sanitizer",
                                          "__asan",  "__cxa",   "__builtin", "__atomic_",
                                          "__sync_", "__libc",  "__emutls"};
// Token pasting could assemble a forbidden word; digraphs and universal character names could write
// one in another way.
struct ForbiddenMark {
    const char* mark;
    const char* name;
};
constexpr std::array<ForbiddenMark, 4> forbidden_marks{
    {{"##", "token pasting, ##"},
     {"%:", "the digraph %:"},
     {"\\u", "a universal character name, \\u"},
     {"\\U", "a universal character name, \\U"}}};
constexpr std::array allowed_headers{"cuda_runtime.h", "cuda.h",  "stdint.h", "cstdint",
                                     "math.h",         "cmath",   "stddef.h", "cstddef",
                                     "limits.h",       "climits", "float.h",  "cfloat"};

int line_of(std::string_view text, std::size_t at) {
    return 1 +
           static_cast<int>(std::count(text.begin(), text.begin() + static_cast<long>(at), '\n'));
}

// Joins lines that end with a backslash, as the compiler does first. The breaks move behind the
// joined line, so that later lines keep their numbers.
std::string with_joined_lines(std::string_view text) {
    std::string joined;
    int owed = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] == '\\') {
            std::size_t end = i + 1;  // GCC accepts blanks behind the backslash
            while (end < text.size() && std::strchr(" \t\r\v\f", text[end]) && text[end] != '\0')
                ++end;
            if (end < text.size() && text[end] == '\n') {
                ++owed;
                i = end;
                continue;
            }
        }
        joined += text[i];
        if (text[i] == '\n') joined.append(static_cast<std::size_t>(std::exchange(owed, 0)), '\n');
    }
    return joined;
}

std::string contains(int line, const std::string& what) {
    return fmt::format("line {} contains {}, which a submission must not use", line, what);
}

std::optional<std::string> forbidden_word(std::string_view text) {
    for (std::size_t at = 0; at < text.size();) {
        if (!is_word_character(text[at])) {
            ++at;
            continue;
        }
        std::size_t end = at;
        while (end < text.size() && (is_word_character(text[end]) || text[end] == '$')) ++end;
        const std::string_view word = text.substr(at, end - at);
        const bool forbidden = std::ranges::find(forbidden_words, word) != forbidden_words.end() ||
                               std::ranges::any_of(forbidden_beginnings, [&](const char* part) {
                                   return word.find(part) != word.npos;
                               });
        if (forbidden) return contains(line_of(text, at), fmt::format("`{}`", word));
        at = end;
    }
    return std::nullopt;
}

// Returns the directive if it includes anything but an allowed header.
std::optional<std::string> forbidden_include(std::string_view text) {
    constexpr std::array words{"include", "import", "embed"};
    for (std::size_t at = text.find('#'); at != text.npos; at = text.find('#', at + 1)) {
        std::size_t begin = text.find_first_not_of(" \t\r\v\f", at + 1);
        if (begin == text.npos) break;
        const std::size_t end = std::min(text.find('\n', begin), text.size());
        const std::string_view line = trimmed_text(text.substr(begin, end - begin));
        for (const std::string_view word : words) {
            if (!line.starts_with(word)) continue;
            const std::string_view name = trimmed_text(line.substr(word.size()));
            const std::size_t close = name.find('>');
            const bool allowed = word == "include" && name.starts_with('<') && close != name.npos &&
                                 std::ranges::find(allowed_headers, name.substr(1, close - 1)) !=
                                     allowed_headers.end();
            if (!allowed)
                return fmt::format(
                    "line {} includes {}: a submission is one file and may include "
                    "only {}",
                    line_of(text, at), name.substr(0, 60), fmt::join(allowed_headers, ", "));
        }
        if (line.starts_with("pragma") && !trimmed_text(line.substr(6)).starts_with("unroll"))
            return contains(line_of(text, at), "a #pragma other than unroll");
    }
    return std::nullopt;
}

using Words = std::set<std::string, std::less<>>;

// Adds the identifiers of a text.
void add_words(std::string_view text, Words& words) {
    for (std::size_t at = 0; at < text.size();) {
        std::size_t end = at;
        while (end < text.size() && is_word_character(text[end])) ++end;
        if (end > at) words.emplace(text.substr(at, end - at));
        at = std::max(end, at + 1);
    }
}

// Words that a macro must not replace: the instrumentation is compiled after the submission, with
// its macros.
const Words& reserved_words() {
    static const Words words = [] {
        Words all;
        add_words(unit_parts::host_hooks(), all);
        add_words(unit_parts::torus(), all);
        // Keywords that other parts of the unit use.
        add_words("alignas asm auto bool break case char class const continue decltype default do "
                  "double else enum extern false float for goto if inline int long namespace new "
                  "nullptr operator private public return short signed sizeof static struct switch "
                  "template this thread_local throw true typedef typename union unsigned using "
                  "virtual void volatile while defined",
                  all);
        return all;
    }();
    return words;
}

std::optional<std::string> forbidden_macro(std::string_view text) {
    for (std::size_t at = text.find('#'); at != text.npos; at = text.find('#', at + 1)) {
        std::string_view rest = text.substr(at + 1);
        rest.remove_prefix(std::min(rest.find_first_not_of(" \t\r\v\f"), rest.size()));
        if (!rest.starts_with("define")) continue;
        rest = rest.substr(6);
        rest.remove_prefix(std::min(rest.find_first_not_of(" \t\r\v\f"), rest.size()));
        std::size_t end = 0;
        while (end < rest.size() && is_word_character(rest[end])) ++end;
        const std::string_view word = rest.substr(0, end);
        if (reserved_words().contains(word))
            return fmt::format("line {} defines the macro {}, a word that camber's own code uses: "
                               "choose another name",
                               line_of(text, at), word);
    }
    return std::nullopt;
}

// ---- compiled library

// Functions of the C library that only compute.
bool is_allowed_import(std::string_view name) {
    static const std::set<std::string, std::less<>> others{"__tls_get_addr",
                                                           "__cxa_finalize",
                                                           "__gmon_start__",
                                                           "memcpy",
                                                           "memmove",
                                                           "memset",
                                                           "abs",
                                                           "labs",
                                                           "llabs",
                                                           "",
                                                           "__stack_chk_fail",
                                                           "_ITM_deregisterTMCloneTable",
                                                           "_ITM_registerTMCloneTable"};
    static const std::set<std::string, std::less<>> mathematics{
        "acos",    "acosh",    "asin",      "asinh",     "atan",   "atan2",     "atanh",  "cbrt",
        "ceil",    "copysign", "cos",       "cosh",      "cospi",  "erf",       "erfc",   "exp",
        "exp10",   "exp2",     "expm1",     "fabs",      "fdim",   "floor",     "fma",    "fmax",
        "fmin",    "fmod",     "frexp",     "hypot",     "ilogb",  "ldexp",     "lgamma", "llrint",
        "llround", "log",      "log10",     "log1p",     "log2",   "logb",      "lrint",  "lround",
        "modf",    "nan",      "nearbyint", "nextafter", "pow",    "remainder", "remquo", "rint",
        "round",   "scalbln",  "scalbn",    "sin",       "sincos", "sinh",      "sqrt",   "tan",
        "tanh",    "tgamma",   "trunc"};
    if (others.contains(name) || mathematics.contains(name)) return true;
    return name.ends_with('f') && mathematics.contains(name.substr(0, name.size() - 1));
}

template <class T>
T object_at(std::string_view file, std::uint64_t offset) {
    if (offset > file.size() || file.size() - offset < sizeof(T))
        throw std::runtime_error("the compiled file is cut off");
    T object;
    std::memcpy(&object, file.data() + offset, sizeof object);
    return object;
}

std::string_view name_at(std::string_view file, const Elf64_Shdr& names, std::uint64_t offset) {
    const std::uint64_t begin = names.sh_offset + offset;
    if (begin >= file.size()) throw std::runtime_error("the compiled file is damaged");
    const std::string_view rest = file.substr(begin);
    return rest.substr(0, rest.find('\0'));
}

// Variables that the linker, the C library and the unit around the kernel define.
bool is_variable_of_unit(std::string_view name) {
    constexpr std::array known{"_DYNAMIC",     "_GLOBAL_OFFSET_TABLE_", "__TMC_END__",
                               "__dso_handle", "__bss_start",           "_edata",
                               "_end"};
    return name.empty() || name.find("camber_") != name.npos || name.starts_with("completed.") ||
           std::ranges::find(known, name) != known.end();
}

}  // namespace

std::optional<std::string> forbidden_source(std::string_view text) {
    if (text.size() > most_submission_bytes)
        return fmt::format("the file has {} bytes, and a submission may have {}", text.size(),
                           most_submission_bytes);
    if (const std::size_t at = text.find('\0'); at != text.npos)
        return contains(line_of(text, at), "a NUL byte");
    const std::string joined = with_joined_lines(text);
    for (const ForbiddenMark& mark : forbidden_marks)
        if (const std::size_t at = joined.find(mark.mark); at != joined.npos)
            return contains(line_of(joined, at), mark.name);
    if (auto word = forbidden_word(joined)) return word;
    // A comment may separate `#` from the directive's name; then only the second text shows it.
    for (const std::string& version : {joined, without_comments(joined)}) {
        if (auto include = forbidden_include(version)) return include;
        if (auto macro = forbidden_macro(version)) return macro;
    }
    return std::nullopt;
}

std::optional<std::string> forbidden_symbols(std::string_view library) {
    const auto header = object_at<Elf64_Ehdr>(library, 0);
    if (std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 ||
        header.e_shentsize != sizeof(Elf64_Shdr))
        throw std::runtime_error("the compiled file is no ELF file");
    std::vector<Elf64_Shdr> sections;
    for (int i = 0; i < header.e_shnum; ++i)
        sections.push_back(object_at<Elf64_Shdr>(
            library, header.e_shoff + static_cast<std::uint64_t>(i) * sizeof(Elf64_Shdr)));
    const Elf64_Shdr& section_names = sections.at(header.e_shstrndx);
    for (const Elf64_Shdr& section : sections) {
        if (section.sh_type != SHT_DYNSYM && section.sh_type != SHT_SYMTAB) continue;
        const Elf64_Shdr& names = sections.at(section.sh_link);
        for (std::uint64_t at = 0; at + sizeof(Elf64_Sym) <= section.sh_size;
             at += sizeof(Elf64_Sym)) {
            const auto symbol = object_at<Elf64_Sym>(library, section.sh_offset + at);
            const std::string_view full = name_at(library, names, symbol.st_name);
            const std::string_view name = full.substr(0, full.find('@'));
            if (symbol.st_shndx == SHN_UNDEF) {
                if (!is_allowed_import(name))
                    return fmt::format("it calls {}(), which a kernel must not use",
                                       function_name(std::string(name)));
                continue;
            }
            if (ELF64_ST_TYPE(symbol.st_info) != STT_OBJECT || symbol.st_shndx >= sections.size())
                continue;
            const Elf64_Shdr& home = sections[symbol.st_shndx];
            if ((home.sh_flags & SHF_WRITE) == 0 || (home.sh_flags & SHF_TLS) != 0) continue;
            const std::string_view place = name_at(library, section_names, home.sh_name);
            if (place == ".camber_constant" || place.starts_with(".data.rel.ro") ||
                place.ends_with("_array") || is_variable_of_unit(name))
                continue;
            return fmt::format(
                "the variable `{}` outlives a launch and is not counted: use "
                "arguments, registers or shared memory",
                plain_name(std::string(name)));
        }
    }
    return std::nullopt;
}

}  // namespace camber::course
