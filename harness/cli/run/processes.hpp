// The same measurement in several fresh processes: what differs from process to process (where
// memory comes to lie, which clock the device starts from) is seen, and averaged over.
#pragma once

#include "harness/cli/commands.hpp"
#include "harness/record/document.hpp"

namespace camber {

// Runs this program again as process `index` (from 0) of a run, with the arguments of
// `command_line` but `--out`; waits for it, and returns its results document. What it prints for
// programs is dropped, its sentences reach standard error. A signal to stop is passed on to it; the
// document then has what it measured, if anything. Throws Error with the process's own exit code
// where it failed for any other reason than a wrong variant.
results::Document run_process(const CommandLine& command_line, int index, std::uint64_t order_seed);

}  // namespace camber
