// Original minimization algorithm of water flow: how a cell distributes its water.
#pragma once

#include "harness/base/target.hpp"

namespace camber::water_flow {

// The level to which `water` fills the lowest of `count` (at most 32) altitudes, q[0] the terrain
// of the cell that holds it and the others the levels of its neighbors: cells above the average
// are eliminated until none is (Topa and Mlocek 2013, Algorithm 1). As printed the loop never ends
// (its control variable is not reset), and where rounding puts equal cells above their own average
// it eliminates them all; the last cell stays here. A cell i receives max(0, result - q[i]).
template <class T>
CAMBER_HD T level_by_elimination(T water, const T* q, int count) {
    unsigned remaining = ~0u >> (32 - count);
    int number = count;
    for (;;) {
        T sum = water;
        for (int i = 0; i < count; ++i)
            if (remaining >> i & 1) sum += q[i];
        const T average = sum / static_cast<T>(number);
        bool again = false;
        for (int i = 0; i < count && number > 1; ++i) {
            if (!(remaining >> i & 1) || !(q[i] > average)) continue;
            remaining &= ~(1u << i);
            --number;
            again = true;
        }
        if (!again) return average;
    }
}

}  // namespace camber::water_flow
