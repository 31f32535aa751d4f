#include "harness/cli/capture/replay_session.hpp"

#include <fmt/format.h>
#include <sys/wait.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstring>
#include <sstream>
#include <thread>
#include <utility>

#include "harness/base/error.hpp"
#include "harness/base/process.hpp"
#include "harness/base/text/text.hpp"
#include "harness/cli/capture/program_run.hpp"
#include "harness/cli/common/child_process.hpp"
#include "harness/machine/sass/tool.hpp"

namespace camber {

namespace fs = std::filesystem;
using namespace capture;

namespace {

// Processes that may miss an address before pointers are patched.
constexpr int most_starts = 3;
// Processes that may crash over poison before the remaining parts count as inputs.
constexpr int most_crashes = 8;

// Number of errors in a report of compute-sanitizer, and the lines that describe the first.
MemcheckResult memcheck_result(const std::string& report) {
    constexpr std::string_view mark = "========= ";
    std::string first;
    std::string summary = "no summary";
    constexpr std::string_view not_printed = "were not printed";
    std::istringstream lines(report);
    for (std::string line; std::getline(lines, line);) {
        if (!line.starts_with(mark)) continue;
        line.erase(0, mark.size());
        if (line.starts_with("ERROR SUMMARY: ") && line.find(not_printed) == line.npos)
            summary = line.substr(15);
        const bool is_access = line.starts_with("Invalid ") || line.starts_with("Misaligned ");
        const bool goes_on =
            !first.empty() && line.starts_with("    ") && std::ranges::count(first, ';') < 2;
        if (first.empty() && is_access)
            first = line;
        else if (goes_on)
            first += "; " + line.substr(line.find_first_not_of(' '));
    }
    return {printable(first.empty() ? summary : summary + ": " + first),
            summary.starts_with("0 errors")};
}

Element element_named(const std::string& cell) {
    if (cell == "float16") return Element::float16;
    if (cell == "float32") return Element::float32;
    if (cell == "float64") return Element::float64;
    return Element::bytes;
}

}  // namespace

std::vector<ByteTolerance> tolerances(const Studied& studied, const std::string& cell,
                                      double relative) {
    std::vector<ByteTolerance> all = studied.result.variations;
    if (relative < 0) return all;
    for (std::size_t k = 0; k < studied.result.parts.size(); ++k) {
        const Part& part = studied.result.parts[k];
        Element element = studied.elements[k];
        if (element == Element::bytes && part.role != Role::input) element = element_named(cell);
        if (element != Element::bytes)
            all.push_back({part.buffer, part.begin, part.end, element, 0, relative});
    }
    return all;
}

ReplaySession::ReplaySession(const Capture& capture, int device, double seconds)
    : capture_(capture), device_(device), seconds_(seconds), folder_("replay a launch") {}

WorkerJob ReplaySession::job_for(Work work, std::size_t launch) const {
    WorkerJob job;
    job.work = work;
    job.folder = fs::absolute(capture_.folder).string();
    job.launch = launch;
    job.device = device_;
    job.cupti_folders = cupti_folders();
    job.result = (folder_.path() / "result.json").string();
    return job;
}

ReplayEnd ReplaySession::run_once(const WorkerJob& job) const {
    std::error_code error;
    fs::remove(job.result, error);
    const fs::path order = folder_.write("job.json", results::written(job).dump());
    ChildProcess child({"camber", "try", "--replay-worker", order.string()}, {-1, 2});
    // The process writes its result when a stage begins. Copies of the memory take their time.
    std::uint64_t bytes = 0;
    for (const Buffer& buffer : capture_.file.launches[job.launch].buffers) bytes += buffer.bytes;
    constexpr double slowest_bytes_per_second = 100e6;
    constexpr double slowest_over_poison = 500e6;  // the copies are on the device
    // A kernel that reads poison may run forever, without a fault of its own.
    constexpr double longest_over_poison = 3;
    const std::chrono::duration<double> usual_limit(seconds_ + static_cast<double>(bytes) /
                                                                   slowest_bytes_per_second);
    const std::chrono::duration<double> poison_limit(
        std::min(seconds_, longest_over_poison) + static_cast<double>(bytes) / slowest_over_poison);
    std::chrono::duration<double> limit = usual_limit;
    auto begin = std::chrono::steady_clock::now();
    fs::file_time_type stage{};
    std::optional<int> status;
    bool in_time = true;
    while (!(status = child.status())) {
        check_stop();
        if (const auto now = fs::last_write_time(job.result, error); !error && now != stage) {
            stage = now;
            constexpr std::size_t most_stage_bytes = 100;
            const std::string text =
                read_file(job.result, "result", "a result of a replay process", most_stage_bytes);
            limit = text.find(poison_stage) != text.npos ? poison_limit : usual_limit;
            begin = std::chrono::steady_clock::now();
        }
        if (in_time && std::chrono::steady_clock::now() - begin > limit) {
            in_time = false;
            child.send(SIGKILL);
        }
        std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
    ReplayEnd ended;
    try {
        results::read(
            results::parse_json(read_file(job.result, "result", "a result of a replay process")),
            ended.result);
    } catch (const std::exception& problem) {
        ended.failure =
            fmt::format("the replay process ended without a result: {}", problem.what());
        return ended;
    }
    const WorkerResult& result = ended.result;
    ended.kernel_failed = result.kernel_failed;
    if (!result.failure.empty())
        ended.failure = result.failure;
    else if (!in_time)
        ended.failure =
            fmt::format("{} did not end within {:.0f} s (--timeout)", result.stage, limit.count());
    else if (WIFSIGNALED(*status))
        ended.failure = fmt::format("the process ended by signal {} ({}) while {}",
                                    WTERMSIG(*status), strsignal(WTERMSIG(*status)), result.stage);
    else if (!result.stage.empty() && !result.missed_address)
        ended.failure = fmt::format("the process ended with exit code {} while {}",
                                    WEXITSTATUS(*status), result.stage);
    return ended;
}

ReplayEnd ReplaySession::run(WorkerJob job) {
    for (int start = 1;; ++start) {
        // The layout of a process's memory is another one each time.
        job.keep_addresses = start <= most_starts && !misses_addresses_;
        ReplayEnd end = run_once(job);
        if (!end.result.missed_address) return end;
        // Later processes need not try, too.
        if (start == most_starts) misses_addresses_ = true;
    }
}

WorkerResult ReplaySession::study(std::size_t launch, std::vector<Part> parts) {
    WorkerJob job = job_for(Work::study, launch);
    job.parts = std::move(parts);
    WorkerResult first;
    for (int crashes = 0;; ++crashes) {
        ReplayEnd end = run(job);
        const bool has_parts = !end.result.parts.empty();
        if (crashes == 0) first = end.result;
        if (end.failure.empty()) {
            first.parts = end.result.parts;
            first.complete = end.result.complete;
            return first;
        }
        if (!end.kernel_failed) throw Error(ExitCode::unavailable, end.failure);
        if (!has_parts)
            throw Error(ExitCode::wrong_result,
                        fmt::format("the replay of the original kernel failed: {}; it may read "
                                    "memory of the host that is not pinned, or wait for another "
                                    "kernel, which a capture does not contain",
                                    end.failure));
        // Poison in an input, such as an index, can crash the kernel.
        job.parts = end.result.parts;
        job.known_steps = end.result.known_steps + 1;
        for (const std::uint64_t k : end.result.step_parts) {
            Part& part = job.parts.at(k);
            const bool changed =
                !capture_.file.launches[launch].buffers[part.buffer].changed.empty();
            part.role = changed ? Role::in_place : Role::input;
            part.is_fixed = true;
            part.written.clear();
        }
        if (crashes == most_crashes) {
            first.parts = job.parts;
            first.stage.clear();
            return first;
        }
    }
}

ReplayEnd ReplaySession::verify(std::size_t launch, const CandidateCode& candidate,
                                const WorkerResult& study,
                                const std::vector<ByteTolerance>& tolerances) {
    WorkerJob job = job_for(Work::verify, launch);
    job.candidates = {candidate};
    job.parts = study.parts;
    job.tolerances = tolerances;
    return run(job);
}

MemcheckResult ReplaySession::memcheck(std::size_t launch,
                                       const std::optional<CandidateCode>& candidate,
                                       const WorkerResult& study) {
    const auto tool = find_cuda_program("compute-sanitizer");
    if (!tool)
        throw Error(ExitCode::unavailable,
                    "--memcheck needs compute-sanitizer, which is not here: install the CUDA "
                    "Toolkit");
    WorkerJob job = job_for(Work::verify, launch);
    job.keep_addresses = false;
    job.separate = true;
    job.parts = study.parts;
    CandidateCode original;
    original.file = (capture_.folder / capture_.file.code.name).string();
    original.kernel = capture_.file.kernel;
    job.candidates = {candidate.value_or(original)};
    std::error_code error;
    fs::remove(job.result, error);
    const fs::path order = folder_.write("job.json", results::written(job).dump());
    const fs::path log = folder_.path() / "memcheck.txt";
    const ToolRun run = run_tool(
        *tool,
        {"--tool", "memcheck", "--log-file", log.string(),
         // The replay asks for parameters and variables until the driver refuses.
         "--report-api-errors", "no", "--print-limit", "1",
         fs::read_symlink("/proc/self/exe").string(), "try", "--replay-worker", order.string()},
        std::chrono::seconds(600), {folder_.path()});
    check_stop();
    std::error_code missing;
    if (!run.started || !run.in_time || !fs::exists(log, missing))
        throw Error(ExitCode::unavailable,
                    fmt::format("compute-sanitizer did not check the replay: {}",
                                printable(run.output, 300)));
    return memcheck_result(read_file(log, "report", "a report of compute-sanitizer"));
}

std::vector<CountedKernel> ReplaySession::count(std::size_t launch,
                                                const std::vector<CandidateCode>& candidates,
                                                const WorkerResult& study,
                                                const std::string& counters) {
    WorkerJob job = job_for(Work::count, launch);
    job.candidates = candidates;
    job.parts = study.parts;
    job.counters = counters;
    ReplayEnd end = run(job);
    if (!end.failure.empty())
        throw Error(end.kernel_failed ? ExitCode::wrong_result : ExitCode::unavailable,
                    end.failure);
    return std::move(end.result.counted);
}

WorkerResult ReplaySession::time(std::size_t launch, const std::vector<CandidateCode>& candidates,
                                 const WorkerResult& study, std::uint64_t samples) {
    WorkerJob job = job_for(Work::time, launch);
    job.candidates = candidates;
    job.parts = study.parts;
    job.samples = samples;
    ReplayEnd end = run(job);
    if (!end.failure.empty())
        throw Error(end.kernel_failed ? ExitCode::wrong_result : ExitCode::unavailable,
                    end.failure);
    return end.result;
}

}  // namespace camber
