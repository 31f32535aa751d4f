// Reads hardware counters around work on the GPU.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "harness/machine/counters/metric_sets.hpp"

namespace camber::counters {

// CUPTI's name of a device's chip, e.g. "GH100". `device`: the CUDA runtime's index; the runtime
// must have been used before. Throws Error(unavailable).
std::string chip_of_device(int device);

// CUPTI's profiler, which counters share. Enabling it and changing what it counts take 0.15 s, so
// it stays enabled from one reading to the next, until it is released: what is timed meanwhile may
// be slower. Readings of one kind come best one after another.
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

// Times kernels by the counter gpu__time_duration, from which Nsight Compute takes its times. Of
// the CUDA context that is current where it is made. Planning takes long, so it is done once. All
// functions throw Error(unavailable).
class DurationCounter {
  public:
    DurationCounter(int device, std::shared_ptr<SharedProfiler> profiler);
    ~DurationCounter();
    DurationCounter(const DurationCounter&) = delete;
    DurationCounter& operator=(const DurationCounter&) = delete;

    // Nanoseconds of each of the `kernels` kernels that `work` launches; one runs at a time.
    std::vector<double> measure(std::size_t kernels, const std::function<void()>& work);

  private:
    struct State;
    std::unique_ptr<State> state_;
};

// Something that counts what the GPU does.
class CounterReader {
  public:
    virtual ~CounterReader() = default;

    // Runs restore(), work() once per pass and sums what work() did on the GPU, however many
    // kernels it launches and on whichever streams. restore() is not counted: it brings the input
    // back, so that each pass sees the same. The GPU runs nothing else meanwhile, and kernels may
    // be serialised: times seen here are no measurement.
    // Keys are the requested names; a metric without a value (a hit rate without accesses, one that
    // the chip does not have) has no entry.
    virtual std::map<std::string, double> measure(const std::function<void()>& restore,
                                                  const std::function<void()>& work) = 0;

    // The same of each kernel that work() launches, in order of launch, with one kernel at a time
    // and the caches as the kernel before left them. `most`: room for so many kernels, at least 1;
    // the memory needed grows with it. Throws Error(unavailable) where work() launches more.
    virtual std::vector<std::map<std::string, double>> measure_kernels(
        const std::function<void()>& restore, const std::function<void()>& work,
        std::size_t most) = 0;
};

// Counters of the CUDA context that is current in the calling thread, which also makes every call.
// All functions throw Error(unavailable), with cause and remedy, where counters are forbidden, held
// by another profiler or not offered by this kind of device.
class CounterSession final : public CounterReader {
  public:
    // `chip`: of the context's device. `metrics`: from resolve(); those that are not available are
    // passed over.
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
