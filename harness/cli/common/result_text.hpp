// Results of a run as text: the ranked table with its notes, messages about an early end, and the
// exit code.
#pragma once

#include <string>

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

}  // namespace camber
