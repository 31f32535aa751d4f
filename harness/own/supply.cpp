#include "harness/own/binding.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>
#include <map>
#include <utility>

#include "harness/base/error.hpp"
#include "harness/own/array_shapes.hpp"

namespace camber {

namespace {

std::array<std::byte, 8> bytes_of(double value, ElementType element) {
    std::array<std::byte, 8> bytes{};
    const auto put = [&](auto number) { std::memcpy(bytes.data(), &number, sizeof number); };
    switch (element) {
        case ElementType::uint8:
        case ElementType::bits:
            put(static_cast<std::uint8_t>(value));
            break;
        case ElementType::uint32:
            put(static_cast<std::uint32_t>(value));
            break;
        case ElementType::int32:
            put(static_cast<std::int32_t>(value));
            break;
        case ElementType::float32:
            put(static_cast<float>(value));
            break;
        case ElementType::float64:
            put(value);
            break;
    }
    return bytes;
}

// Array of a line `scratch`.
NamedArray scratch_array(const ScratchDirective& scratch, const Shapes& shapes,
                         const std::string& file) {
    const std::string place = fmt::format("{}:{}", file, scratch.line);
    const auto type = array_type_named(scratch.type);
    if (!type)
        throw Error(ExitCode::usage,
                    fmt::format("{}: '{}' is no type of an array: choose int8 to int64, uint8 to "
                                "uint64, float16, bfloat16, float32 or float64, with x2 to x4 for "
                                "vectors",
                                place, scratch.type));
    NamedArray array{scratch.name, *type, shapes.find(scratch.name)->second, false, false};
    check_extents(array, place);
    return array;
}

// Arrays and words of an array problem, with the file's scratch arrays.
void add_arrays(Supply& supply, const HasNamedArrays& problem, const Directives& directives,
                const std::string& file) {
    supply.arrays = problem.arrays();
    for (const auto& [name, number] : problem.scalars())
        supply.words[name] = {number.value, number.whole};
    std::map<std::string, ShapeText> texts;
    Shapes shapes;
    for (const NamedArray& array : supply.arrays) shapes[array.name] = array.shape;
    for (const NamedText& scalar : directives.scalars) {
        if (supply.words.contains(scalar.name)) continue;
        const auto value = literal_in(scalar.text);
        if (!value)
            throw Error(ExitCode::usage,
                        fmt::format("{}:{}: scalar {}={} is no number: write for example {}=2.5",
                                    file, scalar.line, scalar.name, scalar.text, scalar.name));
        supply.words[scalar.name] = *value;
    }
    for (const ScratchDirective& scratch : directives.scratch) {
        if (shapes.contains(scratch.name) || texts.contains(scratch.name)) {
            if (std::ranges::find(supply.arrays, scratch.name, &NamedArray::name) ==
                supply.arrays.end())
                throw Error(ExitCode::usage,
                            fmt::format("{}:{}: scratch {} is declared twice: leave out one", file,
                                        scratch.line, scratch.name));
            throw Error(ExitCode::usage,
                        fmt::format("{}:{}: {} has an array {} already: choose another name", file,
                                    scratch.line, supply.workload, scratch.name));
        }
        texts[scratch.name] = {scratch.shape, fmt::format("{}:{}", file, scratch.line)};
    }
    shapes = resolve_shapes(texts, std::move(shapes), supply.words);
    for (const ScratchDirective& scratch : directives.scratch) {
        supply.arrays.push_back(scratch_array(scratch, shapes, file));
        const NamedArray& array = supply.arrays.back();
        supply.fields.push_back({array.name, array.storage(), {}, false, false});
    }
    for (const auto& [name, shape] : shapes) add_words_of(name, shape, supply.words);
}

}  // namespace

Supply supply_of(const Workload& workload, ElementType cell, const ParameterSet& parameters,
                 const Directives& directives, const std::string& file) {
    Supply supply{std::string(workload.name()), board_fields(workload, cell),
                  rule_numbers(workload, parameters)};
    if (supply.fields.empty())
        throw Error(ExitCode::usage,
                    fmt::format("a generation of {} takes more than kernels over a board, so {} "
                                "cannot be tried for it: choose another --workload",
                                supply.workload, file));
    if (cell == ElementType::bits)
        throw Error(ExitCode::usage,
                    fmt::format("kernels from a file take cells of a byte or more, so {} cannot be "
                                "tried on bits: choose another --cell",
                                file));
    if (const HasNamedArrays* const problem = named_arrays_of(workload)) {
        add_arrays(supply, *problem, directives, file);
        return supply;
    }
    if (describe_arrays(directives))
        throw Error(ExitCode::usage,
                    fmt::format("{} describes arrays, and {} is a board: give its arrays another "
                                "--reference, or --expect",
                                file, supply.workload));
    for (const FieldDirective& field : directives.fields) {
        if (std::ranges::find(supply.fields, field.name, &BoardField::name) != supply.fields.end())
            throw Error(ExitCode::usage,
                        fmt::format("{}:{}: {} has a field {} already: choose another name", file,
                                    field.line, supply.workload, field.name));
        supply.fields.push_back(
            {field.name, field.element, bytes_of(field.outside, field.element), false, false});
    }
    return supply;
}

}  // namespace camber
