// All file readers of camber, with valid files to damage.
#pragma once

#include <vector>

#include "tests/fuzz/supervised.hpp"

namespace camber::fuzz {

std::vector<Reader> all_readers();

}  // namespace camber::fuzz
