// What a person reads of transfers under kernels.
#pragma once

#include <string>

#include "harness/record/document.hpp"

namespace camber {

// The passes of transfer_overlap against the sum of their pieces alone, and the order of issue that
// is faster; "" where no pass and its pieces were timed.
std::string overlap_table(const results::Document& document);

}  // namespace camber
