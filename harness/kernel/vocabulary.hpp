// Everything a kernel is written with. A kernel source includes this and rules, nothing else.
#pragma once

#include "harness/base/layout.hpp"
#include "harness/base/target.hpp"
#include "harness/kernel/grid.hpp"
#include "harness/kernel/interleaved.hpp"
#include "harness/kernel/launch.hpp"
#include "harness/kernel/pack.hpp"
#include "harness/kernel/texture.hpp"
#include "harness/kernel/tile.hpp"

#if !CAMBER_ON_DEVICE
    #include "harness/simt/atomics.hpp"
    #include "harness/simt/cuda_words.hpp"
    #include "harness/simt/vector_types.hpp"
#endif
