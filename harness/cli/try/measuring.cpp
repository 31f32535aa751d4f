#include "harness/cli/try/measuring.hpp"

#include <algorithm>

#include "harness/base/stop_signal.hpp"
#include "harness/cli/common/narrator.hpp"
#include "harness/cli/run/printing.hpp"
#include "harness/run/session.hpp"

namespace camber {

void measure_study(const Study& study, const RunOptions& run, results::ResultsFile& results,
                   const CommandLine& command_line) {
    const StopSignals signals;
    Progress progress;
    Narrator narrator(study, progress, nullptr);
    Session session(study, narrator);
    session.run(results, command_line);
    progress.clear();
    if (!results.document().run()) throw Stopped();
    print_results({study}, device_of(study), results.document(), run.sort);
}

RunOptions small_for_check(const RunOptions& run) {
    RunOptions small = run;
    small.variants.clear();
    small.backend = name(Backend::simt);
    small.size.clear();
    small.input.clear();
    small.generations = 0;
    return small;
}

bool all_passed(const results::Document& document) {
    return std::ranges::none_of(document.cases, [](const results::CaseRecord& record) {
        return record.status == results::Status::failed;
    });
}

}  // namespace camber
