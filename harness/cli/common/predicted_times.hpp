// Predicted times of variants for a device, from ceilings and machine code, and the selection of
// dominated variants that need not be measured.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "analysis/memory/bounds.hpp"
#include "analysis/time/machine.hpp"
#include "analysis/time/ranking.hpp"
#include "harness/measure/study.hpp"
#include "harness/predict/launch_time.hpp"
#include "harness/predict/prediction.hpp"
#include "harness/record/code_inspection.hpp"
#include "harness/record/document.hpp"

namespace camber {

// Prediction of times for a given device from given machine code.

// GPU and ceilings that a file describes.
struct ModelDevice {
    results::Gpu gpu;
    HardwareLimits limits;
};

// Throws Error(usage) if the file has no ceilings of a GPU.
ModelDevice device_of(const results::Document& document);

// Predicts times on a device.
class TimePredictor {
  public:
    // Machine code is looked up first in `own`, such as the code of a run of the same variants,
    // then in the program's tables.
    TimePredictor(const ModelDevice& device, const Architecture& architecture,
                  std::vector<results::CodeTable> own = {},
                  Submission submission = Submission::stream);

    // Time of a launch, or a sentence that says why there is none. If no machine code of the
    // variant is available, each memory access implies the average number of other instructions in
    // kernels, and the time is marked as uncertain.
    std::variant<PredictedTime, std::string> time(const Prediction& prediction) const;
    // Same with machine code of the launch's kernels, compiled for the device.
    std::variant<PredictedTime, std::string> time(const Prediction& prediction,
                                                  const std::vector<results::Kernel>& code) const;

    // Settings of the model for experiments.
    void set(const ModelSettings& settings);

    // Reason why no time is predicted at all: data that the device's file lacks.
    std::optional<std::string> why_none() const;
    // Reason why all times are uncertain, as a phrase; "" if they are not.
    const std::string& stand_in() const { return stand_in_; }
    // Sentences about all predictions: assumed values for data that the device's file lacks, and
    // the reason if there are no times at all.
    std::vector<std::string> notes() const;

  private:
    const std::vector<results::Kernel>* code_of(const Prediction& prediction) const;
    std::variant<PredictedTime, std::string> typical_time(const Prediction& prediction,
                                                          const Machine& machine) const;

    std::variant<Machine, std::string> machine_;
    std::vector<results::CodeTable> tables_;
    std::string stand_in_;  // a phrase, if no table has code for the architecture
    std::map<std::string, double> per_access_;  // average count of each instruction class
};

// Predictions for a study's variants before they are measured, and the variants that need not be.

// GPU of a study, with its cached ceilings, which are measured now if they are not cached or if
// `fresh` is set.
ModelDevice device_in_use(const DeviceInfo& device, bool fresh);

// Predictions of the variants that can be modeled and that a device with these limits can run, on
// all CPU threads of the study. `seconds`: time limit, after which the remaining variants have no
// prediction. Throws Stopped if the process is to end.
std::map<const Variant*, Prediction> predictions_of(const Study& study, const DeviceLimits& limits,
                                                    const Architecture& architecture,
                                                    std::optional<double> seconds = std::nullopt);

// Predicted intervals of the predictions that have a time.
std::vector<PredictedInterval> predicted_intervals(
    const std::map<const Variant*, Prediction>& predictions, const TimePredictor& times);

// Marks dominated variants in the study, except its baseline and variants whose names match a glob
// in `keep`. Returns the best variant, or nullopt if no time is certain.
std::optional<PredictedInterval> leave_out_dominated(Study& study,
                                                     const std::vector<PredictedInterval>& all,
                                                     const std::vector<std::string>& keep);

}  // namespace camber
