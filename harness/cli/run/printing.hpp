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

// Account of a conserved quantity.

// Table of at most `rows` intervals, each a sum of the account's rows, and a last line with the
// totals. "" if there is no account.
std::string account_table(const std::vector<results::AccountRow>& account, int rows = 8);

// Case whose final state a run prints and saves.

// First case in the study's order that passed; nullptr if none did.
const results::CaseRecord* final_case(const Study& study, const results::Document& document);

// Final state of the case: the reference's, or its own if statistics decided that it is correct.
// Throws Error(unavailable) if the runner stores another case's state.
const State& final_state_of(const results::CaseRecord& record, const CaseRunner& runner);

// " of sciara_fv2/atomics/8x8" if the final state is the variant's own, else "".
std::string of_variant(const results::CaseRecord& record);

// Text output of `camber run`, and the names of the files that it writes.

// "64x48".
std::string size_text(const Study& study);

// One-line description: the workload on boards of these `sizes`, its start, and the device.
// `device`: nullopt on the host.
std::string describe_run(const Study& study, const std::string& sizes,
                         const std::optional<DeviceInfo>& device);

std::string results_path(const RunOptions& options);

// Path of this study's final board. If there are several sizes, the path includes the size:
// "end-64x64.rle".
std::string save_path(const RunOptions& options, const std::vector<Study>& studies,
                      const Study& study);

// Prints the ranked table and the final states. `sort`: sort order of the table. `brief`: without a
// GPU, prints a summary instead of many rows.
void print_results(const std::vector<Study>& studies, const std::optional<DeviceInfo>& device,
                   const results::Document& document, const std::string& sort, bool brief = false);

// True if these options allow a summary, which suggests commands for variants of the program.
bool allows_summary(const RunOptions& options);

// Prints the names of the files written. `saved`: final boards are among them.
void print_outputs(const RunOptions& options, const std::vector<Study>& studies,
                   const results::ResultsFile& results, bool saved);

// Table of a run in intervals.

// Times per generation, with one column per interval and variants sorted by total time; the shares
// of the kernels for the fastest variant with several kernels; and the fraction of launched cells
// that are active, for the whole board, for one to four boxes and for a list. "" if nothing was
// measured in intervals.
std::string interval_tables(const results::Document& document);

// Table of runs with saved states.

// Durations over the whole run and summed over saved states, and what the states and the ends were
// compared with; "" if no case has states.
std::string long_run_table(const results::Document& document);

// Table of transfers that overlap kernels.

// Passes of transfer_overlap compared with the sum of their pieces measured alone, and the faster
// order of issue; "" unless a pass and its pieces were timed.
std::string overlap_table(const results::Document& document);

// Tables of a run over several sizes.

// Times per generation with the speedup over the baseline at the same size, one column per size,
// the fastest on the largest board first; below it, the cases without a result, each reason once.
// Repetitions must be merged.
std::string size_table(const results::Document& document);

// Saturation of every variant and kernel whose times have a knee: the floor, the knee with its
// interval, the time per million further cells, and the intercept. "" if none has a knee.
std::string saturation_table(const results::Document& document);

// Estimated duration of a run.

// Estimated seconds of the study's verified runs on the simt backend, derived from one generation
// of its first variant on a small board. nullopt on other backends, for small boards, and for
// boards from a file.
std::optional<double> simt_seconds(const Study& study);

// Sentence with the estimate if it exceeds ten seconds; "" otherwise. `fallback`: --backend auto
// chose this backend because there is no GPU.
std::string simt_forecast(const Study& study, bool fallback);

// Summary that `camber run` prints without a GPU instead of a row for every variant.

// True if the document has so many verified cases without times that a summary is easier to read.
bool has_many_verified(const results::Document& document);

// Count of verified cases, the variants with the least predicted memory traffic, and the commands
// to continue with. Failed and skipped cases are not listed. Predicts the traffic of all variants
// of `study`; a variant without a prediction is not listed.
std::string verified_summary(const Study& study, const results::Document& document);

}  // namespace camber
