#include "analysis/published/comparison.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "analysis/published/order.hpp"
#include "harness/base/error.hpp"

namespace camber::published {

namespace {

std::string text_of(const Json& object, const char* key) {
    return object.is_object() ? object.value(key, "") : std::string();
}

// The printed value of a row as a ratio "how often faster".
std::optional<double> published_ratio(const Table& table, const Row& row) {
    const Kind kind = kind_of(table);
    const std::size_t column =
        table.camber.contains("column") ? table.column(text_of(table.camber, "column")) : 0;
    const auto& entry = row.values[column];
    if (!entry || !entry->reading) return std::nullopt;
    if (kind == Kind::speedups) return entry->reading;
    if (kind == Kind::saved) return 1 / (1 - *entry->reading / 100);
    const Row* baseline = table.row(text_of(table.camber, "baseline"));
    if (baseline == nullptr || !baseline->values[column] || !baseline->values[column]->reading)
        return std::nullopt;
    const double base = *baseline->values[column]->reading;
    const bool lower = text_of(table.camber, "better") != "higher";
    return lower ? base / *entry->reading : *entry->reading / base;
}

std::optional<double> faster(const std::string& variant, const std::string& than,
                             const Measured& measured) {
    if (variant.empty() || than.empty()) return std::nullopt;
    const auto time = measured(variant);
    const auto other = measured(than);
    if (!time || !other) return std::nullopt;
    return *other / *time;
}

}  // namespace

Kind kind_of(const Table& table) {
    const std::string kind = text_of(table.camber, "kind");
    if (kind == "times") return Kind::times;
    if (kind == "time_saved") return Kind::saved;
    if (kind == "speedups") return Kind::speedups;
    if (kind == "counts") return Kind::counts;
    if (kind == "order") return Kind::order;
    if (kind == "shares") return Kind::shares;
    if (table.scaling.is_object()) return Kind::scaling;
    return kind == "absent" ? Kind::absent : Kind::printed;
}

std::string workload_of(const Table& table) {
    return text_of(table.camber, "workload");
}

std::vector<Ratio> ratios(const Table& table, const Measured& measured) {
    const Kind kind = kind_of(table);
    std::vector<Ratio> all;
    if (kind != Kind::times && kind != Kind::saved && kind != Kind::speedups) return all;
    const Row* baseline = table.row(text_of(table.camber, "baseline"));
    for (const Row& row : table.rows) {
        Ratio ratio;
        ratio.row = row.name;
        ratio.variant = text_of(row.camber, "variant");
        ratio.baseline = kind == Kind::times
                             ? (baseline ? text_of(baseline->camber, "variant") : std::string())
                             : text_of(row.camber, "baseline");
        ratio.published = published_ratio(table, row);
        const std::size_t column =
            table.camber.contains("column") ? table.column(text_of(table.camber, "column")) : 0;
        if (row.values[column]) ratio.bound = row.values[column]->bound;
        ratio.measured = faster(ratio.variant, ratio.baseline, measured);
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
        case Fate::undecided:
            break;
    }
    return "not decidable";
}

std::vector<Conclusion> conclusions(const Table& table, const Measured& measured) {
    std::vector<Conclusion> all;
    for (const Json& stated : table.conclusions) {
        Conclusion conclusion;
        conclusion.text = stated.at("text").get<std::string>();
        conclusion.faster = stated.at("faster").get<std::string>();
        conclusion.than = stated.at("than").get<std::string>();
        conclusion.measured = faster(conclusion.faster, conclusion.than, measured);
        if (conclusion.measured && *conclusion.measured > 1 + undecided_share)
            conclusion.fate = Fate::holds;
        if (conclusion.measured && *conclusion.measured < 1 / (1 + undecided_share))
            conclusion.fate = Fate::reversed;
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
        for (const char* key : {"variant", "baseline"}) add(text_of(table.rows[i].camber, key));
        for (std::size_t j = 0; j < table.columns.size(); ++j) add(variant_of_entry(table, i, j));
    }
    for (const Json& stated : table.conclusions)
        for (const char* key : {"faster", "than"}) add(text_of(stated, key));
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
