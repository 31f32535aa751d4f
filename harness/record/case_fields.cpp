// JSON keys of a case (results/schema/camber-results.schema.json, definition "case").
#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <tuple>
#include <utility>

#include "harness/record/fields.hpp"

namespace camber::results {

// ---- identity of the case
template <class A>
void fields(A& a, Of<A, ScalingPlace>& place) {
    a("unit", place.unit);
    a("units", place.units);
    a("unit_size", place.unit_size);
    a("mode", place.mode);
}

template <class A>
void fields(A& a, Of<A, Identity>& identity) {
    a("workload", identity.workload);
    a("technique", identity.technique);
    a("variant", identity.variant);
    a("parameters", identity.parameters);
    a.may("scaling", identity.scaling);
    a.may("group", identity.group);
    a("size", identity.size);
    a("cell", identity.cell);
    a("generations", identity.generations);
    a.some("rule", identity.rule);
    a.any_sign().some("workload_parameters", identity.workload_parameters);
    a.may("backend", identity.backend);
    a.may("device", identity.device);
    a.may("boundary", identity.boundary);
    a.may("cache", identity.cache);
    a.may("submission", identity.submission);
    a.flag("from_start", identity.from_start);
    a.may("begin_generation", identity.begin);
    a.null("seed", identity.seed);
    a.may("input_tiles", identity.input_tiles);
    a.may("added_density", identity.added_density);
    a.may("generations_per_launch", identity.generations_per_launch);
    a.may("arithmetic", identity.arithmetic);
}

template <class A>
void fields(A& a, Of<A, Derived>& derived) {
    a("cells_per_second", derived.cells_per_second);
    a.may("generations_per_second", derived.generations_per_second);
    a("application_bandwidth_bytes_per_second", derived.application_bandwidth_bytes_per_second);
    a.null("share_of_copy", derived.share_of_copy);
    a.may("limit", derived.limit);
    a.may("share_of_limit", derived.share_of_limit);
    a.null("speedup_vs_baseline", derived.speedup_vs_baseline);
    a.may("step_bytes_per_cell", derived.step_bytes_per_cell);
    if (derived.step_bytes_per_cell) a.null("step_share_of_copy", derived.step_share_of_copy);
}

// ---- times, kernels and device states
template <class A>
void fields(A& a, Of<A, ProgramTime>& program) {
    a("load_seconds", program.load);
    a("upload_seconds", program.upload);
    a("download_seconds", program.download);
    a.null("save_seconds", program.save);
}

template <class A>
void fields(A& a, Of<A, StateTimes>& times) {
    a("generation", times.generation);
    a("generations", times.generations);
    a("samples_ns", times.samples_ns);
    a.some("kernels", times.kernels);
}

template <class A>
void fields(A& a, Of<A, SummedRun>& summed) {
    a("ns", summed.ns);
    std::pair interval{summed.low_ns, summed.high_ns};
    a("ci95_ns", interval);
    if constexpr (!A::writes) std::tie(summed.low_ns, summed.high_ns) = interval;
    a("states_by", summed.states_by);
    a("states", summed.states);
    a.may("verification", summed.verification);
}

template <class A>
void fields(A& a, Of<A, EndComparison>& end) {
    a.some("with", end.with);
    a.may("verification", end.found);
    a.may("mass_error", end.mass_error);
}

template <class A>
void fields(A& a, Of<A, Kernel>& kernel) {
    a("name", kernel.name);
    a.may("symbol", kernel.symbol);
    a.may("registers", kernel.registers);
    a.may("static_shared_bytes", kernel.static_shared_bytes);
    a.may("dynamic_shared_bytes", kernel.dynamic_shared_bytes);
    a.may("local_bytes", kernel.local_bytes);
    a.may("occupancy", kernel.occupancy);
    a.told("shared_carve_out_percent", kernel.shared_carve_out_percent);
    a.some("instructions", kernel.instructions);
    a.some("regions", kernel.regions);
    a.some("basic_blocks", kernel.basic_blocks);
    if constexpr (!A::writes) check_text(kernel);
    a("block", kernel.block);
    a("grid", kernel.grid);
}

template <class A>
void fields(A& a, Of<A, DeviceState>& state) {
    a.null("sm_clock_hz", state.sm_clock_hz);
    a.null("memory_clock_hz", state.memory_clock_hz);
    a.null("power_watts", state.power_watts);
    a.any_sign().null("temperature_celsius", state.temperature_celsius);
    a.null("throttle_reasons", state.throttle_reasons);
}

template <class A>
void fields(A& a, Of<A, DeviceStates>& states) {
    a("before", states.before);
    a.usual("during", states.during);
    a("after", states.after);
    a.null("clock_fall", states.clock_fall);
}

template <class A>
void fields(A& a, Of<A, KernelCounters>& kernel) {
    a("name", kernel.name);
    a("symbol", kernel.symbol);
    a("counters", kernel.counters);
    a.may("model", kernel.model);
}

// ---- final state: a population is an exact count, a mass is not
bool is_final_quantity(std::string_view name) {
    return name == "population" || name == "mass";
}

void fields(Writer& a, const FinalState& final) {
    if (final.quantity == "population")
        a(final.quantity.c_str(), static_cast<std::int64_t>(final.amount));
    else
        a(final.quantity.c_str(), final.amount);
    a("checksum", fmt::format("0x{:016x}", final.checksum));
    a.some("account", final.account);
}

void read_population(const Reader& a, double& amount) {
    std::uint64_t cells = 0;
    Reader reader(a);
    reader("population", cells);
    amount = static_cast<double>(cells);
}

void fields(Reader& a, FinalState& final) {
    for (const char* quantity : {"population", "mass"})
        if (a.find(quantity)) {
            final.quantity = quantity;
            if (final.quantity == "mass")
                a.any_sign()(quantity, final.amount);
            else
                read_population(a, final.amount);
        }
    if (final.quantity.empty()) throw FormError("", "there is no population and no mass");
    std::string checksum;
    a("checksum", checksum);
    const char* const digits = checksum.data() + (checksum.starts_with("0x") ? 2 : 0);
    const char* const end = checksum.data() + checksum.size();
    if (const auto [stop, failure] = std::from_chars(digits, end, final.checksum, 16);
        failure != std::errc() || stop != end)
        throw FormError("/checksum", shown(*a.find("checksum")) + " is not a hexadecimal number");
    a.any_sign().some("account", final.account);
}

// ---- the case
void fields(Writer& a, const CaseRecord& record) {
    const bool ok = record.status == Status::ok;
    a("name", record.name);
    a("run_name", record.name);
    a("run_type", std::string("iteration"));
    a("repetitions", record.repetitions);
    a("repetition_index", record.repetition);
    a("threads", record.threads);
    a("iterations", record.iterations);
    a("real_time", record.real_time_ns);
    a("cpu_time", record.cpu_time_ns);
    a("time_unit", std::string("ns"));
    if (!ok) {
        a("error_occurred", true);
        a("error_message", record.reason);
    }
    Json camber = written(record.identity);
    Writer own(camber);
    own("status", record.status);
    if (!ok) own("reason", record.reason);
    if (record.left_out) own("left_out", true);
    own.may("verification", record.verification);
    if (record.samples) camber.update(written(*record.samples));
    own.may("kernel_times", record.kernel_times);
    own.some("intervals", record.intervals);
    own.may("derived", record.derived);
    own.may("program", record.program);
    own.may("summed", record.summed);
    own.may("end", record.end);
    if (!record.kernels.empty()) own("kernel", record.kernels.front());
    if (record.kernels.size() > 1) own("kernels", record.kernels);
    own.may("device_state", record.device_state);
    if (record.model) camber["model"] = written(*record.model);
    own.some("counters", record.counters);
    if (record.kernel_counters.size() > 1) own("kernel_counters", record.kernel_counters);
    own.may("final", record.final);
    a.json()["camber"] = std::move(camber);
}

void read_own(Reader& own, CaseRecord& record) {
    fields(own, record.identity);
    own("status", record.status);
    own.some("reason", record.reason);
    own.some("left_out", record.left_out);
    own.may("verification", record.verification);
    if (own.find("samples_ns")) fields(own, record.samples.emplace());
    own.may("kernel_times", record.kernel_times);
    own.some("intervals", record.intervals);
    own.may("derived", record.derived);
    own.may("program", record.program);
    own.may("summed", record.summed);
    own.may("end", record.end);
    own.some("kernels", record.kernels);
    if (record.kernels.empty() && own.find("kernel")) own("kernel", record.kernels.emplace_back());
    own.may("device_state", record.device_state);
    own.may("model", record.model);
    own.some("counters", record.counters);
    own.some("kernel_counters", record.kernel_counters);
    own.may("final", record.final);
}

double nanoseconds_per(const std::string& unit) {
    if (unit == "ns") return 1;
    if (unit == "us") return 1e3;
    if (unit == "ms") return 1e6;
    if (unit == "s") return 1e9;
    throw FormError("/time_unit", fmt::format("time unit '{}' is not one of ns, us, ms, s", unit));
}

double unit_of(Reader& a) {
    std::string unit = "ns";
    a.some("time_unit", unit);
    return nanoseconds_per(unit);
}

double in_ns(double time, double unit, const std::string& place) {
    if (!std::isfinite(time * unit))
        throw FormError(
            place, fmt::format("the time is {} units of {} ns: give a smaller one", time, unit));
    return time * unit;
}

// A measured time must be positive.
void require_positive(double time, const std::string& place) {
    if (!(time > 0))
        throw FormError(place, fmt::format("the time is {}, but it must be above 0", time));
}

void fields(Reader& a, CaseRecord& record) {
    a("name", record.name);
    a.some("run_name", record.name);
    a.some("repetitions", record.repetitions);
    a.some("repetition_index", record.repetition);
    a.some("threads", record.threads);
    a.some("iterations", record.iterations);
    if (const Json* own = a.find("camber")) {
        const double unit = unit_of(a);
        a.some("real_time", record.real_time_ns);
        a.some("cpu_time", record.cpu_time_ns);
        record.real_time_ns = in_ns(record.real_time_ns, unit, "/real_time");
        record.cpu_time_ns = in_ns(record.cpu_time_ns, unit, "/cpu_time");
        try {
            Reader reader(*own);
            read_own(reader, record);
            if (record.samples)
                for (std::size_t k = 0; k < record.samples->ns.size(); ++k)
                    require_positive(record.samples->ns[k], fmt::format("/samples_ns/{}", k));
        } catch (const FormError& error) {
            throw error.within("/camber");
        }
        if (record.status == Status::ok && record.timed())
            require_positive(record.real_time_ns, "/real_time");
        return;
    }
    record.by_camber = false;
    bool failed = false;
    a.some("error_occurred", failed);
    if (failed) {
        record.status = Status::failed;
        a.some("error_message", record.reason);
        return;
    }
    const double unit = unit_of(a);
    a("real_time", record.real_time_ns);
    a.some("cpu_time", record.cpu_time_ns);
    record.real_time_ns = in_ns(record.real_time_ns, unit, "/real_time");
    record.cpu_time_ns = in_ns(record.cpu_time_ns, unit, "/cpu_time");
    require_positive(record.real_time_ns, "/real_time");
    // A repetition of Google Benchmark is a single sample.
    record.samples.emplace().ns = {record.real_time_ns};
    record.samples->statistics = summarize(record.samples->ns, 1);
}

void fields(Writer& a, const Aggregate& aggregate) {
    a("name", aggregate.case_name + "_" + aggregate.name);
    a("run_name", aggregate.case_name);
    a("run_type", std::string("aggregate"));
    a("repetitions", aggregate.repetitions);
    a("threads", aggregate.threads);
    a("aggregate_name", aggregate.name);
    a("aggregate_unit", std::string(aggregate.percentage ? "percentage" : "time"));
    a("iterations", aggregate.iterations);
    a("real_time", aggregate.real_time);
    a("cpu_time", aggregate.cpu_time);
    a("time_unit", std::string("ns"));
}

void fields(Reader& a, Aggregate& aggregate) {
    a("name", aggregate.case_name);
    a.some("run_name", aggregate.case_name);
    a.some("aggregate_name", aggregate.name);
    a.some("repetitions", aggregate.repetitions);
    a.some("threads", aggregate.threads);
    a.some("iterations", aggregate.iterations);
    std::string kind;
    a.some("aggregate_unit", kind);
    aggregate.percentage = kind == "percentage";
    const double unit = aggregate.percentage ? 1 : unit_of(a);
    a("real_time", aggregate.real_time);
    a.some("cpu_time", aggregate.cpu_time);
    if (aggregate.name == "mean" || aggregate.name == "median")
        require_positive(aggregate.real_time, "/real_time");
    aggregate.real_time = in_ns(aggregate.real_time, unit, "/real_time");
    aggregate.cpu_time = in_ns(aggregate.cpu_time, unit, "/cpu_time");
}

Json to_json(const CaseRecord& record) {
    return written(record);
}
Json to_json(const Aggregate& aggregate) {
    return written(aggregate);
}
void from_json(const Json& json, CaseRecord& record) {
    read(json, record);
}
void from_json(const Json& json, Aggregate& aggregate) {
    read(json, aggregate);
}

}  // namespace camber::results
