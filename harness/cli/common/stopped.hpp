// What is said of runs that did not come to their end.
#pragma once

#include <string>

#include "harness/record/document.hpp"

namespace camber {

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

}  // namespace camber
