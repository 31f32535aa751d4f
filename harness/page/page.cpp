#include "harness/page/page.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string_view>

#include "analysis/memory/picture.hpp"
#include "harness/base/error.hpp"
#include "harness/record/build_info.hpp"

namespace camber {

namespace {

void replace_all(std::string& text, std::string_view what, std::string_view by) {
    for (auto at = text.find(what); at != std::string::npos; at = text.find(what, at + by.size()))
        text.replace(at, what.size(), by);
}

// Removes the reference to a source map, which the page does not contain.
std::string_view without_source_map(std::string_view script) {
    return script.substr(0, script.rfind("//# sourceMappingURL="));
}

std::string library() {
    // The license must be included in every copy.
    std::string licence(page_assets::library_licence());
    replace_all(licence, "*/", "* /");
    replace_all(licence, "</", "< /");
    std::string script = fmt::format("/*\n{}\n*/\n", licence);
    script += page_assets::library_loader();
    for (const auto& module : page_assets::library_modules()) {
        script +=
            fmt::format("modules[\"{}\"] = {{ define(exports, module, require) {{\n", module.name);
        script += without_source_map(module.text);
        script += "\n} };\n";
    }
    return script;
}

// Removes comment lines and indentation to reduce the size of the page.
std::string without_comments(std::string_view script) {
    std::string text;
    while (!script.empty()) {
        const auto line = script.substr(0, script.find('\n'));
        script.remove_prefix(std::min(line.size() + 1, script.size()));
        const auto first = line.find_first_not_of(' ');
        if (first == std::string_view::npos || line.substr(first).starts_with("//")) continue;
        text += line.substr(first);
        text += '\n';
    }
    return text;
}

std::string scripts() {
    std::string all;
    for (const auto& script : page_assets::scripts()) all += without_comments(script.text);
    return all;
}

std::string version() {
    std::string text = fmt::format("camber {}", build_info::version);
    const std::string_view commit = build_info::git_commit;
    if (!commit.empty()) text += fmt::format(", commit {}", commit.substr(0, 12));
    return text;
}

}  // namespace

bool can_write_page() {
    return !page_assets::library_modules().empty();
}

std::string html_page(const report::Report& report, const std::string& title) {
    if (!can_write_page())
        throw Error(ExitCode::unavailable,
                    "this camber was built without the library that draws the charts of an HTML "
                    "report: install the Debian package libjs-vega and build camber again",
                    Remedy::text_format);
    const std::map<std::string_view, std::string> parts = {
        {"title", escape_xml(title)}, {"style", std::string(page_assets::style())},
        {"data", page_data(report)},  {"library", library()},
        {"script", scripts()},        {"version", escape_xml(version())}};
    std::string page;
    std::string_view rest = page_assets::html();
    // Appends piece by piece, so that inserted content is not searched for placeholders.
    for (auto open = rest.find("{{"); open != std::string_view::npos; open = rest.find("{{")) {
        const auto close = rest.find("}}", open);
        page += rest.substr(0, open);
        page += parts.at(rest.substr(open + 2, close - open - 2));
        rest.remove_prefix(close + 2);
    }
    page += rest;
    return page;
}

}  // namespace camber
