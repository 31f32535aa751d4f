// What lies beyond the edge of a board.
#pragma once

#include <string_view>

namespace camber {

enum class Boundary { dead, torus };

std::string_view name(Boundary boundary);
Boundary boundary_named(std::string_view text);  // throws Error(usage)

}  // namespace camber
