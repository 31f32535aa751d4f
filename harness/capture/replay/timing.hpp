// Times of the original and of candidates, in turn, over restored memory.
#pragma once

#include <string>
#include <vector>

#include "harness/capture/replay/replayed_launch.hpp"

namespace camber::capture {

struct Timing {
    std::vector<Sample> samples;
    bool by_cupti = false;  // otherwise by events, which include part of the launch
};

// Times `kernels` in `rounds` rounds: with warm caches, after an untimed launch, and after L2 was
// flushed. Only parts that the kernel also reads are restored, outside the timed section.
Timing time_kernels(ReplayedLaunch& replay, const std::vector<LoadedKernel>& kernels,
                    const std::vector<Part>& parts, std::uint64_t rounds,
                    const std::vector<std::string>& cupti_folders);

}  // namespace camber::capture
