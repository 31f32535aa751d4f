#include "harness/measure/figure_comparison.hpp"

#include <fmt/format.h>

#include "analysis/flow_statistics.hpp"
#include "harness/measure/flow_comparison.hpp"

namespace camber {

std::optional<FinalState> judge_figures(const Workload& workload, const State& expected,
                                        State& actual, const std::map<std::string, double>& limits,
                                        Verification& found) {
    found.method = Verification::Method::statistics;
    if (const std::int64_t broken = broken_cells(expected, actual, workload); broken > 0) {
        found.exceeded.push_back(
            fmt::format("{} cells are no finite numbers or must not change", broken));
        return std::nullopt;
    }
    actual.account = expected.account;
    const FinalState wanted = workload.final_state(expected);
    FinalState own = workload.final_state(actual);
    for (const auto& [figure, limit] : limits) {
        const double difference =
            relative_difference(own.account.at(figure), wanted.account.at(figure));
        if (!(difference <= limit))
            found.exceeded.push_back(
                fmt::format("{} by {:.3g} (at most {:.3g})", figure, difference, limit));
    }
    if (!found.exceeded.empty()) return std::nullopt;
    found.status = Verification::Status::passed;
    return own;
}

}  // namespace camber
