// Text output of `camber run`: names of its files, the final state, and the account of a conserved
// quantity.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "harness/cli/common/run_options.hpp"
#include "harness/machine/queue/devices.hpp"
#include "harness/measure/case_runner.hpp"
#include "harness/measure/study.hpp"
#include "harness/record/context.hpp"
#include "harness/record/document.hpp"

namespace camber {

// The account of a conserved quantity as a run prints it.

// At most `rows` of the account's rows, the intervals between them added up, and a last line with
// the sums. "" where no account is kept.
std::string account_table(const std::vector<results::AccountRow>& account, int rows = 8);

// Whose final state a run prints and saves.

// The first case, in the study's order, that passed; nullptr where none did.
const results::CaseRecord* final_case(const Study& study, const results::Document& document);

// The state that the case ended in: the reference's, or its own where statistics decided that it is
// right. Throws Error(unavailable) where the runner kept that of another case.
const State& final_state_of(const results::CaseRecord& record, const CaseRunner& runner);

// " of sciara_fv2/atomics/8x8" where the final state is the variant's own, else empty.
std::string of_variant(const results::CaseRecord& record);

// Text output of `camber run`, and the names of the files that it writes.

// "64x48"
std::string size_text(const Study& study);

// In one line: the workload on boards of these `sizes`, its start, and where it runs. `device`:
// nothing on the host.
std::string describe_run(const Study& study, const std::string& sizes,
                         const std::optional<DeviceInfo>& device);

std::string results_path(const RunOptions& options);

// Where the final board of this study goes: with several sizes, each has its name in the path,
// "end-64x64.rle".
std::string save_path(const RunOptions& options, const std::vector<Study>& studies,
                      const Study& study);

// Prints the ranked table and the final states. `sort`: sort order of the table. `brief`: without a
// GPU, prints a summary instead of many rows.
void print_results(const std::vector<Study>& studies, const std::optional<DeviceInfo>& device,
                   const results::Document& document, const std::string& sort, bool brief = false);

// True if these options allow a summary, which suggests commands for variants of the program.
bool allows_summary(const RunOptions& options);

// Prints the names of the files written. `saved`: whether final boards are among them.
void print_outputs(const RunOptions& options, const std::vector<Study>& studies,
                   const results::ResultsFile& results, bool saved);

}  // namespace camber
