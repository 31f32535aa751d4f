#include "analysis/published/list_periods.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <tuple>
#include <utility>

namespace camber::published {

namespace {

double ns_per_generation(const results::CaseRecord& record) {
    return record.samples->statistics.median / record.samples->generations_per_sample;
}

bool measured(const results::CaseRecord& record, std::string_view variant) {
    return record.identity.variant == variant && record.identity.backend == Backend::cuda &&
           record.identity.is_usual() && record.status == results::Status::ok;
}

int period_of(const results::Identity& identity) {
    const auto found = identity.workload_parameters.find("rebuild");
    return found == identity.workload_parameters.end() || found->second.size() != 1
               ? 0
               : static_cast<int>(found->second[0]);
}

std::string origin_of(const results::Document& document, const results::CaseRecord& record) {
    return fmt::format("{} particles ({})", record.identity.size.cells(),
                       std::filesystem::path(document.source).filename().string());
}

// Kernels that do not run in every iteration run once per list build.
std::optional<ListCost> cost_of(const results::CaseRecord& record) {
    ListCost cost;
    cost.period = period_of(record.identity);
    if (!record.kernel_times || cost.period < 2) return std::nullopt;
    const double iterations = record.kernel_times->generations;
    double lists = 0;
    for (const results::KernelTime& kernel : record.kernel_times->kernels)
        if (kernel.name == "neighbours") lists = static_cast<double>(kernel.statistics.n);
    if (lists == 0) return std::nullopt;
    for (const results::KernelTime& kernel : record.kernel_times->kernels) {
        const auto launches = static_cast<double>(kernel.statistics.n);
        if (kernel.name == "neighbours")
            cost.building += kernel.total_ns() / lists;
        else if (kernel.name == "forces")
            cost.forces += kernel.total_ns() / iterations;
        else if (launches < iterations)
            cost.sorting += kernel.total_ns() / lists;
        else
            cost.others += kernel.total_ns() / iterations;
    }
    return cost;
}

const results::CaseRecord* timed_run(const std::vector<results::Document>& documents,
                                     std::string_view variant, const results::CaseRecord* like) {
    const results::CaseRecord* found = nullptr;
    for (const results::Document& document : documents)
        for (const results::CaseRecord& record : document.cases)
            if (measured(record, variant) && record.timed() && record.identity.from_start &&
                (like == nullptr ||
                 (record.identity.size == like->identity.size &&
                  record.identity.generations == like->identity.generations &&
                  record.identity.workload_parameters == like->identity.workload_parameters)) &&
                (found == nullptr || record.identity.size.cells() > found->identity.size.cells()))
                found = &record;
    return found;
}

std::optional<ForcesLoads> loads_of(const results::CaseRecord& record) {
    ForcesLoads loads;
    loads.variant = record.identity.variant;
    double requests = 0, sectors = 0, hits = 0;
    int launches = 0;
    for (const results::KernelCounters& kernel : record.kernel_counters) {
        if (kernel.name != "forces") continue;
        const auto value = [&](const char* metric) {
            const auto found = kernel.counters.find(metric);
            return found == kernel.counters.end() ? 0 : found->second;
        };
        requests += value("l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum");
        sectors += value("l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum");
        hits += value("l1tex__t_sector_hit_rate.pct");
        loads.l2_sectors += value("lts__t_sectors_op_read.sum");
        ++launches;
    }
    if (requests == 0) return std::nullopt;
    loads.sectors_per_request = sectors / requests;
    loads.l1_hit_percent = hits / launches;
    loads.l2_sectors /= launches * static_cast<double>(record.identity.size.cells());
    return loads;
}

}  // namespace

std::optional<ListCost> list_cost(const std::vector<results::Document>& documents,
                                  std::string_view variant) {
    std::optional<ListCost> found;
    std::int64_t most = 0;
    for (const results::Document& document : documents)
        for (const results::CaseRecord& record : document.cases) {
            if (!measured(record, variant) || record.identity.size.cells() <= most) continue;
            auto cost = cost_of(record);
            if (!cost) continue;
            most = record.identity.size.cells();
            cost->origin = origin_of(document, record);
            found = std::move(cost);
        }
    return found;
}

std::map<int, double> run_times_by_period(const std::vector<results::Document>& documents,
                                          std::string_view variant) {
    std::map<std::tuple<std::int64_t, std::int64_t>, std::map<int, double>> boards;
    for (const results::Document& document : documents)
        for (const results::CaseRecord& record : document.cases)
            if (measured(record, variant) && record.timed() && record.identity.from_start &&
                period_of(record.identity) > 0)
                boards[{record.identity.size.cells(), record.identity.generations}].try_emplace(
                    period_of(record.identity), ns_per_generation(record));
    const auto best = std::ranges::max_element(
        boards, {}, [](const auto& board) { return std::pair(board.second.size(), board.first); });
    return best == boards.end() ? std::map<int, double>() : best->second;
}

std::vector<ForcesLoads> forces_loads(const std::vector<results::Document>& documents) {
    std::vector<ForcesLoads> all;
    const results::CaseRecord* const published = timed_run(documents, published_particles, nullptr);
    for (const char* variant :
         {published_particles, "sph/neighbour_list_morton/float4/plain/b128",
          "sph/neighbour_list_unsorted/float4/plain/b128",
          "sph/neighbour_list_shuffled/float4/plain/b128",
          "sph/neighbour_list_rows/float4/plain/b128", "sph/neighbour_list/scalars/plain/b128",
          "sph/neighbour_list_records/records/plain/b128",
          "sph/neighbour_list/float4/read_only/b128"}) {
        std::optional<ForcesLoads> loads;
        for (const results::Document& document : documents)
            for (const results::CaseRecord& record : document.cases)
                if (!loads && measured(record, variant) && (loads = loads_of(record)))
                    loads->origin = origin_of(document, record);
        if (!loads) continue;
        if (const results::CaseRecord* const own =
                published ? timed_run(documents, variant, published) : nullptr)
            loads->times_slower = ns_per_generation(*own) / ns_per_generation(*published);
        all.push_back(std::move(*loads));
    }
    return all;
}

}  // namespace camber::published
