#include "harness/record/derive.hpp"

#include <algorithm>
#include <map>
#include <tuple>

namespace camber::results {

Derived derive(const Work& work, double seconds_per_generation,
               std::optional<double> copy_bytes_per_second) {
    Derived derived;
    derived.cells_per_second = work.cells / seconds_per_generation;
    derived.generations_per_second = 1 / seconds_per_generation;
    derived.application_bandwidth_bytes_per_second =
        derived.cells_per_second * work.application_bytes_per_cell;
    derived.step_bytes_per_cell = work.step_bytes_per_cell;
    if (!copy_bytes_per_second) return derived;
    // None where a generation need not move any byte of the device's memory.
    if (work.application_bytes_per_cell > 0)
        derived.share_of_copy =
            derived.application_bandwidth_bytes_per_second / *copy_bytes_per_second;
    if (work.step_bytes_per_cell)
        derived.step_share_of_copy =
            derived.cells_per_second * *work.step_bytes_per_cell / *copy_bytes_per_second;
    return derived;
}

void sum_up(KernelTimes& times, double ns_per_generation) {
    double total = 0;
    double launches = 0;
    for (const KernelTime& kernel : times.kernels) {
        total += kernel.total_ns();
        launches += static_cast<double>(kernel.statistics.n);
    }
    times.ns_per_generation = total / times.generations;
    times.launch_gap_ns = (ns_per_generation * times.generations - total) / launches;
}

const Kernel* leading_kernel(const CaseRecord& record) {
    if (record.kernels.empty()) return nullptr;
    const auto total_ns = [&](const Kernel& kernel) {
        double total = 0;
        if (record.kernel_times)
            for (const KernelTime& time : record.kernel_times->kernels)
                if (time.name == kernel.name) total += time.total_ns();
        return total;
    };
    return &*std::ranges::max_element(record.kernels, {}, total_ns);
}

void add_speedups(std::vector<CaseRecord>& cases, const std::string& baseline) {
    using Key = std::tuple<std::string, int, int>;
    const auto key_of = [](const CaseRecord& record) {
        const Size size = record.identity.size;
        return Key{record.identity.circumstances(), size.columns, size.rows};
    };
    std::map<Key, double> times;
    for (const CaseRecord& record : cases)
        if (record.derived && record.identity.variant == baseline)
            times[key_of(record)] = record.real_time_ns;
    for (CaseRecord& record : cases)
        if (const auto found = times.find(key_of(record)); record.derived && found != times.end())
            record.derived->speedup_vs_baseline = found->second / record.real_time_ns;
}

}  // namespace camber::results
