// Everything a kernel is written with. A kernel source includes this and rules, nothing else.
#pragma once

#include "harness/kernel/grid.hpp"
#include "harness/kernel/launch.hpp"
#include "harness/kernel/layout.hpp"
#include "harness/kernel/target.hpp"
#include "harness/kernel/tile.hpp"

#if !CAMBER_ON_DEVICE
    #include "harness/simt/cuda_words.hpp"
#endif
