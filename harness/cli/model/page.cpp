#include "harness/cli/model/page.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>

#include "analysis/time/reliability.hpp"
#include "harness/base/text/text.hpp"
#include "harness/cli/common/files.hpp"
#include "harness/predict/prediction_record.hpp"

namespace camber {

std::string brief_amount(double value) {
    constexpr const char* units[] = {"", "k", "M", "G", "T"};
    std::size_t unit = 0;
    while (value >= 999.5 && unit + 1 < std::size(units)) {
        value /= 1000;
        ++unit;
    }
    const int digits = value >= 99.95 || (unit == 0 && value == std::floor(value)) ? 0
                       : value >= 9.995                                            ? 1
                                                                                   : 2;
    return fmt::format("{:.{}f}{}", value, digits, units[unit]);
}

namespace {

std::string three_digits(double value) {
    return fmt::format("{:.{}f}", value, value < 9.995 ? 2 : value < 99.95 ? 1 : 0);
}

std::string short_name(const ModelledVariant& variant) {
    const std::string name = variant.prediction.variant->info.name();
    return name.substr(name.find('/') + 1);
}

double per_generation(const ModelledVariant& variant, double amount) {
    return amount / variant.prediction.variant->info.shape.generations;
}

double moved_per_generation(const ModelledVariant& variant) {
    return per_generation(variant, static_cast<double>(bytes_moved(variant.prediction)));
}

// Column of amounts per generation: heading, sort name, format.
struct AmountColumn {
    const char* heading;
    std::string_view order;
    double (*amount)(const ModelledVariant& variant, const AccessCounts& total);
    std::string (*text)(double amount);
};

double wavefronts(const AccessCounts& total) {
    return static_cast<double>(total.shared_load.passes + total.shared_store.passes +
                               total.shared_atomic.passes);
}

double conflicts(const AccessCounts& total) {
    return static_cast<double>(total.shared_load.conflicts() + total.shared_store.conflicts() +
                               total.shared_atomic.conflicts());
}

double amount(const ModelledVariant& variant, std::int64_t count) {
    return per_generation(variant, static_cast<double>(count));
}

const std::vector<AmountColumn>& amount_columns() {
    using V = const ModelledVariant&;
    using A = const AccessCounts&;
    static const std::vector<AmountColumn> columns{
        {"loads", "loads",
         [](V variant, A total) { return amount(variant, total.global_load.requests); }, brief_amount},
        {"sect.", "sectors",
         [](V variant, A total) { return amount(variant, total.global_load.sectors); }, brief_amount},
        {"/req", "", [](V, A total) { return total.global_load.sectors_per_request(); },
         three_digits},
        {"eff", "", [](V, A total) { return 100 * total.global_load.efficiency(); },
         [](double percent) { return fmt::format("{:.0f}", percent); }},
        {"tex.", "textures",
         [](V variant, A total) { return amount(variant, total.texture_load.sectors); }, brief_amount},
        {"store", "stores",
         [](V variant, A total) { return amount(variant, total.global_store.sectors); }, brief_amount},
        {"wavef", "wavefronts",
         [](V variant, A total) { return per_generation(variant, wavefronts(total)); }, brief_amount},
        {"confl", "conflicts",
         [](V variant, A total) { return per_generation(variant, conflicts(total)); }, brief_amount},
        {"/need", "moved",
         [](V variant, A) {
             return static_cast<double>(bytes_moved(variant.prediction)) / variant.bytes_needed;
         },
         [](double ratio) {
             return std::isfinite(ratio) ? fmt::format("{:.2f}", ratio) : std::string("-");
         }},
    };
    return columns;
}

bool has_textures(const ModelledVariant& variant) {
    return variant.prediction.counts().texture_load.requests > 0;
}

double bound_of(const ModelledVariant& variant) {
    const auto largest = variant.bounds.largest();
    return largest ? per_generation(variant, largest->seconds) : 0;
}

std::string bound_text(const ModelledVariant& variant) {
    const auto largest = variant.bounds.largest();
    if (!largest) return "-";
    return fmt::format("{:>5} {:<6}", three_digits(bound_of(variant) * 1e6),
                       largest->resource == Resource::shared ? "shared" : largest->limit());
}

double time_of(const ModelledVariant& variant) {
    return variant.time ? per_generation(variant, variant.time->seconds)
                        : std::numeric_limits<double>::infinity();
}

void sort_by(const std::string& order, std::vector<ModelledVariant>& variants) {
    const auto key = [&](const ModelledVariant& variant) {
        if (order == "bound") return bound_of(variant);
        if (order == "time") return time_of(variant);
        if (order == "moved") return moved_per_generation(variant);
        const auto& columns = amount_columns();
        const auto column = std::ranges::find(columns, order, &AmountColumn::order);
        return column->amount(variant, variant.prediction.counts());
    };
    if (order == "name")
        std::ranges::stable_sort(variants, {}, short_name);
    else
        std::ranges::stable_sort(variants, {}, key);
}

}  // namespace

std::vector<std::string> model_orders() {
    std::vector<std::string> orders{"moved", "name", "time", "bound"};
    for (const AmountColumn& column : amount_columns())
        if (!column.order.empty() && std::ranges::find(orders, column.order) == orders.end())
            orders.emplace_back(column.order);
    return orders;
}

std::string model_table(std::vector<ModelledVariant> variants, bool with_bounds,
                        const std::string& order) {
    sort_by(order, variants);
    std::vector<AmountColumn> columns = amount_columns();
    if (std::ranges::none_of(variants, has_textures))
        std::erase_if(columns,
                      [](const AmountColumn& column) { return column.order == "textures"; });
    std::vector<std::string> header{"variant"};
    for (const AmountColumn& column : columns) header.emplace_back(column.heading);
    if (with_bounds) header.emplace_back("min. us");
    TextTable table(header, 1, 1);
    for (const ModelledVariant& variant : variants) {
        const AccessCounts total = variant.prediction.counts();
        std::vector<std::string> row{short_name(variant)};
        for (const AmountColumn& column : columns)
            row.push_back(column.text(column.amount(variant, total)));
        if (with_bounds) row.push_back(bound_text(variant));
        table.add(row);
    }
    return table.plain();
}

std::string time_table(std::vector<ModelledVariant> variants) {
    sort_by("time", variants);
    TextTable table({"variant", "bound by", "us", "from", "to", "min. us", "/need"}, 2);
    for (const ModelledVariant& variant : variants) {
        const auto us = [&](double seconds) {
            return three_digits(per_generation(variant, seconds) * 1e6);
        };
        std::vector<std::string> row{short_name(variant), "-", "-", "-", "-"};
        if (const auto& time = variant.time)
            row = {short_name(variant), std::string(label(time->binding().resource)),
                   us(time->seconds) + (time->uncertain() ? "?" : " "), us(time->low),
                   us(time->high)};
        row.push_back(bound_text(variant));
        row.push_back(fmt::format(
            "{:.2f}", static_cast<double>(bytes_moved(variant.prediction)) / variant.bytes_needed));
        table.add(row);
    }
    return table.plain();
}

std::string pick_line(const std::vector<ModelledVariant>& variants) {
    std::vector<std::string> names;
    std::vector<double> seconds;
    for (const ModelledVariant& variant : variants) {
        if (!variant.time || variant.time->uncertain()) continue;
        names.push_back(short_name(variant));
        seconds.push_back(per_generation(variant, variant.time->seconds));
    }
    return names.size() < 2 ? "" : pick_sentence(names, seconds) + "\n";
}

}  // namespace camber
