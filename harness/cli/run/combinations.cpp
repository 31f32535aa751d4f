#include "harness/cli/run/combinations.hpp"

#include <fmt/format.h>

#include "harness/base/error.hpp"

namespace camber {

void check_resumable(const RunOptions& options, int repetitions) {
    const char* const part = options.resume ? "--resume" : "--budget";
    if (!options.resume && options.budget.empty()) return;
    const char* other = options.processes > 1                     ? "--processes"
                        : repetitions > 1                         ? "--benchmark_repetitions"
                        : options.resume && !options.save.empty() ? "--save"
                                                                  : nullptr;
    if (other)
        throw Error(
            ExitCode::usage,
            fmt::format("{} cannot be combined with {}: leave out one of the two", part, other));
}

// A process of its own, or what an earlier one left, has no timelines to add.
void check_traceable(const RunOptions& options) {
    if (options.trace.empty()) return;
    const char* other = options.processes > 1 ? "--processes"
                        : options.resume      ? "--resume"
                                              : nullptr;
    if (other)
        throw Error(
            ExitCode::usage,
            fmt::format("--trace cannot be combined with {}: leave out one of the two", other));
}

}  // namespace camber
