#include "harness/cli/profile/profile.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "harness/base/error.hpp"
#include "harness/base/process.hpp"
#include "harness/base/text/text.hpp"
#include "harness/cli/capture/capture_document.hpp"
#include "harness/cli/common/narrator.hpp"
#include "harness/cli/common/option_values.hpp"
#include "harness/cli/common/study_from.hpp"
#include "harness/cli/try/captured_run.hpp"
#include "harness/measure/session.hpp"

namespace camber {

namespace {

std::string without_workload(const std::string& name) {
    return name.substr(name.find('/') + 1);
}

}  // namespace

std::string the_one(const std::string& wanted, const std::vector<std::string>& names,
                    const std::string& place) {
    std::vector<std::string> found;
    std::vector<std::string> candidates;
    for (const std::string& name : names) {
        const std::string brief = without_workload(name);
        candidates.push_back(name);
        candidates.push_back(brief);
        if (name == wanted || brief == wanted) return name;
        if (matches_glob(wanted, name) || matches_glob(wanted, brief)) found.push_back(name);
    }
    if (found.empty())
        throw Error(ExitCode::usage, fmt::format("no variant {} matches '{}'{}", place, wanted,
                                                 suggestion(wanted, candidates)));
    if (found.size() > 1)
        throw Error(
            ExitCode::usage,
            fmt::format("'{}' matches {} variants, but a profile is about one: choose for "
                        "example {}, or rank all of them with camber run",
                        wanted, found.size(), fmt::join(found.begin(), found.begin() + 2, " or ")));
    return found.front();
}

const results::CaseRecord& case_of(const results::Document& document, const std::string& variant) {
    const results::CaseRecord* other = nullptr;
    for (const results::CaseRecord& record : document.cases) {
        const results::Identity& identity = record.identity;
        if (identity.variant != variant) continue;
        if (record.status == results::Status::ok && identity.backend == Backend::cuda &&
            identity.is_usual())
            return record;
        other = &record;
    }
    if (other == nullptr) throw std::logic_error("no case " + variant);
    const auto backend = other->identity.backend;
    throw Error(ExitCode::usage,
                fmt::format("this file has no GPU time of {} with warm caches and without CUDA "
                            "graphs (backend {}, status {}): choose another variant, or measure "
                            "this one with camber run --backend cuda",
                            variant, backend ? name(*backend) : "unknown", name(other->status)));
}

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

// The page reports the differences between the model and the counters, so they are not printed.
struct QuietNarrator final : Narrator {
    using Narrator::Narrator;
    void measured(const CaseResult&) override {}
};

}  // namespace

void require_measured_case(const results::Document& document, const std::string& variant) {
    for (const results::CaseRecord& record : document.cases)
        if (record.identity.variant == variant) require_measured(record);
}

MeasuredProfile measure_captured_profile(const OwnProblemOptions& own, RunOptions options,
                                         const CommandLine& command_line) {
    options.backend = name(Backend::cuda);
    options.counters = "all";
    CaptureResults measured =
        measure_capture(replay_options(own, options, "profile", command_line));
    results::Run& run = *measured.document.context.run;
    if (const auto card = ceilings_of_device(run.gpu->name, "")) {
        run.ceilings.complete_from(card->ceilings);
        measured.remarks.push_back(
            fmt::format("Ceilings are those of the built-in card {}.", card->name));
    }
    return {std::move(measured.document), std::move(measured.remarks)};
}

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
    check_stop();  // a page needs all of its figures
    MeasuredProfile profile{measured.document(), {}};
    for (const results::CaseRecord& record : profile.document.cases) require_measured(record);
    // Without counters, the page still contains times, static facts and derived figures.
    for (const auto& [what, why] : session.failures())
        profile.remarks.push_back(fmt::format("No {}: {}.", what, why));
    return profile;
}

}  // namespace camber
