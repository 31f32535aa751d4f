#include "harness/predict/findings_text.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "harness/groups/group_record.hpp"

namespace camber {

namespace {

std::string name_of(const VariantInfo& info) {
    if (!info.group) return info.name();
    const results::GroupRecord group = results::recorded(*info.group, false);
    return fmt::format("{}, {} {}, {}", info.name(), group.places,
                       group.places == 1 ? "device" : "devices", group.exchange_words());
}

}  // namespace

std::string describe(const CheckResult& result) {
    std::string text = fmt::format("{} on {}x{}:", name_of(result.variant->info),
                                   result.size.columns, result.size.rows);
    if (!result.skipped.empty())
        return text + (result.variant->info.group ? " skipped: " : " skipped, it ") +
               result.skipped + "\n";
    if (result.findings.empty()) return text + " clean\n";
    text += "\n";
    for (const Finding& finding : result.findings) {
        if (!finding.sentence.empty()) {
            text += fmt::format("  {}: {}\n", describe(finding.kind), finding.sentence);
            continue;
        }
        text += fmt::format("  {}, {} {}: {}\n", describe(finding.kind), finding.count,
                            finding.count == 1 ? "time" : "times", finding.sites);
        if (!finding.paths.empty()) text += fmt::format("    called through {}\n", finding.paths);
        for (const FindingExample& example : finding.examples)
            text += fmt::format("    {}: {}\n", example.threads, example.address);
    }
    return text;
}

std::string summarize(const std::vector<CheckResult>& results) {
    const auto count = [&](auto&& what) { return std::ranges::count_if(results, what); };
    const auto skipped = count([](const CheckResult& r) { return !r.skipped.empty(); });
    const auto clean = count([](const CheckResult& r) { return r.clean(); });
    const auto checked = static_cast<std::ptrdiff_t>(results.size()) - skipped;
    return fmt::format("{} checked, {} clean, {} with findings, {} skipped\n", checked, clean,
                       checked - clean, skipped);
}

}  // namespace camber
