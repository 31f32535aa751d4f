// What is predicted of a study's variants before they are measured, and which need not be.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "analysis/time/hopeless.hpp"
#include "harness/cli/common/time_predictor.hpp"
#include "harness/measure/study.hpp"
#include "harness/predict/prediction.hpp"

namespace camber {

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
