// Output files of `camber run`, and results of an earlier run that is resumed.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <vector>

#include "harness/base/error.hpp"
#include "harness/cli/commands.hpp"
#include "harness/cli/common/run_options.hpp"
#include "harness/machine/queue/devices.hpp"
#include "harness/measure/study.hpp"
#include "harness/record/document.hpp"
#include "workloads/core/optional_interfaces.hpp"

namespace camber {

// The files that `camber run` writes: all are there to be written before anything is computed for
// them, and what a run came to before it ended is in them.

// Whether this is one of several ranks, and not the one that writes.
bool is_further_rank(const RunOptions& options);

// All output files, before anything is computed for them; gives the one of the results.
std::unique_ptr<results::ResultsFile> checked_outputs(const RunOptions& options,
                                                      const std::vector<Study>& studies);

// Of a run that one of the ranks ended.
Error with_what_is_kept(const Error& error, results::ResultsFile& results);

// Saves what the run came to before it broke, where --save asks for it.
Error with_last_state(const BrokenRun& broken, const RunOptions& options);

// What an earlier run left in its results file, to go on with.

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
