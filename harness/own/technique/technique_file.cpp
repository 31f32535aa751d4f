#include "harness/own/technique/technique_variants.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <regex>
#include <utility>

#include "harness/base/error.hpp"
#include "harness/base/files.hpp"
#include "harness/own/source/code_text.hpp"
#include "harness/own/source/source.hpp"

namespace camber {

namespace {

// Position of the innermost brace that is open at `place`; npos if there is none.
std::size_t open_bracket(const std::string& code, std::size_t place) {
    int depth = 0;
    while (place-- > 0) {
        depth += int{code[place] == '}'} - int{code[place] == '{'};
        if (depth < 0) return place;
    }
    return code.npos;
}

// Name of the struct around `place`; "" if there is none or it is a template, whose instantiation
// is unknown.
std::string struct_around(const std::string& code, std::size_t place) {
    const std::size_t open = open_bracket(code, place);
    if (open == code.npos || open == 0) return "";
    const std::size_t before = code.find_last_of(";{})", open - 1);
    const std::size_t begin = before == code.npos ? 0 : before + 1;
    const std::string head = code.substr(begin, open - begin);
    static const std::regex named(R"((?:struct|class)\s+(\w+))");
    static const std::regex template_word(R"(\btemplate\b)");
    std::smatch found;
    if (!std::regex_search(head, found, named) || std::regex_search(head, template_word)) return "";
    return found[1];
}

std::vector<std::string> structs_in(const std::string& code) {
    static const std::regex add(R"(\bstatic\s+void\s+add\s*\(\s*Catalogue\s*<)");
    std::vector<std::string> structs;
    for (auto found = std::sregex_iterator(code.begin(), code.end(), add);
         found != std::sregex_iterator(); ++found)
        if (auto name = struct_around(code, static_cast<std::size_t>(found->position()));
            !name.empty() && std::ranges::find(structs, name) == structs.end())
            structs.push_back(std::move(name));
    return structs;
}

// First string of every TechniqueInfo. `code` is the text with comments blanked out at the same
// positions.
std::vector<std::string> names_in(const std::string& text, const std::string& code) {
    static const std::regex info(R"(\bTechniqueInfo\s+\w+\s*\{\s*")");
    std::vector<std::string> names;
    for (auto found = std::sregex_iterator(code.begin(), code.end(), info);
         found != std::sregex_iterator(); ++found) {
        const auto begin = static_cast<std::size_t>(found->position() + found->length());
        names.push_back(text.substr(begin, text.find('"', begin) - begin));
    }
    return names;
}

}  // namespace

bool is_technique_file(const std::filesystem::path& path) {
    return path.extension() == ".hpp";
}

TechniqueFile technique_from(const std::filesystem::path& path, std::string text) {
    TechniqueFile file;
    file.path = path;
    const std::string code = without_comments(text);
    file.structs = structs_in(code);
    file.names = names_in(text, code);
    file.kernels = kernels_in(code);
    file.text = std::move(text);
    if (file.structs.empty())
        throw Error(
            ExitCode::usage,
            fmt::format("{} has no technique: give a struct in it a function template <class "
                        "Rule> static void add(Catalogue<Rule>& catalogue), as those in "
                        "variants/techniques/ have it",
                        path.string()));
    if (file.names.empty())
        throw Error(
            ExitCode::usage,
            fmt::format("{} has a technique without a name: give its struct a member static "
                        "constexpr TechniqueInfo info{{\"name\", ...}}",
                        path.string()));
    return file;
}

TechniqueFile read_technique(const std::filesystem::path& path) {
    return technique_from(path, read_file(path, "technique's file", "a file of CUDA C++"));
}

}  // namespace camber
