#include "harness/cli/common/account_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

namespace camber {

namespace {

using Json = nlohmann::ordered_json;

bool is_level(const std::string& name) {
    return name == "mass" || name == "generation";
}

// What happened in `from`..`to` (rows of the account, `from` left out) as one row.
Json sum_of(const Json& account, std::size_t from, std::size_t to) {
    Json sum = account[to];
    for (std::size_t k = from + 1; k < to; ++k)
        for (const auto& [name, value] : account[k].items())
            if (!is_level(name)) sum[name] = sum[name].get<double>() + value.get<double>();
    return sum;
}

std::string line(const std::string& label, const Json& row) {
    std::string text = fmt::format("{:>10}", label);
    for (const auto& [name, value] : row.items())
        if (name != "generation")
            text += fmt::format("  {:>14}", name == "unaccounted"
                                                ? fmt::format("{:.1e}", value.get<double>())
                                                : fmt::format("{:.6f}", value.get<double>()));
    return text + "\n";
}

}  // namespace

std::string account_table(const Json& account, int rows) {
    if (!account.is_array() || account.size() < 2) return "";
    std::string text = fmt::format("{:>10}", "generation");
    for (const auto& [name, value] : account[0].items())
        if (name != "generation") text += fmt::format("  {:>14}", name);
    text += "\n";

    const std::size_t last = account.size() - 1;
    const std::size_t lines = std::min<std::size_t>(rows, last);
    std::size_t before = 0;
    for (std::size_t k = 1; k <= lines; ++k) {
        const std::size_t row = k * last / lines;
        const Json sum = sum_of(account, before, row);
        text += line(sum["generation"].dump(), sum);
        before = row;
    }
    if (lines > 1) text += line("all", sum_of(account, 0, last));
    return text;
}

}  // namespace camber
