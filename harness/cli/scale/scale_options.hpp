// The options of `camber scale` as typed.
#pragma once

#include <string>
#include <vector>

#include "harness/cli/common/run_options.hpp"

namespace camber {

// Not that of camber run, so that neither replaces the other's file.
inline constexpr const char* default_scaling = "camber-scaling.json";

struct ScaleOptions {
    RunOptions run;
    std::string over;   // sms, threads, gpus or ranks
    std::string units;  // "": the usual ones
    std::string mode = "strong";
    std::string launcher;           // of ranks; "": the usual one
    std::vector<std::string> from;  // results files to read again, instead of measuring
};

}  // namespace camber
