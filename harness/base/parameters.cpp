#include "harness/base/parameters.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <stdexcept>
#include <utility>

#include "harness/base/error.hpp"

namespace camber {

std::string_view name(Boundary boundary) {
    return boundary == Boundary::torus ? "torus" : "dead";
}

Boundary boundary_named(std::string_view text) {
    if (text == "dead") return Boundary::dead;
    if (text == "torus") return Boundary::torus;
    throw Error(ExitCode::usage,
                fmt::format("boundary '{}' is unknown: choose dead or torus", text));
}

ParameterSet::ParameterSet(const std::vector<ParameterInfo>& parameters) {
    for (const ParameterInfo& parameter : parameters) values_[parameter.name] = parameter.values;
}

void ParameterSet::set(std::string_view name, std::vector<double> values) {
    const auto found = values_.find(name);
    if (found == values_.end()) {
        std::vector<std::string_view> names;
        for (const auto& [known, unused] : values_) names.push_back(known);
        throw Error(ExitCode::usage,
                    names.empty()
                        ? fmt::format("parameter '{}' is unknown: this workload has none", name)
                        : fmt::format("parameter '{}' is unknown: choose {}", name,
                                      fmt::join(names, ", ")));
    }
    if (values.size() != found->second.size())
        throw Error(
            ExitCode::usage,
            fmt::format("parameter '{}' takes {} number{}, not {}: separate numbers by commas",
                        name, found->second.size(), found->second.size() == 1 ? "" : "s",
                        values.size()));
    found->second = std::move(values);
}

const std::vector<double>& ParameterSet::values(std::string_view name) const {
    const auto found = values_.find(name);
    if (found == values_.end())
        throw std::logic_error("the workload has no parameter " + std::string(name));
    return found->second;
}

}  // namespace camber
