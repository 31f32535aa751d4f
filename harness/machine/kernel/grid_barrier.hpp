// grid_barrier(): waits until every thread of a cooperative launch (LaunchShape::cooperative) has
// come here. What the grid's threads wrote before, all of them see after. All threads of the grid
// must come, at the same line. CUDA C++ Programming Guide, "Grid Synchronization".
#pragma once

#include "harness/base/target.hpp"
#include "harness/machine/kernel/site.hpp"

#if CAMBER_ON_DEVICE

    #include <cooperative_groups.h>

CAMBER_TARGET_BEGIN

CAMBER_DEVICE void grid_barrier(Site = Site::current()) {
    cooperative_groups::this_grid().sync();
}

CAMBER_TARGET_END

#else

    #include "harness/machine/simt/warp.hpp"

CAMBER_TARGET_BEGIN

inline void grid_barrier(const Site& site = Site::current()) {
    simt::grid_barrier(site);
}

CAMBER_TARGET_END

#endif
