#include "harness/own/source/kernel_reading.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <regex>
#include <set>
#include <utility>

#include "harness/own/source/code_text.hpp"

namespace camber {

namespace {

// Examples of shapes: small enough for the executor.
constexpr std::array<const char*, 3> usual_shapes{"65536", "256x256", "32x64x64"};
constexpr int numbers_per_row = 8;  // of a sparse matrix

struct Array {
    std::string name;
    std::string argument;  // "in.u"
    bool written = false;
    std::string shape;  // "" if it is that of the first array
    std::string fill;   // initial values; "": random
};

bool is_match(std::string_view text, const std::string& pattern) {
    return std::regex_search(text.begin(), text.end(), std::regex(pattern));
}

// Element `name[index]`; empty if the code does not read such an element.
std::string index_of(std::string_view body, const std::string& name) {
    for (std::size_t at = find_word(body, name); at != body.npos;
         at = find_word(body, name, at + 1)) {
        const std::size_t open = body.find_first_not_of(" \t\n", at + name.size());
        if (open == body.npos || body[open] != '[') continue;
        const std::size_t end = behind_brackets(body, open);
        if (end == body.npos) break;
        return std::string(trimmed_text(body.substr(open + 1, end - open - 2)));
    }
    return "";
}

class ArraySuggester {
  public:
    ArraySuggester(const KernelReading& reading, std::string_view code)
        : reading_(reading), body_(reading.body()), code_(code) {}

    std::vector<std::string> lines() {
        if (!find_arrays()) return {};
        choose_dimensions();
        choose_shapes();
        std::vector<std::string> texts;
        std::vector<std::string> keys{launch()};
        std::size_t next = 0;
        for (const FunctionParameter& parameter : reading_.kernel().parameters)
            texts.push_back(is_array(parameter) ? arrays_[next++].argument : number(parameter));
        for (const Array& array : arrays_)
            if (array.argument == "out." + array.name && accumulated_.contains(array.name))
                keys.push_back(fmt::format("out.{}=zeros", array.name));
        for (const std::string& name : constants())
            keys.push_back(fmt::format("constant={0}:{0}", name));
        std::vector<std::string> lines{fmt::format("// camber: {}({}) {}", reading_.instance(),
                                                   fmt::join(texts, ", "), fmt::join(keys, " "))};
        std::vector<std::string> shapes;
        std::vector<std::string> fills;
        for (const Array& array : arrays_) {
            const std::string shape = !array.shape.empty()   ? array.shape
                                      : array.name == first_ ? usual_shapes.at(dimensions_ - 1)
                                                             : first_;
            shapes.push_back(fmt::format("{}={}", array.name, shape));
            if (!array.fill.empty()) fills.push_back(fmt::format("{}={}", array.name, array.fill));
        }
        lines.push_back(fmt::format("// camber: shape {}", fmt::join(shapes, " ")));
        if (!fills.empty())
            lines.push_back(fmt::format("// camber: fill {}", fmt::join(fills, " ")));
        return lines;
    }

  private:
    static bool is_texture(const FunctionParameter& parameter) {
        return has_word(parameter.type, "cudaTextureObject_t");
    }
    static bool is_array(const FunctionParameter& parameter) {
        return parameter.is_pointer() || is_texture(parameter);
    }

    bool find_arrays() {
        static const std::set<std::string_view> numbers{
            "int",     "unsigned", "long",    "short",   "char",     "size_t",   "float",  "double",
            "bool",    "uint",     "int64_t", "int32_t", "uint32_t", "uint64_t", "__half", "half",
            "int16_t", "uint16_t", "uint8_t", "int8_t",  "uchar",    "ptrdiff_t"};
        for (const FunctionParameter& parameter : reading_.kernel().parameters) {
            if (!is_array(parameter)) {
                if (std::ranges::none_of(numbers, [&](std::string_view type) {
                        return has_word(parameter.type, type);
                    }))
                    return false;
                continue;
            }
            const std::string name =
                parameter.name.empty() ? fmt::format("a{}", arrays_.size()) : parameter.name;
            std::string word = "in";
            bool written = false;
            if (is_texture(parameter)) {
                word = is_match(body_, R"(\btex1Dfetch\b)") ? "tex1d" : "tex2d";
            } else if (reading_.is_accumulated(parameter)) {
                word = "out";
                written = true;
                accumulated_.insert(name);
            } else {
                const Use use = reading_.use(parameter);
                written = use == Use::written || use == Use::both;
                word = use == Use::both ? "inout" : use == Use::written ? "out" : "in";
            }
            arrays_.push_back({name, word + "." + name, written, "", ""});
        }
        return std::ranges::any_of(arrays_, &Array::written);
    }

