// How the program words an error: the fact that a lower layer states, and the option that mends it.
#pragma once

#include <string>
#include <string_view>

#include "harness/base/error.hpp"

namespace camber {

// One sentence, without a full stop, printable(). Below it, lines of another program
// (ErrorWithLines).
std::string sentence(const Error& error);

// Prints "camber: " and the sentence to standard error, folded for a terminal. Sentences of text
// are made printable() here, for they quote what users and their files say.
void say_error(const Error& error);
void say_error(std::string_view sentence);

}  // namespace camber
