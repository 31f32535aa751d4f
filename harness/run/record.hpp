// A case as an element of the results file's benchmarks[]
// (results/schema/camber-results.schema.json).
#pragma once

#include <nlohmann/json.hpp>
#include <optional>

#include "harness/results/context.hpp"
#include "harness/run/case_runner.hpp"
#include "harness/run/engine.hpp"

namespace camber {

// Figures that follow from a case's time.
struct Derived {
    double cells_per_second = 0;
    double generations_per_second = 0;
    double application_bandwidth = 0;  // bytes per second
    std::optional<double> share_of_copy;
    // By the bytes that the variant's own steps must move, where the variant says how many.
    std::optional<double> step_bytes_per_cell;
    std::optional<double> step_share_of_copy;
};

Derived derive(const Study& study, const CaseResult& result, const Ceilings& ceilings);

// `final`: of the reference; recorded for cases that passed, but for flows that passed as a whole,
// which have their own.
nlohmann::ordered_json record(const Study& study, const CaseResult& result,
                              const std::optional<Derived>& derived, const FinalState& final,
                              int repetition, int repetitions, int round);

nlohmann::ordered_json record(const Aggregate& aggregate);

}  // namespace camber
