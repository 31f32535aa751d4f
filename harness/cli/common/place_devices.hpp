// Which GPU each place of a group has.
#pragma once

#include <string>
#include <vector>

#include "harness/machine/queue/devices.hpp"

namespace camber {

// NUMBER[,NUMBER...], each from `least` on. Throws Error(usage) that names the option.
std::vector<int> number_list(const std::string& text, const char* option, int least);

// As --devices says, or else the first `gpus`. Throws Error(usage) where the two differ.
std::vector<int> devices_of_places(int gpus, const std::string& list);

// Throws Error(unavailable) where there are fewer than that, and Error(usage) for one that does not
// exist. `named`: by --devices.
void check_devices(const std::vector<int>& devices, bool named,
                   const std::vector<DeviceInfo>& known);

// How many multiprocessors each has: shares of the rows by what GPUs of several kinds can do
// (Rustico 2012, section 6.6).
std::vector<int> multiprocessors_of(const std::vector<int>& devices,
                                    const std::vector<DeviceInfo>& known);

// That of a rank, which is number `local` of its machine, counted from 0. Throws Error(unavailable)
// where none is left for it.
int device_of_rank(int rank, int local, const std::string& list,
                   const std::vector<DeviceInfo>& known);

}  // namespace camber
