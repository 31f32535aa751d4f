#include "workloads/core/ascii_grid.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <limits>
#include <ostream>
#include <stdexcept>
#include <string>

#include "harness/base/files.hpp"
#include "workloads/core/text_file.hpp"

namespace camber {
namespace grid_file {
namespace {

enum Key { ncols, nrows, xllcorner, xllcenter, yllcorner, yllcenter, cellsize, nodata_value, keys };

constexpr std::array<std::string_view, keys> key_names{"ncols",     "nrows",       "xllcorner",
                                                       "xllcenter", "yllcorner",   "yllcenter",
                                                       "cellsize",  "NODATA_value"};

std::string lower_case(std::string_view text) {
    std::string result;
    for (const char c : text) result += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    return result;
}

std::optional<Key> key_named(std::string_view text) {
    for (int key = 0; key < keys; ++key)
        if (lower_case(text) == lower_case(key_names[key])) return static_cast<Key>(key);
    return std::nullopt;
}

bool is_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

class Reader {
  public:
    Reader(std::string_view text, const std::string& name) : source_(text, name) {}

    AsciiGridHeader header() {
        std::array<std::optional<double>, keys> values;
        // The header ends at the first token that is a number; an unknown key is an error.
        for (token_ = source_.next(); !token_.text.empty() && is_letter(token_.text.front());
             token_ = source_.next()) {
            const auto key = key_named(token_.text);
            if (!key)
                source_.reject(token_.place,
                               fmt::format("{} is no key of the header: only {} are", shown(token_),
                                           fmt::join(key_names, ", ")));
            if (values[*key])
                source_.reject(token_.place,
                               fmt::format("{} is given twice: remove one", key_names[*key]));
            values[*key] = value_of(*key);
        }
        return header_from(values);
    }

    AsciiGrid grid() {
        AsciiGrid grid{header(), {}};
        grid.values = read_cells(source_, token_, grid.header.size);
        return grid;
    }

  private:
    double value_of(Key key) {
        const Token token = source_.next();
        const auto value = finite_number(token.text);
        const std::string_view name = key_names[key];
        if (!value)
            source_.reject(token.place,
                           fmt::format("{} needs a finite number, not {}", name, shown(token)));
        constexpr double most = std::numeric_limits<int>::max();
        if ((key == ncols || key == nrows) &&
            !(*value >= 1 && *value <= most && *value == std::floor(*value)))
            source_.reject(token.place, fmt::format("{} needs a whole number from 1 to {}, not {}",
                                                    name, most, shown(token)));
        if (key == cellsize && !(*value > 0))
            source_.reject(token.place,
                           fmt::format("{} must be positive, not {}", name, shown(token)));
        return *value;
    }

    AsciiGridHeader header_from(const std::array<std::optional<double>, keys>& values) {
        const auto missing = [&](std::string_view names) {
            source_.reject(token_.place,
                           fmt::format("the header ends here without {}: put a line such as "
                                       "\"{} 10\" before the cells",
                                       names, names.substr(0, names.find(' '))));
        };
        for (const Key key : {ncols, nrows, cellsize})
            if (!values[key]) missing(key_names[key]);
        const auto one_of = [&](Key corner, Key center) {
            if (values[corner] && values[center])
                source_.reject(token_.place,
                               fmt::format("the header has both {} and {}: remove one",
                                           key_names[corner], key_names[center]));
            if (!values[corner] && !values[center])
                missing(fmt::format("{} or {}", key_names[corner], key_names[center]));
            return values[corner] ? *values[corner] : *values[center];
        };
        AsciiGridHeader header;
        header.size = {static_cast<int>(*values[ncols]), static_cast<int>(*values[nrows])};
        header.x = one_of(xllcorner, xllcenter);
        header.y = one_of(yllcorner, yllcenter);
        if (values[xllcorner].has_value() != values[yllcorner].has_value())
            source_.reject(token_.place,
                           "the header gives a corner for one direction and a center for the "
                           "other: give the same for both");
        header.origin =
            values[xllcorner] ? AsciiGridHeader::Origin::corner : AsciiGridHeader::Origin::center;
        header.cell_size = *values[cellsize];
        header.no_data = values[nodata_value];
        return header;
    }

