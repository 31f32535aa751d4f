#ifdef CAMBER_HAS_CUPTI

    #include "harness/machine/counters/kernel_clock.hpp"

    #include <algorithm>
    #include <cstdint>
    #include <utility>

    #include "harness/machine/counters/activity_records.hpp"

namespace camber::counters {

namespace {

// This kind runs one kernel at a time, as camber's streams do anyway. The other one, for concurrent
// kernels, slows memory-bound kernels down by 5 % (results/experiments/activity_cost.cu). But of a
// graph this kind stamps the first kernel alone.
constexpr CUpti_ActivityKind of_streams = CUPTI_ACTIVITY_KIND_KERNEL;
constexpr CUpti_ActivityKind of_graphs = CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL;

struct Stamped {
    std::uint64_t start;
    KernelTime kernel;
};

class ActivityClock final : public KernelClock {
  public:
    ActivityClock() { prepare_activity(); }

    std::vector<KernelTime> time(const std::function<void()>& work) override {
        return stamped(of_streams, work);
    }
    std::vector<KernelTime> time_graphs(const std::function<void()>& work) override {
        return stamped(of_graphs, work);
    }

  private:
    static std::vector<KernelTime> stamped(CUpti_ActivityKind kind,
                                           const std::function<void()>& work) {
        std::vector<Stamped> kernels;
        collect_activity({kind}, work, [&](const CUpti_Activity& record) {
            if (record.kind != kind) return;
            const auto& kernel = reinterpret_cast<const KernelRecord&>(record);
            // What CUPTI could not stamp has neither time.
            if (kernel.start == 0 && kernel.end == 0) return;
            kernels.push_back(
                {kernel.start,
                 {kernel.name ? kernel.name : "", static_cast<double>(kernel.end - kernel.start)}});
        });
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
