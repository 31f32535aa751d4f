#include "harness/cli/course/quantities.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "analysis/memory/access_pattern.hpp"
#include "harness/base/text/text.hpp"
#include "harness/predict/capture.hpp"
#include "harness/predict/prediction_record.hpp"

namespace camber::course {

namespace {

constexpr std::array<Quantity, 13> all{{
    {"load_sectors_per_request", "sectors (32 bytes) per global load request",
     "A global load request moves {0} sectors of 32 bytes; the goal is at most {1}",
     Cause::wasteful_loads},
    {"store_sectors_per_request", "sectors (32 bytes) per global store request",
     "A global store request moves {0} sectors of 32 bytes; the goal is at most {1}",
     Cause::wasteful_stores},
    {"load_bytes_moved_over_used", "bytes moved by global loads / bytes used",
     "Global loads move {0} times the bytes that the threads use; the goal is at most {1}",
     Cause::wasteful_loads},
    {"store_bytes_moved_over_used", "bytes moved by global stores / bytes used",
     "Global stores move {0} times the bytes that the threads write; the goal is at most {1}",
     Cause::wasteful_stores},
    {"load_requests_per_32_cells", "global load requests per 32 cells",
     "32 cells take {0} global load requests; the goal is at most {1}", Cause::loads},
    {"store_requests_per_32_cells", "global store requests per 32 cells",
     "32 cells take {0} global store requests; the goal is at most {1}", Cause::stores},
    {"loads_per_cell", "elements loaded from global memory per cell",
     "A cell takes {0} elements from global memory; the goal is at most {1}", Cause::loads},
    {"stores_per_cell", "elements stored to global memory per cell",
     "A cell takes {0} stores to global memory; the goal is at most {1}", Cause::stores},
    {"atomics_per_cell", "atomic operations on global memory per cell",
     "A cell takes {0} atomic operations on global memory; the goal is at most {1}",
     Cause::atomics},
    {"bytes_moved_over_needed", "bytes moved / bytes needed",
     "The kernel moves {0} times the bytes that it needs; the goal is at most {1}", Cause::traffic},
    {"bank_conflicts", "wavefronts of shared memory due to bank conflicts",
     "Bank conflicts cause {0} wavefronts of shared memory; the goal is at most {1}",
     Cause::wasteful_shared},
    {"shared_wavefronts_per_32_cells", "wavefronts of shared memory per 32 cells",
     "32 cells take {0} wavefronts of shared memory; the goal is at most {1}", Cause::shared},
    {"launches_per_generation", "kernel launches per generation",
     "Launches per generation: {0}; the goal is at most {1}", Cause::launches},
}};

double ratio(double a, double b) {
    return b > 0 ? a / b : 0;
}

double real(std::int64_t number) {
    return static_cast<double>(number);
}

}  // namespace

const Quantity* find_quantity(std::string_view name) {
    const auto found = std::ranges::find(all, name, &Quantity::name);
    return found == all.end() ? nullptr : &*found;
}

std::vector<std::string_view> quantity_names() {
    std::vector<std::string_view> names;
    for (const Quantity& quantity : all) names.push_back(quantity.name);
    return names;
}

Values values_of(const Prediction& prediction, const Workload& workload) {
    const AccessCounts counts = prediction.counts();
    // Textures and bulk copies are loads, too: a goal is not reached by another kind of load.
    TransferCounts loads = counts.global_load;
    loads += counts.texture_load;
    loads += counts.bulk_load;
    const TransferCounts& stores = counts.global_store;
    const TransferCounts& atomics = counts.global_atomic;
    const double generations = prediction.variant->info.shape.generations;
    const double cells = real(prediction.problem.size.cells()) * generations;
    const double element = info(prediction.problem.cell).size;
    Values values;
    values["load_sectors_per_request"] = ratio(real(loads.sectors), real(loads.requests));
    values["store_sectors_per_request"] = ratio(real(stores.sectors), real(stores.requests));
    values["load_bytes_moved_over_used"] = ratio(real(loads.bytes_moved), real(loads.useful_bytes));
    values["store_bytes_moved_over_used"] =
        ratio(real(stores.bytes_moved), real(stores.useful_bytes));
    values["load_requests_per_32_cells"] = 32 * real(loads.requests) / cells;
    values["store_requests_per_32_cells"] = 32 * real(stores.requests) / cells;
    values["loads_per_cell"] = real(loads.requested_bytes) / element / cells;
    values["stores_per_cell"] = real(stores.requested_bytes) / element / cells;
    values["atomics_per_cell"] = real(atomics.requested_bytes) / element / cells;
    values["bytes_moved_over_needed"] =
        ratio(real(bytes_moved(prediction)), bytes_needed(prediction, workload));
    values["bank_conflicts"] =
        real(counts.shared_load.conflicts() + counts.shared_store.conflicts() +
             counts.shared_atomic.conflicts());
    values["shared_wavefronts_per_32_cells"] =
        32 *
        real(counts.shared_load.passes + counts.shared_store.passes + counts.shared_atomic.passes) /
        cells;
    values["launches_per_generation"] =
        real(static_cast<std::int64_t>(prediction.kernels.size())) / generations;
    return values;
}

std::string number_text(double value) {
    std::string text = fmt::format("{:.3f}", value);
    text.erase(text.find_last_not_of('0') + 1);
    if (text.back() == '.') text.pop_back();
    return text;
}

Counted count(const Prediction& prediction, const Workload& workload, const State& initial) {
    Counted counted{values_of(prediction, workload), {}};
    const std::vector<SiteRow> rows = site_rows(prediction);  // the most wasteful first
    const auto line_of = [&](const SiteRow& row) {
        return prediction.sites.at(static_cast<std::size_t>(row.site)).line;
    };
    // Explains the first row of the kind that wastes bytes: its pattern, and the usual remedy.
    const auto explain_waste = [&](Cause cause, auto is_kind) {
        const auto row = std::ranges::find_if(rows, is_kind);
        if (row == rows.end() || row->bytes_wasted() <= 0) return;
        const CallSite& site = prediction.sites.at(static_cast<std::size_t>(row->site));
        const auto request =
            typical_request(*prediction.variant, prediction.problem, initial, row->kernel, site.key,
                            row->operation, prediction.architecture.rules);
        if (!request) return;
        std::string& text = counted.explanations[cause];
        text = fmt::format("most in line {}: {}", site.line,
                           describe_pattern(request->request, request->row_bytes));
        const std::string remedy =
            describe_remedy(request->request, prediction.architecture.rules, request->row_bytes);
        if (!remedy.empty()) text += fmt::format("; {}", remedy);
    };
    // Names the line with the largest share of the amount.
    const auto explain_share = [&](Cause cause, auto is_kind, auto amount_of) {
        std::map<std::uint32_t, double> amounts;  // by line
        double sum = 0;
        for (const SiteRow& row : rows)
            if (is_kind(row)) {
                const auto amount = static_cast<double>(amount_of(row));
                amounts[line_of(row)] += amount;
                sum += amount;
            }
        if (sum <= 0) return;
        const auto most =
            std::ranges::max_element(amounts, {}, [](const auto& entry) { return entry.second; });
        counted.explanations[cause] =
            fmt::format("{} in line {}",
                        amounts.size() == 1 ? "all" : percent(most->second / sum, 0), most->first);
    };
    const auto global = [](Operation operation) {
        return [operation](const SiteRow& row) {
            return row.space != Space::shared && row.operation == operation;
        };
    };
    const auto shared = [](const SiteRow& row) { return row.space == Space::shared; };
    const auto requests = [](const SiteRow& row) { return row.requests; };
    explain_waste(Cause::wasteful_loads, global(Operation::load));
    explain_waste(Cause::wasteful_stores, global(Operation::store));
    explain_waste(Cause::wasteful_shared, shared);
    explain_share(Cause::loads, global(Operation::load), requests);
    explain_share(Cause::stores, global(Operation::store), requests);
    explain_share(Cause::atomics, global(Operation::atomic), requests);
    explain_share(Cause::shared, shared, [](const SiteRow& row) { return row.passes; });
    explain_share(
        Cause::traffic, [&](const SiteRow& row) { return !shared(row); },
        [](const SiteRow& row) { return row.bytes_moved; });
    return counted;
}

}  // namespace camber::course
