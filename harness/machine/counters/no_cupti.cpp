// Replaces CUPTI in builds without its headers.
#ifndef CAMBER_HAS_CUPTI

    #include "harness/base/error.hpp"
    #include "harness/machine/counters/activity_trace.hpp"
    #include "harness/machine/counters/cupti_host.hpp"
    #include "harness/machine/counters/range_profiler.hpp"

namespace camber::counters {

namespace {

constexpr const char* reason =
    "this camber was built without CUPTI, so it has no hardware counters: install CUPTI of CUDA "
    "12.6 or newer and build again";

[[noreturn]] void refuse() {
    throw Error(ExitCode::unavailable, reason);
}

}  // namespace

struct ChipMetrics::Host {};
struct MetricPlan::Host {};
struct CounterSession::State {};
struct DurationCounter::State {};
struct SharedProfiler::State {};

std::string why_no_cupti() {
    return reason;
}

std::vector<std::string> supported_chips() {
    refuse();
}

ChipMetrics::ChipMetrics(const std::string&) {
    refuse();
}
ChipMetrics::~ChipMetrics() = default;
std::vector<std::string> ChipMetrics::suffixes(const std::string&) const {
    refuse();
}
bool ChipMetrics::has(const std::string&) const {
    refuse();
}
std::string ChipMetrics::why_not(const std::string&) const {
    refuse();
}

MetricPlan::MetricPlan(const ChipMetrics&, const std::vector<std::string>&,
                       std::span<const std::uint8_t>) {
    refuse();
}
MetricPlan::~MetricPlan() = default;
std::map<std::string, double> MetricPlan::evaluate(std::span<const std::uint8_t>,
                                                   std::size_t) const {
    refuse();
}

std::string chip_of_device(int) {
    refuse();
}

SharedProfiler::SharedProfiler() = default;
SharedProfiler::~SharedProfiler() = default;
void SharedProfiler::release() {}

CounterSession::CounterSession(const std::string&, std::vector<ChosenMetric>,
                               std::shared_ptr<SharedProfiler>) {
    refuse();
}
CounterSession::~CounterSession() = default;
std::size_t CounterSession::passes() const {
    refuse();
}
std::map<std::string, double> CounterSession::measure(const std::function<void()>&,
                                                      const std::function<void()>&) {
    refuse();
}

std::vector<std::map<std::string, double>> CounterSession::measure_kernels(
    const std::function<void()>&, const std::function<void()>&, std::size_t) {
    refuse();
}

DurationCounter::DurationCounter(int, std::shared_ptr<SharedProfiler>) {
    refuse();
}
DurationCounter::~DurationCounter() = default;
std::vector<double> DurationCounter::measure(std::size_t, const std::function<void()>&) {
    refuse();
}

std::unique_ptr<KernelClock> open_kernel_clock() {
    refuse();
}

std::unique_ptr<ActivityTrace> open_activity_trace() {
    refuse();
}

}  // namespace camber::counters

#endif
