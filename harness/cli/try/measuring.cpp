#include "harness/cli/try/measuring.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <optional>
#include <stdexcept>

#include "analysis/memory/architecture.hpp"
#include "harness/base/error.hpp"
#include "harness/base/process.hpp"
#include "harness/cli/candidate/candidates.hpp"
#include "harness/cli/candidate/own_problem.hpp"
#include "harness/cli/common/narrator.hpp"
#include "harness/cli/common/study_from.hpp"
#include "harness/cli/run/printing.hpp"
#include "harness/measure/session.hpp"
#include "harness/own/device_compiler.hpp"
#include "harness/own/source/source.hpp"
#include "harness/own/technique/technique_variants.hpp"

namespace camber {

namespace {

Architecture architecture_named(const std::string& name) {
    try {
        return parse_architecture(name);
    } catch (const std::invalid_argument& error) {
        throw Error(ExitCode::usage, error.what());
    }
}

// One line for each kernel.
std::string report_of(const CandidatePoint& point, const RunOptions& run, int capability) {
    switch (kind_of(point.file)) {
        case FileKind::technique: {
            const Workload& workload = workload_of(run);
            CandidateOptions options;
            options.compute_capability = capability;
            return technique_report(point.file, workload, cell_of(run, workload), options);
        }
        case FileKind::library:
            return "a library, compiled elsewhere\n";
        default:
            return compile_for_device(read_candidate(point.file, point.settings), capability,
                                      BuildCache(CacheFolder::of_user()))
                .report;
    }
}

}  // namespace

void print_device_builds(const RunOptions& run, const std::string& wanted) {
    int capability = 0;
    if (!wanted.empty()) {
        const Architecture architecture = architecture_named(wanted);
        capability = 10 * architecture.major + architecture.minor;
    } else {
        capability = device_capability(run, chosen_backend(run));
    }
    if (capability == 0) return;
    fmt::print("== Compiled for sm_{}\n", capability);
    for (const CandidatePoint& point : candidate_points(run)) {
        fmt::print("{}:\n{}", point.origin, report_of(point, run, capability));
    }
    fmt::print("\n");
}

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

MeasuredStudy measure_candidates(const RunOptions& run, const CommandLine& command_line) {
    results::ResultsFile results;
    std::optional<results::ResultsFile> file;
    if (run.out) file.emplace(*run.out);
    Study study = study_from(run);
    run_study(study, file ? *file : results, command_line);
    return {std::move(study), file ? file->document() : results.document()};
}

void print_measured(const std::vector<MeasuredStudy>& all, const RunOptions& run) {
    fmt::print("== Every cell against the reference\n");
    bool first = true;
    for (const MeasuredStudy& one : all) {
        if (!first) fmt::print("\n");
        first = false;
        print_results({one.study}, device_of(one.study), one.document, run.sort);
        if (run.out) fmt::print("results: {}\n", *run.out);
    }
    std::fflush(stdout);
}

std::string why_nothing_ran(const MeasuredStudy& measured, const RunOptions& run) {
    std::string why = "there is no case";
    const std::vector<CandidatePoint> points = candidate_points(run);
    for (const Variant* const variant : measured.study.variants)
        for (const results::CaseRecord& record : measured.document.cases) {
            if (record.identity.variant != variant->info.name() ||
                std::ranges::find(points, variant->file, &CandidatePoint::origin) == points.end())
                continue;
            if (record.status != results::Status::skipped) return "";
            why = record.reason;
        }
    return why;
}

std::string only_on_gpu(const RunOptions& run, const std::string& file) {
    if (kind_of(file) == FileKind::library) return "a library runs on a GPU alone";
    RunOptions one = run;
    one.candidates = {file};
    one.sweeps.clear();
    for (const CandidatePoint& point : candidate_points(one))
        if (const std::string why = problem_said_by(point.file, point.settings).device_only;
            !why.empty())
            return why;
    return "";
}

RunOptions on_executor(RunOptions run) {
    const RunOptions all = run;
    std::erase_if(run.candidates,
                  [&](const std::string& file) { return !only_on_gpu(all, file).empty(); });
    run.counters.clear();
    return run;
}

bool has_timed_out(const results::Document& document) {
    return std::ranges::any_of(document.cases, [](const results::CaseRecord& record) {
        return record.reason.find("has not ended") != record.reason.npos;
    });
}

}  // namespace camber
