#include "harness/cli/run/several_processes.hpp"

#include <string>
#include <utility>

#include "harness/base/stop_signal.hpp"
#include "harness/cli/common/exit_code_of.hpp"
#include "harness/cli/common/progress.hpp"
#include "harness/cli/common/stopped.hpp"
#include "harness/cli/run/printing.hpp"
#include "harness/cli/run/processes.hpp"
#include "harness/measure/context.hpp"
#include "harness/measure/engine.hpp"
#include "harness/record/derive.hpp"
#include "harness/record/merge.hpp"

namespace camber {

std::int64_t cases_of(const std::vector<Study>& studies) {
    std::int64_t cases = 0;
    for (const Study& study : studies) cases += static_cast<std::int64_t>(cases_of(study).size());
    return cases;
}

int run_processes(const RunOptions& options, const std::vector<Study>& studies,
                  const std::optional<DeviceInfo>& device, const CommandLine& command_line,
                  results::ResultsFile& results) {
    const Study& study = studies.front();
    const std::string baseline = baseline_name(*study.workload, registry());
    Progress progress;
    const std::int64_t cases = cases_of(studies);
    const std::int64_t visits = cases * study.rounds;  // of a process
    for (int index = 0; index < options.processes && stop_signal() == 0; ++index) {
        progress.show(index, options.processes, "processes");
        results::Document measured = run_process(command_line, index, study.order_seed);
        const auto so_far = measured.run() ? measured.run()->incomplete : std::nullopt;
        if (!measured.run()) break;  // stopped before anything was measured
        results.amend([&](results::Document& document) {
            if (!document.context.run) {
                document.context = measured.context;
                document.context.run->command = command_line;
                if (auto& sampling = document.context.run->sampling)
                    sampling->processes = options.processes;
            }
            if (auto& wall = document.context.run->wall; index > 0 && wall)
                *wall += measured.context.run->wall.value_or(results::WallTime());
            for (results::CaseRecord& record : measured.cases)
                results::merge(document, std::move(record), study.sampling.seed);
            results::add_speedups(document.cases, baseline);
            add_limits(document);
            auto& incomplete = document.context.run->incomplete;
            incomplete.reset();
            if (so_far || index + 1 < options.processes)
                incomplete = {static_cast<std::int64_t>(document.cases.size()), cases,
                              index * visits + (so_far ? so_far->visits : visits),
                              options.processes * visits};
        });
    }
    progress.clear();
    if (!results.document().run()) throw Stopped();
    print_results(studies, device, results.document(), options.sort);
    const bool stopped = stop_signal() != 0;
    print_outputs(options, studies, results, !stopped);
    if (stopped) say_stopped(results.document());
    return exit_code_of(results.document());
}

}  // namespace camber
