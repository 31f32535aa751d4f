#include "harness/cli/compare/pages.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "harness/base/text/table.hpp"
#include "harness/base/text/text.hpp"

namespace camber {

using namespace comparison;

namespace {

using CodeJson = nlohmann::ordered_json;

constexpr std::size_t most_listed = 120;  // GitHub accepts comments of up to 65536 characters

std::string figure(const CodeChange& change, double value) {
    constexpr std::string_view occupancy = "occupancy";
    return change.family == occupancy ? percent(value, 0) : fmt::format("{:.15g}", value);
}

std::string_view word_for(Effect effect) {
    return effect == Effect::regression    ? "worse"
           : effect == Effect::improvement ? "better"
                                           : "information";
}

std::string change_line(const CodeChange& change) {
    return fmt::format("{} {} -> {}", change.quantity, figure(change, change.base),
                       figure(change, change.changed));
}

std::string_view verdict_for(const KernelComparison& one) {
    if (one.state == CodeState::missing) return one.regressed() ? "MISSING" : "missing";
    if (one.state != CodeState::changed) return name(one.state);
    if (one.regressed()) return "WORSE";
    if (!one.same_code) return "measure";
    return one.count(Effect::improvement) > 0 ? "better" : "changed";
}

// "registers 32 -> 40; local stores 0 -> 8".
std::string changes_of(const KernelComparison& one) {
    std::string text;
    for (const CodeChange& change : one.changes)
        text += fmt::format("{}{}", text.empty() ? "" : "; ", change_line(change));
    if (one.state == CodeState::changed && text.empty()) text = "other machine code";
    if (!one.base_name.empty())
        text += fmt::format("{}in BASE: {}", text.empty() ? "" : "; ", one.base_name);
    return text;
}

std::string kernel_title(const KernelComparison& one) {
    return fmt::format("{}{}", one.name,
                       one.kind == results::CodeKind::function ? " (device function)" : "");
}

bool is_code_finding(const KernelComparison& one) {
    return one.state != CodeState::unchanged;
}

}  // namespace

std::string code_comparison_table(const CodeComparison& comparison) {
    std::string out;
    const auto to = std::back_inserter(out);
    fmt::format_to(to, "BASE {}\nNEW  {}\n", printable(comparison.base),
                   printable(comparison.changed));
    std::size_t width = 4;
    for (const KernelComparison& one : comparison.kernels)
        width = std::max(width, one.architecture.size());
    bool headed = false;
    for (const KernelComparison& one : comparison.kernels) {
        if (!is_code_finding(one)) continue;
        if (!std::exchange(headed, true))
            fmt::format_to(to, "{:<9}  {:<{}}  kernel\n", "verdict", "arch", width);
        fmt::format_to(to, "{:<9}  {:<{}}  {}\n", verdict_for(one), printable(one.architecture),
                       width, printable(kernel_title(one)));
        if (const std::string changes = changes_of(one); !changes.empty())
            fmt::format_to(to, "    {}\n", printable(changes));
    }
    for (const std::string& note : comparison.notes) fmt::format_to(to, "note: {}\n", note);
    fmt::format_to(to, "{}\n", comparison.summary());
    return out;
}

std::string code_comparison_markdown(const CodeComparison& comparison) {
    std::string out;
    const auto to = std::back_inserter(out);
    fmt::format_to(to, "**camber compare:** {}\n\n", comparison.summary());
    std::size_t rows = 0;
    for (const KernelComparison& one : comparison.kernels) {
        if (!is_code_finding(one) || ++rows > most_listed) continue;
        if (rows == 1) out += "| verdict | arch | kernel | changes |\n|---|---|---|---|\n";
        fmt::format_to(to, "| {} | {} | {} | {} |\n", verdict_for(one),
                       escape_markdown(printable(one.architecture)),
                       escape_markdown(printable(kernel_title(one))),
                       escape_markdown(printable(changes_of(one))));
    }
    if (rows > most_listed) fmt::format_to(to, "\n{} more are left out.\n", rows - most_listed);
    if (rows > 0) out += '\n';
    for (const std::string& note : comparison.notes)
        fmt::format_to(to, "- {}\n", escape_markdown(note));
    fmt::format_to(to, "- BASE: {}, NEW: {}\n", escape_markdown(printable(comparison.base)),
                   escape_markdown(printable(comparison.changed)));
    return out;
}

std::string code_comparison_junit(const CodeComparison& comparison) {
    std::vector<JunitCase> tests;
    for (const KernelComparison& one : comparison.kernels) {
        JunitCase test{kernel_title(one), "camber." + one.architecture, "", "", ""};
        const std::string changes = changes_of(one);
        const std::string text = changes.empty() ? std::string(name(one.state)) : changes;
        if (one.regressed() || (comparison.fail_on_undecided && one.undecided()))
            test.failure = text;
        else if (one.undecided())
            test.skipped = text + ": a measurement is needed";
        else if (is_code_finding(one))
            test.output = text;
        tests.push_back(std::move(test));
    }
    return junit_text(tests, comparison.base + " and " + comparison.changed, comparison.summary());
}

std::string code_comparison_json(const CodeComparison& comparison) {
    const CodeCounts& counts = comparison.counts;
    CodeJson json{{"base", comparison.base},
                  {"new", comparison.changed},
                  {"exit_code", static_cast<int>(comparison.exit_code())},
                  {"summary", comparison.summary()},
                  {"counts",
                   {{"compared", counts.compared},
                    {"unchanged", counts.unchanged},
                    {"changed_code", counts.changed_code},
                    {"worse", counts.worse},
                    {"better", counts.better},
                    {"missing", counts.missing},
                    {"added", counts.added},
                    {"renamed", counts.renamed}}},
                  {"notes", comparison.notes},
                  {"kernels", CodeJson::array()}};
    for (const KernelComparison& one : comparison.kernels) {
        CodeJson kernel{{"name", one.name},
                        {"architecture", one.architecture},
                        {"kind", one.kind == results::CodeKind::kernel ? "kernel" : "function"},
                        {"state", name(one.state)},
                        {"regressed", one.regressed()},
                        {"needs_measurement", one.undecided()}};
        if (!one.base_name.empty()) kernel["base_name"] = one.base_name;
        if (!one.base_hash.empty()) kernel["base_hash"] = one.base_hash;
        if (!one.changed_hash.empty()) kernel["new_hash"] = one.changed_hash;
        kernel["changes"] = CodeJson::array();
        for (const CodeChange& change : one.changes)
            kernel["changes"].push_back({{"family", change.family},
                                         {"quantity", change.quantity},
                                         {"base", change.base},
                                         {"new", change.changed},
                                         {"effect", word_for(change.effect)}});
        json["kernels"].push_back(std::move(kernel));
    }
    return json.dump(2, ' ', false, CodeJson::error_handler_t::replace) + "\n";
}

}  // namespace camber
