// Finds the ids of the SMs that execute a launch.
#pragma once

namespace camber::cuda {

// The distinct SMs that blocks of one launch on `stream` (a cudaStream_t) report to
// have run on, enough blocks to fill a device.
int count_distinct_sms(void* stream);

}  // namespace camber::cuda
