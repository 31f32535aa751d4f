// Expected maximum of several normally distributed values.
#pragma once

namespace camber {

// Expected maximum of `values` samples of the standard normal distribution: 0 for one, 2.07 for 32
// (Harter 1961, "Expected values of normal order statistics"). Fewer than one count as one.
double largest_of(double values);

}  // namespace camber
