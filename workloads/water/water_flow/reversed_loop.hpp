// The "reversed" minimization algorithm as a plain loop: sort, then add cells while the water
// reaches the next one.
#pragma once

#include "harness/base/target.hpp"

namespace camber::water_flow {

// The level to which `water` fills the lowest of five altitudes, which are sorted on the way (Topa
// and Mlocek 2013, section 3, where the loop starts without a cell and so never ends well for no
// water, and compares with a sum that already has the cell in it). level_by_sorting() is the same,
// bit for bit, without branches.
template <class T>
CAMBER_HD T level_by_loop(T water, T (&q)[5]) {
    for (int i = 1; i < 5; ++i)
        for (int k = i; k > 0 && q[k] < q[k - 1]; --k) {
            const T higher = q[k - 1];
            q[k - 1] = q[k];
            q[k] = higher;
        }
    T sum = water + q[0];
    int number = 1;
    while (number < 5 && static_cast<T>(number) * q[number] < sum) sum += q[number++];
    return sum / static_cast<T>(number);
}

}  // namespace camber::water_flow
