#include "harness/cli/capture/try_capture.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <optional>
#include <system_error>
#include <thread>
#include <utility>

#include "harness/base/atomic_file.hpp"
#include "harness/base/error.hpp"
#include "harness/base/process.hpp"
#include "harness/base/text/table.hpp"
#include "harness/base/text/text.hpp"
#include "harness/capture/capture_folder.hpp"
#include "harness/capture/limits.hpp"
#include "harness/capture/replay/roles.hpp"
#include "harness/capture/replay/trimming.hpp"
#include "harness/cli/capture/capture_document.hpp"
#include "harness/cli/capture/launch_text.hpp"
#include "harness/cli/capture/replay_session.hpp"
#include "harness/cli/common/messages.hpp"
#include "harness/machine/binary/code_identity.hpp"
#include "harness/own/source/settings.hpp"
#include "harness/record/merge.hpp"

namespace camber {

namespace {

namespace fs = std::filesystem;
using namespace capture;

constexpr int usual_rounds = 20;

std::string extents(const Dimensions& d) {
    return fmt::format("{}x{}x{}", d[0], d[1], d[2]);
}

struct Candidate {
    CandidateCode code;
    bool passed = true;
    bool has_other_parameters = false;
    std::vector<CaptureCase> outcomes;  // by captured launch
};

class Page {
  public:
    enum class Output { page, none };

    Page(const TryCaptureOptions& options, const Capture& capture, Output output = Output::page)
        : options_(options),
          prints_(output == Output::page),
          capture_(capture),
          session_(capture, options.device, options.timeout),
          builder_(capture) {}

    int print() {
        print_launch();
        if (!has_capture_device()) return verify_on_executor(capture_, orders(), options_.timeout);
        const results::Document document = measure();
        if (!options_.out.empty()) {
            AtomicFile(options_.out, "results file").replace(results::to_text(document));
            say("\nresults: {}\n", options_.out);
        }
        return exit_code_;
    }

    results::Document measure() {
        study();
        std::vector<Candidate> candidates = build();
        if (!candidates.empty()) verify(candidates);
        if (options_.memcheck) check_memory(candidates);
        time(candidates);
        if (!options_.counters.empty()) count(candidates);
        return document_of(candidates);
    }

    // Returns the parts of memory of each launch. Throws Error(unavailable) if they are unknown.
    std::vector<ExaminedLaunch> examine() {
        study();
        std::vector<ExaminedLaunch> launches;
        for (const Studied& studied : studied_) {
            const WorkerResult& result = studied.result;
            if (!result.complete || !result.deterministic || is_wrong(result))
                throw Error(ExitCode::unavailable,
                            fmt::format("launch {} cannot be trimmed, because its replays differ "
                                        "or could not be examined completely",
                                        capture_.file.launches[studied.index].number));
            std::vector<Part> parts = result.parts;
            if (std::vector<Part> pieces = pieces_of(parts); !pieces.empty())
                parts = session_.study(studied.index, std::move(pieces)).parts;
            launches.push_back({studied.index, std::move(parts)});
        }
        return launches;
    }

    // Sentences about figures that are missing.
    const std::vector<std::string>& remarks() const { return remarks_; }

    // Verifies and times candidates again.
    void print_again() {
        std::vector<Candidate> candidates = build();
        verify(candidates);
        time(candidates);
    }

  private:
    template <class... Values>
    void say(fmt::format_string<Values...> format, Values&&... values) const {
        if (!prints_) return;
        fmt::print(format, std::forward<Values>(values)...);
        std::fflush(stdout);
    }

    void print_launch() {
        const LaunchFile& file = capture_.file;
        say("== {} of {}\n", printable(binary::readable_name(file.kernel)),
            printable(fmt::format("{}", fmt::join(file.program, " "))));
        say("captured on {}; its machine code runs with your rights\n",
            printable(file.device, 100));
        for (const std::string& note : file.notes) say("note: {}\n", printable(note));
    }

