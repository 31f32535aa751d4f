// Sizes of boards as they are typed.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "harness/base/state.hpp"

namespace camber {

// Two whole numbers around `separator`, and nothing else; false for anything else.
bool parse_pair(std::string_view text, char separator, std::int64_t& first, std::int64_t& second);

// COLUMNSxROWS. Throws Error(usage) for anything else, and for what no board can have.
Size parse_size(const std::string& text);

// The sizes of a list, each as COLUMNSxROWS: "64x64,256x256", or "64x64..512x512", where columns
// and rows double from one size to the next; one of "" for "". Throws Error(usage) for other lists.
std::vector<std::string> sizes_in(const std::string& list);

}  // namespace camber
