// What `camber list` prints, one function per list.
#pragma once

#include <string>

#include "harness/registry/registry.hpp"

namespace camber {

std::string workload_list();

// Technique by technique; cell types share their names, so that the default one stands for all.
std::string variant_list(const Registry& registry);

// The steps of every workload that has several, with the choices for `--compose`.
std::string step_list(const Registry& registry);

}  // namespace camber
