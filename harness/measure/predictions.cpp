#include "harness/measure/predictions.hpp"

#include <omp.h>

#include <exception>

namespace camber {

Predictions::~Predictions() {
    ends_ = true;
}

void Predictions::begin(const std::vector<const Variant*>& variants, int threads) {
    threads_.clear();
    begun_.clear();
    next_ = 0;
    for (const Variant* variant : variants)
        if (const auto [task, added] = tasks_.try_emplace(variant); added)
            begun_.emplace_back(variant, &task->second);
    for (std::size_t i = 0; i < begun_.size() && static_cast<int>(i) < threads; ++i)
        threads_.emplace_back([this] { work(); });
}

void Predictions::work() {
    omp_set_num_threads(1);  // of what this thread begins: the others are at work themselves
    while (!ends_) {
        const std::size_t i = next_++;
        if (i >= begun_.size()) return;
        make(*begun_[i].first, *begun_[i].second);
    }
}

void Predictions::make(const Variant& variant, Task& task) const {
    if (task.begun.exchange(true)) return;
    try {
        task.promise.set_value(predict_(variant));
    } catch (...) {
        task.promise.set_exception(std::current_exception());
    }
}

const Prediction& Predictions::of(const Variant& variant) {
    Task& task = tasks_[&variant];
    make(variant, task);
    try {
        return task.result.get();
    } catch (const std::exception&) {
        threads_.clear();  // once they have come to their end
        std::promise<Prediction> again;
        again.set_value(predict_(variant));
        task.result = again.get_future().share();
        return task.result.get();
    }
}

}  // namespace camber
