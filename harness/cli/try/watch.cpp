// `camber try --watch`: measures a kernel again whenever its file is saved.
#include "harness/cli/candidate/candidates.hpp"
#include "harness/cli/try/search.hpp"

#include <fmt/format.h>

#include <chrono>
#include <cstdio>
#include <fstream>
#include <functional>
#include <iterator>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "harness/base/candidate_guard.hpp"
#include "harness/base/error.hpp"
#include "harness/base/process.hpp"
#include "harness/base/text/text.hpp"
#include "harness/cli/candidate/own_problem.hpp"
#include "harness/cli/common/messages.hpp"
#include "harness/cli/common/narrator.hpp"
#include "harness/cli/common/study_from.hpp"
#include "harness/cli/compare/wording.hpp"
#include "harness/measure/session.hpp"
#include "harness/predict/check_variant.hpp"
#include "harness/predict/prediction.hpp"
#include "harness/predict/prediction_record.hpp"
#include "harness/record/document.hpp"

namespace camber {

namespace {

constexpr std::chrono::milliseconds between_looks{50};
constexpr std::int64_t most_checked_cells = 1 << 14;  // takes a tenth of a second
constexpr int checked_generations = 4;

// Figures of a version, per generation.
struct Version {
    int number = 0;
    results::CaseRecord record;
    double requests = 0;  // to global memory
    double sectors = 0;
    double moved = 0;   // bytes
    double needed = 0;  // bytes
};

// Contents of the file; nullopt while it is absent or empty because an editor replaces it.
std::optional<std::string> text_now(const std::filesystem::path& file) {
    std::ifstream stream(file, std::ios::binary);
    std::string text(std::istreambuf_iterator<char>(stream), {});
    if (text.empty()) return std::nullopt;
    return text;
}

std::size_t mark_of(const std::string& text) {
    return std::hash<std::string>()(text);
}

// Waits until the file has a hash other than `known` and is unchanged between two reads, because
// editors write files in pieces. Returns the new hash.
std::size_t wait_for_change(const std::filesystem::path& file, std::size_t known) {
    std::optional<std::string> before;
    while (true) {
        check_stop();
        std::optional<std::string> now = text_now(file);
        if (now && mark_of(*now) != known && now == before) return mark_of(*now);
        before = std::move(now);
        std::this_thread::sleep_for(between_looks);
    }
}

class Watch {
  public:
    Watch(const RunOptions& run, const CandidatePoint& point, const std::string& reference)
        : run_(run), point_(point), reference_(reference), number_(restart().number) {}

    // `mark`: hash of the file's contents.
    void measure(std::size_t mark) {
        const auto start = std::chrono::steady_clock::now();
        fmt::print("version {}: ", ++number_);
        std::fflush(stdout);
        restart_from({number_, mark});
        try {
            const Study study = study_of_version();
            const bool several = study.variants.size() > 1;
            if (several) fmt::print("\n");
            for (const Variant* const variant : study.variants) {
                if (several) fmt::print("{}: ", variant->info.path());
                try_variant(study, *variant);
            }
        } catch (const Error& error) {
            fmt::print("{}\n", sentence(error));
        }
        const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
        fmt::print("  [{:.1f} s]\n", taken.count());
        std::fflush(stdout);
    }

  private:
    void try_variant(Study study, const Variant& variant) {
        Version now;
        now.number = number_;
        study.variants = {&variant};
        if (!verify(study, now)) return;
        fmt::print("every cell agrees{}", check(study, variant));
        model(study, variant, now);
        print(now);
        last_[variant.info.name()] = std::move(now);
    }

    // Study of the current file without other variants.
    Study study_of_version() const {
        RunOptions others = run_;
        others.candidates.clear();
        if (!reference_.empty() && kind_of(reference_) == FileKind::kernel)
            others.candidates.push_back(reference_);
        others.sweeps.clear();
        Study study = study_from(others);
        study.launch_limit = run_.timeout;
        study.variants.clear();
        for (Variant& variant :
             variants_of(point_, run_, *study.workload, study.problem.cell, study.backend)) {
            study.composed.push_back(std::make_shared<Variant>(std::move(variant)));
            study.variants.push_back(study.composed.back().get());
        }
        return study;
    }

