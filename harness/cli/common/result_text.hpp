// Results of a run as text: the ranked table with its notes, messages about an early end, and the
// exit code.
#pragma once

#include <string>
#include <vector>

#include "analysis/profile/facts.hpp"
#include "harness/record/case_record.hpp"
#include "harness/record/context.hpp"
#include "harness/record/document.hpp"

namespace camber {

// Ranked table of a run's results.

// The fastest case first, then failed and skipped cases with their reasons. Repeated measurements
// are represented by the one with the median time. On the simt backend, whose times are not those
// of a GPU, the order is that of the document and no times are shown.
//
// `order`: "time", "name" or "spread", the widest interval first. Ranks are always by time.
std::string ranking(const results::Document& document, const std::string& order = "time");

// Notes below the table: cases verified by statistics, and failed and skipped cases with reasons.
std::string ranking_notes(const results::Document& document);

// Number of cases with this status in a document.
int cases_with(const results::Document& document, results::Status status);

// Messages about runs that ended early.

// For a run that was ended early, prints "stopped: 18 of 79 cases measured" to standard error, with
// the number of visits if it differs. Prints nothing for a complete run.
void say_stopped(const results::Document& document, const std::string& why = "stopped");

// Same for a command that was stopped: "stopped: 18 of 79 cases checked".
void say_stopped(int done, int total, const std::string& what);

// Prints why the program ends if a device does not complete a case; `sentence` names the case.
void say_overdue(const std::string& sentence);
// Prints why a run ends after its kernel crashed on a GPU.
void say_device_lost(const std::string& sentence);

// Prints a note if the file that was read contains an incomplete run.
void say_incomplete(const results::Document& document);

// Exit code of commands that measure.

// Exit code for these cases, which depends on whether any is wrong.
int exit_code_of(const results::Document& document);

// Text that is printed while cases are measured, and the breakdown of the wall time.

// One line for a case after its first visit: variant, time per generation, bandwidth. "" after
// later visits, and for cases without times.
std::string row_of(const results::CaseRecord& record);

// "time: 12.4 s (reference 1.2, limits 3.0, ...)". Parts below one percent are combined as "other".
std::string line_of(const results::WallTime& wall);

// Notes below a run's table about flows that were compared as a whole.

// True if cells differ from the reference but the case passed as a whole.
bool decided_by_statistics(const results::CaseRecord& record);

// One line for each case that statistics decided, with the figures and their limits; the spread of
// cases whose runs differ; and the fit with the real event if available, only once if all cases
// have the same.
std::string flow_notes(const std::vector<const results::CaseRecord*>& cases);

// Kernels of a launch, one per line: time, memory traffic, and agreement with the model.

// Table, followed by a line for each quantity that differs from its prediction; every line starts
// with two blanks. "" without kernels.
std::string kernel_table(const std::vector<profile::KernelTraffic>& kernels);

// kernel_table() of the document's fastest case with several kernels and counters, with its name as
// heading. "" if there is none.
std::string kernels_of_fastest(const results::Document& document);

}  // namespace camber
