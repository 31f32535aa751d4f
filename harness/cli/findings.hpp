// What a run has found so far.
#pragma once

#include <algorithm>
#include <deque>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "harness/cli/table.hpp"
#include "harness/run/record.hpp"

namespace camber {

// What a run has found so far, for the table and for speedups.
class Findings {
  public:
    Findings(const Study& study, const Ceilings& ceilings) : study_(study), ceilings_(ceilings) {}

    const CaseResult& add(const CaseResult& result) {
        results_.push_back(result);
        if (result.status == Status::ok &&
            result.variant->info.name() == baseline_name(*study_.workload))
            baseline_ = result.seconds_per_generation();
        return results_.back();
    }

    std::optional<Derived> derived(const CaseResult& result) const {
        if (result.status != Status::ok || !study_.time) return std::nullopt;
        return derive(study_, result, ceilings_, baseline_);
    }

    bool empty() const { return results_.empty(); }
    bool any_failed() const {
        return std::ranges::any_of(
            results_, [](const CaseResult& result) { return result.status == Status::failed; });
    }
    bool any_passed() const {
        return std::ranges::any_of(
            results_, [](const CaseResult& result) { return result.status == Status::ok; });
    }

    // One row per variant; of repeated measurements the one with the median time.
    std::string table() const {
        std::vector<const Variant*> order;
        std::map<const Variant*, std::vector<const CaseResult*>> repetitions;
        for (const CaseResult& result : results_) {
            if (!repetitions.contains(result.variant)) order.push_back(result.variant);
            repetitions[result.variant].push_back(&result);
        }
        std::vector<TableRow> rows;
        for (const Variant* variant : order) {
            auto& measured = repetitions[variant];
            std::ranges::sort(measured, {}, [](const CaseResult* result) {
                return result->timed() ? result->seconds_per_generation() : 0.0;
            });
            const CaseResult* middle = measured[measured.size() / 2];
            rows.push_back({middle, derived(*middle)});
        }
        return ranking(study_, rows, ceilings_);
    }

    // Speedups of cases that were stored before the baseline had run.
    void complete(nlohmann::ordered_json& document) const {
        if (!baseline_) return;
        for (auto& benchmark : document["benchmarks"]) {
            if (!benchmark.contains("camber") || !benchmark["camber"].contains("derived")) continue;
            benchmark["camber"]["derived"]["speedup_vs_baseline"] =
                *baseline_ * 1e9 / benchmark["real_time"].get<double>();
        }
    }

  private:
    const Study& study_;
    const Ceilings& ceilings_;
    std::deque<CaseResult> results_;
    std::optional<double> baseline_;  // seconds per generation
};

}  // namespace camber
