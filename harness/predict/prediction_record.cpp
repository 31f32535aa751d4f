#include "harness/predict/prediction_record.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <tuple>
#include <variant>

#include "analysis/memory/compare_counters.hpp"
#include "analysis/memory/shared_rules.hpp"
#include "workloads/core/named_arrays.hpp"

namespace camber {

namespace {

// Kernel with the most distinct bytes; nullptr if some kernel's distinct bytes are unknown.
const LaunchModel* largest_kernel(const Prediction& prediction) {
    const LaunchModel* largest = nullptr;
    for (const KernelPrediction& kernel : prediction.kernels) {
        if (kernel.low) return nullptr;
        if (!largest || kernel.model.compulsory_bytes() > largest->compulsory_bytes())
            largest = &kernel.model;
    }
    return largest;
}

// Sum over the kernels; `end`: of the interval, where a kernel has one.
AccessCounts sum_of(const std::vector<KernelPrediction>& kernels,
                    std::optional<LaunchModel> KernelPrediction::*end) {
    AccessCounts sum;
    for (const KernelPrediction& kernel : kernels)
        sum += end && kernel.*end ? (kernel.*end)->counts : kernel.model.counts;
    return sum;
}

}  // namespace

std::string_view name(Method method) {
    switch (method) {
        case Method::extrapolated:
            return "extrapolated";
        case Method::simulated:
            return "simulated";
        case Method::sampled:
            break;
    }
    return "sampled";
}

AccessCounts Prediction::counts() const {
    return sum_of(kernels, nullptr);
}

AccessCounts Prediction::low() const {
    return sum_of(kernels, &KernelPrediction::low);
}

AccessCounts Prediction::high() const {
    return sum_of(kernels, &KernelPrediction::high);
}

std::int64_t bytes_moved(const Prediction& prediction) {
    const AccessCounts total = prediction.counts();
    return total.global_load.bytes_moved + total.global_store.bytes_moved +
           total.global_atomic.bytes_moved + total.texture_load.bytes_moved +
           total.bulk_load.bytes_moved + total.local_load.bytes_moved +
           total.local_store.bytes_moved;
}

double bytes_needed(const Prediction& prediction, const Workload& workload) {
    return moved_bytes_per_cell(workload, prediction.problem.cell) *
           static_cast<double>(prediction.problem.size.cells()) *
           prediction.variant->info.shape.generations;
}

std::map<std::string, double> quantities(const Prediction& prediction) {
    std::map<std::string, double> values = quantities(prediction.counts());
    values["launches"] = static_cast<double>(prediction.kernels.size());
    std::int64_t block_bytes = 0;
    std::int64_t sampled = 0;
    for (const KernelPrediction& kernel : prediction.kernels) {
        block_bytes += kernel.model.block_bytes();
        sampled += kernel.sampled_blocks;
    }
    values["block_distinct_bytes"] = static_cast<double>(block_bytes);
    if (const LaunchModel* largest = largest_kernel(prediction)) {
        values["compulsory_dram_bytes"] = static_cast<double>(largest->compulsory_bytes());
        values["non_redundant_share"] = largest->non_redundant_share();
    }
    if (prediction.method != Method::sampled) return values;
    values["sampled_blocks"] = static_cast<double>(sampled);
    const auto low = quantities(prediction.low());
    const auto high = quantities(prediction.high());
    for (const char* name :
         {"global_load_requests", "global_load_sectors", "global_store_requests",
          "global_store_sectors", "shared_load_wavefronts", "shared_store_wavefronts"}) {
        values[std::string(name) + "_low"] = low.at(name);
        values[std::string(name) + "_high"] = high.at(name);
    }
    return values;
}

Bounds bounds_of(const Prediction& prediction, const HardwareLimits& limits) {
    Bounds sum;
    const bool distinct_known = largest_kernel(prediction) != nullptr;
    for (const KernelPrediction& kernel : prediction.kernels) {
        for (const Bound& bound : time_bounds(kernel.model, limits).all) {
            if (bound.resource == Resource::dram && !distinct_known) continue;
            const auto same = std::ranges::find(sum.all, bound.resource, &Bound::resource);
            if (same == sum.all.end())
                sum.all.push_back(bound);
            else if (bound.resource == Resource::dram)
                same->seconds = std::max(same->seconds, bound.seconds);
            else
                same->seconds += bound.seconds;
        }
    }
    std::ranges::sort(sum.all, {}, &Bound::resource);
    return sum;
}

namespace {

SiteRow transfer_row(const TransferCounts& counts, Space space, Operation operation) {
    SiteRow row;
    row.space = space;
    row.operation = operation;
    row.requests = counts.requests;
    row.sectors = counts.sectors;
    row.bytes_moved = counts.bytes_moved;
    row.bytes_used = counts.useful_bytes;
    return row;
}

// `pass_bytes`: bytes that one pass delivers.
SiteRow pass_row(const SharedCounts& counts, Space space, Operation operation,
                 std::int64_t pass_bytes) {
    SiteRow row;
    row.space = space;
    row.operation = operation;
    row.requests = counts.instructions;
    row.passes = counts.passes;
    row.conflicts = counts.conflicts();
    row.bytes_moved = counts.passes * pass_bytes;
    row.bytes_used = counts.minimum * pass_bytes;
    return row;
}

std::vector<SiteRow> rows_of(const AccessCounts& counts, RuleSet rules) {
    const std::int64_t banks = bank_count(rules) * word_bytes;
    std::vector<SiteRow> rows = {
        transfer_row(counts.global_load, Space::global, Operation::load),
        transfer_row(counts.global_store, Space::global, Operation::store),
        transfer_row(counts.global_atomic, Space::global, Operation::atomic),
        transfer_row(counts.texture_load, Space::texture, Operation::load),
        transfer_row(counts.bulk_load, Space::bulk, Operation::load),
        transfer_row(counts.local_load, Space::local, Operation::load),
        transfer_row(counts.local_store, Space::local, Operation::store),
        pass_row(counts.shared_load, Space::shared, Operation::load, banks),
        pass_row(counts.shared_store, Space::shared, Operation::store, banks),
        pass_row(counts.shared_atomic, Space::shared, Operation::atomic, banks),
        pass_row(counts.distributed_load, Space::distributed, Operation::load, banks),
        pass_row(counts.distributed_store, Space::distributed, Operation::store, banks),
        pass_row(counts.distributed_atomic, Space::distributed, Operation::atomic, banks),
        pass_row(counts.constant_load, Space::constant, Operation::load, word_bytes)};
    std::erase_if(rows, [](const SiteRow& row) { return row.requests == 0; });
    return rows;
}

double share_of(std::int64_t part, std::int64_t whole, double if_none) {
    return whole == 0 ? if_none : static_cast<double>(part) / static_cast<double>(whole);
}

}  // namespace

double SiteRow::efficiency() const {
    return share_of(bytes_used, bytes_moved, 1);
}

double SiteRow::per_request() const {
    return share_of(in_passes(space) ? passes : sectors, requests, 0);
}

std::string kind(const SiteRow& row) {
    constexpr std::array spaces = {"global",   "shared", "texture",    "local",
                                   "constant", "bulk",   "distributed"};
    constexpr std::array operations = {"load", "store", "atomic"};
    return std::string(spaces.at(static_cast<std::size_t>(row.space))) + " " +
           operations.at(static_cast<std::size_t>(row.operation));
}

std::vector<SiteRow> site_rows(const Prediction& prediction) {
    std::vector<SiteRow> rows;
    std::array<std::int64_t, 7> moved{};  // by space
    for (std::size_t k = 0; k < prediction.kernels.size(); ++k) {
        const LaunchModel& model = prediction.kernels[k].model;
        for (const SiteCounts& site : model.sites) {
            for (SiteRow row : rows_of(site.counts, model.rules)) {
                row.kernel = k;
                row.site = site.site;
                moved.at(static_cast<std::size_t>(row.space)) += row.bytes_moved;
                rows.push_back(row);
            }
        }
    }
    std::ranges::stable_sort(rows, [](const SiteRow& a, const SiteRow& b) {
        return std::tuple(a.bytes_wasted(), a.bytes_moved) >
               std::tuple(b.bytes_wasted(), b.bytes_moved);
    });
    int number = 0;
    for (SiteRow& row : rows) {
        row.number = ++number;
        row.share = share_of(row.bytes_moved, moved.at(static_cast<std::size_t>(row.space)), 0);
    }
    return rows;
}

namespace {

results::SiteRecord site_record(const SiteRow& row, const Prediction& prediction) {
    const CallSite& site = prediction.sites.at(static_cast<std::size_t>(row.site));
    results::SiteRecord record;
    record.site = row.number;
    record.kernel = prediction.kernels.at(row.kernel).kernel;
    record.place = site.place;
    record.path = site.path;
    record.kind = kind(row);
    record.requests = row.requests;
    if (in_passes(row.space)) {
        record.wavefronts = row.passes;
        record.bank_conflicts = row.conflicts;
    } else {
        record.sectors = row.sectors;
    }
    record.bytes_moved = row.bytes_moved;
    record.bytes_used = row.bytes_used;
    record.efficiency = row.efficiency();
    record.share = row.share;
    return record;
}

// Case name of a kernel from a file, with the parameters that were set: "blur/rows.cu/blur". It
// does not change with the block shape. "" if the variant's name is the case name.
std::string case_name_of(const Variant& variant) {
    const auto kernel = std::ranges::find(variant.info.parameters, "kernel", &Parameter::name);
    if (variant.file.empty() || kernel == variant.info.parameters.end()) return "";
    std::string name = fmt::format("{}/{}/{}", variant.info.workload, variant.info.technique.name,
                                   std::get<std::string>(kernel->value));
    constexpr std::string_view with = " with ";
    if (const std::size_t at = variant.file.rfind(with); at != variant.file.npos)
        name += "/" + variant.file.substr(at + with.size());
    return name;
}

results::ModelEntry identity_of(const Variant& variant, const Problem& problem) {
    results::ModelEntry entry;
    entry.variant = variant.info.name();
    entry.case_name = case_name_of(variant);
    entry.size = problem.size;
    entry.cell = info(problem.cell).name;
    entry.rule = problem.parameters.rule();
    entry.boundary = problem.boundary;
    entry.generations_per_launch = variant.info.shape.generations;
    return entry;
}

}  // namespace

results::ModelRecord model_record(const Prediction& prediction,
                                  const std::vector<CounterComparison>& comparisons) {
    const Architecture& architecture = prediction.architecture;
    results::ModelRecord record;
    record.arch = fmt::format("{}.{}", architecture.major, architecture.minor);
    record.rules = to_string(architecture.rules);
    record.method = name(prediction.method);
    record.data_dependent = prediction.data_dependent;
    record.quantities = quantities(prediction);
    if (!comparisons.empty()) record.agrees = all_agree(comparisons);
    return record;
}

results::ModelEntry skipped_entry(const Variant& variant, const Problem& problem,
                                  const std::string& reason) {
    results::ModelEntry entry = identity_of(variant, problem);
    entry.reason = reason;
    return entry;
}

results::ModelEntry model_entry(const Prediction& prediction, const Workload& workload) {
    results::ModelEntry entry = identity_of(*prediction.variant, prediction.problem);
    entry.model = model_record(prediction, {});
    entry.model.quantities["bytes_moved"] = static_cast<double>(bytes_moved(prediction));
    entry.model.quantities["bytes_needed"] = bytes_needed(prediction, workload);
    return entry;
}

results::ModelEntry model_entry(const Prediction& prediction, const Workload& workload,
                                const Bounds& bounds) {
    results::ModelEntry entry = model_entry(prediction, workload);
    entry.sites.emplace();
    for (const SiteRow& row : site_rows(prediction))
        entry.sites->push_back(site_record(row, prediction));
    entry.bounds.emplace();
    for (const Bound& bound : bounds.all)
        entry.bounds->push_back({std::string(bound.limit()), bound.seconds, bound.basis});
    if (const auto largest = bounds.largest()) entry.largest_bound = largest->limit();
    return entry;
}

}  // namespace camber
