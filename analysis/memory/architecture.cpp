#include "analysis/memory/architecture.hpp"

#include <algorithm>
#include <cctype>
#include <stdexcept>

namespace camber {
namespace {

// Every compute capability that a GPU has had, as major * 10 + minor (CUDA C++ Programming Guide).
constexpr std::array known = {10, 11, 12, 13, 20, 21, 30, 32, 35, 37,  50,  52,  53,  60,  61, 62,
                              70, 72, 75, 80, 86, 87, 88, 89, 90, 100, 101, 103, 110, 120, 121};
constexpr int newest_with_rules = 90;

constexpr std::string_view spelling_hint =
    "; write a compute capability such as 'cc1.2', 'cc2.0', 'sm_90' or '12.0'";

[[noreturn]] void refuse(std::string_view name, std::string_view why) {
    throw std::invalid_argument("architecture '" + std::string(name) + "' " + std::string(why) +
                                std::string(spelling_hint));
}

bool take_prefix(std::string_view& text, std::string_view prefix) {
    if (!text.starts_with(prefix)) return false;
    text.remove_prefix(prefix.size());
    return true;
}

bool take_suffix(std::string_view& text, std::string_view suffix) {
    if (!text.ends_with(suffix)) return false;
    text.remove_suffix(suffix.size());
    return true;
}

bool all_digits(std::string_view text) {
    return std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
}

RuleSet rules_of(int capability, bool uncached) {
    if (capability < 12) return RuleSet::cc10;
    if (capability < 20) return RuleSet::cc12;
    if (capability < 30) return uncached ? RuleSet::cc20_uncached : RuleSet::cc20;
    if (capability < 50) return RuleSet::cc30;
    return RuleSet::cc50;
}

}  // namespace

Architecture parse_architecture(std::string_view name) {
    std::string lower(name);
    std::ranges::transform(lower, lower.begin(),
                           [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    std::string_view text = lower;

    const bool uncached = take_suffix(text, "-cg");
    const bool compiler_name = take_prefix(text, "sm_") || take_prefix(text, "compute_");
    // sm_90a, sm_100f: the same hardware, more instructions.
    if (compiler_name && !take_suffix(text, "a")) take_suffix(text, "f");
    if (!compiler_name && take_prefix(text, "cc")) take_prefix(text, " ");

    const std::size_t point =
        compiler_name ? text.size() - std::min<std::size_t>(text.size(), 1) : text.find('.');
    if (point == std::string_view::npos) refuse(name, "is not a compute capability");
    const std::string_view major = text.substr(0, point);
    const std::string_view minor = text.substr(point + (compiler_name ? 0 : 1));
    if (major.empty() || major.size() > 2 || minor.size() != 1 || !all_digits(major) ||
        !all_digits(minor)) {
        refuse(name, "is not a compute capability");
    }

    Architecture result;
    result.major = std::stoi(std::string(major));
    result.minor = std::stoi(std::string(minor));
    const int capability = result.major * 10 + result.minor;
    result.newer_than_rules = capability > newest_with_rules;
    if (std::ranges::find(known, capability) == known.end()) {
        refuse(name, "is a compute capability that no GPU has");
    }
    if (uncached && result.major != 2) {
        refuse(name,
               "asks for loads that bypass L1 ('-cg'), a choice of compute capability 2.x only");
    }
    result.rules = rules_of(capability, uncached);
    return result;
}

std::string to_string(const Architecture& architecture) {
    return "CC " + std::to_string(architecture.major) + "." + std::to_string(architecture.minor) +
           (architecture.rules == RuleSet::cc20_uncached ? ", loads not cached in L1" : "");
}

std::string to_string(RuleSet rules) {
    switch (rules) {
        case RuleSet::cc10:
            return "CC 1.0-1.1";
        case RuleSet::cc12:
            return "CC 1.2-1.3";
        case RuleSet::cc20:
            return "CC 2.x";
        case RuleSet::cc20_uncached:
            return "CC 2.x, loads not cached in L1";
        case RuleSet::cc30:
            return "CC 3.x";
        case RuleSet::cc50:
            break;
    }
    return "CC 5.x and later";
}

}  // namespace camber
