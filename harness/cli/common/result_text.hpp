// Results of a run for people: the ranked table with its notes, messages about an early end, and
// the exit code.
#pragma once

#include <string>

#include "harness/record/document.hpp"

namespace camber {

// The ranked table that a run prints.

// Fastest first, then the cases that failed and that were skipped, each with its reason; of
// repeated measurements the one with the median time. On the simt backend, whose times say nothing
// of a GPU, the order is that of the document and no times are shown.
//
// `order`: "time", "name" or "spread", the widest interval first. Ranks stay those by time.
std::string ranking(const results::Document& document, const std::string& order = "time");

// Notes below the table: cases verified by statistics, and failed and skipped cases with reasons.
std::string ranking_notes(const results::Document& document);

// How many cases of a document have this status.
int cases_with(const results::Document& document, results::Status status);

// What is said of runs that did not come to their end.

// Of a run that ends before its time. Prints "stopped: 18 of 79 cases measured" to standard error,
// with the visits where they tell more; nothing for a run that came to its end.
void say_stopped(const results::Document& document, const std::string& why = "stopped");

// The same of a page that was stopped: prints "stopped: 18 of 79 cases checked".
void say_stopped(int done, int total, const std::string& what);

// Of a case that a device does not come to the end of, in a sentence that names it, before the
// program ends.
void say_overdue(const std::string& sentence);
// Prints why a run ended whose kernel crashed on a GPU.
void say_device_lost(const std::string& sentence);

// Of a file that is read. Prints that it holds a part only, where it does.
void say_incomplete(const results::Document& document);

// How a command that measures ends.

// Of the command that measured these cases: whether any was wrong.
int exit_code_of(const results::Document& document);

}  // namespace camber
