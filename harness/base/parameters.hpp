// The numbers that a workload's rules take, such as the weights of a blur: by name, so that the
// harness can carry, record and set them without knowing what they mean.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace camber {

// One parameter of a workload.
struct ParameterInfo {
    std::string name;
    std::vector<double> values;  // by default; as many must be given
    std::string unit;            // "" for a pure number
    std::string summary;
};

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

  private:
    std::map<std::string, std::vector<double>, std::less<>> values_;
};

}  // namespace camber
