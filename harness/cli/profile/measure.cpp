#include "harness/cli/profile/measure.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "harness/base/error.hpp"
#include "harness/base/stop_signal.hpp"
#include "harness/cli/common/device_choice.hpp"
#include "harness/cli/common/narrator.hpp"
#include "harness/cli/common/study_from.hpp"
#include "harness/measure/session.hpp"

namespace camber {

namespace {

void require_built(const Study& study, const std::vector<std::string>& names) {
    for (const std::string& name : names)
        if (std::ranges::none_of(study.variants, [&](const Variant* variant) {
                return variant->info.name() == name;
            }))
            throw Error(
                ExitCode::unavailable,
                fmt::format("{} is not built for the cuda backend: build camber on a machine "
                            "with nvcc",
                            name));
}

void require_measured(const results::CaseRecord& record) {
    if (record.status == results::Status::ok) return;
    const bool wrong = record.verification && !record.verification->passed();
    throw Error(wrong ? ExitCode::wrong_result : ExitCode::unavailable,
                fmt::format("{} cannot be profiled: {}", record.identity.variant, record.reason));
}

// The page itself shows where model and counters differ.
struct QuietNarrator final : Narrator {
    using Narrator::Narrator;
    void measured(const CaseResult&) override {}
};

}  // namespace

MeasuredProfile measure_profile(RunOptions options, const std::vector<std::string>& variants,
                                const CommandLine& command_line) {
    chosen_device(options.device, "camber profile needs a GPU, or a results file with --from",
                  "without one, camber model predicts memory transactions and camber run "
                  "--backend simt verifies variants");
    options.backend = "cuda";
    options.counters = "all";
    options.variants = variants;
    options.rounds = 1;
    const Study study = study_from(options);
    require_built(study, variants);

    const StopSignals signals;
    Progress progress;
    QuietNarrator narrator(study, progress);
    Session session(study, narrator);
    results::ResultsFile measured;
    session.run(measured, command_line);
    progress.clear();
    check_stop();  // a page needs all its figures
    MeasuredProfile profile{measured.document(), {}};
    for (const results::CaseRecord& record : profile.document.cases) require_measured(record);
    // The page still has times, static facts and what follows from them.
    for (const auto& [what, why] : session.failures())
        profile.remarks.push_back(fmt::format("No {}: {}.", what, why));
    return profile;
}

}  // namespace camber
