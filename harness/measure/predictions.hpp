// Predictions of variants, made on threads of their own while the GPU is at work.
#pragma once

#include <atomic>
#include <functional>
#include <future>
#include <map>
#include <thread>
#include <utility>
#include <vector>

#include "harness/predict/prediction.hpp"

namespace camber {

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

}  // namespace camber
