#include "harness/cli/reproduce/times.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace camber {

namespace {

bool comparable(const results::CaseRecord& record) {
    return record.status == results::Status::ok && record.identity.backend == Backend::cuda &&
           record.identity.conditions() == Conditions() && record.timed();
}

published::ProcessSamples samples_of(const results::CaseRecord& record) {
    published::ProcessSamples processes;
    for (results::ProcessTimes& times : times_by_process(record))
        processes.push_back(std::move(times.samples_ns));
    return processes;
}

// By name of the kernel; empty where the device's clock was not read.
std::map<std::string, double> shares_of(const results::CaseRecord& record) {
    std::map<std::string, double> shares;
    if (!record.kernel_times) return shares;
    double total = 0;
    for (const results::KernelTime& kernel : record.kernel_times->kernels) {
        shares[kernel.name] += kernel.total_ns();
        total += kernel.total_ns();
    }
    for (auto& [kernel, share] : shares) share *= 100 / total;
    return shares;
}

std::vector<MeasuredTimes> times_by_size(const results::Document& document,
                                         const std::string& cell) {
    const std::string machine = document.gpu().empty() ? "an unnamed machine" : document.gpu();
    std::map<std::string, MeasuredTimes> by_size;
    for (const results::CaseRecord& record : document.cases) {
        const results::Identity& identity = record.identity;
        if (!comparable(record) || (!cell.empty() && identity.cell != cell)) continue;
        const std::string size = fmt::format("{}x{}", identity.size.columns, identity.size.rows);
        MeasuredTimes& times = by_size[fmt::format("{}, {}", size, identity.cell)];
        times.origin = fmt::format("{}, {} ({})", machine, size, document.source);
        times.samples_ns.try_emplace(identity.variant, samples_of(record));
        times.shares.try_emplace(identity.variant, shares_of(record));
    }
    std::vector<MeasuredTimes> all;
    for (auto& [size, times] : by_size) all.push_back(std::move(times));
    return all;
}

}  // namespace

MeasuredTimes best_times(const std::vector<results::Document>& from,
                         const std::vector<std::string>& variants, const std::string& cell) {
    MeasuredTimes best;
    std::ptrdiff_t most = 0;
    for (const results::Document& document : from)
        for (const MeasuredTimes& times : times_by_size(document, cell)) {
            const auto had = std::ranges::count_if(variants, [&](const std::string& variant) {
                return times.samples_ns.contains(variant);
            });
            if (had <= most) continue;
            most = had;
            best = times;
        }
    return best;
}

}  // namespace camber
