#include "harness/own/problem/array_definition.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cctype>
#include <string_view>

#include "harness/base/error.hpp"

namespace camber {

namespace {

// A few units in the last place of each type.
double usual_tolerance(Scalar scalar) {
    switch (scalar) {
        case Scalar::float16:
            return 1e-3;
        case Scalar::bfloat16:
            return 1e-2;
        case Scalar::float32:
            return 1e-5;
        case Scalar::float64:
            return 1e-12;
        default:
            return 0;
    }
}

[[noreturn]] void reject_rule(const std::string& text, const std::string& why) {
    throw Error(ExitCode::usage,
                fmt::format("--compare {} {}: write for example --compare y=exact, "
                            "y=abs:1e-3+rel:1e-5 or y=ulp:4+nan:equal",
                            text, why));
}

double rule_number(const std::string& text, std::string_view value) {
    double number = 0;
    const char* const end = value.data() + value.size();
    const auto [stop, error] = std::from_chars(value.data(), end, number);
    if (error != std::errc() || stop != end || !(number >= 0 && number <= 1e300))
        reject_rule(text, fmt::format("has '{}' as a number, which must be from 0 to 1e300", value));
    return number;
}

// Splits "abs:1e+3+nan:equal" before the parts, but not within a number.
std::vector<std::string_view> rule_parts(std::string_view text) {
    std::vector<std::string_view> parts;
    std::size_t begin = 0;
    for (std::size_t i = 1; i + 1 < text.size(); ++i)
        if (text[i] == '+' && std::isalpha(static_cast<unsigned char>(text[i + 1]))) {
            parts.push_back(text.substr(begin, i - begin));
            begin = i + 1;
        }
    parts.push_back(text.substr(begin));
    return parts;
}

ArrayRule rule_in(const std::string& text, std::string_view rule) {
    ArrayRule result;
    bool limited = false;
    for (const std::string_view part : rule_parts(rule)) {
        const std::size_t colon = std::min(part.find(':'), part.size());
        const std::string_view key = part.substr(0, colon);
        const std::string_view value = colon < part.size() ? part.substr(colon + 1) : "";
        if (part == "exact") {
            result.exact = true;
        } else if (key == "abs") {
            result.absolute = rule_number(text, value);
            limited = true;
        } else if (key == "rel") {
            result.relative = rule_number(text, value);
            limited = true;
        } else if (key == "ulp") {
            const double ulps = rule_number(text, value);
            if (ulps != static_cast<double>(static_cast<std::int64_t>(std::min(ulps, 1e15))))
                reject_rule(text, "has ULPs that are no whole number");
            result.ulps = static_cast<std::int64_t>(ulps);
            limited = true;
        } else if (part == "nan:equal" || part == "nan:fail") {
            result.nan_equals_nan = value == "equal";
        } else {
            reject_rule(text, fmt::format("has an unknown part '{}'", part));
        }
    }
    if (result.exact == limited)
        reject_rule(text, limited ? "is exact and has a tolerance: leave out one"
                             : "has neither exact nor a tolerance");
    return result;
}

}  // namespace

std::map<std::string, ArrayRule, std::less<>> array_rules(const std::vector<NamedArray>& arrays,
                                                          const std::vector<std::string>& texts,
                                                          std::optional<double> tolerance) {
    std::map<std::string, ArrayRule, std::less<>> rules;
    std::vector<std::string> names;
    for (const NamedArray& array : arrays) {
        if (!array.written) continue;
        names.push_back(array.name);
        const double allowed = tolerance.value_or(usual_tolerance(array.type.scalar));
        const bool real = array.type.is_real();
        rules[array.name] = {.exact = !real,
                             .absolute = real ? allowed : 0,
                             .relative = real ? allowed : 0};
    }
    std::map<std::string, std::string> given;
    for (const std::string& text : texts) {
        const std::size_t equals = text.find('=');
        const std::string_view rule = std::string_view(text).substr(
            equals == text.npos ? 0 : equals + 1);
        const std::string name = equals == text.npos ? "" : text.substr(0, equals);
        if (!name.empty() && !rules.contains(name))
            reject_rule(text, fmt::format("is for {}, and the outputs are {}", name,
                                     fmt::join(names, ", ")));
        if (!given.emplace(name, text).second)
            reject_rule(text, name.empty() ? "is a second rule for all outputs"
                                      : fmt::format("is a second rule for {}", name));
        for (const std::string& output : names)
            if (name == output || (name.empty() && !given.contains(output)))
                rules[output] = rule_in(text, rule);
    }
    return rules;
}

}  // namespace camber
