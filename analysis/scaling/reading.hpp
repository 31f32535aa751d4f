// The rule that names what holds a series back, and the sentence that says so.
#pragma once

#include <string>

#include "analysis/scaling/analysis.hpp"

namespace camber::scaling {

// Reads an analysis whose points and fits are filled in.
Verdict judge(const Analysis& analysis);
std::string reading(const Analysis& analysis);

}  // namespace camber::scaling
