// Reads the counters of a case's first launch, as a whole and kernel by kernel, and sets the
// model's prediction beside them.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "analysis/memory/compare_counters.hpp"
#include "harness/measure/case_result.hpp"
#include "harness/measure/instruments.hpp"
#include "harness/measure/predictions.hpp"
#include "harness/predict/prediction.hpp"
#include "workloads/core/workload.hpp"

namespace camber {

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

}  // namespace camber
