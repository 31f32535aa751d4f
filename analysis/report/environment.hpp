// What a results file recorded of the machine and the build.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "harness/record/conditions.hpp"
#include "harness/record/context.hpp"

namespace camber::report {

// The GPU's name for the cuda backend and where none is known, else the processor's; "unknown"
// where the context has neither.
std::string device_of(const results::Context& context, std::optional<Backend> backend);

// Label and value, only what is known: GPU, driver, clocks, compiler, commit, date and so on.
std::vector<std::pair<std::string, std::string>> environment_of(const results::Context& context);

}  // namespace camber::report
