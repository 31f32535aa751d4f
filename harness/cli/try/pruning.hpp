// Which combinations of a sweep are not worth running, by the model.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "analysis/time/hopeless.hpp"
#include "harness/cli/common/candidates.hpp"
#include "harness/cli/common/time_predictor.hpp"
#include "harness/measure/study.hpp"

namespace camber {

// A combination that was built.
struct SweepPoint {
    CandidatePoint from;
    std::string name;                // of the variant
    std::optional<double> moved;     // bytes of a generation, by the model
    std::optional<double> bound_ns;  // of a generation, at the device's limits
    std::optional<Outlook> outlook;  // its predicted time, with the machine code that was found
};

// Models all points of the study, on a device where one is known. Why no times are predicted, a
// phrase: "" where they are.
std::string model_points(std::vector<SweepPoint>& points, const Study& study,
                         const std::optional<ModelDevice>& device);

// Notes in the study which of the points are hopeless: by their predicted times where
// `why_no_times` is empty, and else by the bounds. `failed`: those that turned out to be wrong,
// with which nothing is compared. What is to be told of it, a line; "" where nothing is known of
// the device.
std::string leave_out_hopeless(Study& study, const std::vector<SweepPoint>& points,
                               const std::string& why_no_times,
                               const std::vector<std::string>& failed);

// The point by which the others were judged; nullptr: none.
const SweepPoint* judge_of(const std::vector<SweepPoint>& points, const std::string& why_no_times,
                           const std::vector<std::string>& failed);

}  // namespace camber
