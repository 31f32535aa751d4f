#include "analysis/published/entries.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "analysis/published/ratios.hpp"
#include "harness/base/error.hpp"
#include "harness/record/metric_names.hpp"

namespace camber::published {

namespace {

// Series of an entry: all entries of the table, of a row or of a column are compared with one
// another. A row or column may further name the part of the table that it belongs to.
std::string series_of(const Table& table, const Row& row, const Column& column) {
    const std::string part_of_row = row.here ? row.here->series : "";
    const std::string& part_of_column = column.here.series;
    switch (table.here.series_of) {
        case SeriesOf::rows:
            return part_of_column.empty() ? row.name
                                          : fmt::format("{}, {}", row.name, part_of_column);
        case SeriesOf::columns:
            return part_of_row.empty() ? column.name
                                       : fmt::format("{}, {}", part_of_row, column.name);
        case SeriesOf::table:
            break;
    }
    return "";
}

std::string name_of(const Table& table, const Row& row, const Column& column) {
    const SeriesOf by = table.here.series_of;
    if (by == SeriesOf::rows) return column.name;
    if (by == SeriesOf::columns || table.columns.size() == 1) return row.name;
    return fmt::format("{}, {}", row.name, column.name);
}

std::vector<std::string> names(std::vector<std::pair<double, std::string>> speeds) {
    std::ranges::stable_sort(speeds, std::greater<>(), &std::pair<double, std::string>::first);
    std::vector<std::string> sorted;
    for (auto& [speed, name] : speeds) sorted.push_back(std::move(name));
    return sorted;
}

// `samples`: one per entry, null if the entry was not measured.
void count_pairs(OrderedSeries& series, const std::vector<const ProcessSamples*>& samples) {
    for (std::size_t i = 0; i < series.entries.size(); ++i)
        for (std::size_t j = i + 1; j < series.entries.size(); ++j) {
            const double a = series.entries[i].published_share;
            const double b = series.entries[j].published_share;
            if (!samples[i] || !samples[j] || a == b) continue;
            ++series.pairs;
            if (series.basis != Basis::same) continue;
            const Judged measured =
                a > b ? judge(samples[i], samples[j]) : judge(samples[j], samples[i]);
            series.hold += measured.outcome == Outcome::holds;
            series.reversed += measured.outcome == Outcome::reversed;
            series.no_difference += measured.outcome == Outcome::no_difference;
        }
}

void add_shares(OrderedSeries& series, bool lower_is_better) {
    double best = 0;
    double fastest = 0;
    const auto speed = [&](double value) { return lower_is_better ? 1 / value : value; };
    for (const OrderedEntry& entry : series.entries) {
        best = std::max(best, speed(entry.published));
        fastest = std::max(fastest, entry.measured.value_or(0));
    }
    for (OrderedEntry& entry : series.entries) {
        entry.published_share = speed(entry.published) / best;
        if (entry.measured) entry.measured_share = *entry.measured / fastest;
    }
}

}  // namespace

std::vector<std::string> OrderedSeries::published_order() const {
    std::vector<std::pair<double, std::string>> speeds;
    for (const OrderedEntry& entry : entries)
        if (entry.measured) speeds.emplace_back(entry.published_share, entry.name);
    return names(std::move(speeds));
}

std::vector<std::string> OrderedSeries::measured_order() const {
    std::vector<std::pair<double, std::string>> speeds;
    for (const OrderedEntry& entry : entries)
        if (entry.measured) speeds.emplace_back(*entry.measured, entry.name);
    return names(std::move(speeds));
}

std::string variant_of_entry(const Table& table, std::size_t row, std::size_t column) {
    const auto& of_row = table.rows[row].here;
    const int gpus = of_row ? of_row->gpus : 1;
    if (of_row && !of_row->variants.empty()) return on_gpus(of_row->variants[column], gpus);
    if (of_row && !of_row->variant.empty()) return on_gpus(of_row->variant, gpus);
    return on_gpus(table.columns[column].here.variant, gpus);
}

std::string on_gpus(const std::string& variant, int gpus) {
    return gpus == 1 || variant.empty() ? variant : fmt::format("{} on {} GPUs", variant, gpus);
}

VariantOnGpus variant_on_gpus(const std::string& name) {
    const std::size_t at = name.find(" on ");
    if (at == std::string::npos) return {name, 1};
    return {name.substr(0, at), std::stoi(name.substr(at + 4))};
}

std::vector<OrderedSeries> ordered_series(const Table& table, const Measured& measured,
                                          const BasisOfTimes& basis) {
    std::vector<OrderedSeries> all;
    if (table.kind != Kind::order) return all;
    std::vector<std::vector<const ProcessSamples*>> samples;  // by series, then by entry
    for (std::size_t i = 0; i < table.rows.size(); ++i)
        for (std::size_t j = 0; j < table.columns.size(); ++j) {
            const auto& value = table.rows[i].values[j];
            if (!value || !value->reading) continue;
            OrderedEntry entry;
            entry.name = name_of(table, table.rows[i], table.columns[j]);
            const Asked asked = asked_of(table, i, j);
            entry.variant = asked.variant;
            entry.cell = asked.cell;
            entry.printed = value->printed;
            entry.published = *value->reading;
            const ProcessSamples* const times = entry.variant.empty() ? nullptr : measured(asked);
            if (times) entry.measured = 1e9 / typical_time(*times);
            const std::string name = series_of(table, table.rows[i], table.columns[j]);
            auto found = std::ranges::find(all, name, &OrderedSeries::name);
            if (found == all.end()) {
                all.emplace_back().name = name;
                samples.emplace_back();
                found = all.end() - 1;
            }
            if (basis && times)
                if (const Basis of = basis(asked); of != Basis::same) found->basis = of;
            found->entries.push_back(std::move(entry));
            samples[static_cast<std::size_t>(found - all.begin())].push_back(times);
        }
    for (std::size_t i = 0; i < all.size(); ++i) {
        add_shares(all[i], table.here.lower_is_better);
        count_pairs(all[i], samples[i]);
    }
    return all;
}

std::vector<Share> shares(const Table& table, const MeasuredShare& measured) {
    std::vector<Share> all;
    if (table.kind != Kind::shares) return all;
    for (std::size_t i = 0; i < table.rows.size(); ++i)
        for (std::size_t j = 0; j < table.columns.size(); ++j) {
            const auto& value = table.rows[i].values[j];
            const std::string& kernel = table.columns[j].here.kernel;
            if (!value || kernel.empty()) continue;
            Share share{table.rows[i].name,
                        table.columns[j].name,
                        variant_of_entry(table, i, j),
                        kernel,
                        *value,
                        std::nullopt};
            if (!share.variant.empty()) share.measured = measured(share.variant, kernel);
            all.push_back(std::move(share));
        }
    return all;
}

namespace {

using Value = std::optional<double>;

// Returns the kernel at the row's index in the launch, by default the first.
const results::Kernel* kernel_of(const results::CaseRecord& record, const Row& row) {
    const std::size_t place = row.here ? row.here->kernel.value_or(0) : 0;
    return place < record.kernels.size() ? &record.kernels[place] : nullptr;
}

Value counter(const results::CaseRecord& record, const char* metric) {
    const auto found = record.counters.find(metric);
    return found == record.counters.end() ? std::nullopt : Value(found->second);
}

Value control_instructions(const results::Kernel& kernel) {
    const auto found = kernel.instructions.find("control");
    return found == kernel.instructions.end() ? std::nullopt
                                              : Value(static_cast<double>(found->second));
}

Value per_generation(const Value& launch, const results::CaseRecord& record) {
    return launch ? Value(*launch / record.identity.generations_per_launch.value_or(1)) : launch;
}

Value idle_lanes(const results::CaseRecord& record) {
    const Value threads = counter(record, metric::thread_instructions);
    const Value warps = counter(record, metric::warp_instructions);
    return threads && warps && *warps > 0 ? Value(32 - *threads / *warps) : std::nullopt;
}

struct Known {
    const char* name;
    const char* today;
    Value (*of)(const results::CaseRecord& record, const results::Kernel& kernel);
    bool counted = false;
};

constexpr Known known_figures[] = {
    {"registers", "registers",
     [](const results::CaseRecord&, const results::Kernel& kernel) {
         return kernel.registers ? Value(*kernel.registers) : std::nullopt;
     }},
    {"occupancy", "occupancy in theory",
     [](const results::CaseRecord&, const results::Kernel& kernel) { return kernel.occupancy; }},
    {"shared_bytes", "bytes of shared memory",
     [](const results::CaseRecord&, const results::Kernel& kernel) -> Value {
         if (!kernel.static_shared_bytes) return std::nullopt;
         return static_cast<double>(*kernel.static_shared_bytes +
                                    kernel.dynamic_shared_bytes.value_or(0));
     }},
    {"instructions", "warp instructions, whole GPU, counted",
     [](const results::CaseRecord& record, const results::Kernel&) {
         return per_generation(counter(record, metric::warp_instructions), record);
     },
     true},
    {"branches", "control instructions in the program text",
     [](const results::CaseRecord&, const results::Kernel& kernel) {
         return control_instructions(kernel);
     }},
    {"divergence", "idle lanes of 32 per instruction, counted",
     [](const results::CaseRecord& record, const results::Kernel&) { return idle_lanes(record); },
     true},
};

const Known& known_figure(const std::string& name) {
    const auto found = std::ranges::find(known_figures, name, &Known::name);
    if (found == std::end(known_figures))
        throw Error(ExitCode::usage,
                    fmt::format("figure '{}' of a published table is unknown", name));
    return *found;
}

}  // namespace

std::vector<Figure> figures(const Table& table, const KnownCase& known) {
    std::vector<Figure> all;
    for (std::size_t i = 0; i < table.rows.size(); ++i)
        for (std::size_t j = 0; j < table.columns.size(); ++j) {
            const Row& row = table.rows[i];
            if (table.columns[j].figure.empty() || !row.values[j]) continue;
            const Known& which = known_figure(table.columns[j].figure);
            Figure figure{row.name,       table.columns[j].name, variant_of_entry(table, i, j),
                          *row.values[j], which.today,           std::nullopt,
                          std::nullopt};
            const results::CaseRecord* const record =
                figure.variant.empty() ? nullptr : known(figure.variant);
            if (record)
                if (const results::Kernel* const kernel = kernel_of(*record, row))
                    figure.measured = which.of(*record, *kernel);
            if (which.counted && figure.measured) figure.counted_on = record->identity.size;
            all.push_back(std::move(figure));
        }
    return all;
}

}  // namespace camber::published
