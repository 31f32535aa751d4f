// Draws one memory instruction of one warp: which lanes access which sectors, or which banks.
#pragma once

#include <string>

#include "analysis/memory/architecture.hpp"
#include "harness/base/kernel_launch.hpp"

namespace camber {

// Picture for a terminal of 100 columns. Global, texture and local memory: a row for each touched
// 128-byte line, with four sectors; each shows how many of its 32 bytes are used and by which
// lanes, or that no lane uses it. Shared memory: a column for each bank, a row for each wavefront.
// An exclamation mark indicates extra sectors and the wavefronts that a bank conflict causes; the
// remedy is named above the picture. `title`: heading, may be empty or have several lines, the
// first in bold. `row_bytes`: distance between vertically adjacent cells; 0 if unknown. The text
// ends with a newline. Throws std::invalid_argument for what check_request() refuses.
std::string picture_text(const WarpRequest& request, RuleSet rules, const std::string& title = {},
                         std::int64_t row_bytes = 0);

// The same picture as an SVG document without external references, legible on light and dark
// backgrounds: words as boxes with the numbers of their lanes, transactions as bars below; for
// shared memory, the words that each wavefront takes from each bank. Extra sectors and the
// wavefronts that a bank conflict causes have a color of their own. Throws as picture_text() does.
std::string picture_svg(const WarpRequest& request, RuleSet rules, const std::string& title = {},
                        std::int64_t row_bytes = 0);

// Escapes text for XML content and attribute values: & < > " ' become entities, bytes that XML
// forbids become '?'.
std::string escape_xml(const std::string& text);

// Compact list of lanes: "0-15", "3", "0,4..28" (every fourth), "0-3,8-11". A list longer than
// `width` characters is cut and ends in "+n", the count of lanes left out. `width`: at least 6.
std::string lane_list(std::uint32_t lanes, int width);

}  // namespace camber
