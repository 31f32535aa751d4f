#include "workloads/life/birth_survival.hpp"

#include <fmt/format.h>

#include <optional>

#include "harness/base/error.hpp"

namespace camber {

namespace {

constexpr std::string_view how = "write births and survivals such as B36/S23";

std::string without_blanks(std::string_view text) {
    std::string result;
    for (const char c : text)
        if (c != ' ' && c != '\t')
            result += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    return result;
}

// Set of neighbor counts that `digits` lists, as bits; nullopt if `digits` contains any other
// character.
std::optional<std::uint32_t> counts(std::string_view digits) {
    std::uint32_t bits = 0;
    for (const char c : digits) {
        if (c < '0' || c > '8') return std::nullopt;
        bits |= 1u << (c - '0');
    }
    return bits;
}

std::string digits(std::uint32_t bits) {
    std::string text;
    for (int n = 0; n <= 8; ++n)
        if (bits >> n & 1) text += static_cast<char>('0' + n);
    return text;
}

}  // namespace

std::string BirthSurvival::name() const {
    return fmt::format("B{}/S{}", digits(table & 0xffffu), digits(table >> 16));
}

BirthSurvival birth_survival(std::string_view text, std::string_view what) {
    const std::string rule = without_blanks(text);
    if (rule == "life" || rule == "conway") return conway;
    if (rule.find('9') != std::string::npos)
        throw Error(ExitCode::usage,
                    fmt::format("{} counts nine neighbours, and a cell has eight: {}", what, how));
    const auto slash = rule.find('/');
    std::string_view births;
    std::string_view survivals;
    if (rule.starts_with('b')) {
        const auto s = rule.find('s');
        if (s == std::string::npos)
            throw Error(ExitCode::usage,
                        fmt::format("{} does not say who survives: {}", what, how));
        const auto end = slash != std::string::npos && slash + 1 == s ? slash : s;
        births = std::string_view(rule).substr(1, end - 1);
        survivals = std::string_view(rule).substr(s + 1);
    } else if (slash != std::string::npos) {
        survivals = std::string_view(rule).substr(0, slash);
        births = std::string_view(rule).substr(slash + 1);
    } else {
        throw Error(ExitCode::usage, fmt::format("{} is no rule of this family: {}", what, how));
    }
    const auto born = counts(births);
    const auto survive = counts(survivals);
    if (!born || !survive)
        throw Error(ExitCode::usage, fmt::format("{} is no rule of this family: {}", what, how));
    return {*born | *survive << 16};
}

BirthSurvival birth_survival_of(const std::string& rule) {
    return rule.empty() ? conway : birth_survival(rule, rule);
}

}  // namespace camber
