#include "harness/capture/replay/replayed_launch.hpp"

#include <algorithm>
#include <mutex>
#include <optional>
#include <set>

#include "harness/capture/cupti_records.hpp"

namespace camber::capture {

namespace {

// Kernel times by CUPTI. All kernels of this process are ours and run one after the other.
class KernelClock {
  public:
    explicit KernelClock(const std::vector<std::string>& folders) {
        for (const Cupti& candidate : Cupti::candidates(folders)) {
            cupti_ = candidate;
            const int error = start_kernel_records(*cupti_, [this](const CuptiKernelRecord& one) {
                const std::lock_guard lock(mutex_);
                times_.emplace_back(one.start, one.end);
            });
            if (error == 0) return;
        }
        cupti_.reset();
    }
    ~KernelClock() {
        if (cupti_) stop_kernel_records(*cupti_);
    }
    KernelClock(const KernelClock&) = delete;
    KernelClock& operator=(const KernelClock&) = delete;

    // Durations of all kernels in the order of their launches, in ns; empty if CUPTI is missing.
    std::vector<double> durations() {
        if (!cupti_) return {};
        cupti_->flush(1);
        const std::lock_guard lock(mutex_);
        std::ranges::sort(times_);
        std::vector<double> all;
        for (const auto& [start, end] : times_) all.push_back(static_cast<double>(end - start));
        return all;
    }

  private:
    std::optional<Cupti> cupti_;
    std::mutex mutex_;
    std::vector<std::pair<std::uint64_t, std::uint64_t>> times_;
};

// Copies of buffers on the device, from which they are restored quickly.
class Masters {
  public:
    Masters(ReplayedLaunch& replay, const std::vector<Part>& parts) : replay_(replay) {
        std::set<std::uint64_t> buffers;
        for (const Part& part : parts)
            if (part.role == Role::in_place) buffers.insert(part.buffer);
        for (const std::uint64_t buffer : buffers) {
            CuAddress copy = 0;
            if (driver().allocate(&copy, replay.captured().buffers[buffer].bytes) != cu_success)
                copy = 0;
            copies_.emplace_back(buffer, copy);
        }
    }

    // Stores the content before the launch, from the device's memory.
    void fill(const LoadedKernel& kernel) {
        for (const auto& [buffer, copy] : copies_)
            if (copy != 0 && kernel.addresses[buffer] != 0) {
                transfer(copy, kernel.addresses[buffer], buffer);
            }
    }

    void restore(const LoadedKernel& kernel) {
        for (const auto& [buffer, copy] : copies_) {
            if (kernel.addresses[buffer] == 0) continue;
            if (copy != 0)
                transfer(kernel.addresses[buffer], copy, buffer);
            else
                replay_.restore(kernel, buffer);
        }
    }

  private:
    void transfer(CuAddress to, CuAddress from, std::uint64_t buffer) {
        check(driver().copy(to, from, replay_.captured().buffers[buffer].bytes, replay_.stream()),
              "restoring the memory");
    }

    ReplayedLaunch& replay_;
    std::vector<std::pair<std::uint64_t, CuAddress>> copies_;  // 0: not enough memory
};

// Memory that displaces everything else from L2.
class Displacement {
  public:
    explicit Displacement(const ReplayedLaunch& replay) : stream_(replay.stream()) {
        constexpr std::size_t smallest = std::size_t{32} << 20;
        bytes_ = std::max<std::size_t>(
            smallest, 3 * static_cast<std::size_t>(replay.device_attribute(cu_device_l2_bytes)));
        check(driver().allocate(&memory_, bytes_), "reserving memory to flush the cache");
    }
    void flush() { check(driver().fill(memory_, ++value_, bytes_, stream_), "flushing the cache"); }

  private:
    CuStream stream_;
    CuAddress memory_ = 0;
    std::size_t bytes_ = 0;
    unsigned char value_ = 0;
};

// True if memory contains addresses of variables, which differ from kernel to kernel.
bool points_to_variables(const CapturedLaunch& launch) {
    return std::ranges::any_of(launch.buffers, [&](const Buffer& buffer) {
        return std::ranges::any_of(buffer.pointers, [&](const PointerWord& word) {
            return launch.buffers[word.buffer].kind == BufferKind::variable;
        });
    });
}

// Event of the driver, destroyed with its owner.
class ReplayEvent {
  public:
    ReplayEvent() { check(driver().create_event(&event_, 0), "creating an event"); }
    ~ReplayEvent() { driver().destroy_event(event_); }
    ReplayEvent(const ReplayEvent&) = delete;
    ReplayEvent& operator=(const ReplayEvent&) = delete;
    operator CuEvent() const { return event_; }

  private:
    CuEvent event_ = nullptr;
};

struct Timed {
    std::size_t sample;  // index in Timing::samples
    std::size_t launch;  // number of the kernel in this process
    float event_ms;
};

}  // namespace

Timing time_kernels(ReplayedLaunch& replay, const std::vector<LoadedKernel>& kernels,
                    const std::vector<Part>& parts, std::uint64_t rounds,
                    const std::vector<std::string>& cupti_folders) {
    const Driver& cuda = driver();
    Timing timing;
    for (const LoadedKernel& kernel : kernels)
        for (const bool flushed : {false, true})
            timing.samples.push_back({kernel.name, flushed, {}});
    Masters masters(replay, parts);
    Displacement displacement(replay);
    const ReplayEvent begin, end;
    KernelClock clock(cupti_folders);
    std::size_t launches = 0;
    std::vector<Timed> timed;
    const auto time = [&](const LoadedKernel& kernel, std::size_t sample) {
        check(cuda.record_event(begin, replay.stream()), "timing the kernel");
        replay.launch(kernel);
        check(cuda.record_event(end, replay.stream()), "timing the kernel");
        replay.wait();
        float milliseconds = 0;
        check(cuda.elapsed_time(&milliseconds, begin, end), "timing the kernel");
        timed.push_back({sample, launches++, milliseconds});
    };
    const bool has_common_memory = !points_to_variables(replay.captured());
    for (const LoadedKernel& kernel : kernels) {
        replay.restore(kernel);
        masters.fill(kernel);
    }
    for (std::uint64_t round = 0; round < rounds; ++round)
        for (std::size_t turn = 0; turn < kernels.size(); ++turn) {
            // Another one is first in each round.
            const std::size_t k = (turn + round) % kernels.size();
            const LoadedKernel& kernel = kernels[k];
            if (has_common_memory) {
                masters.restore(kernel);
            } else {
                replay.restore(kernel);
                masters.fill(kernel);
            }
            replay.launch(kernel);
            ++launches;
            masters.restore(kernel);
            time(kernel, 2 * k);
            masters.restore(kernel);
            displacement.flush();
            time(kernel, 2 * k + 1);
        }
    const std::vector<double> durations = clock.durations();
    timing.by_cupti = durations.size() == launches;
    constexpr double ns_per_ms = 1e6;
    for (const Timed& one : timed)
        timing.samples[one.sample].ns.push_back(
            timing.by_cupti ? durations[one.launch]
                            : static_cast<double>(one.event_ms) * ns_per_ms);
    return timing;
}

}  // namespace camber::capture
