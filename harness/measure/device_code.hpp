// What the compiler made of variants for the GPU in use.
#pragma once

#include <map>

#include "harness/machine/queue/devices.hpp"
#include "harness/measure/study.hpp"
#include "harness/predict/prediction.hpp"
#include "harness/record/code_table.hpp"

namespace camber {

// Launches each variant that is predicted once, on the small board that stands for the study's or,
// where there is none, on the study's own if that is small, and takes the facts and the machine
// instructions of its kernels. Variants that have none, and all where there is no disassembler, are
// not in the table. Throws Error(unavailable) where the device cannot be used, Stopped where work
// is to end.
results::CodeTable code_on_device(const Study& study, const DeviceInfo& device,
                                  const std::map<const Variant*, Prediction>& predictions);

}  // namespace camber
