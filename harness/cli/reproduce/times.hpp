// The measured times that stand beside a published table.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "analysis/published/ratios.hpp"
#include "harness/results/document.hpp"

namespace camber {

// Those of one size and type of cells in one results file.
struct MeasuredTimes {
    std::string origin;  // machine, size and file; "" without any
    std::map<std::string, published::ProcessSamples> samples_ns;  // by variant
    // Percent of a generation that kernels take, by variant and kernel.
    std::map<std::string, std::map<std::string, double>> shares;
};

// The times that have the most of these variants; the first of equals. None where none has any.
// Times of the simt backend, of cold caches and of graphs are left out. `cell`: of cells of that
// type only; "" for any.
MeasuredTimes best_times(const std::vector<results::Document>& from,
                         const std::vector<std::string>& variants, const std::string& cell);

}  // namespace camber
