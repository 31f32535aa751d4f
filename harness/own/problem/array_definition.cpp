#include "harness/own/problem/array_definition.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>
#include <regex>
#include <stdexcept>
#include <utility>

#include "harness/base/error.hpp"
#include "harness/own/host/host_compiler.hpp"
#include "harness/own/host/host_library.hpp"
#include "harness/own/problem/npy_file.hpp"
#include "harness/own/source/functions.hpp"

namespace camber {

namespace {

struct NameAndText {
    std::string name;
    std::string text;
};

NameAndText split_option(const std::string& option, const std::string& text, const char* example) {
    const std::size_t equals = text.find('=');
    if (equals == 0 || equals == text.npos || equals + 1 == text.size())
        throw Error(ExitCode::usage, fmt::format("{} {} is not NAME=VALUE: write for example {} {}",
                                                 option, text, option, example));
    return {text.substr(0, equals), text.substr(equals + 1)};
}

class Definer {
  public:
    Definer(const OwnProblem& problem, const CandidateSource& source)
        : problem_(problem), source_(source), file_(source.path.string()) {}

    ArrayDefinition define() {
        take_scalars();
        find_arrays();
        const std::map<std::string, NpyArray> inputs = read_inputs();
        const std::map<std::string, NpyArray> expected = read_expected();
        give_shapes(inputs, expected);
        for (const auto& [name, file] : inputs) result_.inputs[name] = file.bytes;
        for (const auto& [name, file] : expected) result_.expected[name] = file.bytes;
        for (const NamedArray& array : result_.arrays) check_extents(array, file_);
        take_fills();
        return std::move(result_);
    }

  private:
    [[noreturn]] static void reject(const std::string& why) {
        throw Error(ExitCode::usage, why);
    }
    std::string place(int line) const { return fmt::format("{}:{}", file_, line); }

    NamedArray* find(std::string_view name) {
        const auto found = std::ranges::find(result_.arrays, name, &NamedArray::name);
        return found == result_.arrays.end() ? nullptr : &*found;
    }
    std::string names(bool NamedArray::*does) const {
        std::vector<std::string> names;
        for (const NamedArray& array : result_.arrays)
            if (array.*does) names.push_back(array.name);
        return fmt::format("{}", fmt::join(names, ", "));
    }

    // Arrays of the arguments, except the file's scratch arrays.
    void find_arrays() {
        const HostLibrary host(compile_for_host(source_, BuildCache(problem_.options.cache)), file_);
        for (std::size_t k = 0; k < source_.directives.kernels.size(); ++k) {
            const KernelDirective& kernel = source_.directives.kernels[k];
            const CamberKernel& compiled = host.kernel(k);
            const auto count = static_cast<std::size_t>(compiled.count);
            const std::vector<std::string> names = parameter_names(kernel);
            for (std::size_t i = 0; i < std::min(kernel.arguments.size(), count); ++i)
                take_argument(kernel, kernel.arguments[i], compiled.parameters[i].target,
                              i < names.size() ? names[i] : "");
        }
        std::size_t constant = 0;
        for (const KernelDirective& kernel : source_.directives.kernels)
            for (const auto& [symbol, name] : kernel.constants)
                take_constant(kernel, symbol, name, host.constant(constant++));
        if (std::ranges::none_of(result_.arrays, &NamedArray::written))
            reject(fmt::format("{} writes no array, so there is nothing to compare: name an "
                               "argument out.NAME",
                               file_));
    }

    std::vector<std::string> parameter_names(const KernelDirective& kernel) const {
        std::vector<std::string> names;
        if (const auto functions = functions_in(source_.code))
            for (const CodeFunction& function : *functions) {
                if (!function.is_kernel || function.name != kernel.plain_function()) continue;
                names.clear();
                for (const FunctionParameter& parameter : function.parameters)
                    names.push_back(parameter.name);
            }
        return names;
    }

