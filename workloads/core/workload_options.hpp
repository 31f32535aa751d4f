// Command-line options that workloads declare, and the values that a run was given for them.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "harness/base/state.hpp"

namespace camber {

enum class OptionType {
    text,    // any text; the workload checks it
    number,  // an integer from `least` to `most`
    size,    // COLUMNSxROWS, both from `least` to `most`
    choice,  // one of `choices`
};

struct WorkloadOption {
    std::string_view name;  // "tile", for --tile
    OptionType type = OptionType::text;
    std::string_view usual = {};  // default value
    std::string_view help = {};
    int least = 1;
    int most = 1 << 15;
    std::vector<std::string_view> choices = {};
    // True if a value other than the default changes the state in an input file. Such a run cannot
    // resume from a saved state.
    bool changes_input = false;
};

// Values by option name, as typed; only those that were given.
using OptionValues = std::map<std::string, std::string, std::less<>>;

// Form of a value, for help pages: "COLUMNSxROWS", "N", "{volcano,plane}", "RULE".
std::string value_form(const WorkloadOption& option);

// Throws Error(usage) if the option does not accept the value.
void check_value(const WorkloadOption& option, const std::string& value);

// Value of an option of each type, or `usual` if it was not given. Values must have passed
// check_value().
std::string text_value(const OptionValues& values, std::string_view name,
                       std::string_view usual = {});
int number_value(const OptionValues& values, std::string_view name, int usual);
Size size_value(const OptionValues& values, std::string_view name, Size usual);

// Number of copies of an input, side by side, as a size. Results files record it.
inline constexpr const char* tile_option = "tile";

}  // namespace camber
