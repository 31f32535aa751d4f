#include "analysis/published/figures.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "analysis/published/order.hpp"
#include "harness/base/error.hpp"
#include "harness/record/metric_names.hpp"

namespace camber::published {

namespace {

using Value = std::optional<double>;

// The kernel that the row names by its place in a launch, else the first.
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
