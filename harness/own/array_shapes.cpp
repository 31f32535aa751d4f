#include "harness/own/array_shapes.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <limits>
#include <set>
#include <stdexcept>

#include "harness/base/error.hpp"
#include "harness/own/source/directive.hpp"

namespace camber {

namespace {

constexpr double largest_extent = std::numeric_limits<std::int32_t>::max();

class Resolver {
  public:
    Resolver(const std::map<std::string, ShapeText>& texts, Shapes known, const Words& scalars)
        : texts_(texts), shapes_(std::move(known)), words_(scalars) {
        for (const auto& [name, shape] : shapes_) add_words_of(name, shape, words_);
    }

    Shapes resolve() {
        for (const auto& [name, text] : texts_) shape_of(name);
        return std::move(shapes_);
    }

  private:
    [[noreturn]] static void reject(const ShapeText& text, const std::string& why) {
        throw Error(ExitCode::usage, fmt::format("{}: {}", text.place, why));
    }

    const std::vector<std::int64_t>& shape_of(const std::string& name) {
        if (const auto known = shapes_.find(name); known != shapes_.end()) return known->second;
        const ShapeText& text = texts_.at(name);
        if (!pending_.insert(name).second)
            reject(text, fmt::format("the shape of {} depends on itself: write numbers", name));
        std::vector<std::int64_t> shape;
        if (texts_.contains(text.text) || shapes_.contains(text.text)) {
            shape = shape_of(text.text);
        } else {
            for (const std::string& extent : split_extents(text.text))
                shape.push_back(extent_of(extent, name, text));
            if (shape.size() > 3)
                reject(text, fmt::format("{}={} has {} dimensions, and an array has 1 to 3: write "
                                         "for example {}=64x64x64",
                                         name, text.text, shape.size(), name));
        }
        pending_.erase(name);
        add_words_of(name, shape, words_);
        return shapes_[name] = std::move(shape);
    }

    std::int64_t extent_of(const std::string& text, const std::string& name,
                           const ShapeText& whole) {
        ExpressionValue value;
        try {
            const Expression expression = Expression::parse(text);
            value = expression.evaluate([&](std::size_t word) {
                return value_of(expression.words()[word], name, whole);
            });
        } catch (const std::invalid_argument& error) {
            reject(whole, fmt::format("{}={} is no shape, because {}: write for example {}=64x64",
                                      name, whole.text, error.what(), name));
        }
        if (!value.whole || !(value.number >= 1 && value.number <= largest_extent))
            reject(whole,
                   fmt::format("{}={} has an extent of {}, and an extent is a whole number from 1 "
                               "to {}: write for example {}=64x64",
                               name, whole.text, value.number, std::int64_t{2147483647}, name));
        return static_cast<std::int64_t>(value.number);
    }

    ExpressionValue value_of(const std::string& word, const std::string& name,
                             const ShapeText& whole) {
        if (const auto known = words_.find(word); known != words_.end()) return known->second;
        const std::size_t point = word.find('.');
        if (point != word.npos) {
            const std::string array = word.substr(point + 1, word.find('[') - point - 1);
            if (texts_.contains(array)) {
                shape_of(array);
                if (const auto found = words_.find(word); found != words_.end())
                    return found->second;
            }
        }
        reject(whole, fmt::format("{}={} has an unknown word {}: write a number, count.NAME or "
                                  "shape.NAME[0] of another array, or define the word by a line "
                                  "scalar {}=64",
                                  name, whole.text, word, word));
    }

    const std::map<std::string, ShapeText>& texts_;
    Shapes shapes_;
    Words words_;
    std::set<std::string> pending_;
};

}  // namespace

Shapes resolve_shapes(const std::map<std::string, ShapeText>& texts, Shapes known,
                      const Words& scalars) {
    return Resolver(texts, std::move(known), scalars).resolve();
}

void add_words_of(const std::string& name, const std::vector<std::int64_t>& shape, Words& words) {
    double count = 1;
    for (std::size_t i = 0; i < shape.size(); ++i) {
        count *= static_cast<double>(shape[i]);
        words[fmt::format("shape.{}[{}]", name, i)] = {static_cast<double>(shape[i]), true};
    }
    words["count." + name] = {count, true};
}

void check_extents(const NamedArray& array, const std::string& place) {
    const int units = array.type.bytes() / info(array.storage()).size;
    double lines = 1;
    for (std::size_t i = 0; i + 1 < array.shape.size(); ++i)
        lines *= static_cast<double>(array.shape[i]);
    const double line = static_cast<double>(array.shape.back()) * units;
    if (lines > largest_extent || line > largest_extent)
        throw Error(ExitCode::usage,
                    fmt::format("{}: {} is too large, because a dimension of the executor's memory "
                                "has at most {} elements: give a smaller shape",
                                place, array.text(), std::int64_t{2147483647}));
}

}  // namespace camber
