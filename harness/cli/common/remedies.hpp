// How the program words an error: the fact that a lower layer states, and the option that mends it.
#pragma once

#include <string>

#include "harness/base/error.hpp"

namespace camber {

// One sentence, without a full stop.
std::string sentence(const Error& error);

}  // namespace camber
