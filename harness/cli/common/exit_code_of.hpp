// How a command that measures ends.
#pragma once

#include "harness/record/document.hpp"

namespace camber {

// Of the command that measured these cases: whether any was wrong.
int exit_code_of(const results::Document& document);

}  // namespace camber
