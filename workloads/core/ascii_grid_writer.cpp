#include <fmt/format.h>

#include <array>
#include <charconv>
#include <cmath>
#include <ostream>
#include <stdexcept>

#include "workloads/core/ascii_grid.hpp"
#include "workloads/core/text_file.hpp"

namespace camber {
namespace {

template <class T>
void append(std::string& text, T value) {
    if (!std::isfinite(value)) throw std::logic_error("an ASCII grid holds finite numbers only");
    std::array<char, 32> digits;
    text.append(digits.data(),
                std::to_chars(digits.data(), digits.data() + digits.size(), value).ptr);
}

void write_header(std::ostream& out, const AsciiGridHeader& header) {
    std::string text = fmt::format("ncols {}\nnrows {}\n", header.size.columns, header.size.rows);
    const auto line = [&](const char* key, double value) {
        text += key;
        text += ' ';
        append(text, value);
        text += '\n';
    };
    const bool corner = header.origin == AsciiGridHeader::Origin::corner;
    line(corner ? "xllcorner" : "xllcenter", header.x);
    line(corner ? "yllcorner" : "yllcenter", header.y);
    line("cellsize", header.cell_size);
    if (header.no_data) line("NODATA_value", *header.no_data);
    out << text;
}

}  // namespace

template <class T>
void write_ascii_grid(std::ostream& out, const AsciiGridHeader& header, std::span<const T> values) {
    if (static_cast<std::int64_t>(values.size()) != header.size.cells())
        throw std::logic_error("an ASCII grid has as many values as its header says");
    write_header(out, header);
    const auto columns = static_cast<std::size_t>(header.size.columns);
    std::string line;
    for (std::size_t start = 0; start < values.size(); start += columns) {
        line.clear();
        for (const T value : values.subspan(start, columns)) {
            if (!line.empty()) line += ' ';
            append(line, value);
        }
        line += '\n';
        out << line;
    }
}

template <class T>
void write_ascii_grid_file(const std::filesystem::path& path, const AsciiGridHeader& header,
                           std::span<const T> values) {
    grid_file::write_text(path, "grid file",
                          [&](std::ostream& out) { write_ascii_grid(out, header, values); });
}

template void write_ascii_grid<float>(std::ostream&, const AsciiGridHeader&,
                                      std::span<const float>);
template void write_ascii_grid<double>(std::ostream&, const AsciiGridHeader&,
                                       std::span<const double>);
template void write_ascii_grid_file<float>(const std::filesystem::path&, const AsciiGridHeader&,
                                           std::span<const float>);
template void write_ascii_grid_file<double>(const std::filesystem::path&, const AsciiGridHeader&,
                                            std::span<const double>);

}  // namespace camber
