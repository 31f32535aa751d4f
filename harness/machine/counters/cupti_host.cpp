#include "harness/machine/counters/cupti_host.hpp"

#include <fmt/format.h>

namespace camber::counters {

namespace {

// Result codes of cupti_result.h, which a build without CUPTI does not have.
std::string_view cause_and_remedy(int result) {
    switch (result) {
        case 23:  // CUPTI_ERROR_DISABLED
        case 26:  // CUPTI_ERROR_HARDWARE_BUSY
        case 39:  // CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED
            return "another profiler (ncu, nsys, cuda-gdb or DCGM) holds the counters: run camber "
                   "without it, or leave the counters to that profiler";
        case 33:  // CUPTI_ERROR_VIRTUALIZED_DEVICE_NOT_SUPPORTED
            return "this GPU is a virtual one (vGPU) that offers no counters: use a whole GPU";
        case 35:  // CUPTI_ERROR_INSUFFICIENT_PRIVILEGES
            return "the driver gives counters to administrators only (RmProfilingAdminOnly in "
                   "/proc/driver/nvidia/params is 1): run as root, give the program CAP_PERFMON "
                   "(drivers from R565), or load the nvidia module with "
                   "NVreg_RestrictProfilingToAdminUsers=0";
        case 40:  // CUPTI_ERROR_VIRTUALIZED_DEVICE_INSUFFICIENT_PRIVILEGES
            return "the hypervisor forbids counters on this virtual GPU (vGPU): have its "
                   "administrator enable profiling for this machine, or use a whole GPU";
        case 41:  // CUPTI_ERROR_CONFIDENTIAL_COMPUTING_NOT_SUPPORTED
            return "counters are locked while the GPU is in confidential computing mode: use a "
                   "machine where that mode is off";
        case 42:  // CUPTI_ERROR_CMP_DEVICE_NOT_SUPPORTED
            return "crypto mining processors (CMP) have no counters: use another GPU";
        case 43:  // CUPTI_ERROR_MIG_DEVICE_NOT_SUPPORTED
            return "counters cannot be read on this slice of a GPU (MIG): use a GPU on which MIG "
                   "is off";
        case 45:  // CUPTI_ERROR_WSL_DEVICE_NOT_SUPPORTED
            return "counters are not available to this GPU under WSL: use Linux itself, or update "
                   "Windows' NVIDIA driver and allow access to the GPU performance counters in its "
                   "control panel";
        default:
            return "";
    }
}

}  // namespace

Error counter_error(int result, std::string_view action, std::string_view explanation) {
    const std::string_view known = cause_and_remedy(result);
    const std::string reason =
        known.empty() ? fmt::format("{} failed in CUPTI with {}", action,
                                    explanation.empty() ? "an unknown error" : explanation)
                      : std::string(known);
    return {ExitCode::unavailable,
            fmt::format("the GPU cannot be profiled: {} (CUPTI error {})", reason, result)};
}

}  // namespace camber::counters

#ifdef CAMBER_HAS_CUPTI

    #include "harness/machine/counters/cupti_host.hpp"

    #include <fmt/format.h>

    #include <algorithm>
    #include <cmath>

    #include "harness/base/error.hpp"
    #include "harness/base/text/text.hpp"
    #include "harness/machine/counters/activity_records.hpp"

