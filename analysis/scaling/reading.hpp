// Names the limit of a scaling series, and states it in one sentence.
#pragma once

#include <string>

#include "analysis/scaling/analysis.hpp"

namespace camber::scaling {

// Reads an analysis whose points and fits are filled in.
Verdict judge(const Analysis& analysis);
std::string reading(const Analysis& analysis);

}  // namespace camber::scaling
