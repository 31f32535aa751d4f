// The kernels of a launch, line by line: what each takes and asks of memory, and whether the model
// had predicted it.
#pragma once

#include <string>
#include <vector>

#include "analysis/profile/kernel_traffic.hpp"
#include "harness/record/document.hpp"

namespace camber {

// The table, then a line for each quantity that was predicted otherwise; every line begins with two
// blanks. "" without kernels.
std::string kernel_table(const std::vector<profile::KernelTraffic>& kernels);

// That table of the document's fastest case that has several kernels and was counted, under a
// heading with its name. "" where there is none.
std::string kernels_of_fastest(const results::Document& document);

}  // namespace camber
