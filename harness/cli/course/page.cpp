#include "harness/cli/course/exercise.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <vector>

#include "analysis/memory/picture.hpp"
#include "harness/base/error.hpp"
#include "harness/base/files.hpp"
#include "harness/base/text/table.hpp"
#include "harness/cli/course/grading.hpp"
#include "harness/own/candidate_variant.hpp"
#include "harness/own/source/code_text.hpp"
#include "harness/predict/capture.hpp"
#include "harness/predict/prediction_record.hpp"

namespace camber::course {

namespace {

constexpr std::string_view style = R"(
:root { color-scheme: light dark; --text: #1b2430; --page: #ffffff; --soft: #4c5866;
  --line: #d5dbe1; --raised: #f5f7f9; --accent: #0b5cad; --mark: #fff1c2; }
@media (prefers-color-scheme: dark) { :root { --text: #e8edf2; --page: #12171d; --soft: #aab5c1;
  --line: #35404c; --raised: #1c232b; --accent: #7cc0ff; --mark: #4a3d10; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--page); color: var(--text);
  font: 16px/1.55 system-ui, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif; }
main { max-width: 1000px; margin: 0 auto; padding: 28px 24px 48px; }
h1 { font-size: 1.75rem; line-height: 1.2; margin: 0 0 .2rem; }
h2 { font-size: 1.3rem; margin: 2rem 0 .5rem; }
p { margin: 0 0 .8rem; }
.lead { color: var(--soft); margin: 0 0 1.4rem; }
table { border-collapse: collapse; }
th, td { text-align: left; padding: 4px 18px 4px 0; border-bottom: 1px solid var(--line); }
td.number, th.number { text-align: right; font-variant-numeric: tabular-nums; }
pre, code { font: .86rem/1.5 ui-monospace, "DejaVu Sans Mono", Menlo, Consolas, monospace; }
pre { background: var(--raised); border: 1px solid var(--line); border-radius: 6px;
  padding: 10px 14px; overflow-x: auto; }
pre .line { color: var(--soft); display: inline-block; width: 2.6em; user-select: none; }
pre mark { background: var(--mark); color: inherit; display: inline-block; min-width: 100%; }
figure { margin: 0; }
figure svg { max-width: 100%; height: auto; }
figcaption { color: var(--soft); font-size: .92rem; margin-bottom: 8px; }
.missed { color: #b3261e; font-weight: 600; }
@media (prefers-color-scheme: dark) { .missed { color: #ff9d94; } }
)";

// Starting kernel on the exercise's board.
struct Modelled {
    Prediction prediction;
    Counted counted;
    SiteRow row;  // access of the picture
    CapturedRequest request;
};

std::vector<std::string> lines_of(const std::string& text) {
    std::vector<std::string> lines;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t end = std::min(text.find('\n', at), text.size());
        lines.push_back(text.substr(at, end - at));
        at = end + 1;
    }
    return lines;
}

// The most wasteful row whose source line contains the exercise's text.
SiteRow row_of_picture(const Exercise& exercise, const Prediction& prediction) {
    const std::vector<std::string> lines = lines_of(exercise.start);
    for (const SiteRow& row : site_rows(prediction)) {
        const CallSite& site = prediction.sites.at(static_cast<std::size_t>(row.site));
        if (site.line == 0 || site.line > lines.size()) continue;
        if (lines[site.line - 1].find(exercise.picture) != std::string::npos) return row;
    }
    throw Error(ExitCode::usage,
                fmt::format("exercise {}: no line of start.cu with a memory access contains "
                            "\"picture\": \"{}\"; write the text of another line",
                            exercise.name, exercise.picture));
}

std::string with_values(std::string text, const Exercise& exercise, const Values& values) {
    const auto replace = [&](const std::string& name, const std::string& by) {
        const std::string mark = "{" + name + "}";
        for (std::size_t at = 0; (at = text.find(mark, at)) != text.npos; at += by.size())
            text.replace(at, mark.size(), by);
    };
    for (const auto& [name, value] : values) replace(name, number_text(value));
    for (const Goal& goal : exercise.goals)
        replace("goal:" + goal.quantity, number_text(goal.most));
    replace("board", fmt::format("{}x{}", exercise.board.columns, exercise.board.rows));
    return text;
}

std::string goal_table(const Exercise& exercise, const Values& values) {
    std::string table =
        "<table><tr><th>quantity</th><th class=\"number\">goal: at most</th>"
        "<th class=\"number\">starting kernel</th></tr>\n";
    for (const Goal& goal : exercise.goals) {
        const double value = values.at(goal.quantity);
        const bool reached = GoalResult{goal, value}.reached();
        table += fmt::format(
            "<tr><td>{}</td><td class=\"number\">{}</td><td class=\"number{}\">{}</td></tr>\n",
            escape_xml(std::string(find_quantity(goal.quantity)->phrase)), number_text(goal.most),
            reached ? "" : " missed", number_text(value));
    }
    return table + "</table>\n";
}

// The picture without the sentence that names the remedy, which is the exercise.
std::string without_remedy(std::string svg) {
    const std::size_t remedy = svg.find(">Remedy: ");
    if (remedy == svg.npos) return svg;
    const std::size_t begin = svg.rfind('<', remedy);
    constexpr std::string_view end_tag = "</text>";
    const std::size_t end = svg.find(end_tag, remedy);
    return end == svg.npos ? svg : svg.erase(begin, end + end_tag.size() - begin);
}

std::string listing(const std::string& text, std::uint32_t marked) {
    std::string html = "<pre>";
    std::uint32_t number = 0;
    for (const std::string& line : lines_of(text)) {
        const std::string code =
            fmt::format("<span class=\"line\">{}</span>{}", ++number, escape_xml(line));
        html += number == marked ? fmt::format("<mark>{}</mark>\n", code) : code + "\n";
    }
    return html + "</pre>\n";
}

Modelled modelled(const Exercise& exercise) {
    const auto workload = reference_of(exercise);
    const TemporaryFolder folder("compile the starting kernel of an exercise");
    const ElementType cell = workload->facts().cell_types.front();
    const Variant variant =
        candidate_variant(folder.write("kernel.cu", exercise.start), *workload, cell);
    const Problem problem{.size = exercise.board, .boundary = Boundary::dead, .cell = cell};
    InitialConditions conditions;
    conditions.size = exercise.board;
    conditions.cell = cell;
    const State initial = workload->initial(conditions);
    PredictionLimits every_block;
    every_block.may_extrapolate = false;
    Modelled result{predict(variant, problem, {workload.get(), conditions, &initial},
                            parse_architecture("sm_90"), every_block),
                    {},
                    {},
                    {}};
    result.counted = count(result.prediction, *workload, initial);
    result.row = row_of_picture(exercise, result.prediction);
    const auto request =
        typical_request(variant, problem, initial, result.row.kernel,
                        result.prediction.sites.at(static_cast<std::size_t>(result.row.site)).key,
                        result.row.operation, result.prediction.architecture.rules);
    if (request) result.request = *request;
    result.prediction.variant = nullptr;  // ends with this function
    return result;
}

}  // namespace

std::string exercise_page(const Exercise& exercise) {
    const Modelled start = modelled(exercise);
    const CallSite& site = start.prediction.sites.at(static_cast<std::size_t>(start.row.site));
    const std::string access = fmt::format("{} in line {}", kind(start.row), site.line);
    const std::string code(trimmed_text(lines_of(exercise.start).at(site.line - 1)));
    const std::string picture = without_remedy(
        picture_svg(start.request.request, start.prediction.architecture.rules,
                    fmt::format("kernel.cu:{}: {}", site.line, code), start.request.row_bytes));
    const std::string title = fmt::format("Exercise {}: {}", exercise.number, exercise.title);
    std::string html = fmt::format(
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
        "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
        "<title>{0}</title>\n<style>{1}</style></head>\n<body><main>\n<h1>{0}</h1>\n"
        "<p class=\"lead\">{2}</p>\n",
        escape_xml(title), style, escape_xml(exercise.summary));
    html += with_values(exercise.text, exercise, start.counted.values);
    html += fmt::format(
        "<h2>Goal</h2>\n<p>Every cell is right on any board and nothing races. On a board of "
        "{}x{} cells:</p>\n{}",
        exercise.board.columns, exercise.board.rows, goal_table(exercise, start.counted.values));
    html += fmt::format(
        "<h2>What a warp does</h2>\n<figure><figcaption>The {} of the starting kernel, by one "
        "warp</figcaption>\n{}</figure>\n",
        escape_xml(access), picture.substr(std::min(picture.find("<svg"), picture.size())));
    html += "<h2>The starting kernel</h2>\n" + listing(exercise.start, site.line);
    html +=
        "<h2>Work on it</h2>\n<p>Edit <code>kernel.cu</code>. Then, in its folder:</p>\n"
        "<pre>camber course grade kernel.cu   # what is left to do\n"
        "camber try kernel.cu            # every cell, races, memory traffic line by line</pre>\n"
        "<p><code>reference.cu</code> is a plain kernel that computes the correct result. You may "
        "change everything in <code>kernel.cu</code>, the launch line "
        "(<code>// camber: ...</code>) included.</p>\n"
        "</main></body></html>\n";
    return html;
}

}  // namespace camber::course
