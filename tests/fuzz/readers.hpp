// Every reader of files that camber has, with sound files to damage.
#pragma once

#include <vector>

#include "tests/fuzz/supervised.hpp"

namespace camber::fuzz {

std::vector<Reader> all_readers();

}  // namespace camber::fuzz
