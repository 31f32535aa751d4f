// One instruction of one warp as a picture: which lanes touch which sectors, or which banks.
#pragma once

#include <string>

#include "analysis/memory/architecture.hpp"
#include "harness/base/warp_request.hpp"

namespace camber {

// For a terminal of 100 columns. Global, texture and local memory: a row for each touched 128-byte
// line, with four sectors; each says how many of its 32 bytes are useful and which lanes touch it,
// or that it is moved without use. Shared memory: a column for each bank, a row for each pass.
// `title` heads the picture; it may be empty, or of several lines, the first in bold. Ends with a
// newline. Throws std::invalid_argument for what check_request() refuses.
std::string picture_text(const WarpRequest& request, RuleSet rules, const std::string& title = {});

// The same as one SVG document without outside references, legible on light and on dark ground:
// words as boxes with the numbers of the lanes that touch them, transactions as bars below them;
// for shared memory the words that each pass takes from each bank. Throws as picture_text() does.
std::string picture_svg(const WarpRequest& request, RuleSet rules, const std::string& title = {});

// Text for XML content and attribute values: & < > " ' as entities; bytes that XML forbids become
// '?'.
std::string escape_xml(const std::string& text);

// Lanes as people write them: "0-15", "3", "0,4..28" (every fourth), "0-3,8-11". Longer than
// `width` characters it is cut and ends in "+n", n lanes that are not named. `width` at least 6.
std::string lane_list(std::uint32_t lanes, int width);

}  // namespace camber