    void study() {
        for (std::size_t k = 0; k < capture_.file.launches.size(); ++k) {
            const CapturedLaunch& launch = capture_.file.launches[k];
            if (options_.launch && launch.number != *options_.launch) continue;
            Studied studied{k, session_.study(k), {}};
            studied.elements = elements_of(capture_, k, studied.result.parts);
            say("\n== Launch {}: grid {}, block {}, {} bytes of dynamic shared memory\n",
                launch.number, extents(launch.grid), extents(launch.block), launch.shared_bytes);
            say("{}{}", replay_text(studied), parts_text(capture_, studied));
            if (is_wrong(studied.result)) exit_code_ = static_cast<int>(ExitCode::wrong_result);
            studied_.push_back(std::move(studied));
        }
    }

    // Orders for all candidates, in all combinations of the sweeps' values.
    std::vector<CandidateOrder> orders() const {
        std::vector<std::string> texts = options_.settings;
        texts.insert(texts.end(), options_.sweeps.begin(), options_.sweeps.end());
        std::vector<CandidateOrder> all;
        for (const std::string& file : options_.candidates)
            for (const Settings& settings : combinations(texts))
                all.push_back({file, settings, options_.definitions, options_.include_folders});
        return all;
    }

    std::vector<Candidate> build() {
        std::vector<Candidate> candidates;
        for (const CandidateOrder& order : orders())
            candidates.push_back({builder_.build(order), true, false, {}});
        return candidates;
    }

    void verify(std::vector<Candidate>& candidates) {
        say("\n== Candidates, over the program's data\n");
        TextTable table({{"candidate", Align::left}, {"launch"}, {"result", Align::left}});
        for (Candidate& candidate : candidates)
            for (const Studied& studied : studied_) {
                table.add({candidate.code.name,
                           fmt::format("{}", capture_.file.launches[studied.index].number),
                           verdict(candidate, studied)});
                check_stop();
            }
        say("{}", table.plain());
    }

    std::string verdict(Candidate& candidate, const Studied& studied) {
        const ReplayEnd end =
            session_.verify(studied.index, candidate.code, studied.result,
                            tolerances(studied, options_.cell, options_.tolerance));
        CaptureCase& outcome =
            candidate.outcomes.emplace_back(new_case(capture_, studied.index, candidate.code.name));
        outcome.grid = candidate.code.grid.value_or(outcome.grid);
        outcome.block = candidate.code.block.value_or(outcome.block);
        outcome.difference = end.result.difference;
        const auto fails = [&](ExitCode code, const std::string& why) {
            candidate.passed = false;
            outcome.passed = false;
            outcome.reason = why;
            if (exit_code_ == 0) exit_code_ = static_cast<int>(code);
            return why;
        };
        if (!end.failure.empty())
            return fails(
                ExitCode::wrong_result,
                fmt::format("{}: {}", end.kernel_failed ? "CRASHED" : "not run", end.failure));
        if (!end.result.difference) {
            candidate.has_other_parameters = true;
            return fails(ExitCode::usage, fmt::format("OTHER PARAMETERS: {}; the original has {}",
                                                      layout_text(end.result.parameters),
                                                      layout_text(capture_.file.parameters)));
        }
        if (end.result.difference->bytes > 0)
            return fails(ExitCode::wrong_result,
                         fmt::format("WRONG: {}{}",
                                     difference_text(*end.result.difference, studied.result.parts,
                                                     studied.elements),
                                     missing_text(end.result.missing_variables)));
        if (end.result.difference->tolerated > 0)
            return fmt::format("within tolerance: {} bytes differ",
                               end.result.difference->tolerated);
        return "EXACT: every byte as in the program";
    }

