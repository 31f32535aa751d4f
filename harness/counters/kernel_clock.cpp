#ifdef CAMBER_HAS_CUPTI

    #include "harness/counters/kernel_clock.hpp"

    #include <algorithm>
    #include <cstdint>
    #include <cstdlib>
    #include <mutex>
    #include <utility>

    #include "harness/base/error.hpp"
    #include "harness/counters/cupti_library.hpp"

namespace camber::counters {

namespace {

// The record of a kernel grows from release to release; this one is the headers'.
    #if CUPTI_API_VERSION >= 130000
using KernelRecord = CUpti_ActivityKernel10;
    #else
using KernelRecord = CUpti_ActivityKernel9;
    #endif

// This kind runs one kernel at a time, as camber's streams do anyway. The other one, for concurrent
// kernels, slows memory-bound kernels down by 5 % (results/h200/experiments/activity_cost.cu).
constexpr CUpti_ActivityKind kernel_kind = CUPTI_ACTIVITY_KIND_KERNEL;

constexpr std::size_t buffer_bytes = std::size_t{1} << 20;
constexpr std::size_t buffer_alignment = 8;

struct Stamped {
    std::uint64_t start;
    KernelTime kernel;
};

// CUPTI's callbacks carry no user pointer, and CUPTI calls them on its own thread.
struct Collected {
    std::mutex mutex;
    std::vector<Stamped> kernels;
};

Collected& collected() {
    static Collected instance;
    return instance;
}

void CUPTIAPI request_buffer(std::uint8_t** buffer, std::size_t* size, std::size_t* records) {
    *buffer = static_cast<std::uint8_t*>(std::aligned_alloc(buffer_alignment, buffer_bytes));
    *size = *buffer ? buffer_bytes : 0;
    *records = 0;  // as many as fit
}

void CUPTIAPI take_buffer(CUcontext, std::uint32_t, std::uint8_t* buffer, std::size_t,
                          std::size_t valid) {
    Collected& all = collected();
    const std::lock_guard lock(all.mutex);
    CUpti_Activity* record = nullptr;
    while (valid > 0 &&
           cupti().cuptiActivityGetNextRecord(buffer, valid, &record) == CUPTI_SUCCESS) {
        if (record->kind != kernel_kind) continue;
        const auto& kernel = *reinterpret_cast<const KernelRecord*>(record);
        all.kernels.push_back(
            {kernel.start,
             {kernel.name ? kernel.name : "", static_cast<double>(kernel.end - kernel.start)}});
    }
    std::free(buffer);
}

// Open only while it collects: otherwise it would slow down the launches that are timed.
class ActivityWindow {
  public:
    ActivityWindow() { check(cupti().cuptiActivityEnable(kernel_kind), "asking for kernel times"); }
    ~ActivityWindow() {
        cupti().cuptiActivityDisable(kernel_kind);
        // What is left over belongs to no one.
        cupti().cuptiActivityFlushAll(CUPTI_ACTIVITY_FLAG_FLUSH_FORCED);
    }
    ActivityWindow(const ActivityWindow&) = delete;
    ActivityWindow& operator=(const ActivityWindow&) = delete;
};

class ActivityClock final : public KernelClock {
  public:
    ActivityClock() {
        check(cupti().cuptiActivityRegisterCallbacks(request_buffer, take_buffer),
              "preparing kernel times");
    }

    std::vector<KernelTime> time(const std::function<void()>& work) override {
        Collected& all = collected();
        const auto take = [&] {
            const std::lock_guard lock(all.mutex);
            return std::exchange(all.kernels, {});
        };
        std::vector<Stamped> kernels;
        {
            const ActivityWindow window;
            take();
            work();
            check(cupti().cuptiActivityFlushAll(CUPTI_ACTIVITY_FLAG_FLUSH_FORCED),
                  "fetching kernel times");
            kernels = take();
        }
        if (kernels.empty())
            throw Error(ExitCode::unavailable,
                        "CUPTI reports no kernel: another profiler may hold its activity records; "
                        "run camber without it");
        std::ranges::sort(kernels, {}, &Stamped::start);
        std::vector<KernelTime> times;
        for (Stamped& kernel : kernels) times.push_back(std::move(kernel.kernel));
        return times;
    }
};

}  // namespace

std::unique_ptr<KernelClock> open_kernel_clock() {
    return std::make_unique<ActivityClock>();
}

}  // namespace camber::counters

#endif
