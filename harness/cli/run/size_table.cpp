#include "harness/cli/run/size_table.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>
#include <vector>

#include "analysis/scaling/saturation.hpp"
#include "harness/base/number_text.hpp"
#include "harness/cli/common/text_table.hpp"

namespace camber {

namespace {

using results::CaseRecord;

std::string title(const CaseRecord& record) {
    return record.identity.variant + record.identity.circumstances();
}

std::string text_of(Size size) {
    return fmt::format("{}x{}", size.columns, size.rows);
}

std::string cell_of(const CaseRecord& record) {
    const auto speedup = record.derived ? record.derived->speedup_vs_baseline : std::nullopt;
    return duration(record.real_time_ns) + (speedup ? fmt::format(" {:.2f}x", *speedup) : "");
}

// In order of their cells.
std::vector<Size> sizes_of(const results::Document& document) {
    std::vector<Size> sizes;
    for (const CaseRecord& record : document.cases)
        if (std::ranges::find(sizes, record.identity.size) == sizes.end())
            sizes.push_back(record.identity.size);
    std::ranges::stable_sort(sizes, {}, &Size::cells);
    return sizes;
}

// Each variant and reason once, with the sizes that it holds for.
std::string without_result(const results::Document& document) {
    std::vector<std::pair<std::string, std::string>> order;
    std::map<std::pair<std::string, std::string>, std::vector<std::string>> sizes;
    for (const CaseRecord& record : document.cases) {
        if (record.status == results::Status::ok) continue;
        const std::pair key(
            fmt::format("{} {}", record.status == results::Status::failed ? "FAILED" : "skipped",
                        title(record)),
            record.reason);
        if (sizes[key].empty()) order.push_back(key);
        sizes[key].push_back(text_of(record.identity.size));
    }
    std::string text;
    for (const auto& key : order)
        text += fmt::format("{} at {}: {}\n", key.first, fmt::join(sizes[key], ", "), key.second);
    return text;
}

// A count with blanks between thousands: "61 400", of three digits that count.
std::string count(double cells) {
    double unit = 1;
    while (cells / unit >= 1000) unit *= 10;
    std::string digits = fmt::format("{:.0f}", std::round(cells / unit) * unit);
    for (std::size_t at = digits.size(); at > 3; at -= 3) digits.insert(at - 3, " ");
    return digits;
}

std::string microseconds(double ns) {
    return fmt::format("{:.2f} us", ns * 1e-3);
}

}  // namespace

std::string size_table(const results::Document& document) {
    const std::vector<Size> sizes = sizes_of(document);
    std::vector<std::string> header{"variant"};
    for (const Size size : sizes) header.push_back(text_of(size));
    TextTable table(header);
    std::vector<std::string> variants;
    std::map<std::string, std::vector<const CaseRecord*>> rows;
    for (const CaseRecord& record : document.cases) {
        if (record.status != results::Status::ok) continue;
        auto& row = rows[title(record)];
        if (row.empty()) {
            row.resize(sizes.size());
            variants.push_back(title(record));
        }
        row[static_cast<std::size_t>(std::ranges::find(sizes, record.identity.size) -
                                     sizes.begin())] = &record;
    }
    // Largest board first; what was not measured there comes last.
    std::ranges::stable_sort(variants, [&](const std::string& a, const std::string& b) {
        for (std::size_t i = sizes.size(); i-- > 0;) {
            const CaseRecord* left = rows[a][i];
            const CaseRecord* right = rows[b][i];
            if (!left || !right) {
                if ((left == nullptr) != (right == nullptr)) return left != nullptr;
                continue;
            }
            return left->real_time_ns < right->real_time_ns;
        }
        return false;
    });
    for (const std::string& variant : variants) {
        std::vector<std::string> row{variant};
        for (const CaseRecord* record : rows[variant])
            row.push_back(record ? cell_of(*record) : "-");
        table.add(std::move(row));
    }
    return (table.empty() ? "" : table.plain()) + without_result(document);
}

std::string saturation_table(const results::Document& document) {
    TextTable table(
        {"over size", "kernel", "floor", "knee, cells", "95 % interval", "per Mcell", "intercept"},
        2);
    for (const scaling::SizeSeries& series : scaling::series_over_size(document)) {
        const auto fit = scaling::fit_saturation(series.points);
        if (!fit) continue;
        table.add({series.variant, series.kernel.empty() ? "all" : series.kernel,
                   microseconds(fit->floor_ns), count(fit->knee_cells),
                   count(fit->knee_low) + " to " + count(fit->knee_high),
                   microseconds(fit->ns_per_cell * 1e6), microseconds(fit->intercept_ns)});
    }
    if (table.empty()) return "";
    return table.plain() +
           "Below the knee the time per generation stays at its floor, because the device is not "
           "fully occupied. Beyond it, time grows in proportion to the cells; the intercept is "
           "that "
           "line at zero cells.\n";
}

}  // namespace camber
