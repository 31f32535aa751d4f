// What an earlier run left in its results file, to go on with.
#pragma once

#include <filesystem>
#include <optional>

#include "harness/cli/commands.hpp"
#include "harness/cli/common/run_options.hpp"
#include "harness/machine/queue/devices.hpp"
#include "harness/record/document.hpp"

namespace camber {

// The results in `path`; nothing where there is no such file. Throws Error(usage) where they come
// from another command line than this, but for options that change no result (--resume, --budget,
// --out, --launcher) or say which cases are measured at all (--leave-out-hopeless and its kin), or
// where they were measured by another program or card than `now` tells of.
std::optional<results::Document> results_to_resume(const std::filesystem::path& path,
                                                   const CommandLine& command_line,
                                                   const results::Run& now);

// The same on this machine now, where the command is to go on (--resume), and else nothing.
// `device`: nothing on the host.
std::optional<results::Document> earlier_results(const RunOptions& options,
                                                 const std::filesystem::path& path,
                                                 const CommandLine& command_line,
                                                 const std::optional<DeviceInfo>& device);

// The command line without the program's name and without these options.
CommandLine significant_words(const CommandLine& command_line);

}  // namespace camber
