#include "harness/cli/course/trial.hpp"

#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <new>
#include <utility>

#include "harness/base/candidate_guard.hpp"
#include "harness/base/error.hpp"
#include "harness/base/files.hpp"
#include "harness/base/text/text.hpp"
#include "harness/cli/common/messages.hpp"
#include "harness/machine/simt/host_queue.hpp"
#include "harness/own/candidate_variant.hpp"
#include "harness/own/host/host_compiler.hpp"
#include "harness/predict/check_variant.hpp"
#include "harness/record/archive.hpp"

namespace camber::course {

namespace {

namespace fs = std::filesystem;
using results::Json;

constexpr std::size_t most_findings = 5;
// A shorter limit would end ordinary compilations on a busy machine.
constexpr std::chrono::duration<double> shortest_compilation_limit{60};

// Memory file through which the child process reports. It is written by the program's own code; a
// kernel has no function that could reach it.
class Channel {
  public:
    Channel() : file_(memfd_create("camber-submission", MFD_CLOEXEC)) {
        if (file_ < 0)
            throw Error(ExitCode::unavailable,
                        fmt::format("cannot share memory with a process: {}; free some memory",
                                    std::strerror(errno)));
    }
    ~Channel() { close(file_); }
    Channel(const Channel&) = delete;
    Channel& operator=(const Channel&) = delete;

    void write(const std::string& text) const {
        for (std::size_t at = 0; at < text.size();) {
            const ssize_t written =
                ::pwrite(file_, text.data() + at, text.size() - at, static_cast<off_t>(at));
            if (written <= 0) throw std::bad_alloc();
            at += static_cast<std::size_t>(written);
        }
    }
    std::string read() const {
        const off_t size = lseek(file_, 0, SEEK_END);
        std::string text(static_cast<std::size_t>(std::max<off_t>(size, 0)), '\0');
        if (pread(file_, text.data(), text.size(), 0) != static_cast<ssize_t>(text.size()))
            text.clear();
        return text;
    }

  private:
    int file_;
};

// Sentence about a kernel without the name that the reference gives to the variant.
std::string without_variant(std::string text, const std::string& variant) {
    const std::size_t kernel = text.starts_with(variant) ? text.find("): ") : text.npos;
    return kernel == text.npos ? text : text.substr(kernel + 3);
}

bool is_race(FindingKind kind) {
    return kind == FindingKind::shared_race || kind == FindingKind::global_race ||
           kind == FindingKind::block_race || kind == FindingKind::copy_race;
}

std::string sentence_of(const Finding& finding) {
    if (!finding.sentence.empty()) return finding.sentence;
    std::string sentence = fmt::format("{}: {}", describe(finding.kind), finding.sites);
    sentence[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(sentence[0])));
    if (!finding.examples.empty())
        sentence += fmt::format(" ({}, {})", finding.examples.front().threads,
                                finding.examples.front().address);
    if (finding.kind == FindingKind::shared_race || finding.kind == FindingKind::global_race)
        sentence += ": no __syncthreads() orders the two";
    if (finding.kind == FindingKind::block_race)
        sentence += ": blocks of one launch are not ordered";
    return sentence;
}

// True for a kernel that did not end in time, and would not end on another board.
bool never_ends(const BoardRun& run) {
    return run.fault.find("has not ended") != run.fault.npos;
}

// Runs all launches on one board and stores the written fields.
void run_board(const Variant& variant, const Problem& problem, const Workload& workload,
               const State& initial, int generations, BoardRun& run) {
    const CandidatePurpose purpose("verify it");
    simt::HostQueue queue;
    queue.set_label(variant.info.name());
    const auto execution = variant.factories.at(Backend::simt)(queue, problem);
    State state = initial;
    execution->upload(state);
    for (int done = 0; done < generations; done += variant.info.shape.generations) {
        execution->poison(Poison::first);
        execution->advance(variant.info.shape.generations);
    }
    queue.synchronize();
    execution->download(state);
    for (const HostField& field : state.fields)
        if (workload.writes(field.name())) {
            const auto bytes = field.bytes();
            run.results[field.name()].assign(reinterpret_cast<const char*>(bytes.data()),
                                             bytes.size());
        }
}

void check_board(const Variant& variant, const Problem& problem, const State& initial,
                 int generations, BoardRun& run) {
    const CandidatePurpose purpose("look for races");
    const CheckResult result = check_variant(variant, problem, initial, generations, 1);
    for (const Finding& finding : result.findings) {
        run.race = run.race || is_race(finding.kind);
        if (run.findings.size() < most_findings)
            run.findings.push_back(without_variant(sentence_of(finding), variant.info.name()));
    }
}

// ---- what the child process does

class Child {
  public:
    Child(const fs::path& file, const std::string& text, const Exercise& exercise,
          const Workload& workload)
        : file_(file), text_(text), exercise_(exercise), workload_(workload) {}

