// Techniques with variants for several number types.
#pragma once

#include "harness/registry/registry.hpp"

CAMBER_WORKLOAD_BEGIN(sph)

inline constexpr TechniqueInfo list_technique{
    "neighbour_list", "each particle's neighbours from a list, the k-th of all side by side",
    "Rustico 2012, section 7.3", Family::global_memory};
inline constexpr TechniqueInfo particle_list_technique{
    "neighbour_list_rows", "each particle's neighbours from a list, its own side by side",
    "for comparison with the interleaved list", Family::global_memory};

CAMBER_TARGET_END
