#include "analysis/published/ratios.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "analysis/compare/time_ratio.hpp"
#include "analysis/published/order.hpp"
#include "harness/base/error.hpp"

namespace camber::published {

namespace {

std::size_t compared_column(const Table& table) {
    return table.here.column.empty() ? 0 : table.column(table.here.column);
}

// The printed value of a row as a ratio "how often faster".
std::optional<double> published_ratio(const Table& table, const Row& row) {
    const std::size_t column = compared_column(table);
    const auto& entry = row.values[column];
    if (!entry || !entry->reading) return std::nullopt;
    if (table.kind == Kind::speedups) return entry->reading;
    if (table.kind == Kind::saved) return 1 / (1 - *entry->reading / 100);
    const Row* baseline = table.row(table.here.baseline);
    if (baseline == nullptr || !baseline->values[column] || !baseline->values[column]->reading)
        return std::nullopt;
    const double base = *baseline->values[column]->reading;
    return table.here.lower_is_better ? base / *entry->reading : *entry->reading / base;
}

std::optional<compare::TimeRatio> faster(const std::string& variant, const std::string& than,
                                         const Measured& measured) {
    if (variant.empty() || than.empty()) return std::nullopt;
    const ProcessSamples* const time = measured(variant);
    const ProcessSamples* const other = measured(than);
    if (time == nullptr || other == nullptr) return std::nullopt;
    constexpr std::uint64_t seed = 1;  // the interval depends on nothing but the samples
    return compare::time_ratio(compare::series_of(*time), compare::series_of(*other), seed, false);
}

Fate fate_of(const compare::TimeRatio& faster) {
    const auto [low, high] = faster.interval;
    const bool equal = faster.ratio <= 1 + equal_share && faster.ratio >= 1 / (1 + equal_share);
    if (equal || (low <= 1 && high >= 1)) return Fate::no_difference;
    return faster.ratio > 1 ? Fate::holds : Fate::reversed;
}

}  // namespace

double typical_time(const ProcessSamples& samples) {
    return compare::typical_time(compare::series_of(samples));
}

std::vector<Ratio> ratios(const Table& table, const Measured& measured) {
    std::vector<Ratio> all;
    if (table.kind != Kind::times && table.kind != Kind::saved && table.kind != Kind::speedups)
        return all;
    const Row* baseline = table.row(table.here.baseline);
    for (const Row& row : table.rows) {
        const RowHere here = row.here.value_or(RowHere());
        Ratio ratio;
        ratio.row = row.name;
        ratio.variant = here.variant;
        if (table.kind != Kind::times)
            ratio.baseline = here.baseline;
        else if (baseline && baseline->here)
            ratio.baseline = baseline->here->variant;
        ratio.published = published_ratio(table, row);
        if (const auto& entry = row.values[compared_column(table)]) ratio.bound = entry->bound;
        if (const auto measured_ratio = faster(ratio.variant, ratio.baseline, measured))
            ratio.measured = measured_ratio->ratio;
        all.push_back(std::move(ratio));
    }
    return all;
}

std::string_view name(Fate fate) {
    switch (fate) {
        case Fate::holds:
            return "holds";
        case Fate::reversed:
            return "reversed";
        case Fate::no_difference:
            return "no difference";
        case Fate::undecided:
            break;
    }
    return "not decidable";
}

std::vector<Conclusion> conclusions(const Table& table, const Measured& measured) {
    std::vector<Conclusion> all;
    for (const Statement& stated : table.conclusions) {
        Conclusion conclusion;
        conclusion.stated = stated;
        if (const auto ratio = faster(stated.faster, stated.than, measured)) {
            conclusion.measured = ratio->ratio;
            conclusion.interval = Interval{ratio->interval.low, ratio->interval.high};
            conclusion.fate = fate_of(*ratio);
        }
        all.push_back(std::move(conclusion));
    }
    return all;
}

std::vector<std::string> variants_of(const Table& table) {
    std::vector<std::string> variants;
    const auto add = [&](const std::string& variant) {
        if (!variant.empty() && std::ranges::find(variants, variant) == variants.end())
            variants.push_back(variant);
    };
    for (std::size_t i = 0; i < table.rows.size(); ++i) {
        if (const auto& here = table.rows[i].here) {
            add(here->variant);
            add(here->baseline);
        }
        for (std::size_t j = 0; j < table.columns.size(); ++j) add(variant_of_entry(table, i, j));
    }
    for (const Statement& stated : table.conclusions) {
        add(stated.faster);
        add(stated.than);
    }
    return variants;
}

std::int64_t count_named(const AccessCounts& counts, std::string_view name) {
    if (name == "loads_32") return counts.global_load.transactions_32;
    if (name == "loads_64") return counts.global_load.transactions_64;
    if (name == "loads_128") return counts.global_load.transactions_128;
    if (name == "stores_64") return counts.global_store.transactions_64;
    if (name == "coalesced_loads") return counts.published.coalesced;
    if (name == "uncoalesced_loads") return counts.published.uncoalesced;
    throw Error(ExitCode::usage, fmt::format("count '{}' of a published table is unknown", name));
}

}  // namespace camber::published
