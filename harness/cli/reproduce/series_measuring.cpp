#include "harness/cli/reproduce/series_measuring.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <numeric>

#include "harness/base/stop_signal.hpp"
#include "harness/cli/common/narrator.hpp"
#include "harness/cli/common/stopped.hpp"
#include "harness/cli/common/study_from.hpp"
#include "harness/run/session.hpp"

namespace camber {

results::Document measure_series(const published::Table& table, RunOptions options,
                                 const std::vector<int>& counts, const CommandLine& command_line) {
    options.variants = table.here.variants;
    // Only the cells of an eruption can be divided.
    if (!options.input.empty()) {
        options.refinement = table.here.refine;
        options.size.clear();
    }
    options.graph = true;
    const Study study = study_from(options);
    Progress progress;
    results::ResultsFile measured;
    for (std::size_t done = 0; done < counts.size() && stop_signal() == 0; ++done) {
        Study point = study;
        point.place = {scaling::Unit::gpu, counts[done], 1, scaling::Mode::strong};
        // One GPU computes as it does without the others.
        if (counts[done] > 1) {
            std::vector<int> devices(static_cast<std::size_t>(counts[done]));
            std::iota(devices.begin(), devices.end(), 0);
            GroupOptions group;
            group.devices = fmt::format("{}", fmt::join(devices, ","));
            group.exchanges = {table.here.exchange};
            divide(point, group.choices(study.backend));
        }
        Narrator narrator(point, progress);
        const auto to_come = (counts.size() - done - 1) * cases_of(point).size();
        Session session(point, narrator);
        session.run(measured, command_line, 1, static_cast<int>(to_come));
        progress.clear();
        for (const std::string& sentence : describe_failures(session.failures()))
            fmt::print(stderr, "camber: {}\n", sentence);
    }
    if (stop_signal() != 0) say_stopped(measured.document());
    results::Document document = measured.document();
    document.source = "measured now";
    return document;
}

}  // namespace camber
