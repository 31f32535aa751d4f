#include "harness/candidate/source/directive.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cctype>
#include <charconv>
#include <cmath>
#include <set>

#include "harness/base/error.hpp"

namespace camber {

namespace {

constexpr const char* example =
    "// camber: step(in, out, columns, rows, pitch) block=32x8 halo=1 align=128";

// One line, and what is left of it.
class LineReader {
  public:
    LineReader(std::string_view text, const std::string& file, int line)
        : rest_(text), file_(file), line_(line) {}

    [[noreturn]] void reject(const std::string& why) const {
        throw Error(ExitCode::usage, fmt::format("{}:{}: {}", file_, line_, why));
    }

    bool at_end() {
        skip_spaces();
        return rest_.empty();
    }
    bool take(char c) {
        skip_spaces();
        if (!rest_.starts_with(c)) return false;
        rest_.remove_prefix(1);
        return true;
    }
    // Letters, digits, '_' and what `more` has.
    std::string word(std::string_view more = "") {
        skip_spaces();
        std::size_t n = 0;
        while (n < rest_.size() && (std::isalnum(static_cast<unsigned char>(rest_[n])) ||
                                    rest_[n] == '_' || more.find(rest_[n]) != more.npos))
            ++n;
        return part(n);
    }
    // Up to the `close` that ends what `open` began, which is taken, too.
    std::string until(char open, char close) {
        int depth = 1;
        for (std::size_t i = 0; i < rest_.size(); ++i) {
            depth += int{rest_[i] == open} - int{rest_[i] == close};
            if (depth == 0) {
                const std::string text = part(i);
                rest_.remove_prefix(1);
                return text;
            }
        }
        reject(fmt::format("a '{}' is missing: write for example {}", close, example));
    }
    std::string until_space() {
        skip_spaces();
        return part(std::min(rest_.find_first_of(" \t\r"), rest_.size()));
    }

  private:
    void skip_spaces() {
        const std::size_t n = std::min(rest_.find_first_not_of(" \t\r"), rest_.size());
        rest_.remove_prefix(n);
    }
    std::string part(std::size_t n) {
        std::string text(rest_.substr(0, n));
        rest_.remove_prefix(n);
        return text;
    }

    std::string_view rest_;
    const std::string& file_;
    int line_;
};

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
                            example));
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
    Region region;
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
            fmt::format("{}={} is not COLUMNSxROWS: write for example {}=32x8", key, value, key));
    return region;
}

Arithmetic arithmetic_in(const std::string& value, const LineReader& reader) {
    for (const Arithmetic known :
         {Arithmetic::canonical, Arithmetic::reordered, Arithmetic::unordered})
        if (name(known) == value) return known;
    reader.reject(
        fmt::format("arithmetic={} is unknown: choose canonical, reordered or unordered", value));
}

KernelDirective kernel_in(LineReader& reader, std::string kernel, int line) {
    constexpr int most_threads = 1024;
    static constexpr std::array<std::string_view, 10> keys{
        "block",    "cells",  "region",      "halo",       "align",
        "overhang", "shared", "generations", "arithmetic", "constant"};
    KernelDirective directive;
    directive.line = line;
    if (reader.take('<')) kernel += "<" + reader.until('<', '>') + ">";
    directive.kernel = std::move(kernel);
    if (!reader.take('('))
        reader.reject(fmt::format("the arguments of {} are missing: write for example {}",
                                  directive.kernel, example));
    directive.arguments = arguments_in(reader.until('(', ')'), reader);

    std::set<std::string> given;
    Region cells{1, 1};
    std::optional<Region> region;
    while (!reader.at_end()) {
        const std::string key = reader.word("-");
        if (!reader.take('='))
            reader.reject(fmt::format("'{}' is not KEY=VALUE: write for example block=32x8",
                                      key.empty() ? reader.until_space() : key));
        const std::string value = reader.until_space();
        if (key != "constant" && !given.insert(key).second)
            reader.reject(fmt::format("{} is given twice: leave out one", key));
        if (key == "block")
            directive.block = region_in(key, value, reader);
        else if (key == "cells")
            cells = region_in(key, value, reader);
        else if (key == "region")
            region = region_in(key, value, reader);
        else if (key == "halo")
            directive.halo = static_cast<int>(number_in(key, value, 0, 64, reader));
        else if (key == "align")
            directive.alignment = static_cast<int>(number_in(key, value, 0, 256, reader));
        else if (key == "shared")
            directive.shared_bytes =
                static_cast<std::size_t>(number_in(key, value, 0, 1 << 20, reader));
        else if (key == "generations")
            directive.generations = static_cast<int>(number_in(key, value, 1, 1024, reader));
        else if (key == "overhang" && (value == "yes" || value == "no"))
            directive.overhang = value == "yes";
        else if (key == "overhang")
            reader.reject(fmt::format("overhang={} is neither yes nor no: choose one", value));
        else if (key == "arithmetic")
            directive.arithmetic = arithmetic_in(value, reader);
        else if (key == "constant") {
            const auto colon = std::min(value.find(':'), value.size());
            const std::string symbol = value.substr(0, colon);
            directive.constants.emplace_back(
                symbol, colon == value.size() ? symbol : value.substr(colon + 1));
        } else {
            reader.reject(fmt::format("'{}' is unknown: choose {}", key, fmt::join(keys, " or ")));
        }
    }
    if (directive.block.columns == 0)
        reader.reject(fmt::format("the block of {} is missing: add for example block=32x8",
                                  directive.kernel));
    if (std::int64_t{directive.block.columns} * directive.block.rows > most_threads)
        reader.reject(fmt::format(
            "a block of {} has {} threads, but {} is the most: write a "
            "smaller block=",
            directive.block.name(), std::int64_t{directive.block.columns} * directive.block.rows,
            most_threads));
    if (directive.alignment > 0 && !std::has_single_bit(static_cast<unsigned>(directive.alignment)))
        reader.reject(fmt::format("align={} is no power of two: write for example align=128",
                                  directive.alignment));
    directive.region = region.value_or(
        Region{directive.block.columns * cells.columns, directive.block.rows * cells.rows});
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

Directives parse_directives(std::string_view text, const std::string& file) {
    constexpr std::string_view marker = "camber:";
    Directives directives;
    int line = 0;
    while (!text.empty()) {
        ++line;
        const std::size_t end = std::min(text.find('\n'), text.size());
        std::string_view here = text.substr(0, end);
        text.remove_prefix(std::min(end + 1, text.size()));
        // "//" or "*", then the marker; elsewhere it is a word like others.
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
                fmt::format("the name of a kernel is missing: write for example {}", example));
        if (first == "field")
            directives.fields.push_back(field_in(reader, line));
        else
            directives.kernels.push_back(kernel_in(reader, std::move(first), line));
    }
    if (directives.kernels.empty())
        throw Error(ExitCode::usage,
                    fmt::format("{} has no line that says how its kernel is launched: write for "
                                "example {}",
                                file, example));
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
