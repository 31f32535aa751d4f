#include "harness/cli/profile/measure.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "harness/base/error.hpp"
#include "harness/cli/common/device_choice.hpp"
#include "harness/cli/common/progress.hpp"
#include "harness/cli/common/study_from.hpp"
#include "harness/run/ceilings.hpp"
#include "harness/run/context.hpp"
#include "harness/run/record.hpp"
#include "harness/static/kernel_code.hpp"

namespace camber {

namespace {

const Variant& variant_named(const Study& study, const std::string& name) {
    const auto found = std::ranges::find_if(
        study.variants, [&](const Variant* variant) { return variant->info.name() == name; });
    if (found == study.variants.end())
        throw Error(ExitCode::unavailable,
                    fmt::format("{} is not built for the cuda backend: build camber where nvcc is "
                                "found",
                                name));
    return **found;
}

results::CaseRecord measured(CaseRunner& runner, const Variant& variant, const Ceilings& ceilings,
                             const FinalState& final) {
    const CaseResult result = runner.run(variant);
    if (result.status != results::Status::ok) {
        const bool wrong = result.verification && !result.verification->passed();
        throw Error(wrong ? ExitCode::wrong_result : ExitCode::unavailable,
                    fmt::format("{} cannot be profiled: {}", variant.info.name(), result.reason));
    }
    return record(runner.study(), result, derive(runner.study(), result, ceilings), final, 0, 1, 0);
}

}  // namespace

MeasuredProfile measure_profile(RunOptions options, const std::vector<std::string>& variants,
                                const CommandLine& command_line) {
    const DeviceInfo device = chosen_device(
        options.device, "camber profile needs a GPU, or a results file with --from",
        "without one, camber model predicts memory transactions and camber run --backend simt "
        "verifies variants");
    options.backend = "cuda";
    options.counters = "all";
    options.variants = variants;
    const Study study = study_from(options);
    KernelCode::of_this_program().prepare(device.major, device.minor, 2);

    MeasuredProfile source;
    Progress progress;
    const int total = static_cast<int>(variants.size());
    progress.show(0, total, "computing the reference");
    CaseRunner runner(study);
    const FinalState final = study.workload->final_state(runner.expected());
    runner.use(open_instruments(study));
    progress.show(0, total, "measuring the device's limits");
    const Ceilings ceilings = measure_ceilings(runner.queue(), &device);
    KernelCode::of_this_program().wait();
    source.document.context = run_context(command_line, &device, ceilings);
    int done = 0;
    for (const std::string& name : variants) {
        progress.show(done++, total, name);
        source.document.cases.push_back(
            measured(runner, variant_named(study, name), ceilings, final));
    }
    progress.clear();
    // The page still has times, static facts and what follows from them.
    for (const auto& [what, why] : runner.instrument_failures())
        source.remarks.push_back(fmt::format("No {}: {}.", what, why));
    return source;
}

}  // namespace camber
