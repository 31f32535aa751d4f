// Captured launches without a GPU: candidates are verified on the executor.
#include <fmt/format.h>

#include <chrono>
#include <string>
#include <utility>

#include "harness/base/error.hpp"
#include "harness/base/process.hpp"
#include "harness/base/text/table.hpp"
#include "harness/capture/cuda_driver.hpp"
#include "harness/capture/replay/executor_run.hpp"
#include "harness/capture/replay/roles.hpp"
#include "harness/cli/capture/launch_text.hpp"
#include "harness/cli/capture/try_capture.hpp"
#include "harness/machine/simt/access.hpp"
#include "harness/own/source/settings.hpp"

namespace camber {

using namespace capture;

namespace {

// A result's sentence, and the exit code that belongs to it.
struct ExecutorVerdict {
    std::string text;
    ExitCode code = ExitCode::success;
};

ExecutorVerdict verdict_of_executor(const Capture& capture, const CandidateOrder& order,
                                    std::size_t launch, double seconds) {
    if (changed_bytes(capture, launch) == 0)
        throw Error(ExitCode::unavailable,
                    fmt::format("launch {} changed no byte in the program, because its result was "
                                "there before, so that nothing can be verified without a GPU: "
                                "capture another launch",
                                capture.file.launches[launch].number));
    const std::vector<Part> parts = parts_of(capture, launch);
    const std::vector<Element> elements = elements_of(capture, launch, parts);
    ExecutorRun run;
    try {
        run = run_on_executor(capture, launch, order, parts, elements,
                              std::chrono::duration<double>(seconds));
    } catch (const simt::KernelFault& fault) {
        return {fmt::format("WRONG: {}", fault.what()), ExitCode::wrong_result};
    }
    if (!run.other_parameters.empty())
        return {"OTHER PARAMETERS: " + run.other_parameters, ExitCode::usage};
    if (run.difference.bytes > 0)
        return {"WRONG: " + difference_text(run.difference, parts, elements),
                ExitCode::wrong_result};
    if (run.difference.tolerated > 0)
        return {fmt::format("within rounding: {} bytes differ", run.difference.tolerated)};
    return {"EXACT: every byte as in the program"};
}

}  // namespace

bool has_capture_device() {
    try {
        int count = 0;
        return driver().init(0) == cu_success && driver().device_count(&count) == cu_success &&
               count > 0;
    } catch (const Error&) {
        return false;
    }
}

void refuse_replay(const std::string& otherwise) {
    if (const std::string why = driver_defect(); !why.empty())
        throw Error(ExitCode::unavailable, why);
    throw Error(ExitCode::unavailable,
                fmt::format("no GPU is here to replay the captured launch: use a machine with an "
                            "NVIDIA GPU; {}",
                            otherwise));
}

int verify_on_executor(const Capture& capture, std::vector<CandidateOrder> candidates,
                       double seconds) {
    std::erase_if(candidates,
                  [](const CandidateOrder& one) { return one.file.extension() == ".cubin"; });
    if (candidates.empty())
        refuse_replay(
            "without one, give a --candidate with source, which the executor runs over the "
            "captured inputs");
    fmt::print("\n== Candidates on the executor, over the program's data (no GPU is here)\n");
    TextTable table({{"candidate", Align::left}, {"launch"}, {"result", Align::left}});
    auto code = ExitCode::success;
    for (const CandidateOrder& order : candidates)
        for (std::size_t k = 0; k < capture.file.launches.size(); ++k) {
            std::string name = order.file.filename().string();
            if (const std::string text = text_of(order.settings); !text.empty()) name += " " + text;
            ExecutorVerdict verdict = verdict_of_executor(capture, order, k, seconds);
            if (code == ExitCode::success) code = verdict.code;
            table.add({std::move(name), fmt::format("{}", capture.file.launches[k].number),
                       std::move(verdict.text)});
            check_stop();
        }
    fmt::print("{}", table.plain());
    return static_cast<int>(code);
}

}  // namespace camber
