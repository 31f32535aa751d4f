// Water flow over a terrain (Topa and Mlocek 2013): the two halves of a step per cell, with three
// algorithms for the level to which a cell distributes its water.
#pragma once

#include "harness/base/target.hpp"
#include "workloads/core/arithmetic.hpp"

namespace camber::water_flow {

// Water flow over a terrain (Topa and Mlocek 2013): the two halves of a step.
//
// A cell has an altitude `terrain`, and water stored as `level` = terrain + depth. First, every
// cell computes the level to which it distributes its water among itself and its four neighbors
// (best_level). Then it receives water from its neighbors and loses the water that it gives away
// (distributed_level). Water is conserved: a neighbor's gift to this cell is max(0, its best level
// - this cell's level), which this cell computes itself.
//
// The published text does not define the cells beyond the edge; here the board is closed: an
// outside cell is so high that no water flows there, and gives none.

// Values beyond the edge: of terrain and level, and of best levels.
template <class T>
inline constexpr T outside_level = static_cast<T>(1e30f);
template <class T>
inline constexpr T outside_best_level = static_cast<T>(-1e30f);

using camber::larger;

// Sorts in ascending order, by 9 comparators without branches (Topa and Mlocek 2013, Listing 1).
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

// Level to which `water` fills the lowest of five altitudes: the "reversed" form of the
// minimization algorithm, which adds cells from the lowest up while the water reaches the next one.
// Listing 1 decides separately for each cell, which is wrong for negative altitudes; here a cell
// counts only if the previous one does.
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

// First half of a step: best level of a cell. `level` is the cell's own, the other arguments are
// its neighbors' levels.
template <class T>
CAMBER_HD T best_level(T terrain, T level, T up, T left, T right, T down) {
    T q[5] = {terrain, up, left, right, down};
    return level_by_sorting(level - terrain, q);
}

// Second half of a step: new level of a cell. `source` is added in every step; a negative source
// drains, but never below the terrain. The best levels are the cell's own and its neighbors'.
template <class T>
CAMBER_HD T distributed_level(T level, T terrain, T source, T best, T best_up, T best_left,
                              T best_right, T best_down) {
    const T inflow = larger(T(0), best_up - level) + larger(T(0), best_left - level) +
                     larger(T(0), best_right - level) + larger(T(0), best_down - level);
    const T change = source + inflow + larger(terrain, best) - level;
    return larger(change + level, terrain);
}

// Original minimization algorithm of water flow.

// Level to which `water` fills the lowest of `count` (at most 32) altitudes; q[0] is the terrain of
// the cell that has the water, the others are the levels of its neighbors. Cells above the average
// are eliminated until none is (Topa and Mlocek 2013, Algorithm 1). Two corrections: as printed,
// the loop never ends (its control variable is not reset), and if rounding puts equal cells above
// their own average, all are eliminated; here the last cell stays. Cell i receives max(0, result -
// q[i]).
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

// The "reversed" minimization algorithm with loops.

// Level to which `water` fills the lowest of five altitudes, which are sorted in place: adds cells
// while the water reaches the next one (Topa and Mlocek 2013, section 3; there, the loop starts
// without a cell, which fails without water, and compares with a sum that already contains the
// cell). level_by_sorting() gives the same bits without branches.
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
