#ifdef CAMBER_HAS_CUPTI

    #include "harness/machine/counters/range_profiler.hpp"

    #include <dlfcn.h>
    #include <fmt/format.h>

    #include <optional>
    #include <type_traits>
    #include <utility>

    #include "harness/base/candidate_guard.hpp"
    #include "harness/base/error.hpp"
    #include "harness/machine/counters/cupti_host.hpp"
    #include "harness/machine/counters/activity_records.hpp"
    #include "harness/record/metric_names.hpp"

namespace camber::counters {

namespace {

// Required driver functions, from the driver library that the runtime has loaded.
struct Driver {
    decltype(&::cuCtxGetCurrent) get_current = nullptr;
    decltype(&::cuCtxGetDevice) get_device = nullptr;
    decltype(&::cuCtxSynchronize) synchronize = nullptr;
};

const Driver& driver() {
    static const Driver found = [] {
        Driver made;
        if (void* const library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL)) {
            const auto find = [&](auto& function, const char* name) {
                function = reinterpret_cast<std::decay_t<decltype(function)>>(dlsym(library, name));
            };
            find(made.get_current, "cuCtxGetCurrent");
            find(made.get_device, "cuCtxGetDevice");
            find(made.synchronize, "cuCtxSynchronize");
        }
        return made;
    }();
    if (!found.get_current || !found.get_device || !found.synchronize)
        throw Error(ExitCode::unavailable,
                    "hardware counters cannot be read: there is no NVIDIA driver (libcuda.so.1)");
    return found;
}

void check_driver(CUresult result, std::string_view action) {
    if (result != CUDA_SUCCESS)
        throw Error(ExitCode::unavailable,
                    fmt::format("hardware counters cannot be read: {} failed with CUDA driver "
                                "error {}",
                                action, static_cast<int>(result)));
}

CUcontext current_context() {
    CUcontext context = nullptr;
    check_driver(driver().get_current(&context), "finding the CUDA context");
    if (!context)
        throw Error(ExitCode::unavailable,
                    "hardware counters cannot be read: no CUDA context is current");
    return context;
}

// Throws the error that the profiler itself would report, before anything is set up.
void check_supported() {
    CUdevice device = 0;
    check_driver(driver().get_device(&device), "finding the CUDA device");
    auto asked = parameters<CUpti_Profiler_DeviceSupported_Params>(
        CUpti_Profiler_DeviceSupported_Params_STRUCT_SIZE);
    asked.cuDevice = device;
    asked.api = CUPTI_PROFILER_RANGE_PROFILING;
    const std::string_view action = "asking whether the device has counters";
    check(cupti().cuptiProfilerDeviceSupported(&asked), action);
    if (asked.isSupported == CUPTI_PROFILER_CONFIGURATION_SUPPORTED) return;
    const auto refuse = [&](CUpti_Profiler_Support_Level level, CUptiResult unsupported,
                            CUptiResult disabled) {
        if (level == CUPTI_PROFILER_CONFIGURATION_UNSUPPORTED) check(unsupported, action);
        if (level == CUPTI_PROFILER_CONFIGURATION_DISABLED) check(disabled, action);
    };
    refuse(asked.vGpu, CUPTI_ERROR_VIRTUALIZED_DEVICE_NOT_SUPPORTED,
           CUPTI_ERROR_VIRTUALIZED_DEVICE_INSUFFICIENT_PRIVILEGES);
    refuse(asked.confidentialCompute, CUPTI_ERROR_CONFIDENTIAL_COMPUTING_NOT_SUPPORTED,
           CUPTI_ERROR_CONFIDENTIAL_COMPUTING_NOT_SUPPORTED);
    refuse(asked.cmp, CUPTI_ERROR_CMP_DEVICE_NOT_SUPPORTED, CUPTI_ERROR_CMP_DEVICE_NOT_SUPPORTED);
    refuse(asked.wsl, CUPTI_ERROR_WSL_DEVICE_NOT_SUPPORTED, CUPTI_ERROR_WSL_DEVICE_NOT_SUPPORTED);
    refuse(asked.sli, CUPTI_ERROR_SLI_DEVICE_NOT_SUPPORTED, CUPTI_ERROR_SLI_DEVICE_NOT_SUPPORTED);
    if (asked.architecture != CUPTI_PROFILER_CONFIGURATION_SUPPORTED)
        throw Error(ExitCode::unavailable,
                    "hardware counters cannot be read: CUPTI's Range Profiler needs compute "
                    "capability 7.5 or later");
    check(CUPTI_ERROR_NOT_SUPPORTED, action);
}

// Availability image of the device's counters; CUPTI plans around unavailable ones.
Bytes counter_availability(CUcontext context) {
    auto asked = parameters<CUpti_Profiler_GetCounterAvailability_Params>(
        CUpti_Profiler_GetCounterAvailability_Params_STRUCT_SIZE);
    asked.ctx = context;
    check(cupti().cuptiProfilerGetCounterAvailability(&asked), "asking which counters exist");
    Bytes image(asked.counterAvailabilityImageSize);
    asked.pCounterAvailabilityImage = image.data();
    check(cupti().cuptiProfilerGetCounterAvailability(&asked), "asking which counters exist");
    image.resize(asked.counterAvailabilityImageSize);
    return image;
}

}  // namespace

