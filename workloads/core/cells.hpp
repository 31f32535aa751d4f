// The cells of a raster map: numbers in text, row by row.
#pragma once

#include <vector>

#include "harness/base/state.hpp"
#include "workloads/core/token_source.hpp"

namespace camber::grid_file {

// Reads size.cells() finite numbers to the end of the file, the northernmost row first; `first` is
// the token that `source` gave last. Lines may break anywhere, but a file with a line per row must
// have all of them equally long. Throws Error(usage) that says the file, the line and the column.
std::vector<double> read_cells(TokenSource& source, Token first, Size size);

// A raster without a header.
std::vector<double> read_matrix(std::string_view text, const std::string& name, Size size);

}  // namespace camber::grid_file
