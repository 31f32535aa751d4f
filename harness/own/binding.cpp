#include "harness/own/binding.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <stdexcept>
#include <string_view>

#include "harness/base/error.hpp"

namespace camber {

namespace {

class Binder {
  public:
    Binder(const KernelDirective& directive, const Supply& supply, const std::string& file)
        : directive_(directive), supply_(supply), file_(file) {}

    BoundKernel bind() {
        BoundKernel bound{directive_, {}, {}, {}};
        for (const std::string& text : directive_.arguments)
            bound.arguments.push_back(argument(text));
        for (const Argument& argument : bound.arguments) add_use(bound.fields, argument);
        for (const std::string& text : directive_.grid) {
            bound.grid.push_back(argument(text));
            if (bound.grid.back().is_pointer() || bound.grid.back().is_texture())
                reject(
                    fmt::format("grid={} is a field, and a grid is numbers of blocks: write "
                                "for example grid=64",
                                text));
        }
        check_outputs(bound);
        if (!supply_.is_board()) check_launch_of_arrays();
        for (const auto& [symbol, number] : directive_.constants) {
            if (find_array(number)) {
                Argument array;
                array.kind = Argument::Kind::input;
                array.field = number;
                add_use(bound.fields, array);
            } else if (!supply_.is_board() && !supply_.words.contains(number)) {
                reject(fmt::format("constant={}:{} asks for {}, which is neither an array nor a "
                                   "line scalar: the arrays are {}",
                                   symbol, number, number, known_fields()));
            } else if (supply_.is_board() && !supply_.numbers.contains(number)) {
                reject(fmt::format("constant={}:{} asks for {}, which {} does not have: {}", symbol,
                                   number, number, supply_.workload, known_numbers()));
            }
        }
        return bound;
    }

  private:
    [[noreturn]] void reject(const std::string& why) const {
        throw Error(ExitCode::usage, fmt::format("{}:{}: {}", file_, directive_.line, why));
    }

    void check_outputs(const BoundKernel& bound) const {
        for (const auto& [field, start] : directive_.outputs) {
            const bool any = std::ranges::any_of(bound.fields, [&](const FieldUse& use) {
                return use.written && (field.empty() || use.name == field);
            });
            if (any) continue;
            reject(field.empty()
                       ? fmt::format("out= is for outputs, and {} has none: leave it out, or name "
                                     "an argument out",
                                     directive_.kernel)
                       : fmt::format("out.{} is no output of {}: name a field of an argument out",
                                     field, directive_.kernel));
        }
    }

    // A board's keys have no meaning for arrays, and nothing determines the grid.
    void check_launch_of_arrays() const {
        if (directive_.grid.empty())
            reject(fmt::format("the grid of {} is missing, which arrays do not determine: add for "
                               "example grid=(count.{}+{})/{}",
                               directive_.kernel, supply_.arrays.front().name,
                               directive_.threads() - 1, directive_.threads()));
        const char* const key = directive_.halo > 0                      ? "halo="
                                : directive_.alignment > 0               ? "align="
                                : directive_.region != directive_.block  ? "cells= or region="
                                                                         : nullptr;
        if (key)
            reject(fmt::format("{} is for the rows of a board, and {} consists of arrays: leave it "
                               "out",
                               key, supply_.workload));
    }

    std::string known_numbers() const {
        std::vector<std::string> names;
        for (const auto& [name, values] : supply_.numbers) names.push_back(name);
        return names.empty() ? "it has no numbers"
                             : fmt::format("its numbers are {}", fmt::join(names, ", "));
    }
    std::string known_fields() const {
        std::vector<std::string> names;
        for (const BoardField& field : supply_.fields) names.push_back(field.name);
        return fmt::format("{}", fmt::join(names, ", "));
    }