namespace camber::counters {

struct ChipMetrics::Host : HostObject {
    using HostObject::HostObject;
};
struct MetricPlan::Host : HostObject {
    using HostObject::HostObject;
};

namespace {

struct Split {
    std::string base;
    std::string suffix;  // suffix with its dot; "" if there is none
};

// Some base names contain dots (LTS.TriageCompute.lts__...), so the base name ends at the first dot
// after the unit's double underscore.
Split split(const std::string& metric) {
    const auto unit = metric.find("__");
    const auto dot = metric.find('.', unit == std::string::npos ? 0 : unit);
    if (dot == std::string::npos) return {metric, ""};
    return {metric.substr(0, dot), metric.substr(dot)};
}

std::vector<const char*> pointers(const std::vector<std::string>& names) {
    std::vector<const char*> made;
    for (const std::string& name : names) made.push_back(name.c_str());
    return made;
}

}  // namespace

std::string why_no_cupti() {
    try {
        cupti();
        return "";
    } catch (const Error& error) {
        return error.what();
    }
}

std::vector<std::string> supported_chips() {
    auto listed = parameters<CUpti_Profiler_Host_GetSupportedChips_Params>(
        CUpti_Profiler_Host_GetSupportedChips_Params_STRUCT_SIZE);
    check(cupti().cuptiProfilerHostGetSupportedChips(&listed), "listing the chips");
    std::vector<std::string> chips(listed.ppChipNames, listed.ppChipNames + listed.numChips);
    // CUPTI also lists Volta (GV100, GV11B), but the Range Profiler begins with Turing.
    std::erase_if(chips, [](const std::string& chip) { return chip.starts_with("GV"); });
    return chips;
}

ChipMetrics::ChipMetrics(const std::string& chip) : chip_(chip) {
    const auto chips = supported_chips();
    if (std::ranges::find(chips, chip) == chips.end())
        throw Error(ExitCode::usage,
                    fmt::format("'{}' is no chip that CUPTI's Range Profiler knows{}; `camber "
                                "counters` lists them",
                                chip, suggestion(chip, chips)));
    host_ = std::make_unique<Host>(chip, Bytes{});
    for (int type = 0; type < CUPTI_METRIC_TYPE__COUNT; ++type) {
        auto listed = parameters<CUpti_Profiler_Host_GetBaseMetrics_Params>(
            CUpti_Profiler_Host_GetBaseMetrics_Params_STRUCT_SIZE);
        listed.pHostObject = host_->get();
        listed.metricType = static_cast<CUpti_MetricType>(type);
        check(cupti().cuptiProfilerHostGetBaseMetrics(&listed), "listing the metrics of " + chip);
        for (std::size_t i = 0; i < listed.numMetrics; ++i)
            types_.emplace(listed.ppMetricNames[i], type);
    }
    for (const auto& [base, type] : types_) base_names_.push_back(base);
}

ChipMetrics::~ChipMetrics() = default;

std::vector<std::string> ChipMetrics::suffixes(const std::string& base_name) const {
    const auto found = types_.find(base_name);
    if (found == types_.end()) return {};
    auto listed = parameters<CUpti_Profiler_Host_GetSubMetrics_Params>(
        CUpti_Profiler_Host_GetSubMetrics_Params_STRUCT_SIZE);
    listed.pHostObject = host_->get();
    listed.metricType = static_cast<CUpti_MetricType>(found->second);
    listed.pMetricName = base_name.c_str();
    check(cupti().cuptiProfilerHostGetSubMetrics(&listed), "listing the forms of " + base_name);
    return {listed.ppSubMetrics, listed.ppSubMetrics + listed.numOfSubmetrics};
}

bool ChipMetrics::has(const std::string& metric) const {
    const auto [base, suffix] = split(metric);
    const auto known = suffixes(base);
    return std::ranges::find(known, suffix) != known.end();
}

std::string ChipMetrics::why_not(const std::string& metric) const {
    const auto [base, suffix] = split(metric);
    const auto known = suffixes(base);
    if (!known.empty() && suffix.empty()) {
        // Omits combined suffixes (.sum.per_second, ...), which would hide the few useful ones.
        auto plain = known;
        std::erase_if(plain, [](const auto& form) { return form.find('.', 1) != form.npos; });
        return fmt::format("'{}' lacks its suffix on {}: add {}", metric, chip_,
                           fmt::join(plain.empty() ? known : plain, " or "));
    }
    std::vector<std::string> near;
    if (!known.empty()) {
        for (const std::string& other : known) near.push_back(base + other);
        return fmt::format("'{}' is no form of that metric on {}{}", metric, chip_,
                           suggestion(metric, near));
    }
    for (const std::string& other : nearest(base, base_names_)) {
        const auto forms = suffixes(other);
        const bool same = std::ranges::find(forms, suffix) != forms.end();
        // Prefers ".sum", as most metrics are counts; ratios and throughputs have no sum.
        const bool sum = std::ranges::find(forms, ".sum") != forms.end();
        near.push_back(other + (same ? suffix : sum ? ".sum" : forms.empty() ? "" : forms.front()));
    }
    return fmt::format("'{}' is no metric of {}{}", metric, chip_, suggestion(metric, near));
}

MetricPlan::MetricPlan(const ChipMetrics& chip, const std::vector<std::string>& metrics,
                       std::span<const std::uint8_t> availability)
    : metrics_(metrics) {
    for (const std::string& metric : metrics)
        if (!chip.has(metric)) throw Error(ExitCode::usage, chip.why_not(metric));
    host_ = std::make_unique<Host>(chip.chip(), Bytes(availability.begin(), availability.end()));
    if (metrics.empty()) return;

    const std::string action = "scheduling the metrics for " + chip.chip();
    auto names = pointers(metrics_);
    auto added = parameters<CUpti_Profiler_Host_ConfigAddMetrics_Params>(
        CUpti_Profiler_Host_ConfigAddMetrics_Params_STRUCT_SIZE);
    added.pHostObject = host_->get();
    added.ppMetricNames = names.data();
    added.numMetrics = names.size();
    check(cupti().cuptiProfilerHostConfigAddMetrics(&added), action);

    auto size = parameters<CUpti_Profiler_Host_GetConfigImageSize_Params>(
        CUpti_Profiler_Host_GetConfigImageSize_Params_STRUCT_SIZE);
    size.pHostObject = host_->get();
    check(cupti().cuptiProfilerHostGetConfigImageSize(&size), action);
    config_image_.resize(size.configImageSize);

    auto image = parameters<CUpti_Profiler_Host_GetConfigImage_Params>(
        CUpti_Profiler_Host_GetConfigImage_Params_STRUCT_SIZE);
    image.pHostObject = host_->get();
    image.configImageSize = config_image_.size();
    image.pConfigImage = config_image_.data();
    check(cupti().cuptiProfilerHostGetConfigImage(&image), action);

    auto counted = parameters<CUpti_Profiler_Host_GetNumOfPasses_Params>(
        CUpti_Profiler_Host_GetNumOfPasses_Params_STRUCT_SIZE);
    counted.configImageSize = config_image_.size();
    counted.pConfigImage = config_image_.data();
    check(cupti().cuptiProfilerHostGetNumOfPasses(&counted), action);
    passes_ = counted.numOfPasses;
}

MetricPlan::~MetricPlan() = default;

std::map<std::string, double> MetricPlan::evaluate(std::span<const std::uint8_t> counter_data,
                                                   std::size_t range) const {
    std::map<std::string, double> values;
    for (const std::string& metric : metrics_) {
        const char* name = metric.c_str();
        double value = std::nan("");
        // Evaluates metrics one by one, so that no value depends on the order of names.
        auto evaluated = parameters<CUpti_Profiler_Host_EvaluateToGpuValues_Params>(
            CUpti_Profiler_Host_EvaluateToGpuValues_Params_STRUCT_SIZE);
        evaluated.pHostObject = host_->get();
        evaluated.pCounterDataImage = counter_data.data();
        evaluated.counterDataImageSize = counter_data.size();
        evaluated.rangeIndex = range;
        evaluated.ppMetricNames = &name;
        evaluated.numMetrics = 1;
        evaluated.pMetricValues = &value;
        check(cupti().cuptiProfilerHostEvaluateToGpuValues(&evaluated), "evaluating " + metric);
        if (std::isfinite(value)) values[metric] = value;
    }
    return values;
}

}  // namespace camber::counters

#endif
