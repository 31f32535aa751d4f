// Element-wise function that the kernel of `transfer_overlap` computes.
#pragma once

#include "harness/base/parameters.hpp"
#include "harness/base/target.hpp"

namespace camber::transfer_overlap {

inline constexpr const char* input_field = "input";
inline constexpr const char* value_field = "x";

// Mean of an element and its input, followed by `repeats` iterations of the logistic map x <- 3.9 x
// (1 - x). Each operation is rounded separately. The map is chaotic, so small errors grow and are
// detected.
CAMBER_HD inline float mapped(float x, float input, int repeats) {
    float value = 0.5f * (x + input);
    for (int i = 0; i < repeats; ++i) value = 3.9f * value * (1.0f - value);
    return value;
}

// Parameter "repeats". Throws Error(usage) if it is no integer from 0 to 10^6.
int repeats_of(const ParameterSet& parameters);

}  // namespace camber::transfer_overlap
