#include "harness/page/page.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <string_view>
#include <utility>
#include <vector>

#include "harness/base/error.hpp"
#include "harness/base/text/table.hpp"
#include "harness/record/context.hpp"

namespace camber {

namespace {

// Files that all pages of a site load.
constexpr std::string_view style_file = "camber.css";
constexpr std::string_view library_file = "vega.js";
constexpr std::string_view scripts_file = "charts.js";

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

std::string chart_scripts() {
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

std::string list_items(const std::vector<std::string>& sentences) {
    std::string items;
    for (const std::string& sentence : sentences)
        items += fmt::format("<li>{}</li>\n", escape_xml(sentence));
    return items;
}

std::string summary_details(const report::Report& report) {
    const std::vector<std::string> sentences = report::summary(report);
    if (sentences.empty()) return "<details id=\"summary-words\" hidden></details>";
    return fmt::format(
        "<details id=\"summary-words\"><summary>Details ({})</summary>\n"
        "<ul class=\"sentences\">\n{}</ul></details>",
        report::counted(sentences.size(), "sentence"), list_items(sentences));
}

using Parts = std::map<std::string, std::string, std::less<>>;

// Replaces each "{{name}}" by the part of that name. Inserted content is not searched for names.
std::string filled(std::string_view rest, const Parts& parts) {
    std::string page;
    for (auto open = rest.find("{{"); open != std::string_view::npos; open = rest.find("{{")) {
        const auto close = rest.find("}}", open);
        page += rest.substr(0, open);
        page += parts.find(rest.substr(open + 2, close - open - 2))->second;
        rest.remove_prefix(close + 2);
    }
    return page.append(rest);
}

// Parts that show the report, in one page of its own and in a page of a site.
Parts parts_of(const report::Report& report, const std::string& title) {
    Parts parts = {{"title", escape_xml(title)},
                   {"lead", escape_xml(report::lead(report))},
                   {"findings", list_items(report::findings(report))},
                   {"summary", summary_details(report)},
                   {"data_sets", report::data_sets_html(report)},
                   {"data", page_data(report)},
                   {"version", escape_xml(version())},
                   {"above", ""}};
    // Without a table, a section has only what scripts draw.
    for (const auto& [name, tables] :
         {std::pair<std::string, std::string>{"cases", report::cases_html(report)},
          {"sizes", report::sizes_html(report)},
          {"radii", report::radii_html(report)},
          {"scalings", report::scalings_html(report)},
          {"environment", report::environment_html(report)}}) {
        parts[name] = tables;
        parts[name + "_class"] = tables.empty() ? " class=\"drawn\"" : "";
    }
    return parts;
}

void require_library() {
    if (can_write_page()) return;
    throw Error(ExitCode::unavailable,
                "this camber was built without the library that draws the charts of an HTML "
                "report: install the Debian package libjs-vega and build camber again",
                Remedy::text_format);
}

}  // namespace

bool can_write_page() {
    return !page_assets::library_modules().empty();
}

std::string html_page(const report::Report& report, const std::string& title) {
    require_library();
    Parts parts = parts_of(report, title);
    parts["style"] = fmt::format("<style>\n{}\n</style>", page_assets::style());
    parts["scripts"] =
        fmt::format("<script>\n{}\n</script>\n<script>\n{}\n</script>", library(), chart_scripts());
    parts["loads"] = "The page is self-contained and loads nothing from the network.";
    return filled(page_assets::html(), parts);
}

std::string charts_page(const report::Report& report, const std::string& title,
                        const std::string& above, const std::string& root) {
    require_library();
    Parts parts = parts_of(report, title);
    parts["style"] = fmt::format("<link rel=\"stylesheet\" href=\"{}{}\">", root, style_file);
    parts["scripts"] =
        fmt::format("<script src=\"{0}{1}\"></script>\n<script src=\"{0}{2}\"></script>", root,
                    library_file, scripts_file);
    parts["above"] = fmt::format("<p class=\"small\">{}</p>\n      ", above);
    parts["loads"] = "The pages load nothing from the network.";
    return filled(page_assets::html(), parts);
}

std::string tables_page(const std::string& title, const std::string& above, const std::string& lead,
                        const std::string& content, const std::string& root) {
    return fmt::format(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
        "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
        "<meta name=\"color-scheme\" content=\"light dark\">\n<title>{0}</title>\n"
        "<link rel=\"icon\" href=\"data:,\">\n<link rel=\"stylesheet\" href=\"{1}{2}\">\n</head>\n"
        "<body>\n<a class=\"skip\" href=\"#main\">Skip to the content</a>\n"
        "<header class=\"page-head\"><div class=\"wrap\"><div>\n{3}<h1>{0}</h1>\n"
        "<p class=\"lead\">{4}</p>\n</div></div></header>\n<main id=\"main\" class=\"wrap "
        "tables\">\n{5}"
        "</main>\n<footer class=\"wrap\"><p>Generated by {6}.</p></footer>\n</body>\n</html>\n",
        escape_xml(title), root, style_file,
        above.empty() ? "" : fmt::format("<p class=\"small\">{}</p>\n", above), lead, content,
        escape_xml(version()));
}

std::vector<SiteFile> shared_files() {
    require_library();
    return {{std::string(style_file), std::string(page_assets::style())},
            {std::string(library_file), library()},
            {std::string(scripts_file), chart_scripts()}};
}

}  // namespace camber
