// What a command says that a signal ended before its time.
#pragma once

#include <string>

#include "harness/results/document.hpp"

namespace camber {

// "stopped: 18 of 79 cases measured", with the visits where they tell more; "" for a document of a
// run that ended.
std::string stopped_sentence(const results::Document& document);

// Prints it to standard error.
void say_stopped(const results::Document& document);

}  // namespace camber
