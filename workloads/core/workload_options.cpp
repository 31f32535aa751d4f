#include "workloads/core/workload_options.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cstdint>
#include <optional>

#include "harness/base/error.hpp"
#include "harness/base/text/text.hpp"

namespace camber {

namespace {

std::optional<int> number_in(const std::string& text) {
    int number = 0;
    const char* const end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, number);
    return error == std::errc() && stop == end ? std::optional(number) : std::nullopt;
}

std::optional<Size> size_in(const std::string& text, std::int64_t least, std::int64_t most) {
    std::int64_t columns = 0;
    std::int64_t rows = 0;
    if (!parse_pair(text, 'x', columns, rows) || std::min(columns, rows) < least ||
        std::max(columns, rows) > most)
        return std::nullopt;
    return Size{static_cast<int>(columns), static_cast<int>(rows)};
}

// Reason why the value is invalid; "" if it is valid.
std::string fault_of(const WorkloadOption& option, const std::string& value) {
    switch (option.type) {
        case OptionType::text:
            break;
        case OptionType::number:
            if (const auto number = number_in(value);
                !number || *number < option.least || *number > option.most)
                return fmt::format("is not a number from {} to {}", option.least, option.most);
            break;
        case OptionType::size:
            if (!size_in(value, option.least, option.most))
                return fmt::format("is not COLUMNSxROWS: write for example --{} 8x11", option.name);
            break;
        case OptionType::choice:
            if (std::ranges::find(option.choices, value) == option.choices.end())
                return fmt::format("is unknown: choose {}", fmt::join(option.choices, " or "));
            break;
    }
    return "";
}

}  // namespace

std::string value_form(const WorkloadOption& option) {
    switch (option.type) {
        case OptionType::text:
            break;
        case OptionType::number:
            return "N";
        case OptionType::size:
            return "COLUMNSxROWS";
        case OptionType::choice:
            return fmt::format("{{{}}}", fmt::join(option.choices, ","));
    }
    std::string form(option.name);
    std::ranges::transform(form, form.begin(), [](unsigned char c) { return std::toupper(c); });
    return form;
}

void check_value(const WorkloadOption& option, const std::string& value) {
    if (const std::string fault = fault_of(option, value); !fault.empty())
        throw Error(ExitCode::usage, fmt::format("--{} {} {}", option.name, value, fault));
}

std::string text_value(const OptionValues& values, std::string_view name, std::string_view usual) {
    const auto found = values.find(name);
    return found == values.end() ? std::string(usual) : found->second;
}

int number_value(const OptionValues& values, std::string_view name, int usual) {
    const auto found = values.find(name);
    return found == values.end() ? usual : number_in(found->second).value();
}

Size size_value(const OptionValues& values, std::string_view name, Size usual) {
    const auto found = values.find(name);
    return found == values.end() ? usual : size_in(found->second, 1, 1 << 30).value();
}

}  // namespace camber
