// Thread block of all planted faults.
#pragma once

#include "harness/machine/kernel/vocabulary.hpp"

CAMBER_TARGET_BEGIN

namespace {

constexpr int threads = 64;  // per block: two warps

}  // namespace

CAMBER_TARGET_END
