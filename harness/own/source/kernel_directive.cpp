// The `camber:` line of a kernel: its arguments and the keys of its launch.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cctype>
#include <charconv>
#include <set>
#include <stdexcept>

#include "harness/own/source/code_text.hpp"
#include "harness/own/source/directive.hpp"
#include "harness/own/source/expression.hpp"

namespace camber {

namespace {

std::vector<std::string> arguments_in(std::string_view list, const LineReader& reader) {
    std::vector<std::string> arguments;
    if (trimmed_text(list).empty()) return arguments;
    while (true) {
        const std::size_t comma = std::min(list.find(','), list.size());
        arguments.emplace_back(trimmed_text(list.substr(0, comma)));
        if (arguments.back().empty())
            reader.reject(
                fmt::format("an argument between two commas is missing: write for "
                            "example {}",
                            example_line));
        if (comma == list.size()) return arguments;
        list.remove_prefix(comma + 1);
    }
}

long number_in(const std::string& key, const std::string& value, long least, long most,
               const LineReader& reader) {
    long number = 0;
    const char* const end = value.data() + value.size();
    const auto [stop, error] = std::from_chars(value.data(), end, number);
    if (error != std::errc() || stop != end || number < least || number > most)
        reader.reject(fmt::format("{}={} is no whole number from {} to {}: write one of these", key,
                                  value, least, most));
    return number;
}

Arithmetic arithmetic_in(const std::string& value, const LineReader& reader) {
    for (const Arithmetic known :
         {Arithmetic::canonical, Arithmetic::reordered, Arithmetic::unordered})
        if (name(known) == value) return known;
    reader.reject(
        fmt::format("arithmetic={} is unknown: choose canonical, reordered or unordered", value));
}

bool is_end_of_extent(char c) {
    return std::isdigit(static_cast<unsigned char>(c)) || c == ')' || c == ']';
}
bool is_start_of_extent(char c) {
    return std::isdigit(static_cast<unsigned char>(c)) || c == '(';
}

constexpr std::array<std::string_view, 13> keys{
    "block",  "cells",       "region",      "grid",       "halo",     "align", "overhang",
    "shared", "generations", "cooperative", "arithmetic", "constant", "out"};

std::vector<std::string> grid_in(const std::string& value, const LineReader& reader) {
    std::vector<std::string> extents = split_extents(value);
    try {
        for (const std::string& extent : extents) Expression::parse(extent);
    } catch (const std::invalid_argument& error) {
        reader.reject(
            fmt::format("grid={}: {}: write for example grid=64x8 or "
                        "grid=(columns*rows+255)/256",
                        value, error.what()));
    }
    if (extents.size() > 3)
        reader.reject(
            fmt::format("grid={} has {} extents, and a grid has at most 3: write for "
                        "example grid=64x8",
                        value, extents.size()));
    return extents;
}

OutputStart output_start_in(const std::string& key, const std::string& value,
                            const LineReader& reader) {
    if (value == "zeros") return OutputStart::zeros;
    if (value == "copy") return OutputStart::copy;
    reader.reject(fmt::format("{}={} is unknown: choose zeros or copy", key, value));
}

// Parses the keys of a kernel's line into a KernelDirective.
class Launch {
  public:
    Launch(const LineReader& reader, KernelDirective& directive)
        : reader_(reader), directive_(directive) {}

    void take(const std::string& key, const std::string& value) {
        const auto number = [&](long least, long most) {
            return number_in(key, value, least, most, reader_);
        };
        if (key == "block")
            take_block(value);
        else if (key == "cells")
            cells_ = parse_region(key, value, reader_);
        else if (key == "region")
            region_ = parse_region(key, value, reader_);
        else if (key == "grid")
            directive_.grid = grid_in(value, reader_);
        else if (key == "out" || key.starts_with("out."))
            directive_.outputs.emplace_back(key == "out" ? "" : key.substr(4),
                                            output_start_in(key, value, reader_));
        else if (key == "halo")
            directive_.halo = static_cast<int>(number(0, 64));
        else if (key == "align")
            directive_.alignment = static_cast<int>(number(0, 256));
        else if (key == "shared")
            directive_.shared_bytes = static_cast<std::size_t>(number(0, 1 << 20));
        else if (key == "generations")
            directive_.generations = static_cast<int>(number(1, 1024));
        else if (key == "overhang")
            directive_.overhang = yes_or_no(key, value);
        else if (key == "cooperative")
            directive_.cooperative = yes_or_no(key, value);
        else if (key == "arithmetic")
            directive_.arithmetic = arithmetic_in(value, reader_);
        else if (key == "constant") {
            const auto colon = std::min(value.find(':'), value.size());
            const std::string symbol = value.substr(0, colon);
            directive_.constants.emplace_back(
                symbol, colon == value.size() ? symbol : value.substr(colon + 1));
        } else {
            reader_.reject(fmt::format("'{}' is unknown: choose {}", key, fmt::join(keys, " or ")));
        }
    }
    Region region() const {
        const Region block = directive_.block;
        return region_.value_or(Region{block.columns * cells_.columns, block.rows * cells_.rows});
    }

