#include "harness/own/source/directive.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cctype>
#include <charconv>
#include <map>
#include <set>
#include <stdexcept>

#include "harness/base/error.hpp"
#include "harness/own/source/code_text.hpp"
#include "harness/own/source/expression.hpp"

namespace camber {

namespace {

std::string trimmed(std::string_view text) {
    const auto first = text.find_first_not_of(" \t");
    if (first == text.npos) return "";
    return std::string(text.substr(first, text.find_last_not_of(" \t") - first + 1));
}

std::vector<std::string> arguments_in(std::string_view list, const LineReader& reader) {
    std::vector<std::string> arguments;
    if (trimmed(list).empty()) return arguments;
    while (true) {
        const std::size_t comma = std::min(list.find(','), list.size());
        arguments.push_back(trimmed(list.substr(0, comma)));
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

Region region_in(const std::string& key, const std::string& value, const LineReader& reader) {
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

using Macros = std::map<std::string, std::string, std::less<>>;

Arithmetic arithmetic_in(const std::string& value, const LineReader& reader) {
    for (const Arithmetic known :
         {Arithmetic::canonical, Arithmetic::reordered, Arithmetic::unordered})
        if (name(known) == value) return known;
    reader.reject(
        fmt::format("arithmetic={} is unknown: choose canonical, reordered or unordered", value));
}

// Reads NAME=TEXT up to the end of the line.
std::vector<NamedText> named_texts(LineReader& reader, const std::string& kind, int line,
                                   const char* example, const Macros& macros) {
    std::vector<NamedText> texts;
    while (!reader.at_end()) {
        const std::string name = reader.word();
        if (name.empty() || !reader.take('='))
            reader.reject(fmt::format("{} is followed by NAME=VALUE: write for example // camber: {}",
                                      kind, example));
        const std::string value = reader.until_space();
        if (value.empty())
            reader.reject(fmt::format("{}= has no value: write for example // camber: {}", name,
                                      example));
        texts.push_back({line, name, with_numbers_for_words(with_numbers(value, macros), macros)});
    }
    if (texts.empty())
        reader.reject(
            fmt::format("{} names nothing: write for example // camber: {}", kind, example));
    return texts;
}

ScratchDirective scratch_in(LineReader& reader, int line, const Macros& macros) {
    ScratchDirective scratch{line, reader.word(), reader.word(), reader.until_space()};
    if (scratch.shape.empty() || !reader.at_end())
        reader.reject(
            "scratch is followed by a name, a type and a shape: write for example // camber: "
            "scratch partial float32 4096");
    scratch.shape = with_numbers_for_words(with_numbers(scratch.shape, macros), macros);
    return scratch;
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
            cells_ = region_in(key, value, reader_);
        else if (key == "region")
            region_ = region_in(key, value, reader_);
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
        directive_.block = region_in("block", plane, reader_);
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

KernelDirective kernel_in(LineReader& reader, std::string kernel, int line,
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

FieldDirective field_in(LineReader& reader, int line) {
    FieldDirective field;
    field.line = line;
    field.name = reader.word();
    const std::string type = reader.word();
    std::vector<std::string> names;
    bool known = false;
    for (const ElementType element : {ElementType::uint8, ElementType::uint32, ElementType::int32,
                                      ElementType::float32, ElementType::float64}) {
        names.emplace_back(info(element).name);
        if (type != info(element).name) continue;
        field.element = element;
        known = true;
    }
    if (field.name.empty() || !known)
        reader.reject(
            fmt::format("a field is written as '// camber: field NAME TYPE "
                        "outside=NUMBER': choose {} for the type",
                        fmt::join(names, " or ")));
    if (reader.at_end()) return field;
    const std::string key = reader.word();
    const std::string value = reader.take('=') ? reader.until_space() : "";
    const char* const end = value.data() + value.size();
    const auto [stop, error] = std::from_chars(value.data(), end, field.outside);
    if (key != "outside" || value.empty() || error != std::errc() || stop != end ||
        !reader.at_end())
        reader.reject(
            fmt::format("behind the type of field {} only outside=NUMBER can stand", field.name));
    return field;
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

bool describe_arrays(const Directives& directives) {
    if (!directives.shapes.empty() || !directives.scratch.empty()) return true;
    const auto names_array = [](const std::string& text) {
        return text.find("count.") != text.npos || text.find("shape.") != text.npos;
    };
    return std::ranges::any_of(directives.kernels, [&](const KernelDirective& kernel) {
        return kernel.block_depth > 1 || kernel.grid.size() > 2 ||
               std::ranges::any_of(kernel.arguments, names_array) ||
               std::ranges::any_of(kernel.grid, names_array);
    });
}

Directives parse_directives(std::string_view text, const std::string& file,
                            const Settings& settings) {
    return parse_directives(text, without_comments(text), file, settings);
}

Directives parse_directives(std::string_view text, std::string_view code, const std::string& file,
                            const Settings& settings) {
    constexpr std::string_view marker = "camber:";
    const Macros macros = numeric_macros(code, settings);
    Directives directives;
    int line = 0;
    while (!text.empty()) {
        ++line;
        const std::size_t end = std::min(text.find('\n'), text.size());
        std::string_view here = text.substr(0, end);
        text.remove_prefix(std::min(end + 1, text.size()));
        // The marker must follow "//" or "*"; elsewhere "camber:" is ordinary text.
        here.remove_prefix(std::min(here.find_first_not_of(" \t"), here.size()));
        if (here.starts_with("//"))
            here.remove_prefix(2);
        else if (here.starts_with("/*"))
            here.remove_prefix(2);
        else if (here.starts_with("*"))
            here.remove_prefix(1);
        else
            continue;
        here.remove_prefix(std::min(here.find_first_not_of(" \t"), here.size()));
        if (!here.starts_with(marker)) continue;
        here.remove_prefix(marker.size());
        if (const auto close = here.find("*/"); close != here.npos) here = here.substr(0, close);

        LineReader reader(here, file, line);
        std::string first = reader.word(":");
        if (first.empty())
            reader.reject(
                fmt::format("the name of a kernel is missing: write for example {}", example_line));
        // Before brackets, these keywords are kernel names.
        const bool is_kernel = reader.at('(') || reader.at('<');
        if (!is_kernel && first == "workload") {
            if (!directives.workload.empty())
                reader.reject("the workload is named a second time: leave out one of the lines");
            directives.workload = reader.until_space();
            directives.workload_line = line;
            if (directives.workload.empty() || !reader.at_end())
                reader.reject(
                    "one word behind workload names what the kernels compute: write for example "
                    "// camber: workload blur");
        } else if (!is_kernel && first == "reference") {
            if (!directives.reference.empty())
                reader.reject("the reference is named a second time: leave out one of the lines");
            directives.reference = reader.until_end();
            directives.reference_line = line;
            if (directives.reference.empty())
                reader.reject(
                    "the file behind reference is missing: write for example // camber: reference "
                    "plain.cu");
        } else if (!is_kernel && first == "size") {
            const Region size = region_in("size", reader.until_space(), reader);
            directives.size = Size{size.columns, size.rows};
            if (!reader.at_end())
                reader.reject(
                    "one board stands behind size: write for example // camber: size 512x512");
        } else if (!is_kernel && first == "exercise") {
            // Read by `camber course grade`.
            if (reader.until_space().empty() || !reader.at_end())
                reader.reject(
                    "one word behind exercise is its number or name: write for example "
                    "// camber: exercise 1");
        } else if (!is_kernel && first == "capture") {
            // Launch of a candidate for a captured kernel, read by `camber try FOLDER`.
        } else if (!is_kernel && first == "shape") {
            std::ranges::move(named_texts(reader, first, line, "shape u=64x64x64 v=u", macros),
                              std::back_inserter(directives.shapes));
        } else if (!is_kernel && first == "fill") {
            std::ranges::move(named_texts(reader, first, line, "fill columns=(i*37)%1024", macros),
                              std::back_inserter(directives.fills));
        } else if (!is_kernel && first == "scalar") {
            std::ranges::move(named_texts(reader, first, line, "scalar alpha=2.5", macros),
                              std::back_inserter(directives.scalars));
        } else if (!is_kernel && first == "scratch") {
            directives.scratch.push_back(scratch_in(reader, line, macros));
        } else if (!is_kernel && first == "field")
            directives.fields.push_back(field_in(reader, line));
        else
            directives.kernels.push_back(
                kernel_in(reader, std::move(first), line, settings, macros));
    }
    if (!directives.workload.empty() && !directives.reference.empty())
        throw Error(ExitCode::usage,
                    fmt::format("{}:{}: reference {} says what is computed, and so does workload "
                                "{}: leave out one of the lines",
                                file, directives.reference_line, directives.reference,
                                directives.workload));
    for (const KernelDirective& directive : directives.kernels)
        if (directive.generations != directives.kernels.front().generations ||
            (directive.generations > 1 && directives.kernels.size() > 1))
            throw Error(ExitCode::usage,
                        fmt::format("{}:{}: generations={} is of a file with one kernel: leave it "
                                    "out",
                                    file, directive.line, directive.generations));
    return directives;
}

}  // namespace camber