    Array* find(std::string_view name) {
        const auto found = std::ranges::find(arrays_, name, &Array::name);
        return found == arrays_.end() ? nullptr : &*found;
    }
    const Array& first_written() const {
        return *std::ranges::find(arrays_, true, &Array::written);
    }

    bool has(Meaning meaning) const {
        return std::ranges::any_of(reading_.kernel().parameters, [&](const FunctionParameter& one) {
            return !is_array(one) && meaning_of(one) == meaning;
        });
    }

    void choose_dimensions() {
        const bool has_sides = has(Meaning::columns) && has(Meaning::rows);
        dimensions_ = 1;
        if (reading_.uses_y() || has_sides || has(Meaning::columns)) dimensions_ = 2;
        if (reading_.uses_z() || has(Meaning::depth) || (has_sides && has(Meaning::batch)))
            dimensions_ = 3;
        const auto input = std::ranges::find(arrays_, false, &Array::written);
        first_ = (input == arrays_.end() ? arrays_.front() : *input).name;
    }

    void choose_shapes() {
        if (choose_product() || choose_sparse_matrix()) return;
        const bool is_transposition =
            std::regex_search(reading_.kernel().name, std::regex("transpose", std::regex::icase)) &&
            dimensions_ == 2 && arrays_.size() == 2;
        for (Array& array : arrays_) {
            if (array.name == first_) continue;
            if (array.written &&
                is_match(body_, "\\b" + array.name + R"(\s*\[\s*blockIdx\.x\s*\])") &&
                !reading_.uses_y()) {
                array.shape = fmt::format("(count.{}+{})/{}", first_, reading_.threads() - 1,
                                          reading_.threads());
                by_block_ = array.name;
            } else if (accumulated_.contains(array.name)) {
                array.shape = "1024";
            } else if (is_transposition) {
                array.shape = fmt::format("(shape.{0}[1])x(shape.{0}[0])", first_);
            }
        }
        for (Array& array : arrays_)  // arrays of indices have valid values
            for (const Array& outer : arrays_)
                if (!array.written && is_integer(array.name) && indexes(array, outer))
                    array.fill = fmt::format("i*7%count.{}", outer.name);
    }

    // a[m][k] times b[k][n].
    bool choose_product() {
        const auto given = [&](char name) {
            return std::ranges::any_of(reading_.kernel().parameters, [&](const auto& one) {
                return !is_array(one) && one.name.size() == 1 && std::tolower(one.name[0]) == name;
            });
        };
        if (arrays_.size() != 3 || !given('m') || !given('n') || !given('k')) return false;
        std::vector<Array*> inputs;
        for (Array& array : arrays_)
            if (!array.written) inputs.push_back(&array);
        if (inputs.size() != 2) return false;
        const std::string& a = inputs[0]->name;
        const std::string& b = inputs[1]->name;
        inputs[0]->shape = "64x96";
        inputs[1]->shape = "96x128";
        Array& c = *find(first_written().name);
        c.shape = fmt::format("(shape.{}[0])x(shape.{}[1])", a, b);
        sides_ = {{"m", fmt::format("shape.{}[0]", a)},
                  {"n", fmt::format("shape.{}[1]", b)},
                  {"k", fmt::format("shape.{}[1]", a)}};
        dimensions_ = 2;
        first_ = c.name;
        return true;
    }

