// Table of `camber inspect`.
#pragma once

#include <string>

#include "harness/record/code_inspection.hpp"

namespace camber {

// The kernels of each architecture, one per line, with figures first and the name last, and totals.
// `mix`: a second line per kernel has its instructions by pipe.
std::string inspection_table(const results::CodeInspection& inspection, bool mix);

// "35 fp32, 20 moves, ...", the largest first.
std::string mix_text(const results::CompiledKernel& kernel);

}  // namespace camber
