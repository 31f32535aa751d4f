// Raster maps as text: reads and writes ESRI ASCII grids, in which geographic information systems
// exchange terrain, and writes maps with a fixed number of decimals.
#pragma once

#include <filesystem>
#include <iosfwd>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "harness/base/state.hpp"
#include "workloads/core/text_file.hpp"

namespace camber {

// Raster maps as text: the ESRI ASCII grid, which geographic information systems exchange terrain
// in.
//
// A header of keys and values (ncols, nrows, xllcorner or xllcenter, yllcorner or yllcenter,
// cellsize and perhaps NODATA_value, in any order and case), then nrows x ncols numbers, the
// northernmost row first (Esri, ArcGIS documentation, "Esri ASCII raster format"). Reading is
// strict, because a map of which half was understood makes a wrong model: whatever is missing, too
// much or no number is an Error that says the file, the line and the column.
struct AsciiGridHeader {
    // Point of the lower left cell that x and y refer to.
    enum class Origin { corner, center };

    Size size;
    double x = 0;  // in the unit of the map, as cell_size
    double y = 0;
    Origin origin = Origin::corner;
    double cell_size = 1;
    std::optional<double> no_data = std::nullopt;  // the value of cells that have none

    friend bool operator==(const AsciiGridHeader&, const AsciiGridHeader&) = default;
};

struct AsciiGrid {
    AsciiGridHeader header;
    std::vector<double> values;  // row-major, northernmost row first

    bool has_data(std::size_t index) const {
        return !header.no_data || values[index] != *header.no_data;
    }
};

// Throw Error(usage) for what is no grid; `name` stands for the file in messages.
AsciiGrid read_ascii_grid(std::string_view text, const std::string& name);
AsciiGrid read_ascii_grid_file(const std::filesystem::path& path);
// Reads the file only as far as its header goes.
AsciiGridHeader read_ascii_grid_header(const std::filesystem::path& path);

// A row a line. Each number is the shortest that reads back as the same T, so that reading what was
// written gives the same grid. `values` must be finite and have header.size.cells() elements.
// Instantiated for float and double.
template <class T>
void write_ascii_grid(std::ostream& out, const AsciiGridHeader& header, std::span<const T> values);
// Throws Error(unavailable) where the file cannot be written.
template <class T>
void write_ascii_grid_file(const std::filesystem::path& path, const AsciiGridHeader& header,
                           std::span<const T> values);

// Raster maps with a fixed number of decimals, as lava simulators exchange them.

// Writes an ESRI ASCII grid in the form of the public SCIARA programs: keys and values separated by
// tabs, locations with 6 decimals where that is exact, every cell with `decimals` decimals and
// followed by two blanks. Cells must be finite, and as many as the header says.
void write_fixed_grid(std::ostream& out, const AsciiGridHeader& header,
                      std::span<const double> values, int decimals);
// Throws Error(unavailable) where the file cannot be written.
void write_fixed_grid_file(const std::filesystem::path& path, const AsciiGridHeader& header,
                           std::span<const double> values, int decimals);

}  // namespace camber

namespace camber::grid_file {

// The cells of a raster map: numbers in text, row by row.

// Reads size.cells() finite numbers to the end of the file, the northernmost row first; `first` is
// the token that `source` gave last. Lines may break anywhere, but a file with a line per row must
// have all of them equally long. Throws Error(usage) that says the file, the line and the column.
std::vector<double> read_cells(TokenSource& source, Token first, Size size);

// A raster without a header.
std::vector<double> read_matrix(std::string_view text, const std::string& name, Size size);

}  // namespace camber::grid_file
