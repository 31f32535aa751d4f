// GPU capabilities that a kernel requires and not all GPUs have.
#pragma once

#include <string>

#include "harness/base/target.hpp"
#include "harness/base/unsupported.hpp"
#include "harness/machine/queue/queue.hpp"

CAMBER_TARGET_BEGIN

struct Capability {
    int least = 0;          // compute capability, 10 * major + minor; 0: none
    const char* what = "";  // "tensor cores that multiply bytes"
};

// Throws Unsupported where the queue's device lacks it; the executor has all.
inline void require(const Queue& queue, const Capability& needed) {
    const int capability = queue.limits().compute_capability;
    if (!CAMBER_ON_DEVICE || capability >= needed.least) return;
    const auto name = [](int c) { return std::to_string(c / 10) + "." + std::to_string(c % 10); };
    throw Unsupported(std::string("needs ") + needed.what + ", of compute capability " +
                      name(needed.least) + ", and this GPU has " + name(capability));
}

CAMBER_TARGET_END
