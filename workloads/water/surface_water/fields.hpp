// The fields of surface water as rules read and write them.
#pragma once

#include "workloads/core/rule.hpp"
#include "workloads/water/surface_water/physics.hpp"

namespace camber::surface_water {

// Altitude of the ground, m.
template <class T, int Radius>
struct Terrain : Input<T, Radius> {
    static constexpr const char* field = "terrain";
    static constexpr bool constant = true;
    CAMBER_HD static constexpr T outside() { return static_cast<T>(1e30f); }
};

// Depth of the water, m.
template <class T, int Radius>
struct Depth : Input<T, Radius> {
    static constexpr const char* field = "depth";
    CAMBER_HD static constexpr T outside() { return 0; }
};
template <class T>
struct NewDepth : Output<T> {
    static constexpr const char* field = "depth";
};

// Infiltration rate of the ground, m/s.
template <class T, int Radius>
struct InfiltrationRate : Input<T, Radius> {
    static constexpr const char* field = "infiltration";
    static constexpr bool constant = true;
    CAMBER_HD static constexpr T outside() { return static_cast<T>(1e30f); }
};

// Outflow of a cell in a step, m. Not part of the state: one rule passes it to the next.
template <class T>
struct Discharge : Input<T, 0> {
    static constexpr const char* field = "discharge";
    CAMBER_HD static constexpr T outside() { return 0; }
};
template <class T>
struct NewDischarge : Output<T> {
    static constexpr const char* field = "discharge";
};

// The same per m of drop to a neighbor.
template <class T>
struct OutflowPerDrop : Input<T, 1> {
    static constexpr const char* field = "outflow_per_drop";
    CAMBER_HD static constexpr T outside() { return 0; }
};
template <class T>
struct NewOutflowPerDrop : Output<T> {
    static constexpr const char* field = "outflow_per_drop";
};

// Inflow of a cell from its neighbors in a step, m; reset for the next step. It is not part of the
// state: the first form of the model accumulates it at the receiver.
template <class T>
struct Gain : Input<T, 0> {
    static constexpr const char* field = "gain";
    CAMBER_HD static constexpr T outside() { return 0; }
};
template <class T>
struct NewGain : Output<T> {
    static constexpr const char* field = "gain";
};

}  // namespace camber::surface_water
