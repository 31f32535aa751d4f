#include "harness/cli/compare/gate_options.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <iterator>

#include "harness/base/atomic_file.hpp"
#include "harness/base/error.hpp"
#include "harness/base/text/text.hpp"
#include "harness/cli/common/files.hpp"
#include "harness/cli/common/option_values.hpp"
#include "harness/cli/compare/pages.hpp"

namespace camber {

using namespace comparison;

namespace {

Scope scope_from(const std::string& only) {
    if (only.empty()) return {};
    one_of("--only", only, {"model", "deterministic", "time"});
    if (only == "time") return {{}, true};
    if (only == "model") return {{QuantityFamily::model}, false};
    Scope scope;
    scope.times = false;
    return scope;
}

std::string page(const Comparison& comparison, const std::string& format) {
    if (format == "markdown") return comparison_markdown(comparison);
    if (format == "junit") return comparison_junit(comparison);
    if (format == "json") return comparison_json(comparison);
    return comparison_table(comparison);
}

bool all_by_simt(const results::Document& document) {
    return std::ranges::all_of(document.cases, [](const results::CaseRecord& record) {
        return record.identity.backend == Backend::simt;
    });
}

// Reason why none of the files' common cases can be compared, with a remedy.
std::string why_nothing(const results::Document& base, const results::Document& changed,
                        std::size_t pairs, const std::string& only) {
    const std::string common = fmt::format("{} and {} have {} case{} in common, but ", base.source,
                                           changed.source, pairs, pairs == 1 ? "" : "s");
    if (all_by_simt(base) && all_by_simt(changed))
        return common +
               "the simt backend checks kernels and measures nothing: compare two files of "
               "camber model --json, or of runs on a GPU";
    if (!only.empty())
        return fmt::format(
            "{}nothing of what --only {} compares: leave it out, or measure both "
            "with the same backend and --counters",
            common, only);
    return common +
           "no time and no deterministic quantity: measure both with the same backend and "
           "--counters";
}

}  // namespace

Allowed allowed_from(const std::vector<std::string>& names,
                     std::span<const std::string_view> allowances) {
    std::vector<std::string> known(allowances.begin(), allowances.end());
    known.emplace_back("all");
    for (const std::string& name : names) one_of("--allow", name, known);
    return Allowed(names);
}

double threshold_from(const std::string& text) {
    std::string number = text;
    const bool percent = number.ends_with('%');
    if (percent) number.pop_back();
    while (number.ends_with(' ')) number.pop_back();
    double value = 0;
    const char* const end = number.data() + number.size();
    const auto [stop, failure] = std::from_chars(number.data(), end, value);
    if (percent) value /= 100;
    if (failure != std::errc() || stop != end || !(value > 0 && value < 1))
        throw Error(ExitCode::usage,
                    fmt::format("--threshold is '{}': give a share above 0 and below 1, such as 3% "
                                "or 0.03",
                                text));
    return value;
}

std::string one_of(std::string_view option, const std::string& given,
                   const std::vector<std::string>& known) {
    if (std::ranges::find(known, given) == known.end())
        throw Error(ExitCode::usage,
                    fmt::format("{} does not know '{}'{}; choose from {}", option, given,
                                suggestion(given, known), fmt::join(known, ", ")));
    return given;
}

void GateOptions::add_to(CLI::App& command) {
    command
        .add_option("--threshold", threshold, "Effects up to this share are no verdict: 3% or 0.03")
        ->capture_default_str();
    command.add_option("--allow", allow,
                       fmt::format("What may differ between the files, repeatable: {}, all",
                                   fmt::join(allowances, ", ")));
    command.add_option("--only", only,
                       "Compare only: model (predicted transactions), deterministic (these, and "
                       "registers, memory, instructions, counters), or time");
    command.add_option("--format", format, "How to print")
        ->type_name("TEXT:{table,markdown,json,junit}")
        ->capture_default_str();
    command.add_option("--out", out, "Write to this file; the summary is printed")
        ->type_name("FILE")
        ->check(is_file_name);
    command.add_flag("--fail-on-undecided", fail_on_undecided,
                     "UNDECIDED, or changed machine code, ends with exit code 1 too");
    command.add_option("--seed", seed, "Seed of the bootstrap")
        ->capture_default_str()
        ->check(is_seed);
}

TimeRule GateOptions::time_rule() const {
    return {threshold_from(threshold), seed};
}

GateRules GateOptions::rules() const {
    return {time_rule(), allowed_from(allow, allowances), scope_from(only), fail_on_undecided};
}

void GateOptions::check_format() const {
    one_of("--format", format, {"table", "markdown", "json", "junit"});
}

void GateOptions::deliver(const Comparison& comparison) const {
    deliver(page(comparison, format));
    if (!out.empty()) fmt::print("{}\n", comparison.summary());
}

void GateOptions::deliver(const std::string& text) const {
    if (!out.empty())
        AtomicFile(out, "report").replace(text);
    else if (format == "table")
        fmt::print("{}", text);
    else
        print_verbatim(text);
}

Comparison comparison_of(const results::Document& before, const results::Document& after,
                         const comparison::GateRules& rules, const std::string& only) {
    try {
        Comparison comparison = comparison::compare(before, after, rules);
        if (!comparison.empty()) return comparison;
        throw Error(ExitCode::incomparable,
                    why_nothing(before, after, comparison.counts.pairs, only));
    } catch (const ConditionsDiffer& difference) {
        throw Error(difference.code(), fmt::format("{}, or give --allow {}", difference.what(),
                                                   difference.allowance()));
    }
}

}  // namespace camber
