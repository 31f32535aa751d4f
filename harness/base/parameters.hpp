// Boundary condition of a board, and the named parameters of a workload's rules. The harness can
// set and record them without interpreting them.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace camber {

// Boundary condition at the edge of a board.
enum class Boundary { dead, torus };

std::string_view name(Boundary boundary);
Boundary boundary_named(std::string_view text);  // throws Error(usage)

// Numerical parameters of a workload's rules, such as the weights of a blur. They have names, so
// that the harness can set and record them without interpreting them. The set also contains the
// rule, if the workload has several.

// One parameter of a workload.
struct ParameterInfo {
    std::string name;
    std::vector<double> values;  // default values; the number of values is fixed
    std::string unit;            // "" for a pure number
    std::string summary;
    bool repeats_work = false;  // kernels repeat arithmetic this often, which changes no access
};

// Rules of a workload that a kernel supports: all, the usual one only, or all others.
enum class Rules { any, usual, others };

class ParameterSet {
  public:
    ParameterSet() = default;
    explicit ParameterSet(const std::vector<ParameterInfo>& parameters);

    // Throws Error(usage) if the set has no such parameter, or one of another length.
    void set(std::string_view name, std::vector<double> values);

    // Throws std::logic_error if the set has no such parameter.
    const std::vector<double>& values(std::string_view name) const;
    double value(std::string_view name) const { return values(name).front(); }
    float value_f(std::string_view name) const { return static_cast<float>(value(name)); }

    const std::map<std::string, std::vector<double>, std::less<>>& all() const { return values_; }
    friend bool operator==(const ParameterSet&, const ParameterSet&) = default;

    // Rule, if the workload has several, in the workload's spelling: "" for the usual one.
    const std::string& rule() const { return rule_; }
    void set_rule(std::string rule) { rule_ = std::move(rule); }

  private:
    std::string rule_;
    std::map<std::string, std::vector<double>, std::less<>> values_;
};

}  // namespace camber
