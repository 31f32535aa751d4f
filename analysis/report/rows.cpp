#include "analysis/report/report.hpp"

#include <algorithm>
#include <cmath>

#include "analysis/profile/diagnosis.hpp"
#include "analysis/profile/figures.hpp"
#include "harness/record/merge.hpp"
#include "harness/record/metric_names.hpp"

namespace camber::report {

namespace {

using results::CaseRecord;

std::string title_of(const CaseRecord& record) {
    std::string title = record.identity.variant;
    if (title.empty()) return record.name;
    const std::string prefix = record.identity.workload + "/";
    if (title.starts_with(prefix)) title.erase(0, prefix.size());
    return title + record.identity.circumstances();
}

void set_times(Row& row, const CaseRecord& record) {
    const auto samples = times_of(record);
    row.sample_count = samples.size();
    row.samples_ns = thinned(samples, most_samples);
    if (!record.samples) return;
    const SampleStatistics& statistics = record.samples->statistics;
    const double generations = record.samples->generations_per_sample;
    row.median_ns = statistics.median / generations;
    row.min_ns = statistics.min / generations;
    row.iqr_ns = statistics.iqr / generations;
    row.ci_low_ns = statistics.ci95_low / generations;
    row.ci_high_ns = statistics.ci95_high / generations;
}

Value times(Value value, double factor) {
    return value ? Value(*value * factor) : std::nullopt;
}

// Minimum bytes that one launch must move.
Value least_bytes(const CaseRecord& record) {
    if (!record.derived || record.derived->cells_per_second <= 0) return std::nullopt;
    const results::Derived& derived = *record.derived;
    if (derived.step_bytes_per_cell)
        return *derived.step_bytes_per_cell * record.cells() *
               record.identity.generations_per_launch.value_or(1);
    if (derived.application_bandwidth_bytes_per_second <= 0) return std::nullopt;
    return derived.application_bandwidth_bytes_per_second / derived.cells_per_second *
           record.cells();
}

// Traffic by counters if the file has them, else by the model: minimum DRAM traffic, the L2 traffic
// of each block, L1 sectors and shared-memory wavefronts.
std::array<Traffic, 4> traffic_of(const CaseRecord& record) {
    profile::Facts facts;
    facts.counters = record.counters;
    const profile::Amounts measured = profile::amounts(facts);
    const auto model = [&](const char* quantity) -> Value {
        if (!record.model) return std::nullopt;
        const auto found = record.model->quantities.find(quantity);
        return found != record.model->quantities.end() ? Value(found->second) : std::nullopt;
    };
    const auto sum = [&](const char* loads, const char* stores) -> Value {
        const Value a = model(loads), b = model(stores);
        return a || b ? Value(a.value_or(0) + b.value_or(0)) : std::nullopt;
    };
    Value compulsory = model("compulsory_dram_bytes");
    if (!compulsory) compulsory = least_bytes(record);
    const Value wavefronts = sum("shared_load_wavefronts", "shared_store_wavefronts");
    const std::array<std::pair<Value, Value>, 4> amounts = {
        {{measured.dram_bytes(), compulsory},
         {measured.l2_bytes, model("block_distinct_bytes")},
         {times(measured.l1_sectors, profile::sector_bytes),
          times(sum("global_load_sectors", "global_store_sectors"), profile::sector_bytes)},
         {times(measured.shared_wavefronts, profile::wavefront_bytes),
          times(wavefronts, profile::wavefront_bytes)}}};

    std::array<Traffic, 4> traffic;
    const double cells = record.cells() * record.identity.generations_per_launch.value_or(1);
    if (cells == 0) return traffic;
    for (std::size_t level = 0; level < traffic.size(); ++level) {
        const auto& [counted, predicted] = amounts[level];
        const Value bytes = counted ? counted : predicted;
        if (!bytes || *bytes <= 0) continue;  // no shared memory, or served by another cache
        traffic[level] = {*bytes / cells, !counted};
    }
    return traffic;
}

// Sets the limiting resource. A file may contain times of another device than its GPU.
void set_limit(Row& row, const CaseRecord& record, const results::Run& run) {
    if (record.identity.backend != Backend::cuda || !run.gpu || !record.samples || !record.derived)
        return;
    const profile::Facts facts = profile::facts_of(run, record);
    if (facts.time.median <= 0 || facts.cells <= 0 || facts.application_bytes <= 0) return;
    const profile::Diagnosis diagnosis = diagnose(facts);
    if (diagnosis.limit != profile::Limit::unknown) row.limited_by = diagnosis.verdict;
    if (diagnosis.limit == profile::Limit::resource && diagnosis.utilisations.front().estimate)
        row.estimated_share = diagnosis.utilisations.front().share();
    if (const auto nearest = profile::binding_limit(run, record)) {
        row.limit = name(nearest->resource);
        row.limit_share = nearest->share();
    }
}

}  // namespace

std::vector<double> thinned(std::vector<double> values, std::size_t most) {
    std::ranges::sort(values);
    if (values.size() <= most) return values;
    std::vector<double> kept;
    const double step = static_cast<double>(values.size() - 1) / static_cast<double>(most - 1);
    for (std::size_t k = 0; k < most; ++k)
        kept.push_back(
            values[static_cast<std::size_t>(std::lround(step * static_cast<double>(k)))]);
    return kept;
}

Row row_of(const CaseRecord& record, const results::Run* run) {
    Row row;
    row.variant = title_of(record);
    row.technique = record.identity.technique;
    row.status = record.status;
    row.reason = record.reason;
    if (record.verification) {
        row.verification = record.verification->status;
        row.compared_cells = record.verification->compared_cells;
    }
    if (record.status != results::Status::ok) return row;
    if (record.identity.backend != Backend::simt) {  // simt times are meaningless
        set_times(row, record);
        if (const auto& derived = record.derived) {
            row.cells_per_second = derived->cells_per_second;
            if (derived->application_bandwidth_bytes_per_second > 0)
                row.application_bytes_per_second = derived->application_bandwidth_bytes_per_second;
            row.share_of_copy = derived->share_of_copy;
            row.step_share_of_copy = derived->step_share_of_copy;
            row.speedup = derived->speedup_vs_baseline;
        }
        row.intervals = record.intervals;
    }
    if (const results::Kernel* kernel = results::leading_kernel(record)) {
        row.registers = kernel->registers;
        row.occupancy = kernel->occupancy;
    }
    row.generations_per_launch = record.identity.generations_per_launch;
    row.traffic = traffic_of(record);
    if (run) set_limit(row, record, *run);
    if (record.model)
        row.counters = compare_with_counters(record.model->quantities, record.counters);
    row.kernels = profile::kernel_traffic(record.kernel_counters);
    return row;
}

namespace {

using results::CaseRecord;

constexpr double most_cells_per_thread = 4;
constexpr double most_above_fastest = 100;

// Warp instructions of one launch, assuming that each thread executes its kernel's code once.
Value instructions_by_text(const CaseRecord& record) {
    if (record.identity.generations_per_launch.value_or(1) != 1) return std::nullopt;
    double warps = 0;
    for (const results::Kernel& kernel : record.kernels) {
        const auto total = kernel.instructions.find("total");
        const double threads = static_cast<double>(kernel.threads_per_block() * kernel.blocks());
        if (total == kernel.instructions.end() || threads * most_cells_per_thread < record.cells())
            return std::nullopt;
        warps += static_cast<double>(total->second) * threads / profile::warp_threads;
    }
    return warps > 0 ? Value(warps) : std::nullopt;
}

// Update rate at which the case would reach its first instruction limit.
std::optional<FlatRoof> arithmetic(const results::Run& run, const CaseRecord& record) {
    profile::Facts facts = profile::facts_of(run, record);
    const bool counted = facts.counters.contains(metric::warp_instructions);
    if (!counted) {
        const Value estimate = instructions_by_text(record);
        if (!estimate) return std::nullopt;
        facts.counters[metric::warp_instructions] = *estimate;
    }
    for (const profile::Utilisation& used : utilisations(facts))  // largest share first
        if (used.resource == Resource::issue || used.resource == Resource::fp32 ||
            used.resource == Resource::fp64)
            return FlatRoof{std::string(name(used.resource)),
                            record.derived->cells_per_second / used.share(), !counted};
    return std::nullopt;
}

std::optional<FlatRoof> launching(const results::Run& run, const CaseRecord& record) {
    const bool graph = record.identity.submission == Submission::graph;
    const Value seconds = graph ? run.ceilings.graph_node_seconds : run.ceilings.launch_seconds;
    if (!seconds || *seconds <= 0) return std::nullopt;
    const double kernels = std::max<double>(1, static_cast<double>(record.kernels.size()));
    const double cells = record.cells() * record.identity.generations_per_launch.value_or(1);
    return FlatRoof{"launches", cells / (kernels * *seconds), false};
}

void raise(std::optional<FlatRoof>& roof, const std::optional<FlatRoof>& other) {
    if (other && (!roof || other->cells_per_second > roof->cells_per_second)) roof = other;
}

}  // namespace

std::optional<FlatRoof> flat_roof(const results::Run& run,
                                  const std::vector<const CaseRecord*>& records) {
    std::optional<FlatRoof> counted, estimated, launches;
    double fastest = 0;
    for (const CaseRecord* record : records) {
        if (record->identity.backend != Backend::cuda || !run.gpu || !record->samples ||
            !record->derived)
            continue;
        fastest = std::max(fastest, record->derived->cells_per_second);
        const auto limit = arithmetic(run, *record);
        raise(limit && limit->estimate ? estimated : counted, limit);
        raise(launches, launching(run, *record));
    }
    const auto holds = [&](const std::optional<FlatRoof>& limit) {
        return limit && limit->cells_per_second >= fastest;
    };
    std::optional<FlatRoof> roof;
    if (holds(counted))
        roof = counted;
    else if (holds(estimated))
        roof = estimated;
    if (holds(launches) && launches->cells_per_second <= fastest * most_above_fastest &&
        (!roof || launches->cells_per_second < roof->cells_per_second))
        roof = launches;
    return roof;
}

}  // namespace camber::report
