// The mean of the largest of several values that scatter.
#pragma once

namespace camber {

// Of so many values of the standard normal distribution: 0 of one, 2.07 of 32 (Harter 1961,
// "Expected values of normal order statistics"). Fewer than one count as one.
double largest_of(double values);

}  // namespace camber
