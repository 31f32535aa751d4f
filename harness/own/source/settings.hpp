// Settings of a kernel's file from outside: keys of its camber: lines, macros, and compiler
// flags.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace camber {

// Names and values in the order in which they were given: {"block", "64x4"}, {"UNROLL", "2"}.
// Compiler flags follow: {"-D", "N=4"}, {"-I", "include"}; they do not appear in names.
using Settings = std::vector<std::pair<std::string, std::string>>;

// True for a compiler flag, false for the name of a key or macro.
bool is_compiler_flag(std::string_view name);
// Settings for the options -D NAME[=VALUE] and -I FOLDER, folders made absolute. Throws
// Error(usage) for another text.
Settings compiler_flags(const std::vector<std::string>& definitions,
                        const std::vector<std::string>& include_folders);
std::vector<std::filesystem::path> include_folders(const Settings& settings);

// "block=64x4 UNROLL=2", without flags of the compiler; "" for none.
std::string text_of(const Settings& settings);

// Of NAME=VALUE[,VALUE...] texts: every choice of a value for each name, the last name's values
// changing first. One that is empty for no texts. Throws Error(usage) for texts of another form, a
// name that is given twice, and more combinations than a thousand.
std::vector<Settings> combinations(const std::vector<std::string>& texts);

// Whether it is a key of camber: lines; other names are macros.
bool is_directive_key(std::string_view name);

// The file's text with the macros among the settings: `#define NAME ...` gets the value, in its
// line; of others the definitions are `defined`, to stand before the text. `code`: the text without
// comments. Throws Error(usage) for a macro whose name the code does not have.
struct TextWithMacros {
    std::string text;
    std::string defined;
};
TextWithMacros with_macros(std::string text, std::string_view code, const Settings& settings,
                           const std::string& file);

// The whole numbers that macros stand for: those of the text's `#define NAME NUMBER` lines, and
// those of the settings.
std::map<std::string, std::string, std::less<>> numeric_macros(std::string_view code,
                                                               const Settings& settings);

// A key's value with numbers in the place of macros, of which several may stand around 'x':
// "BXx4" is "32x4" where BX is 32.
std::string with_numbers(std::string_view value,
                         const std::map<std::string, std::string, std::less<>>& macros);

// An expression with numbers in the place of macros: "4*columns" of "N*columns" where N is 4.
std::string with_numbers_for_words(std::string_view text,
                                   const std::map<std::string, std::string, std::less<>>& macros);

}  // namespace camber