std::string chip_of_device(int device) {
    start_profiler();
    auto asked =
        parameters<CUpti_Device_GetChipName_Params>(CUpti_Device_GetChipName_Params_STRUCT_SIZE);
    asked.deviceIndex = static_cast<std::size_t>(device);
    check(cupti().cuptiDeviceGetChipName(&asked), "asking for the chip's name");
    return asked.pChipName;
}

namespace {

void synchronize() {
    const WatchedWait watched;
    check_driver(driver().synchronize(), "running the work");
}

}  // namespace

struct SharedProfiler::State {
    // Counts the plan's metrics by count(profiler, counter data). If `kernels` is above 0, counts
    // for each of at most `kernels` kernels, otherwise for one range. Starts again from scratch
    // after a failure.
    template <class Count>
    auto read(CUcontext context, const MetricPlan& plan, std::size_t kernels, const Count& count) {
        try {
            if (const Kind kind{&plan, kernels > 0}; !profiler || kind != enabled_for) {
                profiler.reset();
                profiler.emplace(context);
                enabled_for = kind;
            }
            Bytes room;
            profiler->prepare(plan, kernels, room);
            // The profiler refers to this memory until it gets another one.
            counter_data = std::move(room);
            return count(*profiler, std::as_const(counter_data));
        } catch (...) {
            profiler.reset();
            throw;
        }
    }

    using Kind = std::pair<const MetricPlan*, bool>;  // plan, and true for per-kernel counts
    Bytes counter_data;
    std::optional<RangeProfiler> profiler;
    Kind enabled_for;
};

SharedProfiler::SharedProfiler() : state_(std::make_unique<State>()) {}
SharedProfiler::~SharedProfiler() = default;
void SharedProfiler::release() {
    state_->profiler.reset();
}

struct DurationCounter::State {
    State(int device, std::shared_ptr<SharedProfiler> shared)
        : context(current_context()), plan(planned(device)), profiler(std::move(shared)) {}

    MetricPlan planned(int device) const {
        const std::string chip = chip_of_device(device);
        start_profiler();
        check_supported();
        return {ChipMetrics(chip), {metric::duration}, counter_availability(context)};
    }

    CUcontext context;
    MetricPlan plan;
    std::shared_ptr<SharedProfiler> profiler;
};

DurationCounter::DurationCounter(int device, std::shared_ptr<SharedProfiler> profiler)
    : state_(std::make_unique<State>(device, std::move(profiler))) {}

DurationCounter::~DurationCounter() = default;

