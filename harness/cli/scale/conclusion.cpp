#include "harness/cli/scale/conclusion.hpp"

#include <fmt/format.h>

#include <string>
#include <utility>

#include "analysis/scaling/analysis.hpp"
#include "analysis/scaling/results_series.hpp"
#include "harness/cli/scale/page.hpp"

namespace camber {

std::vector<scaling::Analysis> conclude(const results::Document& document, scaling::Mode mode) {
    std::vector<scaling::Analysis> all;
    std::string separator;
    for (scaling::Series& series : scaling::series_of_results(document, mode)) {
        all.push_back(scaling::analyse(std::move(series)));
        fmt::print("{}{}", separator, scaling_page(all.back()));
        separator = "\n";
    }
    for (const results::CaseRecord& one : document.cases)
        if (one.status != results::Status::ok)
            fmt::print("{} {}: {}\n", one.name,
                       one.status == results::Status::failed ? "failed" : "was skipped",
                       one.reason);
    return all;
}

}  // namespace camber
