#include "harness/cli/reproduce/series_measuring.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <numeric>
#include <string>
#include <utility>

#include "harness/base/stop_signal.hpp"
#include "harness/cli/common/narrator.hpp"
#include "harness/cli/common/remedies.hpp"
#include "harness/cli/common/stopped.hpp"
#include "harness/cli/common/study_from.hpp"
#include "harness/cli/common/terminal.hpp"
#include "harness/cli/scale/study_on.hpp"
#include "harness/measure/session.hpp"
#include "workloads/core/parameter_start.hpp"

namespace camber {

namespace {

// The study on so many GPUs, whose shares change by a rule; "": they stay.
Study point_of(Study study, const published::Table& table, int count, const std::string& balance,
               bool quick) {
    // A sample has about as many generations on many GPUs as on one: in water that moves, later
    // generations take longer. There are several, which tell how far off the time is.
    if (study.seconds_per_sample > RunOptions().sample_seconds) {
        study.seconds_per_sample /= count;
        constexpr double samples = 5;
        if (!quick)
            study.sampling.budget_seconds =
                std::max(study.sampling.budget_seconds, (samples - 0.5) * study.seconds_per_sample);
    }
    UnitSource from;
    from.gpus.resize(static_cast<std::size_t>(count));
    std::iota(from.gpus.begin(), from.gpus.end(), 0);
    from.group.exchanges = {table.here.exchange};
    from.group.balance = balance;
    return study_on(std::move(study), {scaling::Unit::gpu, 1, {}}, count, scaling::Mode::strong,
                    from);
}

// In the table's order, each once.
std::vector<std::string> balances_of(const published::Table& table) {
    std::vector<std::string> balances;
    for (const published::ScalingRows& rows : table.scaling->series)
        if (std::ranges::find(balances, rows.balance) == balances.end())
            balances.push_back(rows.balance);
    return balances;
}

}  // namespace

std::vector<results::Document> measure_series(const published::Table& table, RunOptions options,
                                              const std::vector<int>& counts,
                                              const CommandLine& command_line) {
    options.variants = table.here.variants;
    // Only the cells of an eruption can be divided.
    if (!options.input.empty()) {
        options.refinement = table.here.refine;
        options.size.clear();
    }
    // Parameters say how many particles there are.
    if (parameter_start(workload_of(options)) && options.size == table.here.size)
        options.size.clear();
    options.graph = table.here.graph;
    const Study study = study_from(options);
    Progress progress;
    std::vector<results::Document> documents;
    for (const std::string& balance : balances_of(table)) {
        results::ResultsFile measured;
        for (std::size_t done = 0; done < counts.size() && stop_signal() == 0; ++done) {
            if (counts[done] == 1 && !documents.empty()) continue;
            const Study point = point_of(study, table, counts[done], balance, options.quick);
            Narrator narrator(point, progress);
            const auto to_come = (counts.size() - done - 1) * cases_of(point).size();
            Session session(point, narrator);
            session.run(measured, command_line, 1, static_cast<int>(to_come));
            progress.clear();
            for (const std::string& sentence : describe_failures(session.failures()))
                say_error(sentence);
        }
        results::Document document = measured.document();
        document.source = "measured now";
        if (!documents.empty())
            std::ranges::copy_if(documents.front().cases, std::back_inserter(document.cases),
                                 [](const results::CaseRecord& record) {
                                     return record.identity.scaling->units == 1;
                                 });
        if (stop_signal() != 0) say_stopped(document);
        documents.push_back(std::move(document));
        if (stop_signal() != 0) break;
    }
    return documents;
}

}  // namespace camber
