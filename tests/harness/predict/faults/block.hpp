// The block of threads that every planted fault runs in.
#pragma once

#include "harness/machine/kernel/vocabulary.hpp"

CAMBER_TARGET_BEGIN

namespace {

constexpr int threads = 64;  // of a block: two warps

}  // namespace

CAMBER_TARGET_END
