// The page that says which techniques every workload has, and why it has not the others.
#pragma once

#include <string>

#include "harness/registry/registry.hpp"

namespace camber {

// Markdown, as docs/techniques.md holds it: a table of techniques, in order of registration, by
// workloads, the reasons for what was left out, and what each technique is. Variants that the
// executor runs count, because it runs all kernels: the page is the same with CUDA and without.
std::string technique_matrix(const Registry& registry);

}  // namespace camber