    // Rows begin[r] to begin[r + 1] of a sparse matrix, one thread or group for each.
    bool choose_sparse_matrix() {
        const auto begin = std::ranges::find_if(arrays_, [&](const Array& array) {
            return !array.written && is_match(array.argument, "^in\\.") &&
                   is_match(body_, "\\b" + array.name + R"(\s*\[[^\]]*\+\s*1\s*\])") &&
                   is_match(body_, "\\b" + array.name + R"(\s*\[\s*\w+\s*\])") &&
                   is_integer(array.name);
        });
        if (begin == arrays_.end()) return false;
        const std::string rows = first_written().name;
        const Array* indices = nullptr;
        const Array* indexed = nullptr;
        for (const Array& inner : arrays_)
            for (const Array& outer : arrays_)
                if (is_integer(inner.name) && indexes(inner, outer)) {
                    indices = &inner;
                    indexed = &outer;
                }
        if (indices == nullptr || indices == &*begin) return false;
        begin->shape = fmt::format("count.{}+1", rows);
        begin->fill = fmt::format("i*{}", numbers_per_row);
        const std::string index = index_of(body_, indices->name);
        for (Array& array : arrays_) {
            if (&array == &*begin) continue;
            if (&array == indices) {
                array.shape = fmt::format("count.{}*{}", rows, numbers_per_row);
                array.fill = fmt::format("i*7%count.{}", indexed->name);
            } else if (&array == indexed) {
                array.shape = array.written ? "" : rows;
            } else if (!array.written && index_of(body_, array.name) == index) {
                array.shape = indices->name;
            }
        }
        first_ = rows;
        dimensions_ = 1;
        find(rows)->shape = "2048";
        return true;
    }

    // True if `outer[... inner[...] ...]` is in the kernel.
    bool indexes(const Array& inner, const Array& outer) const {
        return &inner != &outer &&
               is_match(body_, "\\b" + outer.name + R"(\s*\[[^;]*\b)" + inner.name +
                                   R"(\s*\[[^\]]*\])" + R"([^;\[]*\])");
    }

    bool is_integer(const std::string& name) const {
        return std::ranges::any_of(reading_.kernel().parameters, [&](const auto& parameter) {
            return parameter.name == name &&
                   is_match(parameter.type, R"(\b(int|unsigned|long|uint|size_t|u?int\d+_t)\b)");
        });
    }

    // "wA" is the width of the array A; "" if the name contains no array's.
    std::string side_of_array(const std::string& name) const {
        for (const Array& array : arrays_) {
            if (!name.ends_with(array.name) || name == array.name) continue;
            std::string prefix = name.substr(0, name.size() - array.name.size());
            if (prefix.ends_with('_')) prefix.pop_back();
            const auto side = [&](std::size_t from_end) {
                return dimensions_ < 2
                           ? ""
                           : fmt::format("shape.{}[{}]", array.name, dimensions_ - from_end);
            };
            if (prefix == "w" || prefix == "width" || prefix == "cols") return side(1);
            if (prefix == "h" || prefix == "height" || prefix == "rows") return side(2);
            if (prefix == "n" || prefix == "num" || prefix == "size" || prefix == "len")
                return "count." + array.name;
        }
        return "";
    }

    std::string number(const FunctionParameter& parameter) const {
        if (has_word(parameter.type, "float") || has_word(parameter.type, "double") ||
            parameter.type.find("half") != std::string::npos)
            return "0.5";
        if (has_word(parameter.type, "bool")) return "true";
        if (parameter.name.size() == 1)
            if (const auto side = sides_.find(
                    std::string(1, static_cast<char>(std::tolower(parameter.name.front()))));
                side != sides_.end())
                return side->second;
        if (const std::string side = side_of_array(parameter.name); !side.empty()) return side;
        const auto extent = [&](std::size_t from_end) {
            return from_end < dimensions_
                       ? fmt::format("shape.{}[{}]", first_, dimensions_ - 1 - from_end)
                       : std::string("1");
        };
        switch (meaning_of(parameter)) {
            case Meaning::columns:
            case Meaning::pitch:
                return extent(0);
            case Meaning::rows:
                return dimensions_ == 1 ? "count." + first_ : extent(1);
            case Meaning::depth:
            case Meaning::batch:
                return extent(dimensions_ == 3 ? 2 : 1);
            case Meaning::count:
                return dimensions_ == 2 ? extent(0) : "count." + first_;
            case Meaning::other:
                break;
        }
        return "1";
    }

