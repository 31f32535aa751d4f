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

// Predictions of variants, made on threads of their own while the GPU is at work.
class Predictions {
  public:
    // Called by several threads at once; throws where a variant cannot be predicted.
    using Predict = std::function<Prediction(const Variant& variant)>;

    explicit Predictions(Predict predict) : predict_(std::move(predict)) {}
    // Begins no further prediction, and waits for those that are begun.
    ~Predictions();
    Predictions(const Predictions&) = delete;
    Predictions& operator=(const Predictions&) = delete;

    // Predicts those of `variants` that are not predicted yet, in this order, on at most `threads`
    // threads.
    void begin(const std::vector<const Variant*>& variants, int threads);

    // Waits for the variant's prediction, or makes it where no thread has begun it. One that failed
    // beside others, which take memory too, is tried again alone. Throws what predicting threw.
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
    std::vector<std::pair<const Variant*, Task*>> begun_;  // for the threads, in order
    std::atomic<std::size_t> next_{0};
    std::atomic<bool> ends_{false};
    std::vector<std::jthread> threads_;
};

// Reads the counters of a case's first launch, as a whole and kernel by kernel, and sets the
// model's prediction beside them.
class CaseCounter {
  public:
    // A launch of more kernels than these is counted as a whole only: room for all kernels'
    // counters is taken beforehand.
    static constexpr std::size_t most_kernels = 512;

    // All of them outlive the counter. `initial`: the state that a launch starts from.
    CaseCounter(const Study& study, Queue& queue, const State& initial, Instruments& instruments)
        : study_(study),
          queue_(queue),
          initial_(initial),
          instruments_(instruments),
          predictions_([this](const Variant& variant) { return prediction_of(variant); }) {}

    // Predicts the cases that will be, on the host's other threads while the GPU counts.
    void begin_predictions(const std::vector<CaseResult>& cases);

    // Each fills a part of the record of a result that has its variant, conditions and kernels.
    // Apart from timing: counting serialises kernels and repeats them, once per pass. What fails is
    // told in the instruments' `failures`.
    // `counters`, of the launch as a whole. The instruments need counters.
    void count_launch(Execution& execution, CaseResult& result);
    // `kernel_counters`, after `counters`.
    void count_kernels(Execution& execution, CaseResult& result);
    // `model`, beside whatever was counted.
    void predict(CaseResult& result);

  private:
    void restore(Execution& execution, const CaseResult& result);
    counters::CounterReader& reader_for(const Variant& variant);
    // Whether there are rules for the device, and an executor for the variant.
    bool can_predict(const Variant& variant) const;
    Prediction prediction_of(const Variant& variant) const;

    const Study& study_;
    Queue& queue_;
    const State& initial_;
    Instruments& instruments_;
    bool can_count_kernels_ = true;
    int capability_ = queue_.limits().compute_capability;
    Predictions predictions_;  // the same under all conditions
};

// Whether its kernels may: the technique is of that family, or not one of camber's.
bool may_read_textures(const Variant& variant);

// What a kernel is called in results: as the variant calls it, or "library" for CUB's kernels,
// "fill" for Queue::fill's, and else its symbol.
std::string name_of_kernel(const std::string& symbol,
                           const std::vector<results::Kernel>& of_variant);

// Sets for each kernel of `record` that is the variant's own the model's prediction of it beside
// the counters. "" or, where the model has other kernels in another order, a clause that says so;
// then nothing is compared.
std::string compare_kernels(results::CaseRecord& record, const Prediction& prediction);

// One sentence for each quantity that `prediction`, of the variant's launch, has exactly and the
// counters read otherwise.
std::vector<std::string> differences(const std::string& variant, const Prediction& prediction,
                                     const std::vector<CounterComparison>& comparisons);

// What is measured of the cases after all of them are timed.

// Counters slow down what is timed beside them, and it takes 0.15 s to enable them or to change
// what they count. So they are read after the timing, one kind of all cases after another.
class CountingPass {
  public:
    // `counting`: `done` of `total` readings are done, and this case's is next. `counted`: all that
    // is counted of a case is in its record.
    struct Events {
        std::function<void(const CaseResult& result, int done, int total)> counting;
        std::function<void(const CaseResult& result)> counted;
        // Whether other cases are timed in this process later. Then kernels of graphs have no
        // times of their own, as these would slow the others down (see Instruments::open_late).
        bool more_to_time = false;
    };

    // All of them outlive the pass. `initial`: the state that a launch starts from.
    CountingPass(const Study& study, Queue& queue, const State& initial, Instruments& instruments,
                 WallClock& clock)
        : study_(study),
          queue_(queue),
          initial_(initial),
          instruments_(instruments),
          clock_(clock),
          counter_(study, queue, initial, instruments) {}

    // Notes a case that is right and timed, if there is anything to count of it.
    void add(const CaseResult& result);

    // Counts the cases noted so far, and forgets them. Returns early when it is to stop.
    void run(const Events& events);

  private:
    // Of a case whose execution is in the initial state.
    using Reading = std::function<void(Execution& execution, CaseResult& result)>;

    void read(const Events& events, WallClock::Part part, const Reading& reading);
    // Whether kernels are still to be timed.
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
