// Counting pass: after all cases are timed, hardware counters are read case by case and compared
// with predictions, which worker threads compute while the GPU is busy.
#pragma once

#include <atomic>
#include <cstddef>
#include <functional>
#include <future>
#include <map>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "analysis/memory/compare_counters.hpp"
#include "harness/measure/case_result.hpp"
#include "harness/measure/instruments.hpp"
#include "harness/predict/prediction.hpp"
#include "workloads/core/workload.hpp"

namespace camber {

// Predictions of variants, computed on worker threads while the GPU is busy.
class Predictions {
  public:
    // Called by several threads concurrently; throws if a variant cannot be predicted.
    using Predict = std::function<Prediction(const Variant& variant)>;

    explicit Predictions(Predict predict) : predict_(std::move(predict)) {}
    // Starts no further predictions, and waits for those in progress.
    ~Predictions();
    Predictions(const Predictions&) = delete;
    Predictions& operator=(const Predictions&) = delete;

    // Predicts the variants that are not predicted yet, in this order, on at most `threads`
    // threads.
    void begin(const std::vector<const Variant*>& variants, int threads);

    // Waits for the variant's prediction, or computes it if no thread has started it. A prediction
    // that failed while others used memory is retried alone. Throws every error of the prediction.
    const Prediction& of(const Variant& variant);

  private:
    struct Task {
        std::atomic<bool> begun{false};
        std::promise<Prediction> promise;
        std::shared_future<Prediction> result = promise.get_future().share();
    };

    void work();
    void make(const Variant& variant, Task& task) const;

    Predict predict_;
    std::map<const Variant*, Task> tasks_;
    std::vector<std::pair<const Variant*, Task*>> begun_;  // work list of the threads, in order
    std::atomic<std::size_t> next_{0};
    std::atomic<bool> ends_{false};
    std::vector<std::jthread> threads_;
};

// Reads the counters of a case's first launch, as a whole and per kernel, and adds the model's
// prediction for comparison.
class CaseCounter {
  public:
    // Maximum number of kernels in a launch whose kernels are counted separately, because memory
    // for all kernels' counters is allocated in advance. A launch with more kernels is counted as a
    // whole only.
    static constexpr std::size_t most_kernels = 512;

    // All arguments must outlive this object. `initial`: state that a launch starts from.
    CaseCounter(const Study& study, Queue& queue, const State& initial, Instruments& instruments)
        : study_(study),
          queue_(queue),
          initial_(initial),
          instruments_(instruments),
          predictions_([this](const Variant& variant) { return prediction_of(variant); }) {}

    // Starts the predictions of `cases` on the host's other threads while the GPU counts.
    void begin_predictions(const std::vector<CaseResult>& cases);

    // Each of these functions fills one part of the record of a result that has its variant,
    // conditions and kernels. They run apart from timing, because counting serializes the kernels
    // and replays them once per pass. Errors are reported in the instruments' `failures`.
    //
    // Fills `counters`, the counters of the launch as a whole. The instruments must contain
    // counters.
    void count_launch(Execution& execution, CaseResult& result);
    // Fills `kernel_counters`, after `counters`.
    void count_kernels(Execution& execution, CaseResult& result);
    // Fills `model`, compared with the counters read so far.
    void predict(CaseResult& result);

  private:
    void restore(Execution& execution, const CaseResult& result);
    counters::CounterReader& reader_for(const Variant& variant);
    // True if there are transaction rules for the device and an executor for the variant.
    bool can_predict(const Variant& variant) const;
    Prediction prediction_of(const Variant& variant) const;

    const Study& study_;
    Queue& queue_;
    const State& initial_;
    Instruments& instruments_;
    bool can_count_kernels_ = true;
    int capability_ = queue_.limits().compute_capability;
    Predictions predictions_;  // shared by all conditions
};

// True if kernels of the variant may read textures: its technique belongs to that family, or is not
// one of camber's.
bool may_read_textures(const Variant& variant);

// Name of a kernel in results files: the variant's name for it, "library" for CUB kernels, "fill"
// for Queue::fill, and otherwise its symbol.
std::string name_of_kernel(const std::string& symbol,
                           const std::vector<results::Kernel>& of_variant);

// Adds the model's predictions to the counters of the variant's own kernels in `record`. Returns
// "", or a clause that says that the model has other kernels or another order; then nothing is
// compared.
std::string compare_kernels(results::CaseRecord& record, const Prediction& prediction);

// Returns one sentence for each quantity whose counter differs from its exact prediction.
// `prediction`: of the variant's launch.
std::vector<std::string> differences(const std::string& variant, const Prediction& prediction,
                                     const std::vector<CounterComparison>& comparisons);

// Counter pass over all cases after all of them are timed.

// Enabled counters slow down what is timed at the same time, and enabling or changing them takes
// 0.15 s. Therefore counters are read after the timing, one kind for all cases after another.
class CountingPass {
  public:
    // `counting`: `done` of `total` readings are complete, and the case in `result` is next.
    // `counted`: the record contains all of the case's counters.
    struct Events {
        std::function<void(const CaseResult& result, int done, int total)> counting;
        std::function<void(const CaseResult& result)> counted;
        // True if this process times other cases later. Then kernels of graphs are not timed one by
        // one, because that would slow down the other cases (see Instruments::open_late).
        bool more_to_time = false;
    };

    // All arguments must outlive this object. `initial`: state that a launch starts from.
    CountingPass(const Study& study, Queue& queue, const State& initial, Instruments& instruments,
                 WallClock& clock)
        : study_(study),
          queue_(queue),
          initial_(initial),
          instruments_(instruments),
          clock_(clock),
          counter_(study, queue, initial, instruments) {}

    // Registers a case that is verified and timed, if any of its counters are to be read.
    void add(const CaseResult& result);

    // Reads the counters of all registered cases and clears the list. Returns early if the process
    // is to end.
    void run(const Events& events);

  private:
    // Reads counters of a case whose execution is in the initial state.
    using Reading = std::function<void(Execution& execution, CaseResult& result)>;

    void read(const Events& events, WallClock::Part part, const Reading& reading);
    // Returns true if kernels are still to be timed.
    bool open_instruments(const Events& events);

    const Study& study_;
    Queue& queue_;
    const State& initial_;
    Instruments& instruments_;
    WallClock& clock_;
    CaseCounter counter_;
    std::vector<CaseResult> cases_;
    int done_ = 0;
    int total_ = 0;
};

}  // namespace camber