    // Type of the elements that the code fetches through the texture parameter `name`.
    std::optional<ArrayType> fetched_type(const std::string& name) const {
        static const std::map<std::string, Scalar, std::less<>> types{
            {"unsigned char", Scalar::uint8}, {"uchar", Scalar::uint8},
            {"uint8_t", Scalar::uint8},       {"int", Scalar::int32},
            {"unsigned int", Scalar::uint32}, {"unsigned", Scalar::uint32},
            {"uint", Scalar::uint32},         {"float", Scalar::float32}};
        const std::regex fetch(R"(\btex(?:2D|1Dfetch)\s*<\s*([\w ]+?)\s*>\s*\(\s*)" + name + R"(\b)");
        std::smatch match;
        if (name.empty() || !std::regex_search(source_.code, match, fetch)) return std::nullopt;
        const auto found = types.find(match[1].str());
        return found == types.end() ? std::nullopt : std::optional(ArrayType{found->second});
    }

    // A __constant__ variable that an array or a named number fills.
    void take_constant(const KernelDirective& kernel, const std::string& symbol,
                       const std::string& name, const CamberConstant& constant) {
        if (words_.contains(name)) return;
        const auto type =
            constant.element.name ? array_type_named(constant.element.name) : std::nullopt;
        NamedArray* const array = find(name);
        if (!type && !array)
            reject(fmt::format("{}: the element type of {} is not known: make it an array of "
                               "integers, of __half, __nv_bfloat16, float or double, or of a CUDA "
                               "vector",
                               place(kernel.line), symbol));
        if (array)
            array->read = true;
        else
            result_.arrays.push_back({name, *type, {}, true, false});
        counts_.emplace(name, constant.count);
    }

    void take_argument(const KernelDirective& kernel, const std::string& text,
                       const CamberType& target, const std::string& parameter) {
        const std::size_t point = std::min(text.find('.'), text.size());
        const std::string word = text.substr(0, point);
        const bool texture = word == "tex2d" || word == "tex1d";
        const bool reads = word == "in" || word == "inout" || texture;
        const bool writes = word == "out" || word == "inout";
        if (!reads && !writes) return;
        const std::string name = point < text.size() ? text.substr(point + 1) : word;
        if (std::ranges::find(source_.directives.scratch, name, &ScratchDirective::name) !=
            source_.directives.scratch.end())
            return;
        const auto type = texture       ? fetched_type(parameter)
                          : target.name ? array_type_named(target.name)
                                        : std::nullopt;
        NamedArray* array = find(name);
        if (!type && !array && texture)
            reject(fmt::format("{}: the element type of {} is not known: fetch it in the kernel as "
                               "tex2D<T>({}, x, y), with float, int, unsigned or unsigned char",
                               place(kernel.line), text, parameter));
        if (!type && !array)
            reject(fmt::format("{}: the element type of {} is not known: make the parameter a "
                               "pointer to an integer, to __half, __nv_bfloat16, float or double, "
                               "or to a CUDA vector",
                               place(kernel.line), text));
        if (!array) {
            result_.arrays.push_back({name, *type, {}, reads, false});
            array = &result_.arrays.back();
        } else if (type && type->scalar != array->type.scalar &&
                   (type->is_real() || array->type.is_real() ||
                    type->scalar_bytes() != array->type.scalar_bytes())) {
            reject(fmt::format("{}: {} has elements of {}, and elsewhere they are {}: give two "
                               "arrays two names",
                               place(kernel.line), text, type->name(), array->type.name()));
        }
        array->read = array->read || reads;
        array->written = array->written || writes;
    }

    void take_scalars() {
        for (const NamedText& scalar : source_.directives.scalars)
            take_scalar(place(scalar.line), scalar.name, scalar.text);
        for (const std::string& text : problem_.scalars) {
            const auto [name, value] = split_option("--scalar", text, "alpha=2.5");
            take_scalar("--scalar " + text, name, value);
        }
    }
    void take_scalar(const std::string& from, const std::string& name, const std::string& text) {
        const auto value = literal_in(text);
        const bool negative = text.starts_with('-');
        const auto below = negative ? literal_in(std::string_view(text).substr(1)) : std::nullopt;
        if (!value && !below)
            reject(fmt::format("{}: {}={} is no number: write for example {}=2.5", from, name, text,
                               name));
        result_.scalars[name] = value ? NamedNumber{value->number, value->whole}
                                      : NamedNumber{-below->number, below->whole};
        words_[name] = {result_.scalars[name].value, result_.scalars[name].whole};
    }