    Observation observe(const std::vector<Trial>& trials, const Limits& limits) {
        Observation seen;
        // A crash from here on is the submission's: the guard names it.
        const CandidateActivity activity(CandidateWork::compiling, file_.filename().string(),
                                         std::chrono::duration<double>(limits.cpu_seconds));
        if (auto why = forbidden_source(text_)) {
            seen.rejected = *why;
            return seen;
        }
        std::optional<Variant> variant;
        try {
            variant = compile(limits, seen);
        } catch (const Error& error) {
            // The machine is at fault, unless the compiler exceeds the memory of a submission.
            const bool of_memory =
                std::string_view(error.what()).find("run out of memory") != std::string_view::npos;
            if (error.code() == ExitCode::unavailable && !of_memory) throw;
            seen.not_compiled = sentence(error);
        }
        if (!variant) return seen;
        deny_system_calls();
        for (const Trial& trial : trials) {
            seen.boards.push_back(run(*variant, trial));
            if (never_ends(seen.boards.back())) break;
        }
        const bool runs = std::ranges::all_of(seen.boards, [](const BoardRun& board) {
            return board.fault.empty() && board.skipped.empty();
        });
        if (runs) count_on(*variant, trials.front(), seen);
        return seen;
    }

  private:
    std::optional<Variant> compile(const Limits& limits, Observation& seen) const {
        CandidateOptions options;
        options.limit = std::chrono::duration<double>(limits.timeout);
        const CandidateSource source = candidate_from(file_, text_);
        const std::string library = compile_for_host(source, BuildCache(options.cache));
        if (auto why = forbidden_symbols(library)) {
            seen.rejected = *why;
            return std::nullopt;
        }
        const std::uint64_t shared = read_code_image(library).thread_local_bytes;
        const std::size_t most = simt::HostQueue().limits().shared_bytes_per_block;
        if (shared > most) {
            seen.not_compiled = fmt::format(
                "its shared variables have {} bytes, and a block has "
                "at most {}",
                shared, most);
            return std::nullopt;
        }
        Variant variant = candidate_variant(file_, workload_, cell(), options);
        add_candidate_name(variant.info.name());
        return variant;
    }

    ElementType cell() const { return workload_.facts().cell_types.front(); }

    Problem problem_of(const Trial& trial) const {
        return {.size = trial.board, .boundary = Boundary::dead, .cell = cell()};
    }
    InitialConditions conditions_of(const Trial& trial) const {
        InitialConditions conditions;
        conditions.size = trial.board;
        conditions.cell = cell();
        conditions.seed = trial.seed;
        return conditions;
    }

    BoardRun run(const Variant& variant, const Trial& trial) const {
        BoardRun run;
        const Problem problem = problem_of(trial);
        const simt::HostQueue queue;
        if (auto why = reason_to_skip(variant, problem, exercise_.generations, queue.limits(),
                                      Backend::simt)) {
            run.skipped = *why;
            return run;
        }
        const State initial = workload_.initial(conditions_of(trial));
        try {
            run_board(variant, problem, workload_, initial, exercise_.generations, run);
        } catch (const Error& error) {
            run.fault = without_variant(sentence(error), variant.info.name());
            run.results.clear();
        }
        // A fault often has a race as its cause.
        if (never_ends(run)) return run;
        try {
            check_board(variant, problem, initial, exercise_.generations, run);
        } catch (const Error& error) {
            if (run.fault.empty())
                run.fault = without_variant(sentence(error), variant.info.name());
        }
        return run;
    }

    void count_on(const Variant& variant, const Trial& trial, Observation& seen) const {
        const CandidatePurpose purpose("count its accesses");
        const Problem problem = problem_of(trial);
        if (auto why = reason_not_to_model(variant, problem)) {
            seen.not_counted = *why;
            return;
        }
        try {
            const State initial = workload_.initial(conditions_of(trial));
            const InitialData data{&workload_, conditions_of(trial), &initial};
            // Every block of the verified board is counted: a kernel that recognizes other boards
            // gains nothing.
            PredictionLimits every_block;
            every_block.may_extrapolate = false;
            const Prediction prediction =
                predict(variant, problem, data, parse_architecture("sm_90"), every_block);
            Counted counted = course::count(prediction, workload_, initial);
            seen.values = std::move(counted.values);
            seen.explanations = std::move(counted.explanations);
        } catch (const Error& error) {
            seen.not_counted = sentence(error);
        }
    }