std::vector<double> DurationCounter::measure(std::size_t kernels,
                                             const std::function<void()>& work) {
    const MetricPlan& plan = state_->plan;
    return state_->profiler->state().read(
        state_->context, plan, kernels, [&](RangeProfiler& profiler, const Bytes& counter_data) {
            synchronize();
            profiler.start();
            work();
            synchronize();
            profiler.stop();
            profiler.decode_all(counter_data);
            std::vector<double> durations;
            for (std::size_t kernel = 0; kernel < kernels; ++kernel)
                durations.push_back(plan.evaluate(counter_data, kernel).at(metric::duration));
            return durations;
        });
}

struct CounterSession::State {
    State(const std::string& chip, std::vector<ChosenMetric> chosen,
          std::shared_ptr<SharedProfiler> shared)
        : context(current_context()),
          metrics(std::move(chosen)),
          plan(planned(chip)),
          profiler(std::move(shared)) {
        if (plan.metrics().empty())
            throw Error(ExitCode::unavailable,
                        fmt::format("none of the chosen metrics exists on {}", chip));
    }

    MetricPlan planned(const std::string& chip) const {
        start_profiler();
        check_supported();
        return {ChipMetrics(chip), chip_names(metrics), counter_availability(context)};
    }

    // Runs all passes over the work; afterwards, the counter data can be decoded.
    void collect(RangeProfiler& profiler, const std::function<void()>& restore,
                 const std::function<void()>& work) const {
        bool last = false;
        for (std::size_t pass = 0; !last; ++pass) {
            // Allows one pass more than planned; CUPTI sometimes continues forever.
            if (pass > plan.passes())
                throw Error(ExitCode::unavailable,
                            fmt::format("hardware counters cannot be read: CUPTI planned {} passes "
                                        "and asks for more",
                                        plan.passes()));
            restore();
            synchronize();
            profiler.start();
            work();
            // Otherwise, work on a non-blocking stream may still run when the range ends.
            synchronize();
            last = profiler.stop();
        }
    }

    // Values of one range by requested name.
    std::map<std::string, double> values(const Bytes& counter_data, std::size_t range) const {
        const auto by_chip_name = plan.evaluate(counter_data, range);
        std::map<std::string, double> named;
        for (const ChosenMetric& metric : metrics) {
            const auto found = by_chip_name.find(metric.name);
            if (found != by_chip_name.end()) named[metric.requested] = found->second;
        }
        return named;
    }

    CUcontext context;
    std::vector<ChosenMetric> metrics;
    MetricPlan plan;
    std::shared_ptr<SharedProfiler> profiler;
};

CounterSession::CounterSession(const std::string& chip, std::vector<ChosenMetric> metrics,
                               std::shared_ptr<SharedProfiler> profiler)
    : state_(std::make_unique<State>(chip, std::move(metrics), std::move(profiler))) {}

CounterSession::~CounterSession() = default;

std::size_t CounterSession::passes() const {
    return state_->plan.passes();
}

std::map<std::string, double> CounterSession::measure(const std::function<void()>& restore,
                                                      const std::function<void()>& work) {
    return state_->profiler->state().read(state_->context, state_->plan, 0,
                                          [&](RangeProfiler& profiler, const Bytes& counter_data) {
                                              state_->collect(profiler, restore, work);
                                              profiler.decode_all(counter_data);
                                              return state_->values(counter_data, 0);
                                          });
}

std::vector<std::map<std::string, double>> CounterSession::measure_kernels(
    const std::function<void()>& restore, const std::function<void()>& work, std::size_t most) {
    return state_->profiler->state().read(
        state_->context, state_->plan, most,
        [&](RangeProfiler& profiler, const Bytes& counter_data) {
            state_->collect(profiler, restore, work);
            const std::size_t kernels = profiler.decode(counter_data);
            std::vector<std::map<std::string, double>> values;
            for (std::size_t kernel = 0; kernel < kernels; ++kernel)
                values.push_back(state_->values(counter_data, kernel));
            return values;
        });
}

}  // namespace camber::counters

#endif