    TokenSource source_;
    Token token_;  // first token that is not read yet
};

constexpr std::string_view kind = "grid file";
constexpr std::string_view wanted = "an ESRI ASCII grid";

}  // namespace
}  // namespace grid_file

AsciiGrid read_ascii_grid(std::string_view text, const std::string& name) {
    return grid_file::Reader(text, name).grid();
}

AsciiGrid read_ascii_grid_file(const std::filesystem::path& path) {
    return read_ascii_grid(read_file(path, grid_file::kind, grid_file::wanted), path.string());
}

AsciiGridHeader read_ascii_grid_header(const std::filesystem::path& path) {
    // A header has at most seven short lines. If the last word of the prefix is cut, it is a value,
    // not a key.
    const std::string text = read_file(path, grid_file::kind, grid_file::wanted, 4096);
    const std::string name = path.string();
    return grid_file::Reader(text, name).header();
}

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

namespace {

std::string header_text(const AsciiGridHeader& header) {
    const bool corner = header.origin == AsciiGridHeader::Origin::corner;
    std::string text =
        fmt::format("ncols\t\t{}\nnrows\t\t{}\n", header.size.columns, header.size.rows);
    const auto line = [&](const char* key, double value) {
        std::string number = fmt::format("{:.6f}", value);
        // Coordinates in degrees need more than 6 decimals.
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

namespace camber::grid_file {
namespace {

// Counts values per line, so that an error message can name the first line with another count.
class Lines {
  public:
    explicit Lines(Size size) : columns_(size.columns) {}
    void add(std::int64_t line) {
        if (line != line_) {
            end();
            line_ = line;
            ++count_;
        }
        ++values_;
    }
    void end() {
        if (values_ > 0 && values_ != columns_ && odd_line_ == 0) {
            odd_line_ = line_;
            odd_values_ = values_;
        }
        values_ = 0;
    }
    std::int64_t count() const { return count_; }
    TextPosition first_odd_place() const { return {odd_line_, 1}; }
    // Clause that names the first odd line; empty if there is none.
    std::string first_odd() const {
        return odd_line_ == 0 ? "" : fmt::format(" (line {} has {})", odd_line_, odd_values_);
    }

  private:
    std::int64_t columns_;
    std::int64_t line_ = 0;
    std::int64_t values_ = 0;
    std::int64_t count_ = 0;
    std::int64_t odd_line_ = 0;
    std::int64_t odd_values_ = 0;
};

}  // namespace

std::vector<double> read_cells(TokenSource& source, Token token, Size size) {
    std::vector<double> values;
    const std::int64_t expected = size.cells();
    Lines lines(size);
    for (; !token.text.empty(); token = source.next()) {
        const auto value = finite_number(token.text);
        if (!value)
            source.reject(token.place,
                          fmt::format("{} is no finite number: every cell needs one, and cells "
                                      "without data the map's value for them",
                                      shown(token)));
        lines.add(token.place.line);
        if (static_cast<std::int64_t>(values.size()) == expected)
            source.reject(token.place,
                          fmt::format("a value too many: {} x {} = {} were announced{}",
                                      size.columns, size.rows, expected, lines.first_odd()));
        values.push_back(*value);
    }
    lines.end();
    if (static_cast<std::int64_t>(values.size()) < expected)
        source.reject(token.place, fmt::format("the file ends after {} values, {} x {} = {} were "
                                               "announced{}",
                                               values.size(), size.columns, size.rows, expected,
                                               lines.first_odd()));
    // If the file has one line per row, all lines must be equally long: values in other lines
    // belong to other rows.
    if (lines.count() == size.rows && !lines.first_odd().empty())
        source.reject(lines.first_odd_place(),
                      fmt::format("the lines stand for rows, but not every one has {} values{}",
                                  size.columns, lines.first_odd()));
    return values;
}

std::vector<double> read_matrix(std::string_view text, const std::string& name, Size size) {
    TokenSource source(text, name);
    const Token first = source.next();
    return read_cells(source, first, size);
}

}  // namespace camber::grid_file
