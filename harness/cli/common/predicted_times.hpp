// Predicted times of variants for a device, from ceilings and machine code, and the variants that a
// prediction makes unnecessary to measure.
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
#include "harness/record/code_table.hpp"
#include "harness/record/document.hpp"

namespace camber {

// Predicted times of variants: of which device, by which machine code.

// The GPU that a file describes.
struct ModelDevice {
    results::Gpu gpu;
    HardwareLimits limits;
};

// Throws Error(usage) where the file has no limits of a GPU.
ModelDevice device_of(const results::Document& document);

// Predicts times on a device.
class TimePredictor {
  public:
    // Machine code is looked for in `own` first, such as that of a run of the same variants, then
    // in the tables of the program.
    TimePredictor(const ModelDevice& device, const Architecture& architecture,
                  std::vector<results::CodeTable> own = {},
                  Submission submission = Submission::stream);

    // The time of a launch, or the sentence that says why there is none. Where no machine code of
    // the variant is known, as many instructions as kernels have for an access on average stand in,
    // and the time is uncertain.
    std::variant<PredictedTime, std::string> time(const Prediction& prediction) const;
    // The same with the machine code of the launch's kernels, made for the device.
    std::variant<PredictedTime, std::string> time(const Prediction& prediction,
                                                  const std::vector<results::Kernel>& code) const;

    // Why no time at all is predicted: what the device's file lacks.
    std::optional<std::string> why_none() const;
    // Why all times are uncertain: a phrase; "" where they are not.
    const std::string& stand_in() const { return stand_in_; }
    // Sentences about all predictions: what stands in for figures that the device's file lacks, and
    // why there are no times at all.
    std::vector<std::string> notes() const;

  private:
    const std::vector<results::Kernel>* code_of(const Prediction& prediction) const;
    std::variant<PredictedTime, std::string> typical_time(const Prediction& prediction,
                                                          const Machine& machine) const;

    std::variant<Machine, std::string> machine_;
    std::vector<results::CodeTable> tables_;
    std::string stand_in_;                      // a phrase, where no table is of the architecture
    std::map<std::string, double> per_access_;  // instructions, on average
};

// What is predicted of a study's variants before they are measured, and which need not be.

// Of the GPU that a study runs on: limits that are kept of it, or else are measured now.
ModelDevice device_in_use(const DeviceInfo& device, bool fresh);

// Of the variants that can be modelled and that a device with these limits can run, on all CPU
// threads that the study has. `seconds`: what is not predicted by then has no prediction. Throws
// Stopped where work is to end.
std::map<const Variant*, Prediction> predictions_of(const Study& study, const DeviceLimits& limits,
                                                    const Architecture& architecture,
                                                    std::optional<double> seconds = std::nullopt);

// Of those predictions that have a time.
std::vector<Outlook> outlooks(const std::map<const Variant*, Prediction>& predictions,
                              const TimePredictor& times);

// Notes in the study which variants are hopeless, but for its baseline and those whose names match
// one of `keep`. The one that they are compared with; nothing where no time is certain.
std::optional<Outlook> leave_out_hopeless(Study& study, const std::vector<Outlook>& all,
                                          const std::vector<std::string>& keep);

}  // namespace camber
