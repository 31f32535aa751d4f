#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstring>
#include <fstream>
#include <limits>
#include <sstream>

#include "harness/base/error.hpp"
#include "workloads/grid_file/ascii_grid.hpp"
#include "workloads/grid_file/token_source.hpp"

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

// nullopt for what is no finite number from its first to its last character.
std::optional<double> number(std::string_view text) {
    if (text.starts_with('+') && !text.starts_with("+-")) text.remove_prefix(1);
    double value = 0;
    const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || stop != text.data() + text.size() || !std::isfinite(value))
        return std::nullopt;
    return value;
}

class Reader {
  public:
    Reader(std::string_view text, const std::string& name) : source_(text, name) {}

    AsciiGridHeader header() {
        std::array<std::optional<double>, keys> values;
        // A header ends where a number stands in a key's place; what else is no key is a mistake.
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
        const std::int64_t expected = grid.header.size.cells();
        Lines lines(grid.header.size);
        for (; !token_.text.empty(); token_ = source_.next()) {
            const auto value = number(token_.text);
            if (!value)
                source_.reject(
                    token_.place,
                    fmt::format("{} is no finite number: every cell needs one, and cells "
                                "without data the header's NODATA_value",
                                shown(token_)));
            lines.add(token_.place.line);
            if (static_cast<std::int64_t>(grid.values.size()) == expected)
                source_.reject(token_.place,
                               fmt::format("a value too many: {} x {} = {} were announced{}",
                                           grid.header.size.columns, grid.header.size.rows,
                                           expected, lines.first_odd()));
            grid.values.push_back(*value);
        }
        lines.end();
        if (static_cast<std::int64_t>(grid.values.size()) < expected)
            source_.reject(token_.place,
                           fmt::format("the file ends after {} values, {} x {} = {} were "
                                       "announced{}",
                                       grid.values.size(), grid.header.size.columns,
                                       grid.header.size.rows, expected, lines.first_odd()));
        // Rows may break anywhere, but a line per row of which some are longer has lost its rows.
        if (lines.count() == grid.header.size.rows && !lines.first_odd().empty())
            source_.reject(lines.first_odd_place(),
                           fmt::format("the lines stand for rows, but not every one has {} "
                                       "values{}",
                                       grid.header.size.columns, lines.first_odd()));
        return grid;
    }

  private:
    // How many values the lines have, to say which is odd.
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
        Place first_odd_place() const { return {odd_line_, 1}; }
        // A part of a sentence, or "".
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

    double value_of(Key key) {
        const Token token = source_.next();
        const auto value = number(token.text);
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
    Token token_;  // the first after what was read
};

std::ifstream open(const std::filesystem::path& path) {
    std::error_code ignored;
    // A directory opens like a file on Linux; only reading it fails.
    if (std::filesystem::is_directory(path, ignored))
        throw Error(ExitCode::usage,
                    fmt::format("the grid file \"{}\" is a directory: give the path of an ESRI "
                                "ASCII grid",
                                path.string()));
    errno = 0;
    std::ifstream in(path, std::ios::binary);
    if (!in)
        throw Error(ExitCode::usage,
                    fmt::format("cannot open the grid file \"{}\": {}; check its path and "
                                "permissions",
                                path.string(), std::strerror(errno)));
    return in;
}

}  // namespace
}  // namespace grid_file

AsciiGrid read_ascii_grid(std::string_view text, const std::string& name) {
    return grid_file::Reader(text, name).grid();
}

AsciiGrid read_ascii_grid_file(const std::filesystem::path& path) {
    std::ostringstream text;
    text << grid_file::open(path).rdbuf();
    return read_ascii_grid(text.view(), path.string());
}

AsciiGridHeader read_ascii_grid_header(const std::filesystem::path& path) {
    std::ifstream in = grid_file::open(path);
    // Headers have at most seven short lines. A word cut in two here is a value, not a key.
    std::string text(4096, '\0');
    in.read(text.data(), static_cast<std::streamsize>(text.size()));
    text.resize(static_cast<std::size_t>(in.gcount()));
    const std::string name = path.string();
    return grid_file::Reader(text, name).header();
}

}  // namespace camber