    // Candidates with invalid accesses fail, unless the original has some, too.
    void check_memory(std::vector<Candidate>& candidates) {
        say("\n== Invalid accesses, by compute-sanitizer\n");
        TextTable table({{"kernel", Align::left}, {"launch"}, {"result", Align::left}});
        for (std::size_t k = 0; k < studied_.size(); ++k) {
            const Studied& studied = studied_[k];
            const std::string launch =
                fmt::format("{}", capture_.file.launches[studied.index].number);
            const MemcheckResult original = session_.memcheck(studied.index, {}, studied.result);
            table.add({"original", launch, original.text});
            for (Candidate& candidate : candidates) {
                if (candidate.has_other_parameters) {
                    table.add({candidate.code.name, launch, "not run: it has other parameters"});
                    continue;
                }
                const MemcheckResult found =
                    session_.memcheck(studied.index, candidate.code, studied.result);
                table.add({candidate.code.name, launch, found.text});
                if (found.is_clean || !original.is_clean) continue;
                CaptureCase& outcome = candidate.outcomes.at(k);
                if (outcome.passed) outcome.reason = "invalid accesses: " + found.text;
                candidate.passed = outcome.passed = false;
                if (exit_code_ == 0) exit_code_ = static_cast<int>(ExitCode::wrong_result);
            }
        }
        say("{}", table.plain());
    }

    static std::vector<CandidateCode> passed(const std::vector<Candidate>& candidates) {
        std::vector<CandidateCode> passed;
        for (const Candidate& candidate : candidates)
            if (candidate.passed) passed.push_back(candidate.code);
        return passed;
    }

    void time(std::vector<Candidate>& candidates) {
        originals_.clear();
        const auto rounds =
            static_cast<std::uint64_t>(options_.rounds > 0 ? options_.rounds : usual_rounds);
        for (const Studied& studied : studied_) {
            const WorkerResult result =
                session_.time(studied.index, passed(candidates), studied.result, rounds);
            say("\n== Times of launch {} by {}, median of {}\n",
                capture_.file.launches[studied.index].number,
                result.timed_by_cupti ? "CUPTI" : "events, which include the launch", rounds);
            say("{}", times_text(capture_, studied, result,
                                 copy_bandwidth(studied.result.device, options_.ceilings)));
            originals_.push_back(new_case(capture_, studied.index, "original"));
            for (const Sample& sample : result.samples)
                if (CaptureCase* const found =
                        case_of(sample.name, originals_.size() - 1, candidates))
                    (sample.flushed ? found->flushed_ns : found->warm_ns) = sample.ns;
        }
    }

    // Prints hardware counters, and stores them for the results file. The page continues without
    // them if the machine does not allow it.
    void count(std::vector<Candidate>& candidates) {
        for (std::size_t k = 0; k < studied_.size(); ++k) {
            const Studied& studied = studied_[k];
            say("\n== Counters of launch {}\n", capture_.file.launches[studied.index].number);
            try {
                const std::vector<CountedKernel> counted = session_.count(
                    studied.index, passed(candidates), studied.result, options_.counters);
                say("{}", counters_text(counted));
                for (const CountedKernel& one : counted)
                    if (CaptureCase* const found = case_of(one.name, k, candidates))
                        for (std::size_t m = 0; m < one.metrics.size(); ++m)
                            found->counters[one.metrics[m]] = one.values.at(m);
            } catch (const Error& error) {
                if (error.code() != ExitCode::unavailable) throw;
                say("not read: {}\n", printable(error.what()));
                remarks_.push_back(fmt::format("No hardware counters: {}.", error.what()));
            }
        }
    }

    // Case of the original (name "") or of a candidate that passed; nullptr for other candidates.
    CaptureCase* case_of(const std::string& name, std::size_t studied,
                         std::vector<Candidate>& candidates) {
        if (name.empty()) return &originals_.at(studied);
        const auto found = std::ranges::find_if(candidates, [&](const Candidate& candidate) {
            return candidate.passed && candidate.code.name == name;
        });
        return found == candidates.end() ? nullptr : &found->outcomes.at(studied);
    }

