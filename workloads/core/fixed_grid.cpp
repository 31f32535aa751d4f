#include "workloads/core/fixed_grid.hpp"

#include <fmt/format.h>

#include <cmath>
#include <iterator>
#include <ostream>
#include <stdexcept>
#include <string>

#include "workloads/core/text_file.hpp"

namespace camber {
namespace {

std::string header_text(const AsciiGridHeader& header) {
    const bool corner = header.origin == AsciiGridHeader::Origin::corner;
    std::string text =
        fmt::format("ncols\t\t{}\nnrows\t\t{}\n", header.size.columns, header.size.rows);
    const auto line = [&](const char* key, double value) {
        std::string number = fmt::format("{:.6f}", value);
        // Degrees need more.
        if (std::stod(number) != value) number = fmt::format("{}", value);
        fmt::format_to(std::back_inserter(text), "{}\t{}\n", key, number);
    };
    line(corner ? "xllcorner" : "xllcenter", header.x);
    line(corner ? "yllcorner" : "yllcenter", header.y);
    line("cellsize", header.cell_size);
    if (header.no_data) line("NODATA_value", *header.no_data);
    return text;
}

}  // namespace

void write_fixed_grid(std::ostream& out, const AsciiGridHeader& header,
                      std::span<const double> values, int decimals) {
    if (static_cast<std::int64_t>(values.size()) != header.size.cells())
        throw std::logic_error("a grid has as many values as its header says");
    out << header_text(header);
    const auto columns = static_cast<std::size_t>(header.size.columns);
    std::string line;
    for (std::size_t start = 0; start < values.size(); start += columns) {
        line.clear();
        for (const double value : values.subspan(start, columns)) {
            if (!std::isfinite(value)) throw std::logic_error("a grid holds finite numbers only");
            fmt::format_to(std::back_inserter(line), "{:.{}f}  ", value, decimals);
        }
        line += '\n';
        out << line;
    }
}

void write_fixed_grid_file(const std::filesystem::path& path, const AsciiGridHeader& header,
                           std::span<const double> values, int decimals) {
    grid_file::write_text(path, "grid file", [&](std::ostream& out) {
        write_fixed_grid(out, header, values, decimals);
    });
}

}  // namespace camber
