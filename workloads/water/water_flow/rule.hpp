// Water that flows over a terrain (Topa and Mlocek 2013): the two halves of a step per cell, with
// three algorithms that find the level to which a cell distributes its water.
#pragma once

#include "harness/base/target.hpp"
#include "workloads/core/arithmetic.hpp"

namespace camber::water_flow {

// Water that flows over a terrain (Topa and Mlocek 2013): the two halves of a step, cell by cell.
//
// A cell holds an altitude `terrain` and water, stored as `level` = terrain + water. First every
// cell decides to which level it shares its water out among itself and its four neighbors
// (best_level), then it takes what its neighbors give it and loses what it gives away
// (distributed_level). Nothing is lost between cells: a neighbor's gift to this cell is
// max(0, its best level - this cell's level), which this cell computes by itself.
//
// The published text does not say what lies beyond the edge; here it is closed: an outside cell is
// so high that no water flows there, and gives none.

// Beyond the edge, of terrain and level, and of best levels.
template <class T>
inline constexpr T outside_level = static_cast<T>(1e30f);
template <class T>
inline constexpr T outside_best_level = static_cast<T>(-1e30f);

using camber::larger;

// Ascending, by 9 comparators and no branch (Topa and Mlocek 2013, Listing 1).
template <class T>
CAMBER_HD void sort_five(T (&q)[5]) {
    const auto order = [&q](int i, int j) {
        const T low = q[j] < q[i] ? q[j] : q[i];
        q[j] = larger(q[i], q[j]);
        q[i] = low;
    };
    order(0, 1);
    order(3, 4);
    order(2, 4);
    order(2, 3);
    order(0, 3);
    order(1, 4);
    order(0, 2);
    order(1, 3);
    order(1, 2);
}

// The level to which `water` fills the lowest of five altitudes: the "reversed" form of the
// minimization algorithm, which adds cells from the lowest up while the water reaches the next one.
// Listing 1 decides about each cell by itself, which is wrong for negative altitudes; here a cell
// counts only if the one before did.
template <class T>
CAMBER_HD T level_by_sorting(T water, T (&q)[5]) {
    sort_five(q);
    T sum = water + q[0];
    T number = 1;
    T reached = 1;
    for (int k = 1; k < 5; ++k) {
        reached *= T(k) * q[k] < sum ? T(1) : T(0);
        sum += reached * q[k];
        number += reached;
    }
    return sum / number;
}

// The first half of a step: `level` is the cell's own, the others its neighbors'.
template <class T>
CAMBER_HD T best_level(T terrain, T level, T up, T left, T right, T down) {
    T q[5] = {terrain, up, left, right, down};
    return level_by_sorting(level - terrain, q);
}

// The second half: the cell's new level. `source` is added in every step, and drains where it is
// negative, though never below the terrain; the best levels are the cell's own and its neighbors'.
template <class T>
CAMBER_HD T distributed_level(T level, T terrain, T source, T best, T best_up, T best_left,
                              T best_right, T best_down) {
    const T inflow = larger(T(0), best_up - level) + larger(T(0), best_left - level) +
                     larger(T(0), best_right - level) + larger(T(0), best_down - level);
    const T change = source + inflow + larger(terrain, best) - level;
    return larger(change + level, terrain);
}

// Original minimization algorithm of water flow: how a cell distributes its water.

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

// The "reversed" minimization algorithm as a plain loop: sort, then add cells while the water
// reaches the next one.

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