    static bool verify(const Study& study, Version& now) {
        results::ResultsFile results;
        Progress progress;
        Narrator narrator(study, progress, nullptr);
        Session session(study, narrator);
        session.run(results, {});
        progress.clear();
        if (results.document().cases.empty()) throw Stopped();
        now.record = results.document().cases.front();
        if (now.record.status == results::Status::ok) return true;
        fmt::print("{}{}\n", now.record.status == results::Status::skipped ? "skipped: it " : "",
                   now.record.reason);
        return false;
    }

    // Checks for races on a board like the verified one.
    static std::string check(const Study& study, const Variant& variant) {
        Problem problem = study.problem;
        problem.size = board_like(study.problem.size, variant.info.regions, most_checked_cells);
        const InitialConditions conditions = study.workload->generated(study.initial, problem.size);
        const CheckResult found =
            check_variant(variant, problem, study.workload->initial(conditions),
                          checked_generations * variant.info.shape.generations, 1);
        return found.findings.empty() ? "" : "\n" + describe(found);
    }

    static void model(const Study& study, const Variant& variant, Version& now) {
        if (reason_not_to_model(variant, study.problem)) return;
        const InitialData initial{study.workload, study.initial, nullptr};
        const Prediction prediction =
            predict(variant, study.problem, initial, parse_architecture("sm_90"));
        const AccessCounts counts = prediction.counts();
        const double generations = variant.info.shape.generations;
        now.requests =
            static_cast<double>(counts.global_load.requests + counts.global_store.requests) /
            generations;
        now.sectors =
            static_cast<double>(counts.global_load.sectors + counts.global_store.sectors) /
            generations;
        now.moved = static_cast<double>(bytes_moved(prediction)) / generations;
        now.needed = bytes_needed(prediction, *study.workload) / generations;
    }

    void print(const Version& now) const {
        if (const auto& samples = now.record.samples; samples && !samples->ns.empty() && is_timed())
            fmt::print("; {} per generation", duration(now.record.real_time_ns));
        fmt::print(
            "; {:.0f} requests and {:.0f} sectors of global memory, {:.2f} times the bytes "
            "needed\n",
            now.requests, now.sectors, now.needed > 0 ? now.moved / now.needed : 0);
        const auto found = last_.find(now.record.identity.variant);
        if (found == last_.end()) return;
        const Version& last = found->second;
        fmt::print("  against version {}: ", last.number);
        if (const std::string verdict = verdict_between(last.record, now.record); !verdict.empty())
            fmt::print("{}; ", verdict);
        const auto change = [](double before, double after) {
            return before == after || before <= 0
                       ? std::string("the same")
                       : fmt::format("{:+.1f} %", 100 * (after / before - 1));
        };
        fmt::print("requests {}, sectors {}, bytes moved {}\n", change(last.requests, now.requests),
                   change(last.sectors, now.sectors), change(last.moved, now.moved));
    }

    bool is_timed() const { return chosen_backend(run_) == Backend::cuda; }

    const RunOptions& run_;
    const CandidatePoint& point_;
    const std::string& reference_;
    int number_;
    std::map<std::string, Version> last_;  // last good version of each variant
};

}  // namespace

bool wait_after_restart(const std::string& file) {
    if (restart().number == 0) return true;
    const StopSignals signals;
    try {
        wait_for_change(file, restart().mark);
        return true;
    } catch (const Stopped&) {
        return false;
    }
}

int run_watch(const RunOptions& run, const std::string& reference) {
    const std::vector<CandidatePoint> points = candidate_points(run);
    if (points.size() != 1)
        throw Error(
            ExitCode::usage,
            fmt::format("--watch follows one file, and {} are given: choose one", points.size()));
    if (kind_of(points.front().file) == FileKind::library)
        throw Error(ExitCode::usage,
                    fmt::format("--watch compiles a file whenever it is saved, and {} is compiled "
                                "already: leave out --watch",
                                points.front().origin));
    const StopSignals signals;
    Watch watch(run, points.front(), reference);
    try {
        const std::filesystem::path& file = points.front().file;
        std::size_t mark = mark_of(text_now(file).value_or(""));
        while (true) {
            watch.measure(mark);
            mark = wait_for_change(file, mark);
        }
    } catch (const Stopped&) {
        // main() ends by the signal
    }
    return static_cast<int>(ExitCode::success);
}

}  // namespace camber