  private:
    // "256", "32x8" or "8x8x4"
    void take_block(const std::string& value) {
        std::string plane = value;
        directive_.block_depth = 1;
        if (const std::size_t last = value.rfind('x');
            last != value.npos && last != value.find('x')) {
            plane = value.substr(0, last);
            directive_.block_depth =
                static_cast<int>(number_in("block", value.substr(last + 1), 1, 64, reader_));
        }
        directive_.block = parse_region("block", plane, reader_);
    }
    bool yes_or_no(const std::string& key, const std::string& value) const {
        if (value != "yes" && value != "no")
            reader_.reject(fmt::format("{}={} is neither yes nor no: choose one", key, value));
        return value == "yes";
    }

    const LineReader& reader_;
    KernelDirective& directive_;
    Region cells_{1, 1};
    std::optional<Region> region_;
};

std::string value_with(const std::string& key, const std::string& value, const Macros& macros) {
    return key == "grid" ? with_numbers_for_words(value, macros) : with_numbers(value, macros);
}

}  // namespace

bool is_directive_key(std::string_view name) {
    return std::ranges::find(keys, name) != keys.end();
}

std::vector<std::string> split_extents(std::string_view value) {
    std::vector<std::string> extents{""};
    int depth = 0;
    for (std::size_t i = 0; i < value.size(); ++i) {
        depth += int{value[i] == '('} - int{value[i] == ')'};
        // Elsewhere, an 'x' is part of a word.
        const bool between = value[i] == 'x' && depth == 0 && i > 0 && i + 1 < value.size() &&
                             is_end_of_extent(value[i - 1]) && is_start_of_extent(value[i + 1]);
        if (between)
            extents.emplace_back();
        else
            extents.back() += value[i];
    }
    return extents;
}

Region parse_region(const std::string& key, const std::string& value, const LineReader& reader) {
    constexpr int most = 1 << 20;
    Region region{0, 1};  // "256" means 256x1
    const char* const end = value.data() + value.size();
    auto [stop, error] = std::from_chars(value.data(), end, region.columns);
    if (error == std::errc() && stop != end && *stop == 'x')
        std::tie(stop, error) = [&] {
            const auto rows = std::from_chars(stop + 1, end, region.rows);
            return std::pair(rows.ptr, rows.ec);
        }();
    if (error != std::errc() || stop != end || region.columns < 1 || region.rows < 1 ||
        region.columns > most || region.rows > most)
        reader.reject(
            fmt::format("{}={} is not COLUMNSxROWS or COLUMNS: write for example {}=32x8 or {}=256",
                        key, value, key, key));
    return region;
}

KernelDirective parse_kernel(LineReader& reader, std::string kernel, int line,
                             const Settings& settings, const Macros& macros) {
    constexpr int most_threads = 1024;
    KernelDirective directive;
    directive.line = line;
    if (reader.take('<')) kernel += "<" + reader.until('<', '>') + ">";
    directive.kernel = std::move(kernel);
    if (!reader.take('('))
        reader.reject(fmt::format("the arguments of {} are missing: write for example {}",
                                  directive.kernel, example_line));
    directive.arguments = arguments_in(reader.until('(', ')'), reader);
    for (std::string& argument : directive.arguments)
        argument = with_numbers_for_words(argument, macros);

    directive.settings = settings;
    const auto is_set = [&](const std::string& key) {
        return std::ranges::find(settings, key, &Settings::value_type::first) != settings.end();
    };
    std::set<std::string> given;
    Launch launch(reader, directive);
    while (!reader.at_end()) {
        const std::string key = reader.word("-.");
        if (!reader.take('='))
            reader.reject(fmt::format("'{}' is not KEY=VALUE: write for example block=32x8",
                                      key.empty() ? reader.until_space() : key));
        const std::string value = reader.until_space();
        if (key != "constant" && !given.insert(key).second)
            reader.reject(fmt::format("{} is given twice: leave out one", key));
        if (!is_set(key)) launch.take(key, value_with(key, value, macros));
    }
    for (const auto& [key, value] : settings)
        if (is_directive_key(key)) launch.take(key, value_with(key, value, macros));
    if (directive.block.columns == 0)
        reader.reject(fmt::format("the block of {} is missing: add for example block=32x8",
                                  directive.kernel));
    const std::int64_t threads =
        std::int64_t{directive.block.columns} * directive.block.rows * directive.block_depth;
    if (threads > most_threads)
        reader.reject(
            fmt::format("a block of {} has {} threads, but {} is the most: write a "
                        "smaller block=",
                        directive.block_name(), threads, most_threads));
    if (directive.alignment > 0 && !std::has_single_bit(static_cast<unsigned>(directive.alignment)))
        reader.reject(fmt::format("align={} is no power of two: write for example align=128",
                                  directive.alignment));
    directive.region = launch.region();
    return directive;
}

}  // namespace camber