    const BoardField* find_field(std::string_view name) const {
        const auto found = std::ranges::find(supply_.fields, name, &BoardField::name);
        return found == supply_.fields.end() ? nullptr : &*found;
    }
    bool find_array(std::string_view name) const {
        return std::ranges::find(supply_.arrays, name, &NamedArray::name) != supply_.arrays.end();
    }
    std::string field_named(std::string_view name, const std::string& text) const {
        if (const BoardField* const field = find_field(name)) return field->name;
        reject(
            fmt::format("argument {} asks for field {}, which {} does not have: its fields are "
                        "{}",
                        text, name, supply_.workload, known_fields()));
    }
    // The field that a word without a field name refers to: the only one that generations read, or
    // write.
    std::string only_field(bool BoardField::*does, const std::string& text) const {
        std::string name;
        int count = 0;
        for (const BoardField& field : supply_.fields)
            if (field.*does) {
                name = field.name;
                ++count;
            }
        if (count == 1) return name;
        reject(fmt::format("argument {} can be any of several fields: write {}.NAME, of {}", text,
                           text, known_fields()));
    }
    // Any field, if all have elements of one size and therefore one pitch.
    std::string field_of_pitch(const std::string& text) const {
        const int size = info(supply_.fields.front().element).size;
        for (const BoardField& field : supply_.fields)
            if (info(field.element).size != size)
                reject(
                    fmt::format("argument {} differs between fields whose elements differ in "
                                "size: write pitch.NAME, of {}",
                                text, known_fields()));
        return supply_.fields.front().name;
    }

    Argument argument(const std::string& text) const {
        using Kind = Argument::Kind;
        struct Word {
            std::string_view word;
            Kind kind;
        };
        static constexpr Word of_field[] = {
            {"in", Kind::input},         {"out", Kind::output},       {"inout", Kind::in_place},
            {"tex2d", Kind::texture_2d}, {"tex1d", Kind::texture_1d}, {"pitch", Kind::pitch}};
        static constexpr Word alone[] = {{"columns", Kind::columns},
                                         {"rows", Kind::rows},
                                         {"halo", Kind::halo},
                                         {"generation", Kind::generation}};
        Argument argument;
        argument.text = text;
        for (const auto& [word, threads] :
             {std::pair("block.x", directive_.block.columns),
              std::pair("block.y", directive_.block.rows),
              std::pair("block.z", directive_.block_depth)})
            if (text == word) {
                argument.value = threads;
                argument.whole = true;
                return argument;
            }
        if (!supply_.is_board()) {
            if (const auto word = supply_.words.find(text); word != supply_.words.end()) {
                argument.value = word->second.number;
                argument.whole = word->second.whole;
                return argument;
            }
        }
        const std::size_t point = text.find('.');
        const std::string_view first = std::string_view(text).substr(0, point);
        for (const Word& word : of_field) {
            if (word.word != first) continue;
            argument.kind = word.kind;
            if (!supply_.is_board()) return array_argument(std::move(argument), first, point);
            if (point != text.npos)
                argument.field = field_named(std::string_view(text).substr(point + 1), text);
            else if (word.kind == Kind::pitch)
                argument.field = field_of_pitch(text);
            else
                argument.field = only_field(
                    word.kind == Kind::output ? &BoardField::written : &BoardField::read, text);
            return argument;
        }
        for (const Word& word : alone)
            if (word.word == text &&
                (supply_.is_board() || word.kind == Kind::generation)) {
                argument.kind = word.kind;
                return argument;
            }
        if (const auto literal = literal_in(text)) {
            argument.value = literal->number;
            argument.whole = literal->whole;
            return argument;
        }
        if (text.find_first_of("+-*/%( ") != text.npos) return expression(std::move(argument));
        return number(std::move(argument));
    }

    // "in.x", or "in" for an array of that name
    Argument array_argument(Argument argument, std::string_view first, std::size_t point) const {
        const std::string& text = argument.text;
        if (!argument.is_pointer() && !argument.is_texture())
            reject(fmt::format("argument {} is of a board's field, and {} consists of arrays: write "
                               "in.NAME, out.NAME, inout.NAME or tex2d.NAME, of {}",
                               text, supply_.workload, known_fields()));
        const std::string_view name =
            point == text.npos ? first : std::string_view(text).substr(point + 1);
        argument.field = field_named(name, text);
        return argument;
    }

