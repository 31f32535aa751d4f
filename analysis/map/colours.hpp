// Colours for values in an order that the eye sees.
#pragma once

#include "analysis/map/canvas.hpp"

namespace camber::map {

// The map "inferno" of N. J. Smith and S. van der Walt (matplotlib, CC0), without its blackest
// part: from dark violet at 0 over red to pale yellow at 1, every step lighter than the one before.
// Values beyond are taken as 0 or 1.
Rgb glowing(double share);

// Lightness of a colour as it is seen, 0 to 100 (CIE 1976 L*).
double lightness(Rgb colour);

}  // namespace camber::map
