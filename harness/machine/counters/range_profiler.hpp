// Hardware counter readings around work on the GPU.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "harness/machine/counters/metric_sets.hpp"

namespace camber::counters {

// CUPTI's name of a device's chip, e.g. "GH100". `device`: CUDA runtime index; the runtime must
// have been used before. Throws Error(unavailable).
std::string chip_of_device(int device);

// CUPTI's profiler, shared by counters. Enabling it and changing its configuration take 0.15 s, so
// it stays enabled between readings, until it is released: work that is timed in the meantime may
// be slower. Readings of the same kind should be consecutive.
class SharedProfiler {
  public:
    SharedProfiler();
    ~SharedProfiler();
    SharedProfiler(const SharedProfiler&) = delete;
    SharedProfiler& operator=(const SharedProfiler&) = delete;

    void release();

    struct State;
    State& state() { return *state_; }

  private:
    std::unique_ptr<State> state_;
};

// Times kernels by the counter gpu__time_duration, as Nsight Compute does, in the CUDA context that
// is current on construction. Planning is slow, so it is done once. All functions throw
// Error(unavailable).
class DurationCounter {
  public:
    DurationCounter(int device, std::shared_ptr<SharedProfiler> profiler);
    ~DurationCounter();
    DurationCounter(const DurationCounter&) = delete;
    DurationCounter& operator=(const DurationCounter&) = delete;

    // Nanoseconds for each of the `kernels` kernels that `work` launches; kernels are serialized.
    std::vector<double> measure(std::size_t kernels, const std::function<void()>& work);

  private:
    struct State;
    std::unique_ptr<State> state_;
};

// Interface of hardware counters.
class CounterReader {
  public:
    virtual ~CounterReader() = default;

    // Runs restore(), work() once per pass and sums the counts of work() on the GPU, over all its
    // kernels and streams. restore() is not counted: it restores the input, so that each pass is
    // the same. The GPU must run nothing else, and kernels may be serialized: times under counting
    // are no measurement. Keys are the requested names; a metric without a value (a hit rate
    // without accesses, a metric that the chip does not have) has no entry.
    virtual std::map<std::string, double> measure(const std::function<void()>& restore,
                                                  const std::function<void()>& work) = 0;

    // Like measure(), for each kernel that work() launches, in launch order, with kernels
    // serialized and caches unchanged between kernels. `most`: maximum number of kernels, at least
    // 1; the required memory grows with it. Throws Error(unavailable) if work() launches more.
    virtual std::vector<std::map<std::string, double>> measure_kernels(
        const std::function<void()>& restore, const std::function<void()>& work,
        std::size_t most) = 0;
};

// Counters of the CUDA context that is current in the calling thread; only that thread may call
// functions. All functions throw Error(unavailable), with cause and remedy, if counters are
// forbidden, in use by another profiler or not supported by the device.
class CounterSession final : public CounterReader {
  public:
    // `chip`: of the context's device. `metrics`: from resolve(); unavailable ones are ignored.
    CounterSession(const std::string& chip, std::vector<ChosenMetric> metrics,
                   std::shared_ptr<SharedProfiler> profiler);
    ~CounterSession() override;
    CounterSession(const CounterSession&) = delete;
    CounterSession& operator=(const CounterSession&) = delete;

    std::map<std::string, double> measure(const std::function<void()>& restore,
                                          const std::function<void()>& work) override;
    std::vector<std::map<std::string, double>> measure_kernels(const std::function<void()>& restore,
                                                               const std::function<void()>& work,
                                                               std::size_t most) override;

    std::size_t passes() const;

  private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace camber::counters