    // Checks the file's type, and returns its shape without the numbers of a vector.
    std::vector<std::int64_t> shape_in(const NamedArray& array, const NpyArray& file,
                                       const std::string& path) const {
        const bool bits = array.type.scalar == Scalar::bfloat16 && file.scalar == Scalar::uint16;
        if (!bits && file.scalar != array.type.scalar) {
            const std::string wanted = ArrayType{array.type.scalar}.name();
            reject(fmt::format(
                "\"{}\" has elements of {}, and {} has {}: {}", path,
                ArrayType{file.scalar}.name(), array.name, wanted,
                array.type.scalar == Scalar::bfloat16
                    ? std::string("save the upper 16 bits of the floats as uint16")
                    : fmt::format("save it with array.astype('{}')", wanted)));
        }
        std::vector<std::int64_t> shape = file.shape;
        if (array.type.lanes > 1) {
            if (shape.empty() || shape.back() != array.type.lanes)
                reject(fmt::format("\"{}\" has a last dimension of {}, and the elements of {} are "
                                   "{}: save {} numbers in the last dimension",
                                   path, shape.empty() ? 0 : shape.back(), array.name,
                                   array.type.name(), array.type.lanes));
            shape.pop_back();
        }
        if (shape.empty()) shape.push_back(1);
        if (shape.size() > 3)
            reject(fmt::format("\"{}\" has {} dimensions, and an array has 1 to 3: reshape it",
                               path, shape.size()));
        return shape;
    }

    std::map<std::string, NpyArray> read_inputs() {
        std::vector<std::string> readable;
        for (const NamedArray& array : result_.arrays)
            if (array.read) readable.push_back(array.name);
        std::map<std::string, NpyArray> files;
        std::size_t next = 0;
        for (const std::string& text : problem_.inputs) {
            const std::size_t equals = text.find('=');
            const bool named = equals != text.npos && find(text.substr(0, equals));
            if (named && !find(text.substr(0, equals))->read)
                reject(fmt::format("--input {} is for an array that no kernel reads: the inputs are "
                                   "{}",
                                   text, names(&NamedArray::read)));
            if (!named && next == readable.size())
                reject(fmt::format("--input {} is one file too many: {} reads {}", text, file_,
                                   fmt::join(readable, ", ")));
            const std::string name = named ? text.substr(0, equals) : readable[next++];
            const std::string path = named ? text.substr(equals + 1) : text;
            if (!files.emplace(name, read_npy_array(path)).second)
                reject(fmt::format("--input gives {} twice: leave out one", name));
            shapes_of_files_[name].emplace_back(path, shape_in(*find(name), files[name], path));
        }
        return files;
    }

    std::map<std::string, NpyArray> read_expected() {
        std::map<std::string, NpyArray> files;
        for (const std::string& text : problem_.expected) {
            const auto [name, path] = split_option("--expect", text, "out=out.npy");
            const NamedArray* const array = find(name);
            if (!array || !array->written)
                reject(fmt::format("--expect {} is for {}, and the outputs are {}", text, name,
                                   names(&NamedArray::written)));
            if (!files.emplace(name, read_npy_array(path)).second)
                reject(fmt::format("--expect gives {} twice: leave out one", name));
            shapes_of_files_[name].emplace_back(path, shape_in(*array, files[name], path));
        }
        if (files.empty()) return files;
        for (const NamedArray& array : result_.arrays)
            if (array.written && !files.contains(array.name))
                reject(fmt::format("--expect gives no {}, which {} writes: give --expect {}=FILE.npy",
                                   array.name, file_, array.name));
        return files;
    }

