// What a results file recorded of the machine and the build.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

namespace camber::report {

// The GPU's name for the cuda backend, else the processor's; "unknown" where the context has
// neither.
std::string device_of(const nlohmann::ordered_json& context, const std::string& backend);

// Label and value, only what is known: GPU, driver, clocks, compiler, commit, date and so on.
std::vector<std::pair<std::string, std::string>> environment_of(
    const nlohmann::ordered_json& context);

}  // namespace camber::report