    // Block, and the cells that it computes: more rows than threads if a loop strides over a tile.
    struct Shape {
        std::array<int, 3> block{1, 1, 1};
        std::array<int, 3> region{1, 1, 1};
    };
    Shape block_shape() const {
        constexpr int most_threads = 1024;
        if (!reading_.uses_y()) {
            const int threads = reading_.threads();
            return {{threads, 1, 1}, {threads, 1, 1}};
        }
        if (reading_.uses_z()) return {{32, 4, 2}, {32, 4, 2}};
        const auto tile = reading_.tile();
        if (!tile) return {{32, 8, 1}, {32, 8, 1}};
        const int rows = tile->first;
        // One more column avoids bank conflicts.
        const int columns = tile->second == rows + 1 ? rows : tile->second;
        static const std::regex stride(R"(for\s*\([^;]*;[^;]*;[^)]*\+=\s*(\w+)\s*\))");
        std::cmatch match;
        Shape shape{{columns, rows, 1}, {columns, rows, 1}};
        if (std::regex_search(body_.data(), body_.data() + body_.size(), match, stride)) {
            const std::string step = match[1].str();
            const auto number = reading_.number_in(step);
            if (number && *number > 0 && *number < rows && rows % *number == 0)
                shape.block[1] = *number;
        }
        if (is_match(body_, R"(\+=\s*blockDim\.y)")) shape.block[1] = std::min(rows, 8);
        if (shape.block[0] * shape.block[1] > most_threads || columns > most_threads)
            return {{32, 8, 1}, {32, 8, 1}};
        return shape;
    }

    std::string launch() const {
        const Shape shape = block_shape();
        const auto blocks = [&](std::size_t k) {
            const std::size_t dimension = dimensions_ - 1 - k;
            return shape.region.at(k) == 1
                       ? fmt::format("(shape.{}[{}])", first_, dimension)
                       : fmt::format("((shape.{}[{}]+{})/{})", first_, dimension,
                                     shape.region.at(k) - 1, shape.region.at(k));
        };
        std::string text = fmt::format("block={}", shape.block[0]);
        if (shape.block[1] > 1 || shape.block[2] > 1) text += fmt::format("x{}", shape.block[1]);
        if (shape.block[2] > 1) text += fmt::format("x{}", shape.block[2]);
        if (!by_block_.empty())
            text += fmt::format(" grid=count.{}", by_block_);
        else if (reading_.uses_z() && dimensions_ == 3)
            text += fmt::format(" grid={}x{}x{}", blocks(0), blocks(1), blocks(2));
        else if (reading_.uses_y() && dimensions_ >= 2)
            text += fmt::format(" grid={}x{}", blocks(0), blocks(1));
        else if (reading_.is_strided())
            text += " grid=64";
        else
            text +=
                fmt::format(" grid=(count.{}+{})/{}", first_, shape.block[0] - 1, shape.block[0]);
        static const std::map<std::string, int, std::less<>> sizes{
            {"double", 8},        {"float4", 16}, {"double2", 16}, {"float2", 8}, {"char", 1},
            {"unsigned char", 1}, {"uchar", 1},   {"__half", 2},   {"half", 2},   {"short", 2}};
        if (const std::string type = reading_.dynamic_shared_type(); !type.empty()) {
            const auto size = sizes.find(type);
            const int threads = shape.block[0] * shape.block[1] * shape.block[2];
            text += fmt::format(" shared={}", (size == sizes.end() ? 4 : size->second) * threads);
        }
        return text;
    }

    // `__constant__` arrays that the kernel reads.
    std::vector<std::string> constants() const {
        static const std::regex declaration(R"(__constant__\s+(?:const\s+)?[\w ]+?\s+(\w+)\s*\[)");
        std::vector<std::string> names;
        for (std::cregex_iterator at(code_.data(), code_.data() + code_.size(), declaration), end;
             at != end; ++at)
            if (const std::string name = (*at)[1].str(); has_word(body_, name))
                names.push_back(name);
        return names;
    }

    const KernelReading& reading_;
    std::string_view body_;
    std::string_view code_;
    std::vector<Array> arrays_;
    std::set<std::string> accumulated_;  // arrays that only atomic operations change
    std::size_t dimensions_ = 1;
    std::string first_;                         // array whose shape determines the launch
    std::string by_block_;                      // array with one element for each block
    std::map<std::string, std::string> sides_;  // of a matrix product, by parameter
};

}  // namespace

std::vector<std::string> array_lines_for(const KernelReading& reading, std::string_view code) {
    return ArraySuggester(reading, code).lines();
}

}  // namespace camber
