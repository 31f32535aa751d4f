// Rules of water flow: a generation is BestLevels, then Distribute, or WaterFlowStep alone. With
// the sorting network, both forms give the same bits.
#pragma once

#include "workloads/core/rule.hpp"
#include "workloads/water/water_flow/rule.hpp"

namespace camber::water_flow {

// Altitude of the ground. `corners` is true if the rule reads diagonal neighbors; if it is false, a
// tile needs no corners.
template <class T, int Radius>
struct Terrain : Input<T, Radius> {
    static constexpr const char* field = "terrain";
    static constexpr bool constant = true;
    static constexpr bool corners = false;
    CAMBER_HD static constexpr T outside() { return static_cast<T>(1e30f); }
};

// Level: terrain and water above it. With radius 2, all cells that are at most two steps away are
// read.
template <class T, int Radius>
struct Level : Input<T, Radius> {
    static constexpr const char* field = "level";
    static constexpr bool corners = Radius == 2;
    static constexpr bool diamond = true;
    CAMBER_HD static constexpr T outside() { return static_cast<T>(1e30f); }
};
template <class T>
struct NewLevel : Output<T> {
    static constexpr const char* field = "level";
};

// Gain (or loss, if negative) of a cell in every step.
template <class T>
struct Sources : Input<T, 0> {
    static constexpr const char* field = "sources";
    static constexpr bool constant = true;
    static constexpr bool corners = false;
    CAMBER_HD static constexpr T outside() { return 0; }
};

// Level to which a cell distributes its water. The field is not part of the state but passed from
// BestLevels to Distribute.
template <class T>
struct BestLevel : Input<T, 1> {
    static constexpr const char* field = "best_levels";
    static constexpr bool corners = false;
    CAMBER_HD static constexpr T outside() { return static_cast<T>(-1e30f); }
};
template <class T>
struct NewBestLevel : Output<T> {
    static constexpr const char* field = "best_levels";
};

// Algorithm for a cell's best level.
enum class Minimisation {
    network,      // by a sorting network, without branches
    loop,         // sorting and adding cells up in loops
    elimination,  // removing cells above the average until none is
};

template <class T, Minimisation minimisation = Minimisation::network>
struct BestLevels {
    static constexpr const char* step = "best_levels";
    static constexpr bool closed = true;
    using Inputs = InputList<Terrain<T, 0>, Level<T, 1>>;
    using Outputs = OutputList<NewBestLevel<T>>;
    struct Parameters {};

    CAMBER_EXEC_CHECK_DISABLE
    template <class At>
    CAMBER_HD static T next(const At& at, const Parameters&) {
        constexpr Level<T, 1> level;
        const T terrain = at(Terrain<T, 0>{}, 0, 0);
        const T water = at(level, 0, 0) - terrain;
        T q[5] = {terrain, at(level, 0, -1), at(level, -1, 0), at(level, 1, 0), at(level, 0, 1)};
        if constexpr (minimisation == Minimisation::network)
            return level_by_sorting(water, q);
        else if constexpr (minimisation == Minimisation::loop)
            return level_by_loop(water, q);
        else
            return level_by_elimination(water, q, 5);
    }
};

template <class T>
struct Distribute {
    static constexpr const char* step = "distribute";
    static constexpr bool closed = true;
    using Inputs = InputList<Terrain<T, 0>, Level<T, 0>, Sources<T>, BestLevel<T>>;
    using Outputs = OutputList<NewLevel<T>>;
    struct Parameters {};

    CAMBER_EXEC_CHECK_DISABLE
    template <class At>
    CAMBER_HD static T next(const At& at, const Parameters&) {
        constexpr BestLevel<T> best;
        return distributed_level(at(Level<T, 0>{}, 0, 0), at(Terrain<T, 0>{}, 0, 0),
                                 at(Sources<T>{}, 0, 0), at(best, 0, 0), at(best, 0, -1),
                                 at(best, -1, 0), at(best, 1, 0), at(best, 0, 1));
    }
};

// Both halves in one rule: a cell computes its neighbors' best levels itself. For a cell beyond the
// edge, which has no water, the best level is that of the cell on this side, so that it gives no
// water here, either.
template <class T>
struct WaterFlowStep {
    static constexpr const char* step = "water_flow";
    static constexpr bool closed = true;
    using Inputs = InputList<Terrain<T, 1>, Level<T, 2>, Sources<T>>;
    using Outputs = OutputList<NewLevel<T>>;
    struct Parameters {};

    CAMBER_EXEC_CHECK_DISABLE
    template <class At>
    CAMBER_HD static T next(const At& at, const Parameters&) {
        constexpr Level<T, 2> level;
        constexpr Terrain<T, 1> terrain;
        const T level_here = at(level, 0, 0);
        const T terrain_here = at(terrain, 0, 0);
        const T up = at(level, 0, -1);
        const T left = at(level, -1, 0);
        const T right = at(level, 1, 0);
        const T down = at(level, 0, 1);
        const T up_left = at(level, -1, -1);
        const T up_right = at(level, 1, -1);
        const T down_left = at(level, -1, 1);
        const T down_right = at(level, 1, 1);
        const T best = best_level(terrain_here, level_here, up, left, right, down);
        const T best_up =
            best_level(at(terrain, 0, -1), up, at(level, 0, -2), up_left, up_right, level_here);
        const T best_left =
            best_level(at(terrain, -1, 0), left, up_left, at(level, -2, 0), level_here, down_left);
        const T best_right =
            best_level(at(terrain, 1, 0), right, up_right, level_here, at(level, 2, 0), down_right);
        const T best_down =
            best_level(at(terrain, 0, 1), down, level_here, down_left, down_right, at(level, 0, 2));
        return distributed_level(level_here, terrain_here, at(Sources<T>{}, 0, 0), best, best_up,
                                 best_left, best_right, best_down);
    }
};

}  // namespace camber::water_flow
