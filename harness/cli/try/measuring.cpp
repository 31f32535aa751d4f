#include "harness/cli/try/measuring.hpp"

#include <algorithm>

#include "harness/base/stop_signal.hpp"
#include "harness/cli/common/narrator.hpp"
#include "harness/cli/run/printing.hpp"
#include "harness/measure/session.hpp"

namespace camber {

void run_study(const Study& study, results::ResultsFile& results, const CommandLine& command_line) {
    const StopSignals signals;
    Progress progress;
    Narrator narrator(study, progress, nullptr);
    Session session(study, narrator);
    session.run(results, command_line);
    progress.clear();
    if (!results.document().run()) throw Stopped();
}

void measure_study(const Study& study, const RunOptions& run, results::ResultsFile& results,
                   const CommandLine& command_line) {
    run_study(study, results, command_line);
    print_results({study}, device_of(study), results.document(), run.sort);
}

std::vector<Region> regions_of_candidates(const Study& study) {
    std::vector<Region> regions;
    for (const Variant* variant : study.variants)
        if (!variant->file.empty())
            regions.insert(regions.end(), variant->info.regions.begin(),
                           variant->info.regions.end());
    return regions;
}

bool all_passed(const results::Document& document) {
    return std::ranges::none_of(document.cases, [](const results::CaseRecord& record) {
        return record.status == results::Status::failed;
    });
}

}  // namespace camber
