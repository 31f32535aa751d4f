// Raster maps with a fixed number of decimals, as lava simulators exchange them.
#pragma once

#include <filesystem>
#include <iosfwd>
#include <span>

#include "workloads/core/ascii_grid.hpp"

namespace camber {

// Writes an ESRI ASCII grid in the form of the public SCIARA programs: keys and values separated by
// tabs, locations with 6 decimals where that is exact, every cell with `decimals` decimals and
// followed by two blanks. Cells must be finite, and as many as the header says.
void write_fixed_grid(std::ostream& out, const AsciiGridHeader& header,
                      std::span<const double> values, int decimals);
// Throws Error(unavailable) where the file cannot be written.
void write_fixed_grid_file(const std::filesystem::path& path, const AsciiGridHeader& header,
                           std::span<const double> values, int decimals);

}  // namespace camber
