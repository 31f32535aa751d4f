#include "harness/cli/compare/verdicts.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "analysis/compare/comparison.hpp"
#include "analysis/compare/verdict.hpp"

namespace camber {

std::string verdict_lines(const results::Document& document,
                          const std::vector<std::string>& candidates) {
    std::string lines;
    const auto is_candidate = [&](const results::CaseRecord& record) {
        return std::ranges::find(candidates, record.identity.variant) != candidates.end();
    };
    for (const results::CaseRecord& candidate : document.cases) {
        if (!is_candidate(candidate)) continue;
        const auto time = compare::timing_of(candidate);
        if (!time) continue;
        for (const results::CaseRecord& other : document.cases) {
            if (is_candidate(other) || other.identity.cache != candidate.identity.cache) continue;
            const auto base = compare::timing_of(other);
            if (!base) continue;
            const compare::TimeComparison verdict = compare::compare_times(*base, *time, {});
            lines += fmt::format("{} against {}: {}, {:.3f} of its time ({:.3f} ... {:.3f})\n",
                                 candidate.identity.variant, other.identity.variant,
                                 name(verdict.verdict), verdict.time.ratio,
                                 verdict.time.interval.low, verdict.time.interval.high);
        }
    }
    return lines;
}

}  // namespace camber
