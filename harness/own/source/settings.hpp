// Settings of a kernel's file from the command line: keys of its `camber:` lines, macros, and
// compiler flags.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace camber {

// Names and values in the given order: {"block", "64x4"}, {"UNROLL", "2"}.
// Compiler flags follow: {"-D", "N=4"}, {"-I", "include"}; they do not appear in names.
using Settings = std::vector<std::pair<std::string, std::string>>;

// Returns true for a compiler flag, false for the name of a key or macro.
bool is_compiler_flag(std::string_view name);
// Settings for the options -D NAME[=VALUE] and -I FOLDER, with absolute folders. Throws
// Error(usage) for anything else.
Settings compiler_flags(const std::vector<std::string>& definitions,
                        const std::vector<std::string>& include_folders);
std::vector<std::filesystem::path> include_folders(const Settings& settings);

// "block=64x4 UNROLL=2", without compiler flags; "" for none.
std::string text_of(const Settings& settings);

// All combinations of values for a list of NAME=VALUE[,VALUE...]; the last name varies fastest. An
// empty list yields one empty combination. Throws Error(usage) for anything of another form, a
// repeated name, and more than a thousand combinations.
std::vector<Settings> combinations(const std::vector<std::string>& texts);

// Returns true for a key of `camber:` lines; other names are macros.
bool is_directive_key(std::string_view name);

// Applies the macros among the settings: replaces the value in the line `#define NAME ...` of the
// file's text; definitions of other macros are returned in `defined` and precede the text. `code`:
// the text without comments. Throws Error(usage) for a macro whose name does not occur in the code.
struct TextWithMacros {
    std::string text;
    std::string defined;
};
TextWithMacros with_macros(std::string text, std::string_view code, const Settings& settings,
                           const std::string& file);

// Integer values of macros, from the text's `#define NAME NUMBER` lines and from the settings.
std::map<std::string, std::string, std::less<>> numeric_macros(std::string_view code,
                                                               const Settings& settings);

// Replaces macros in a key's value by numbers, also next to 'x': "BXx4" becomes "32x4" if BX is 32.
std::string with_numbers(std::string_view value,
                         const std::map<std::string, std::string, std::less<>>& macros);

// Replaces macros in an expression by numbers: "N*columns" becomes "4*columns" if N is 4.
std::string with_numbers_for_words(std::string_view text,
                                   const std::map<std::string, std::string, std::less<>>& macros);

}  // namespace camber
