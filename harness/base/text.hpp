// Names that people type: globs, near misses, sizes.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace camber {

// Shell-style match; `*` also crosses slashes.
bool matches_glob(std::string_view glob, std::string_view name);

// The candidates whose front part is nearest to `text` by edit distance, at most `count`, best
// first; those that share less than half of it are left out. Names are long, and people type their
// front.
std::vector<std::string> nearest(std::string_view text, const std::vector<std::string>& candidates,
                                 std::size_t count = 3);

// ": did you mean A, B or C?", or "" when nothing is near.
std::string suggestion(std::string_view text, const std::vector<std::string>& candidates);

}  // namespace camber
