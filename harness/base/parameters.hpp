// Boundary condition of a board, and the named parameters of a workload's rules. The harness can
// set and record them without interpreting them.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace camber {

// What lies beyond the edge of a board.
enum class Boundary { dead, torus };

std::string_view name(Boundary boundary);
Boundary boundary_named(std::string_view text);  // throws Error(usage)

// The numbers that a workload's rules take, such as the weights of a blur: by name, so that the
// harness can carry, record and set them without knowing what they mean. With them goes the rule,
// of a workload that has several.

// One parameter of a workload.
struct ParameterInfo {
    std::string name;
    std::vector<double> values;  // by default; as many must be given
    std::string unit;            // "" for a pure number
    std::string summary;
};

// For which rules of their workload kernels are: for every one that there is, for the usual one
// alone, or for all others.
enum class Rules { any, usual, others };

class ParameterSet {
  public:
    ParameterSet() = default;
    explicit ParameterSet(const std::vector<ParameterInfo>& parameters);

    // Throws Error(usage) where the set has no such parameter, or one of another length.
    void set(std::string_view name, std::vector<double> values);

    // Throws std::logic_error where the set has no such parameter.
    const std::vector<double>& values(std::string_view name) const;
    double value(std::string_view name) const { return values(name).front(); }
    float value_f(std::string_view name) const { return static_cast<float>(value(name)); }

    const std::map<std::string, std::vector<double>, std::less<>>& all() const { return values_; }
    friend bool operator==(const ParameterSet&, const ParameterSet&) = default;

    // The rule of a workload that has several, in the spelling that the workload gives it: "" for
    // its usual one.
    const std::string& rule() const { return rule_; }
    void set_rule(std::string rule) { rule_ = std::move(rule); }

  private:
    std::string rule_;
    std::map<std::string, std::vector<double>, std::less<>> values_;
};

}  // namespace camber
