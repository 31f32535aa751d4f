// Raster maps as text: the ESRI ASCII grid, which geographic information systems exchange terrain
// in.
//
// A header of keys and values (ncols, nrows, xllcorner or xllcenter, yllcorner or yllcenter,
// cellsize and perhaps NODATA_value, in any order and case), then nrows x ncols numbers, the
// northernmost row first (Esri, ArcGIS documentation, "Esri ASCII raster format"). Reading is
// strict, because a map of which half was understood makes a wrong model: whatever is missing, too
// much or no number is an Error that says the file, the line and the column.
#pragma once

#include <filesystem>
#include <iosfwd>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "harness/base/state.hpp"

namespace camber {

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

}  // namespace camber
