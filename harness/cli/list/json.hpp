// `camber list` for programs.
#pragma once

#include <string>

#include "harness/cli/list/listings.hpp"

namespace camber {

std::string workloads_json();

// Each name once, with all of its types of cells.
std::string variants_json(const Registry& registry, const VariantFilter& filter);

}  // namespace camber
