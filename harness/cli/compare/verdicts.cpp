#include "harness/cli/compare/verdicts.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "analysis/compare/comparison.hpp"
#include "analysis/compare/verdict.hpp"

namespace camber {

std::string verdict_between(const results::CaseRecord& before, const results::CaseRecord& now) {
    const auto base = compare::timing_of(before);
    const auto time = compare::timing_of(now);
    if (!base || !time) return "";
    const compare::TimeComparison verdict = compare::compare_times(*base, *time, {});
    return fmt::format("{}, {:.3f} of its time ({:.3f} ... {:.3f})", name(verdict.verdict),
                       verdict.time.ratio, verdict.time.interval.low, verdict.time.interval.high);
}

std::string verdict_lines(const results::Document& document,
                          const std::vector<std::string>& candidates) {
    std::string lines;
    const auto is_candidate = [&](const results::CaseRecord& record) {
        return std::ranges::find(candidates, record.identity.variant) != candidates.end();
    };
    for (const results::CaseRecord& candidate : document.cases) {
        if (!is_candidate(candidate)) continue;
        if (!compare::timing_of(candidate)) continue;
        for (const results::CaseRecord& other : document.cases) {
            if (is_candidate(other) || other.identity.cache != candidate.identity.cache) continue;
            if (!compare::timing_of(other)) continue;
            lines += fmt::format("{} against {}: {}\n", candidate.identity.variant,
                                 other.identity.variant, verdict_between(other, candidate));
        }
    }
    return lines;
}

std::vector<std::string> not_slower(const results::Document& document, const std::string& best,
                                    const std::vector<std::string>& variants) {
    const auto time_of_variant = [&](const std::string& name) -> std::optional<compare::Timing> {
        for (const results::CaseRecord& record : document.cases)
            if (record.identity.variant == name && record.status == results::Status::ok)
                return compare::timing_of(record);
        return std::nullopt;
    };
    std::vector<std::string> names;
    const auto base = time_of_variant(best);
    for (const std::string& name : variants) {
        const auto time = time_of_variant(name);
        if (base && time && name != best &&
            compare::compare_times(*base, *time, {}).verdict != compare::Verdict::slower)
            names.push_back(name);
    }
    return names;
}

}  // namespace camber
