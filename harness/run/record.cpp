#include "harness/run/record.hpp"

#include <fmt/format.h>

#include <variant>

#include "harness/base/statistics.hpp"
#include "harness/results/model_json.hpp"
#include "harness/run/flow_record.hpp"
#include "harness/run/kernel_counters_record.hpp"
#include "harness/static/kernel_code.hpp"

namespace camber {

namespace {

using Json = nlohmann::ordered_json;

template <class T>
Json or_null(const std::optional<T>& value) {
    return value ? Json(*value) : Json(nullptr);
}

template <class... Ts>
Json scalar(const std::variant<Ts...>& value) {
    return std::visit([](const auto& v) { return Json(v); }, value);
}

std::string_view text(Status status) {
    switch (status) {
        case Status::ok:
            return "ok";
        case Status::skipped:
            return "skipped";
        case Status::failed:
            return "failed";
    }
    return "";
}

Json to_json(const Verification& verification) {
    Json json{{"status", verification.passed() ? "passed" : "failed"},
              {"compared_cells", verification.compared_cells},
              {"differing_cells", verification.differing_cells},
              {"tolerance", verification.tolerance.absolute},
              {"relative_tolerance", verification.tolerance.relative},
              {"total_tolerance", verification.tolerance.total},
              {"largest_difference", verification.largest_difference},
              {"generations", verification.generations},
              {"first_difference", nullptr}};
    if (!verification.tolerance.absolute_of.empty())
        json["tolerance_of"] = verification.tolerance.absolute_of;
    if (verification.tolerance.outliers > 0) {
        json["tolerated_outliers"] = verification.tolerance.outliers;
        json["outlying_cells"] = verification.outlying_cells;
    }
    add_flow(json, verification.flow);
    if (const auto& first = verification.first_difference)
        json["first_difference"] = {{"field", first->field},
                                    {"row", first->row},
                                    {"column", first->column},
                                    {"expected", scalar(first->expected)},
                                    {"actual", scalar(first->actual)}};
    return json;
}

Json to_json(const SampleStatistics& statistics, const std::string& stopped_by) {
    return {{"n", statistics.n},
            {"min_ns", statistics.min},
            {"median_ns", statistics.median},
            {"iqr_ns", statistics.iqr},
            {"ci95_ns", {statistics.ci95_low, statistics.ci95_high}},
            {"outliers", statistics.outliers},
            {"stopped_by", stopped_by}};
}

Json to_json(const InstructionMix& mix) {
    Json json{{"total", mix.total()}};
    for (std::size_t i = 0; i < instruction_classes; ++i)
        json[std::string(name(static_cast<InstructionClass>(i)))] = mix.count[i];
    return json;
}

Json to_json(const KernelFacts& kernel, bool measured_by_device) {
    const auto extent = [](const unsigned(&e)[3]) {
        return Json{{"columns", e[0]}, {"rows", e[1]}};
    };
    Json json{{"name", kernel.name}};
    if (measured_by_device) {
        json["symbol"] = kernel.symbol;
        json["registers"] = kernel.registers;
        json["static_shared_bytes"] = kernel.static_shared;
        json["dynamic_shared_bytes"] = kernel.dynamic_shared;
        json["local_bytes"] = kernel.local;
        json["occupancy"] = kernel.occupancy;
        json["shared_carve_out_percent"] = or_null(kernel.shared_carve_out_percent);
        if (const InstructionMix* mix = KernelCode::of_this_program().mix(kernel.symbol))
            json["instructions"] = to_json(*mix);
    }
    json["block"] = extent(kernel.block);
    json["grid"] = extent(kernel.grid);
    return json;
}

void load_code(const std::vector<KernelFacts>& kernels) {
    std::vector<std::string> symbols;
    for (const KernelFacts& kernel : kernels) symbols.push_back(kernel.symbol);
    KernelCode::of_this_program().load(symbols);
}

Json to_json(const DeviceState& state) {
    return {{"sm_clock_hz", or_null(state.sm_clock_hz)},
            {"memory_clock_hz", or_null(state.memory_clock_hz)},
            {"power_watts", or_null(state.power_watts)},
            {"temperature_celsius", or_null(state.temperature_celsius)},
            {"throttle_reasons", or_null(state.throttle_reasons)}};
}

// What the device's clock says, and what it leaves of the samples: the gap between two launches.
Json kernel_times(const CaseResult& result, std::uint64_t seed) {
    Json kernels = Json::array();
    double total = 0;
    double launches = 0;
    for (const KernelTimes& kernel : result.kernel_times) {
        const SampleStatistics statistics = summarize(kernel.samples_ns, seed);
        const double n = static_cast<double>(statistics.n);
        total += statistics.median * n;
        launches += n;
        kernels.push_back({{"name", kernel.facts.name},
                           {"n", statistics.n},
                           {"min_ns", statistics.min},
                           {"median_ns", statistics.median},
                           {"iqr_ns", statistics.iqr},
                           {"ci95_ns", {statistics.ci95_low, statistics.ci95_high}},
                           {"clock_bias_ns", or_null(kernel.clock_bias_ns)},
                           {"samples_ns", kernel.samples_ns}});
    }
    const double generations = result.kernel_times_generations;
    const double by_events = result.seconds_per_generation() * 1e9 * generations;
    return {{"generations", result.kernel_times_generations},
            {"ns_per_generation", total / generations},
            {"launch_gap_ns", (by_events - total) / launches},
            {"kernels", std::move(kernels)}};
}

Json to_json(const Derived& derived) {
    Json json{{"cells_per_second", derived.cells_per_second},
              {"generations_per_second", derived.generations_per_second},
              {"application_bandwidth_bytes_per_second", derived.application_bandwidth},
              {"share_of_copy", or_null(derived.share_of_copy)},
              {"speedup_vs_baseline", nullptr}};  // once the baseline has run
    if (derived.step_bytes_per_cell) {
        json["step_bytes_per_cell"] = *derived.step_bytes_per_cell;
        json["step_share_of_copy"] = or_null(derived.step_share_of_copy);
    }
    return json;
}

// Population is a count and exact; mass is not.
Json to_json(const FinalState& final) {
    Json amount = final.amount;
    if (final.quantity == "population") amount = static_cast<std::int64_t>(final.amount);
    Json json{{final.quantity, amount}, {"checksum", fmt::format("0x{:016x}", final.checksum)}};
    if (!final.account.empty()) json["account"] = final.account;
    return json;
}

}  // namespace

Derived derive(const Study& study, const CaseResult& result, const Ceilings& ceilings) {
    Derived derived;
    const double seconds = result.seconds_per_generation();
    derived.cells_per_second = static_cast<double>(study.problem.size.cells()) / seconds;
    derived.generations_per_second = 1 / seconds;
    derived.application_bandwidth =
        derived.cells_per_second * study.workload->application_bytes_per_cell(study.problem.cell);
    if (ceilings.copy_bytes_per_second)
        derived.share_of_copy = derived.application_bandwidth / *ceilings.copy_bytes_per_second;
    if (const double bytes = result.variant->info.bytes_per_cell; bytes > 0) {
        derived.step_bytes_per_cell = bytes;
        if (ceilings.copy_bytes_per_second)
            derived.step_share_of_copy =
                derived.cells_per_second * bytes / *ceilings.copy_bytes_per_second;
    }
    return derived;
}

Json record(const Study& study, const CaseResult& result, const std::optional<Derived>& derived,
            const FinalState& final, int repetition, int repetitions, int round) {
    const VariantInfo& info = result.variant->info;
    const bool ok = result.status == Status::ok;
    Json json{
        {"name", result.name},        {"run_name", result.name},        {"run_type", "iteration"},
        {"repetitions", repetitions}, {"repetition_index", repetition}, {"threads", 1}};
    if (ok) {
        // Google Benchmark's iteration is one generation here.
        const double generations =
            static_cast<double>(result.samples.ns.size()) * result.samples.generations_per_sample;
        json["iterations"] = static_cast<std::int64_t>(generations);
        json["real_time"] = result.seconds_per_generation() * 1e9;
        json["cpu_time"] = result.cpu_seconds * 1e9 / generations;
        json["time_unit"] = "ns";
    } else {
        json["iterations"] = 0;
        json["real_time"] = 0.0;
        json["cpu_time"] = 0.0;
        json["time_unit"] = "ns";
        json["error_occurred"] = true;
        json["error_message"] = result.reason;
    }

    Json& camber = json["camber"];
    camber["workload"] = info.workload;
    camber["technique"] = info.technique.name;
    camber["variant"] = info.name();
    camber["parameters"] = Json::object();
    for (const Parameter& parameter : info.parameters)
        camber["parameters"][parameter.name] = scalar(parameter.value);
    camber["size"] = {{"columns", study.problem.size.columns}, {"rows", study.problem.size.rows}};
    camber["cell"] = camber::info(study.problem.cell).name;
    camber["generations"] = study.generations;
    if (!study.problem.parameters.all().empty())
        camber["workload_parameters"] = study.problem.parameters.all();
    camber["backend"] = name(study.backend);
    if (study.backend == Backend::cuda) camber["device"] = study.device;
    camber["boundary"] = name(study.problem.boundary);
    camber["cache"] = name(result.conditions.cache);
    camber["submission"] = name(result.conditions.submission);
    if (study.from_start) camber["from_start"] = true;
    const InitialConditions& initial = study.initial;
    const bool random = !initial.input || initial.added_density > 0;
    camber["seed"] = random ? Json(initial.seed) : Json(nullptr);
    if (initial.tiles != Size{1, 1})
        camber["input_tiles"] = {{"columns", initial.tiles.columns}, {"rows", initial.tiles.rows}};
    if (initial.added_density > 0) camber["added_density"] = initial.added_density;
    camber["status"] = text(result.status);
    if (!ok) camber["reason"] = result.reason;
    if (result.verification) camber["verification"] = to_json(*result.verification);
    camber["generations_per_launch"] = info.shape.generations;
    camber["arithmetic"] = name(info.arithmetic);
    if (ok) {
        const Samples& samples = result.samples;
        camber["generations_per_sample"] = samples.generations_per_sample;
        camber["samples_ns"] = samples.ns;
        camber["visits"] = Json::array({{{"process", study.process},
                                         {"round", round},
                                         {"n", samples.ns.size()},
                                         {"stopped_by", samples.stopped_by}}});
        camber["statistics"] = to_json(result.statistics, samples.stopped_by);
        if (!result.kernel_times.empty())
            camber["kernel_times"] = kernel_times(result, study.sampling.seed);
        if (derived) camber["derived"] = to_json(*derived);
        const bool on_device = study.backend == Backend::cuda;
        if (on_device) load_code(result.kernels);
        if (!result.kernels.empty()) camber["kernel"] = to_json(result.kernels.front(), on_device);
        if (result.kernels.size() > 1) {
            Json& kernels = camber["kernels"] = Json::array();
            for (const KernelFacts& kernel : result.kernels)
                kernels.push_back(to_json(kernel, on_device));
        }
        if (samples.before && samples.after) {
            Json during = Json::array();
            for (const DeviceState& state : samples.during) during.push_back(to_json(state));
            camber["device_state"] = {{"before", to_json(*samples.before)},
                                      {"during", std::move(during)},
                                      {"after", to_json(*samples.after)},
                                      {"clock_fall", or_null(result.clock_fall)}};
        }
        if (result.model) camber["model"] = model_record(*result.model, result.model_comparisons);
        if (!result.counters.empty()) camber["counters"] = result.counters;
        if (result.kernel_counters.size() > 1)
            camber["kernel_counters"] = kernel_counters_record(result);
        const bool verified = result.verification.has_value();
        camber["final"] =
            to_json(verified ? result.verification->flow.final.value_or(final) : final);
    }
    return json;
}

Json record(const Aggregate& aggregate) {
    Json json{{"name", aggregate.case_name + "_" + aggregate.name},
              {"run_name", aggregate.case_name},
              {"run_type", "aggregate"},
              {"repetitions", aggregate.repetitions},
              {"threads", 1},
              {"aggregate_name", aggregate.name},
              {"aggregate_unit", aggregate.percentage ? "percentage" : "time"},
              {"iterations", aggregate.repetitions},
              {"real_time", aggregate.real_time},
              {"cpu_time", aggregate.cpu_time},
              {"time_unit", "ns"}};
    return json;
}

}  // namespace camber