    results::Document document_of(const std::vector<Candidate>& candidates) const {
        results::Document document;
        document.context =
            capture_context(options_.command_line, studied_.front().result, options_.device);
        for (std::size_t k = 0; k < studied_.size(); ++k) {
            std::vector<CaptureCase> cases{originals_.at(k)};
            for (const Candidate& candidate : candidates) cases.push_back(candidate.outcomes.at(k));
            add_cases(document, capture_, studied_[k].index, studied_[k].result, options_.device,
                      cases);
        }
        results::add_speedups(document.cases, document.cases.front().identity.variant);
        return document;
    }

    const TryCaptureOptions& options_;
    bool prints_;
    const Capture& capture_;
    ReplaySession session_;
    CandidateBuilder builder_;
    std::vector<Studied> studied_;
    std::vector<CaptureCase> originals_;  // by captured launch
    std::vector<std::string> remarks_;
    int exit_code_ = 0;
};

fs::file_time_type newest(const std::vector<std::string>& files) {
    fs::file_time_type time = fs::file_time_type::min();
    std::error_code error;
    for (const std::string& file : files) time = std::max(time, fs::last_write_time(file, error));
    return time;
}

// Prints the candidates' results again whenever a file is saved, until a stop request. `seen`: time
// of the newest file before the last measurement.
int watch(Page& page, const std::vector<std::string>& files, fs::file_time_type seen) {
    while (!stopping()) {
        std::this_thread::sleep_for(std::chrono::milliseconds(200));
        const fs::file_time_type now = newest(files);
        if (now == seen) continue;
        seen = now;
        try {
            page.print_again();
        } catch (const Error& error) {
            say_error(error);
        }
    }
    return static_cast<int>(ExitCode::success);
}

Capture capture_to_replay(const TryCaptureOptions& options) {
    Capture capture = read_capture(options.folder);
    if (const std::string why = unsupported_construct(capture); !why.empty())
        throw Error(ExitCode::unavailable, why);
    launch_index(capture.file, {options.folder, options.launch});  // throws if it is absent
    return capture;
}

}  // namespace

int try_capture(const TryCaptureOptions& options) {
    if (options.watch && options.candidates.empty())
        throw Error(ExitCode::usage, "--watch needs a --candidate to watch");
    if (options.candidates.empty() && !(options.sweeps.empty() && options.settings.empty()))
        throw Error(ExitCode::usage,
                    "--sweep and --set change candidates: give one by --candidate");
    if (options.trim && !options.candidates.empty())
        throw Error(ExitCode::usage,
                    "--trim examines the original alone: leave out --candidate, or --trim");
    Capture capture = capture_to_replay(options);
    const StopSignals signals;
    Page page(options, capture);
    if (options.trim) {
        if (!has_capture_device()) refuse_replay("--trim needs it to find unused memory");
        const std::string before = folder_size(capture.folder);
        const std::uint64_t zeros = trim(capture, page.examine());
        fmt::print(
            "\ntrimmed: {:.1f} MB of memory, which the kernel does not use, are zeros now; {}: {} "
            "instead of {}\n",
            static_cast<double>(zeros) / 1e6, options.folder, folder_size(capture.folder), before);
        return static_cast<int>(ExitCode::success);
    }
    const fs::file_time_type seen = newest(options.candidates);
    const int code = page.print();
    return options.watch ? watch(page, options.candidates, seen) : code;
}

CaptureResults measure_capture(const TryCaptureOptions& options) {
    if (!has_capture_device())
        refuse_replay(
            "without one, camber run verifies a candidate's source and camber model "
            "predicts its memory traffic");
    const Capture capture = capture_to_replay(options);
    const StopSignals signals;
    Page page(options, capture, Page::Output::none);
    results::Document document = page.measure();
    check_stop();
    return {std::move(document), page.remarks()};
}

}  // namespace camber
