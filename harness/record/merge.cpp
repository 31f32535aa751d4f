#include "harness/record/merge.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

namespace camber::results {

std::string commit_text(const Run& run) {
    if (!run.git) return "unknown";
    return run.git->commit.substr(0, 12) + (run.git->dirty ? " (dirty)" : "");
}

namespace {

std::string card(const Run& run) {
    return run.gpu ? run.gpu->name : "no GPU";
}

std::string driver(const Run& run) {
    const std::string unknown = "unknown";
    return run.driver_version ? run.driver_version->value_or(unknown)
                              : run.driver.value_or(unknown);
}

std::string processor(const Run& run) {
    return run.cpu && run.cpu->model ? *run.cpu->model : "unknown";
}

}  // namespace

std::string difference_of_origin(const Run& before, const Run& now) {
    const auto differing = [](const char* what, const std::string& a, const std::string& b) {
        return a == b ? std::string() : fmt::format("{}{} against {}", what, a, b);
    };
    std::string found;
    const auto compare = [&](const char* what, const std::string& a, const std::string& b) {
        if (found.empty()) found = differing(what, a, b);
    };
    compare("", card(before), card(now));
    compare("commit ", commit_text(before), commit_text(now));
    compare("camber ", before.version, now.version);
    compare("build type ", before.build_type, now.build_type);
    compare("compiler ", before.compiler, now.compiler);
    compare("compiler flags ", before.flags.value_or(""), now.flags.value_or(""));
    if (now.gpu) {
        compare("driver ", driver(before), driver(now));
        compare("CUDA ", before.runtime.value_or("none"), now.runtime.value_or("none"));
    } else {
        compare("processor ", processor(before), processor(now));
    }
    return found;
}

Derived derive(const Work& work, double seconds_per_generation,
               std::optional<double> copy_bytes_per_second) {
    Derived derived;
    derived.cells_per_second = work.cells / seconds_per_generation;
    derived.generations_per_second = 1 / seconds_per_generation;
    derived.application_bandwidth_bytes_per_second =
        derived.cells_per_second * work.application_bytes_per_cell;
    derived.step_bytes_per_cell = work.step_bytes_per_cell;
    if (!copy_bytes_per_second) return derived;
    // Undefined if a generation need not move any bytes of device memory.
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

namespace {

template <class T>
void append(std::vector<T>& list, const std::vector<T>& more) {
    list.insert(list.end(), more.begin(), more.end());
}

void merge_samples(Samples& into, const Samples& from, std::uint64_t seed) {
    const double scale =
        static_cast<double>(into.generations_per_sample) / from.generations_per_sample;
    for (const double sample : from.ns) into.ns.push_back(scale == 1 ? sample : sample * scale);
    append(into.visits, from.visits);
    into.statistics = summarize(into.ns, seed);
    if (from.stopped_by != "converged") into.stopped_by = from.stopped_by;
}

void merge_kernel_times(KernelTimes& into, const KernelTimes& from, std::uint64_t seed,
                        double ns_per_generation) {
    for (std::size_t k = 0; k < into.kernels.size() && k < from.kernels.size(); ++k) {
        KernelTime& kernel = into.kernels[k];
        append(kernel.samples_ns, from.kernels[k].samples_ns);
        kernel.statistics = summarize(kernel.samples_ns, seed);
    }
    into.generations += from.generations;
    sum_up(into, ns_per_generation);
}

void merge_device_states(DeviceStates& into, const DeviceStates& from) {
    into.during.push_back(into.after);
    into.during.push_back(from.before);
    append(into.during, from.during);
    into.after = from.after;
    if (!into.clock_fall) into.clock_fall = from.clock_fall;
}

// Rescales rates for the same work in another time.
void rescale(Derived& derived, double factor) {
    derived.cells_per_second *= factor;
    derived.application_bandwidth_bytes_per_second *= factor;
    for (auto* rate : {&derived.generations_per_second, &derived.share_of_copy,
                       &derived.share_of_limit, &derived.step_share_of_copy})
        if (*rate) **rate *= factor;
}

void merge_times(CaseRecord& into, const CaseRecord& from, std::uint64_t seed) {
    merge_samples(*into.samples, *from.samples, seed);
    const double before = into.real_time_ns;
    into.real_time_ns = into.samples->statistics.median / into.samples->generations_per_sample;
    const auto a = static_cast<double>(into.iterations);
    const auto b = static_cast<double>(from.iterations);
    if (a + b > 0) into.cpu_time_ns = (into.cpu_time_ns * a + from.cpu_time_ns * b) / (a + b);
    into.iterations += from.iterations;
    if (into.derived) rescale(*into.derived, before / into.real_time_ns);
    if (into.kernel_times && from.kernel_times)
        merge_kernel_times(*into.kernel_times, *from.kernel_times, seed, into.real_time_ns);
    if (into.device_state && from.device_state)
        merge_device_states(*into.device_state, *from.device_state);
}

// The timeline is recorded in the last visit, so the latest values are used.
void merge_group(GroupRecord& into, GroupRecord&& from) {
    if (from.exposed_transfer_ns) into.exposed_transfer_ns = from.exposed_transfer_ns;
    if (from.barrier_wait_ns) into.barrier_wait_ns = from.barrier_wait_ns;
    if (from.imbalance) into.imbalance = from.imbalance;
    if (from.moved_rows) into.moved_rows = from.moved_rows;
    if (!from.rows.empty()) into.rows = std::move(from.rows);
    if (!from.divisions.empty()) into.divisions = std::move(from.divisions);
}

void merge_case(CaseRecord& into, CaseRecord from, std::uint64_t seed) {
    if (into.status != Status::ok) return;
    if (from.status != Status::ok) {
        into = std::move(from);
        return;
    }
    if (into.samples && from.samples) merge_times(into, from, seed);
    if (into.identity.group && from.identity.group)
        merge_group(*into.identity.group, std::move(*from.identity.group));
    if (into.intervals.empty()) {
        into.intervals = std::move(from.intervals);
    } else if (into.intervals.size() == from.intervals.size()) {
        for (std::size_t i = 0; i < into.intervals.size(); ++i)
            append(into.intervals[i].samples_ns, from.intervals[i].samples_ns);
    }
    if (into.counters.empty()) into.counters = std::move(from.counters);
    if (into.kernel_counters.empty()) into.kernel_counters = std::move(from.kernel_counters);
    if (!into.kernel_times) into.kernel_times = std::move(from.kernel_times);
    if (!into.model) into.model = std::move(from.model);
    if (!into.program) into.program = from.program;
    if (!into.summed) into.summed = std::move(from.summed);
    if (!into.end) into.end = std::move(from.end);
}

// Makes a case from an aggregate of Google Benchmark, if a file has nothing else.
CaseRecord case_of(const Aggregate& aggregate) {
    CaseRecord record;
    record.name = aggregate.case_name;
    record.by_camber = false;
    record.threads = aggregate.threads;
    record.real_time_ns = aggregate.real_time;
    record.samples.emplace().ns = {aggregate.real_time};
    record.samples->statistics = summarize(record.samples->ns, 1);
    return record;
}

auto same_case(Document& document, const CaseRecord& record) {
    return std::ranges::find_if(document.cases, [&](const CaseRecord& candidate) {
        return candidate.name == record.name && candidate.repetition == record.repetition;
    });
}

}  // namespace

void add_counts(Document& document, const CaseRecord& record) {
    const auto found = same_case(document, record);
    if (found == document.cases.end()) return;
    found->counters = record.counters;
    found->kernel_counters = record.kernel_counters;
    found->model = record.model;
    if (!record.kernel_times) return;
    found->kernel_times = record.kernel_times;
    sum_up(*found->kernel_times, found->real_time_ns);
}

void merge(Document& document, CaseRecord record, std::uint64_t seed) {
    const auto found = same_case(document, record);
    if (found == document.cases.end())
        document.cases.push_back(std::move(record));
    else
        merge_case(*found, std::move(record), seed);
}

void merge_repetitions(Document& document) {
    std::vector<CaseRecord> merged;
    for (CaseRecord& record : document.cases) {
        const auto found = std::ranges::find(merged, record.name, &CaseRecord::name);
        if (found == merged.end())
            merged.push_back(std::move(record));
        else
            merge_case(*found, std::move(record), 1);
    }
    // Google Benchmark appends its run parameters to the name of a camber case.
    const auto is_of = [](const CaseRecord& record, const std::string& name) {
        return name == record.name || name.starts_with(record.name + "/");
    };
    for (const Aggregate& aggregate : document.aggregates)
        if (aggregate.name == "median" &&
            std::ranges::none_of(merged, [&](const CaseRecord& record) {
                return is_of(record, aggregate.case_name);
            }))
            merged.push_back(case_of(aggregate));
    document.cases = std::move(merged);
}

}  // namespace camber::results
