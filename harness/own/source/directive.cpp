#include "harness/own/source/directive.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <iterator>

#include "harness/base/error.hpp"
#include "harness/own/source/code_text.hpp"

namespace camber {

namespace {

// Reads NAME=TEXT up to the end of the line.
std::vector<NamedText> named_texts(LineReader& reader, const std::string& kind, int line,
                                   const char* example, const Macros& macros) {
    std::vector<NamedText> texts;
    while (!reader.at_end()) {
        const std::string name = reader.word();
        if (name.empty() || !reader.take('='))
            reader.reject(fmt::format(
                "{} is followed by NAME=VALUE: write for example // camber: {}", kind, example));
        const std::string value = reader.until_space();
        if (value.empty())
            reader.reject(
                fmt::format("{}= has no value: write for example // camber: {}", name, example));
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
        if (here.starts_with("//") || here.starts_with("/*"))
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
            const Region size = parse_region("size", reader.until_space(), reader);
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
                parse_kernel(reader, std::move(first), line, settings, macros));
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
