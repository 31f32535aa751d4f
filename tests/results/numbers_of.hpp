// What a record of a results file says in numbers.
#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <string>

namespace camber {

// By name; members that are no numbers are passed over.
inline std::map<std::string, double> numbers_of(const nlohmann::json& object) {
    std::map<std::string, double> numbers;
    for (const auto& [name, value] : object.items())
        if (value.is_number()) numbers[name] = value.get<double>();
    return numbers;
}

}  // namespace camber
