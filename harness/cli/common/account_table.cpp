#include "harness/cli/common/account_table.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace camber {

namespace {

using results::AccountRow;

// What happened in `from`..`to` (rows of the account, `from` left out) as one row.
AccountRow sum_of(const std::vector<AccountRow>& account, std::size_t from, std::size_t to) {
    AccountRow sum = account[to];
    for (std::size_t k = from + 1; k < to; ++k) {
        for (std::size_t entry = 0; entry < sum.changes.size(); ++entry)
            sum.changes[entry].second += account[k].changes.at(entry).second;
        sum.unaccounted += account[k].unaccounted;
    }
    return sum;
}

std::string line(const std::string& label, const AccountRow& row) {
    std::string text = fmt::format("{:>10}", label);
    for (const auto& [entry, change] : row.changes) text += fmt::format("  {:>14.6f}", change);
    return text + fmt::format("  {:>14.6f}  {:>14.1e}\n", row.amount, row.unaccounted);
}

}  // namespace

std::string account_table(const std::vector<AccountRow>& account, int rows) {
    if (account.size() < 2) return "";
    std::string text = fmt::format("{:>10}", "generation");
    for (const auto& [entry, change] : account.front().changes)
        text += fmt::format("  {:>14}", entry);
    text += fmt::format("  {:>14}  {:>14}\n", account.front().quantity, "unaccounted");

    const std::size_t last = account.size() - 1;
    const std::size_t lines = std::min<std::size_t>(rows, last);
    std::size_t before = 0;
    for (std::size_t k = 1; k <= lines; ++k) {
        const std::size_t row = k * last / lines;
        const AccountRow sum = sum_of(account, before, row);
        text += line(std::to_string(sum.generation), sum);
        before = row;
    }
    if (lines > 1) text += line("all", sum_of(account, 0, last));
    return text;
}

}  // namespace camber