    // "columns*rows"
    Argument expression(Argument argument) const {
        try {
            argument.expression =
                std::make_shared<const Expression>(Expression::parse(argument.text));
        } catch (const std::invalid_argument& error) {
            reject(
                fmt::format("argument {} is no expression, because {}: write for example "
                            "columns*rows",
                            argument.text, error.what()));
        }
        argument.kind = Argument::Kind::expression;
        for (const std::string& word : argument.expression->words()) {
            argument.words.push_back(this->argument(word));
            const Argument& last = argument.words.back();
            if (last.is_pointer() || last.is_texture())
                reject(
                    fmt::format("argument {} computes with {}, which is a field: expressions "
                                "are of numbers",
                                argument.text, word));
        }
        return argument;
    }

    // "dx", or "weights[4]".
    Argument number(Argument argument) const {
        const std::string& text = argument.text;
        const std::size_t bracket = std::min(text.find('['), text.size());
        argument.number = text.substr(0, bracket);
        const auto found = supply_.numbers.find(argument.number);
        if (found == supply_.numbers.end() && !supply_.is_board())
            reject(fmt::format("argument {} is unknown: write in.NAME, out.NAME, inout.NAME, "
                               "count.NAME, shape.NAME[0], a number, or one that a line scalar "
                               "names; the arrays are {}",
                               text, known_fields()));
        if (found == supply_.numbers.end())
            reject(
                fmt::format("argument {} is unknown: write in, out, columns, rows, pitch, halo, "
                            "generation, a number, or one of the workload's: {}",
                            text, known_numbers()));
        const std::size_t count = found->second.size();
        if (bracket < text.size()) {
            const char* const end = text.data() + text.size();
            const auto [stop, error] =
                std::from_chars(text.data() + bracket + 1, end, argument.index);
            if (error != std::errc() || stop + 1 != end || *stop != ']' || argument.index >= count)
                reject(fmt::format(
                    "argument {} is none of the {} numbers {}: write {}[0] to "
                    "{}[{}]",
                    text, count, argument.number, argument.number, argument.number, count - 1));
        } else if (count > 1) {
            reject(
                fmt::format("argument {} is {} numbers, and an argument is one: write {}[0] and "
                            "so on, or constant={} and a __constant__ array of that name",
                            text, count, text, text));
        }
        return argument;
    }

    void add_use(std::vector<FieldUse>& uses, const Argument& argument) const {
        if (!argument.is_pointer() && !argument.is_texture()) return;
        auto use = std::ranges::find(uses, argument.field, &FieldUse::name);
        if (use == uses.end()) {
            const BoardField& field = *find_field(argument.field);
            uses.push_back({field.name, field.element, field.outside, false, false});
            use = std::prev(uses.end());
        }
        // A field changed in place counts as read only: it is not written to a second buffer.
        (argument.kind == Argument::Kind::output ? use->written : use->read) = true;
    }

    const KernelDirective& directive_;
    const Supply& supply_;
    const std::string& file_;
};

}  // namespace

OutputStart start_of_output(const KernelDirective& directive, std::string_view field) {
    OutputStart start = OutputStart::undefined;
    for (const auto& [name, given] : directive.outputs)
        if (name == field)
            return given;
        else if (name.empty())
            start = given;
    return start;
}

std::vector<BoundKernel> bind_kernels(const Directives& directives, const Supply& supply,
                                      const std::string& file) {
    std::vector<BoundKernel> kernels;
    for (const KernelDirective& directive : directives.kernels)
        kernels.push_back(Binder(directive, supply, file).bind());
    for (const BoardField& field : supply.fields) {
        if (!field.written) continue;
        const bool found = std::ranges::any_of(kernels, [&](const BoundKernel& kernel) {
            return std::ranges::any_of(kernel.arguments, [&](const Argument& argument) {
                return argument.field == field.name && (argument.kind == Argument::Kind::output ||
                                                        argument.kind == Argument::Kind::in_place);
            });
        });
        if (!found)
            throw Error(ExitCode::usage,
                        fmt::format("{}:{}: no kernel writes field {}, which a generation of {} "
                                    "writes: add out.{} to the arguments",
                                    file, directives.kernels.front().line, field.name,
                                    supply.workload, field.name));
    }
    return kernels;
}

}  // namespace camber
