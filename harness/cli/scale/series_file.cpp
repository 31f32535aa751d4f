#include "harness/cli/scale/series_file.hpp"

#include <fmt/format.h>

#include <utility>
#include <vector>

#include "harness/base/error.hpp"
#include "harness/base/process.hpp"
#include "harness/cli/common/files.hpp"
#include "harness/cli/common/result_text.hpp"
#include "harness/cli/run/run_parts.hpp"
#include "harness/cli/scale/page.hpp"
#include "harness/record/merge.hpp"

namespace camber {

namespace {

using Existing = results::ResultsFile::Existing;

std::string checked_path(const RunOptions& options) {
    std::string path = options.out.value_or(default_scaling);
    check_files({{"--input", options.input}}, {{"--out", path}});
    return path;
}

}  // namespace

SeriesFile::SeriesFile(const RunOptions& options, const CommandLine& command_line,
                       const std::optional<DeviceInfo>& device)
    : path_(checked_path(options)),
      results_(path_, options.out || options.resume ? Existing::replaced : Existing::kept) {
    if (auto earlier = earlier_results(options, path_, command_line, device)) {
        was_whole_ = !earlier->run()->incomplete;
        earlier->scaling.clear();
        results_.start_from(std::move(*earlier));
    }
}

results::Document SeriesFile::measured() const {
    if (document().cases.empty()) check_stop();
    results::Document measured = document();
    results::merge_repetitions(measured);
    return measured;
}

void SeriesFile::conclude(const results::Document& measured, scaling::Mode mode) {
    std::vector<scaling::Analysis> analyses;
    try {
        analyses = camber::conclude(measured, mode);
    } catch (const Error&) {
        if (stop_signal() == 0) throw;  // after a signal, there are too few points for a series
    }
    results_.amend([&](results::Document& stored) { stored.scaling = analyses; });
}

int SeriesFile::close(const results::Document& measured) const {
    if (was_whole_) fmt::print("all points are already measured\n");
    if (const auto& kept = results_.kept())
        fmt::print("the previous {} was renamed to {}\n", path_, kept->string());
    fmt::print("results: {}\n", path_);
    if (stop_signal() != 0) say_stopped(measured);
    return exit_code_of(measured);
}

}  // namespace camber
