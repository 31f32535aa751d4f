// All headers that a kernel needs. A kernel source includes this file and rules, nothing else.
#pragma once

#include "harness/base/layout.hpp"
#include "harness/base/target.hpp"
#include "harness/machine/kernel/grid.hpp"
#include "harness/machine/kernel/launch.hpp"
#include "harness/machine/kernel/pack.hpp"
#include "harness/machine/kernel/texture.hpp"
#include "harness/machine/kernel/tile.hpp"

#if !CAMBER_ON_DEVICE
    #include "harness/machine/simt/cuda_words.hpp"
    #include "harness/machine/simt/vector_types.hpp"
#endif
