#ifdef CAMBER_HAS_CUPTI

    #include "harness/counters/kernel_clock.hpp"

    #include <algorithm>
    #include <cstdint>
    #include <utility>

    #include "harness/counters/activity_records.hpp"

namespace camber::counters {

namespace {

// This kind runs one kernel at a time, as camber's streams do anyway. The other one, for concurrent
// kernels, slows memory-bound kernels down by 5 % (results/experiments/activity_cost.cu).
constexpr CUpti_ActivityKind kernel_kind = CUPTI_ACTIVITY_KIND_KERNEL;

struct Stamped {
    std::uint64_t start;
    KernelTime kernel;
};

class ActivityClock final : public KernelClock {
  public:
    ActivityClock() { prepare_activity(); }

    std::vector<KernelTime> time(const std::function<void()>& work) override {
        std::vector<Stamped> kernels;
        collect_activity({kernel_kind}, work, [&](const CUpti_Activity& record) {
            if (record.kind != kernel_kind) return;
            const auto& kernel = reinterpret_cast<const KernelRecord&>(record);
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
