// What `camber list` prints, one function per list.
#pragma once

#include <string>

#include "harness/registry/registry.hpp"

namespace camber {

std::string workload_list();

// Technique by technique, each name once; with its cell types where not all of the workload's have
// it.
std::string variant_list(const Registry& registry);

// The steps of every workload that has several, with the choices for `--compose`.
std::string step_list(const Registry& registry);

}  // namespace camber
