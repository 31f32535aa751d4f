#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <cmath>
#include <limits>

#include "harness/base/read_file.hpp"
#include "workloads/core/ascii_grid.hpp"
#include "workloads/core/cells.hpp"
#include "workloads/core/token_source.hpp"

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
        // A header ends at a number in the place of a key; any other unknown key is an error.
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
    Token token_;  // the first after what was read
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
    // Headers have at most seven short lines. A word cut in two here is a value, not a key.
    const std::string text = read_file(path, grid_file::kind, grid_file::wanted, 4096);
    const std::string name = path.string();
    return grid_file::Reader(text, name).header();
}

}  // namespace camber
