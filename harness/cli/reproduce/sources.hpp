// Results files that stand beside published tables.
#pragma once

#include <string>
#include <vector>

#include "harness/record/document.hpp"

namespace camber {

// Of each path, its results: a file's, or those of all results files in a folder and the folders in
// it, in the order of their names. Repetitions are merged. Throws Error(usage) where a path is
// absent, a folder has no results file, or a file cannot be read.
std::vector<results::Document> documents_from(const std::vector<std::string>& paths);

// The results files in `folder` and the folders in it, in the order of their names; repetitions are
// not merged.
std::vector<results::Document> documents_in(const std::string& folder);

}  // namespace camber