    const fs::path& file_;
    const std::string& text_;
    const Exercise& exercise_;
    const Workload& workload_;
};

// ---- report from the child to its parent

std::string text_of(const Observation& seen) {
    Json json{{"rejected", seen.rejected},
              {"not_compiled", seen.not_compiled},
              {"not_counted", seen.not_counted}};
    json["values"] = Json::object();
    for (const auto& [name, value] : seen.values) json["values"][name] = value;
    json["explanations"] = Json::array();
    for (const auto& [cause, sentence] : seen.explanations)
        json["explanations"].push_back({static_cast<int>(cause), sentence});
    json["boards"] = Json::array();
    std::string results;
    for (const BoardRun& run : seen.boards) {
        Json& board = json["boards"].emplace_back();
        board = {{"skipped", run.skipped},
                 {"fault", run.fault},
                 {"race", run.race},
                 {"findings", run.findings}};
        board["results"] = Json::object();
        for (const auto& [name, bytes] : run.results) {
            board["results"][name] = {results.size(), bytes.size()};
            results += bytes;
        }
    }
    // Sentences quote the submission, which need not be valid UTF-8.
    const std::string head = json.dump(-1, ' ', false, Json::error_handler_t::replace);
    return fmt::format("{}\n{}{}", head.size(), head, results);
}

Observation observation_in(const std::string& text) {
    Observation seen;
    const std::size_t line = text.find('\n');
    if (line == text.npos) {
        seen.ended = "it ended without a result";
        return seen;
    }
    const std::size_t length = std::stoull(text.substr(0, line));
    const Json json = results::parse_json(text.substr(line + 1, length));
    const std::string_view bytes = std::string_view(text).substr(line + 1 + length);
    seen.rejected = json["rejected"];
    seen.not_compiled = json["not_compiled"];
    seen.not_counted = json["not_counted"];
    for (const auto& [name, value] : json["values"].items()) seen.values[name] = value;
    for (const Json& one : json["explanations"])
        seen.explanations[static_cast<Cause>(one[0].get<int>())] = one[1];
    for (const Json& one : json["boards"]) {
        BoardRun& run = seen.boards.emplace_back();
        run.skipped = one["skipped"];
        run.fault = one["fault"];
        run.race = one["race"];
        for (const Json& finding : one["findings"]) run.findings.push_back(finding);
        for (const auto& [name, where] : one["results"].items())
            run.results[name] =
                bytes.substr(where[0].get<std::size_t>(), where[1].get<std::size_t>());
    }
    return seen;
}

// Error that belongs to the machine, passed on by the parent.
std::string text_of(const Error& error) {
    return fmt::format("!{}", sentence(error));
}

[[noreturn]] void end_child(const Channel& channel, const std::string& report) {
    channel.write(report);
    report_exit(0);
    std::_Exit(0);
}

}  // namespace

Observation observe(const fs::path& file, const Exercise& exercise, const Workload& workload,
                    const std::vector<Trial>& trials, const Limits& limits) {
    const std::string text =
        read_file(file, "submission", "a file of CUDA C++", most_submission_bytes + 1);
    const Channel channel;
    CandidateLimits of_candidate;
    of_candidate.work = std::chrono::duration<double>(limits.timeout);
    of_candidate.compilation = std::max(of_candidate.work, shortest_compilation_limit);
    const CandidateLimits usual = candidate_limits();
    try {
        if (!run_guarded(of_candidate)) {
            limit_process(limits);
            try {
                end_child(channel,
                          text_of(Child(file, text, exercise, workload).observe(trials, limits)));
            } catch (const Error& error) {
                end_child(channel, text_of(error));
            } catch (const std::bad_alloc&) {
                Observation seen;
                seen.ended = fmt::format("it needs more than {} MiB of memory", limits.memory_mib);
                end_child(channel, "#" + seen.ended);
            } catch (const std::exception& error) {
                end_child(channel, fmt::format("#it ended with the error \"{}\"", error.what()));
            }
        }
        set_candidate_limits(usual);
    } catch (const Error& error) {
        set_candidate_limits(usual);
        if (error.code() != ExitCode::wrong_result) throw;
        Observation seen;
        seen.ended = error.what();
        // A variant is named after the reference's workload.
        const std::string workload_name = std::string(workload.name()) + "/";
        if (seen.ended.starts_with(workload_name)) seen.ended.erase(0, workload_name.size());
        return seen;
    }
    const std::string report = channel.read();
    if (report.starts_with('!')) throw Error(ExitCode::unavailable, report.substr(1));
    if (report.starts_with('#')) {
        Observation seen;
        seen.ended = report.substr(1);
        return seen;
    }
    return observation_in(report);
}

}  // namespace camber::course
