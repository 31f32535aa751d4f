#include "harness/cli/run/processes.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <optional>
#include <system_error>

#include "harness/base/error.hpp"
#include "harness/base/stop_signal.hpp"
#include "harness/base/temporary_folder.hpp"
#include "harness/cli/common/child_process.hpp"
#include "harness/cli/common/run_options.hpp"

namespace camber {

namespace fs = std::filesystem;

results::Document run_process(const CommandLine& command_line, int index,
                              std::uint64_t order_seed) {
    const TemporaryFolder folder("write the results of a process");
    const fs::path file = folder.path() / default_results;
    std::vector<std::string> arguments = command_line;
    // Where an option is given twice, the last one counts.
    for (const std::string& argument :
         {std::string("--processes=1"), fmt::format("--process-index={}", index),
          fmt::format("--order-seed={}", order_seed), "--out=" + file.string()})
        arguments.push_back(argument);
    ChildProcess child(arguments);
    std::optional<int> code = wait_for(child);
    if (!code && stop_signal() == 0) code = static_cast<int>(ExitCode::unavailable);
    std::error_code ignored;
    if (!code)
        return fs::exists(file, ignored) ? results::read_document(file) : results::Document();
    if (*code != static_cast<int>(ExitCode::success) &&
        *code != static_cast<int>(ExitCode::wrong_result))
        throw Error(
            static_cast<ExitCode>(*code),
            fmt::format("process {} of the measurement ended with exit code {}; the results "
                        "of earlier processes are kept",
                        index, *code));
    return results::read_document(file);
}

}  // namespace camber