    // Files and options take precedence over the lines, but must not contradict each other.
    void give_shapes(const std::map<std::string, NpyArray>&, const std::map<std::string, NpyArray>&) {
        std::map<std::string, ShapeText> texts;
        for (const NamedText& shape : source_.directives.shapes) {
            require(shape.name, place(shape.line));
            if (!texts.emplace(shape.name, ShapeText{shape.text, place(shape.line)}).second)
                reject(fmt::format("{}: {} has two shapes: leave out one", place(shape.line),
                                   shape.name));
        }
        std::map<std::string, std::string> options;
        for (const std::string& text : problem_.shapes) {
            const auto [name, value] = split_option("--shape", text, "u=64x64x64");
            require(name, "--shape " + text);
            if (!options.emplace(name, value).second)
                reject(fmt::format("--shape gives {} twice: leave out one", name));
            texts[name] = {value, "--shape " + text};
        }
        Shapes known;
        for (const auto& [name, files] : shapes_of_files_) {
            for (const auto& [path, shape] : files)
                if (shape != files.front().second)
                    reject(fmt::format("\"{}\" and \"{}\" have different shapes, and both are {}: "
                                       "save arrays of one shape",
                                       files.front().first, path, name));
            known[name] = files.front().second;
        }
        // A __constant__ array of fixed length determines the shape that nothing else gives.
        for (const auto& [name, count] : counts_)
            if (!texts.contains(name) && !known.contains(name))
                texts[name] = {std::to_string(count), file_};
        Shapes without = known;
        for (const auto& [name, value] : options) without.erase(name);
        const Shapes shapes = [&] {
            std::map<std::string, ShapeText> open = texts;
            for (const auto& [name, shape] : without) open.erase(name);
            return resolve_shapes(open, without, words_);
        }();
        for (const auto& [name, shape] : known)
            if (shapes.at(name) != shape)
                reject(fmt::format("--shape {}={} contradicts the shape {} of \"{}\": leave it out",
                                   name, options.at(name), fmt::join(shape, "x"),
                                   shapes_of_files_.at(name).front().first));
        for (NamedArray& array : result_.arrays) {
            const auto shape = shapes.find(array.name);
            if (shape == shapes.end())
                reject(fmt::format("{}: the shape of {} is missing: give --shape {}=64x64, a line "
                                   "// camber: shape {}=64x64, or --input {}=FILE.npy",
                                   file_, array.name, array.name, array.name, array.name));
            array.shape = shape->second;
            add_words_of(array.name, array.shape, words_);
        }
    }
    void require(const std::string& name, const std::string& from) {
        if (find(name)) return;
        std::vector<std::string> all;
        for (const NamedArray& array : result_.arrays) all.push_back(array.name);
        reject(fmt::format("{}: there is no array {}: the arrays are {}", from, name,
                           fmt::join(all, ", ")));
    }

    void take_fills() {
        for (const NamedText& fill : source_.directives.fills) {
            require(fill.name, place(fill.line));
            if (!find(fill.name)->read)
                reject(fmt::format("{}: fill {} is for an array that no kernel reads: the inputs "
                                   "are {}",
                                   place(fill.line), fill.name, names(&NamedArray::read)));
            Expression expression;
            try {
                expression = Expression::parse(fill.text);
            } catch (const std::invalid_argument& error) {
                reject(fmt::format("{}: {} is no expression, because {}: write for example "
                                   "(i*37)%1024",
                                   place(fill.line), fill.text, error.what()));
            }
            for (const std::string& word : expression.words())
                if (word != "i" && !words_.contains(word))
                    reject(fmt::format("{}: {} has an unknown word {}: write i, a number, "
                                       "count.NAME or shape.NAME[0]",
                                       place(fill.line), fill.text, word));
            result_.fills.insert_or_assign(fill.name, std::move(expression));
        }
        result_.words = words_;
    }

    const OwnProblem& problem_;
    const CandidateSource& source_;
    std::string file_;
    Words words_;
    std::map<std::string, unsigned long> counts_;  // elements of __constant__ arrays, by array
    // By array: path and shape of its files.
    std::map<std::string, std::vector<std::pair<std::string, std::vector<std::int64_t>>>>
        shapes_of_files_;
    ArrayDefinition result_;
};

}  // namespace

ArrayDefinition define_arrays(const OwnProblem& problem, const CandidateSource& source) {
    return Definer(problem, source).define();
}

}  // namespace camber
