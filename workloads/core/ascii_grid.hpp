// ESRI ASCII grids, the raster maps in which geographic information systems exchange terrain:
// strict reader, and writers with shortest-exact or with fixed decimals.
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

// ESRI ASCII grid. A header of keys and values (ncols, nrows, xllcorner or xllcenter, yllcorner or
// yllcenter, cellsize and optionally NODATA_value, in any order and case) is followed by nrows x
// ncols numbers, the northernmost row first (Esri, ArcGIS documentation, "Esri ASCII raster
// format").
//
// Reading is strict, because a half-understood map makes a wrong model: missing values, surplus
// values and words that are no numbers throw an Error with file, line and column.
struct AsciiGridHeader {
    // Point of the lower left cell to which x and y refer.
    enum class Origin { corner, center };

    Size size;
    double x = 0;  // in map units, as cell_size
    double y = 0;
    Origin origin = Origin::corner;
    double cell_size = 1;
    std::optional<double> no_data = std::nullopt;  // value of cells without data

    friend bool operator==(const AsciiGridHeader&, const AsciiGridHeader&) = default;
};

struct AsciiGrid {
    AsciiGridHeader header;
    std::vector<double> values;  // row-major, northernmost row first

    bool has_data(std::size_t index) const {
        return !header.no_data || values[index] != *header.no_data;
    }
};

// Parses a grid. Throws Error(usage) if `text` is no grid; `name` is the file name in messages.
AsciiGrid read_ascii_grid(std::string_view text, const std::string& name);
AsciiGrid read_ascii_grid_file(const std::filesystem::path& path);
// Reads only the header of the file.
AsciiGridHeader read_ascii_grid_header(const std::filesystem::path& path);

// Writes one line per row. Each number is the shortest that reads back as the same T, so reading
// the file gives the same grid. `values` must be finite and have header.size.cells() elements.
// Instantiated for float and double.
template <class T>
void write_ascii_grid(std::ostream& out, const AsciiGridHeader& header, std::span<const T> values);
// Same to a file. Throws Error(unavailable) if it cannot be written.
template <class T>
void write_ascii_grid_file(const std::filesystem::path& path, const AsciiGridHeader& header,
                           std::span<const T> values);

// Raster maps with a fixed number of decimals, the form in which lava simulators exchange them.

// Writes an ESRI ASCII grid in the form of the public SCIARA programs: keys and values are
// separated by tabs, coordinates have 6 decimals if that is exact, and every cell has `decimals`
// decimals, followed by two blanks. `values` must be finite and have header.size.cells() elements.
void write_fixed_grid(std::ostream& out, const AsciiGridHeader& header,
                      std::span<const double> values, int decimals);
// Same to a file. Throws Error(unavailable) if it cannot be written.
void write_fixed_grid_file(const std::filesystem::path& path, const AsciiGridHeader& header,
                           std::span<const double> values, int decimals);

}  // namespace camber

namespace camber::grid_file {

// Cells of a raster map as text.

// Reads size.cells() finite numbers up to the end of the file, the northernmost row first; `first`
// is the token that `source` returned last. Line breaks are free, but if the file has one line per
// row, all lines must be equally long. Throws Error(usage) with file, line and column.
std::vector<double> read_cells(TokenSource& source, Token first, Size size);

// Reads a raster without a header.
std::vector<double> read_matrix(std::string_view text, const std::string& name, Size size);

}  // namespace camber::grid_file
